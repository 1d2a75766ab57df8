/** Curves whose points lie at random places, and other shapes that no centre tells apart. */
import {
  doubleSwissRoll,
  type Groups,
  gaussianBlobs,
  halfRing,
  moons,
  ring,
  trefoilKnot,
} from "@curvature/datasets";
import { type DenseMatrix, RandomGenerator, selectRows } from "@curvature/linalg";

export interface RandomCurves {
  readonly name: string;
  /** About n points, at places and with noise of this seed. */
  readonly draw: (n: number, seed: number) => Groups;
}

type Place = readonly [x: number, y: number, z: number];

/** Parts one after the other, each moved to where its points belong. */
function union(...parts: readonly { points: DenseMatrix; to: (x: Place) => readonly number[] }[]): Groups {
  const rows: (readonly number[])[] = [];
  const labels: number[] = [];
  for (const [part, { points, to }] of parts.entries())
    for (let i = 0; i < points.rows; i++) {
      const x = points.data.subarray(i * points.columns, (i + 1) * points.columns);
      rows.push(to([x[0], x[1] ?? 0, x[2] ?? 0]));
      labels.push(part);
    }
  const points = { rows: rows.length, columns: rows[0].length, data: Float64Array.from(rows.flat()) };
  return { points, labels: Uint32Array.from(labels) };
}

/** A ring of a radius, with noise in the unit of the plane. */
const ringOf = (count: number, radius: number, noise: number, seed: number) => ({
  points: ring({ count, spacing: "random", noise: noise / radius, seed }).points,
  to: ([x, y]: Place) => [radius * x, radius * y],
});

const blobOf = (count: number, deviation: number, [x0, y0]: readonly [number, number], seed: number) => ({
  points: gaussianBlobs({ groups: 1, pointsPerGroup: count, spread: deviation, box: 0, seed }).points,
  to: ([x, y]: Place) => [x0 + x, y0 + y],
});

/** Shares of n, in whole points. */
const shares = (n: number, ...parts: readonly number[]): number[] => {
  const sum = parts.reduce((a, b) => a + b);
  return parts.map((part) => Math.round((n * part) / sum));
};

function ringsOf(radii: readonly number[], weights: readonly number[], noise: number) {
  return (n: number, seed: number): Groups =>
    union(...shares(n, ...weights).map((count, k) => ringOf(count, radii[k], noise, 16 * seed + k)));
}

/** Third coordinates of a plane curve, at rest but for noise. */
function flatNoise(count: number, noise: number, seed: number): Float64Array {
  const { data } = gaussianBlobs({
    groups: 1,
    pointsPerGroup: count,
    dimensions: 1,
    spread: noise,
    box: 0,
    seed,
  }).points;
  return data;
}

function links(noise: number) {
  return (n: number, seed: number): Groups => {
    const [a, b] = shares(n, 1, 1);
    const [za, zb] = [flatNoise(a, noise, 16 * seed + 2), flatNoise(b, noise, 16 * seed + 3)];
    let [i, j] = [0, 0];
    const one = ringOf(a, 1, noise, 16 * seed).points;
    const other = ringOf(b, 1, noise, 16 * seed + 1).points;
    return union(
      { points: one, to: ([x, y]) => [x, y, za[i++]] },
      { points: other, to: ([x, y]) => [1 + x, zb[j++], y] },
    );
  };
}

function knots(noise: number) {
  return (n: number, seed: number): Groups => {
    const [a, b] = shares(n, 2, 1);
    const z = flatNoise(b, noise, 16 * seed + 2);
    let i = 0;
    return union(
      { points: trefoilKnot({ count: a, spacing: "random", noise, seed: 16 * seed }).points, to: (x) => x },
      {
        points: ring({ count: b, spacing: "random", noise: 2 * noise, seed: 16 * seed + 1 }).points,
        to: ([x, y]) => [0.5 * x, 4.2 + z[i++], 0.5 * y],
      },
    );
  };
}

/** Two lines beside each other. */
function lines(noise: number) {
  return (n: number, seed: number): Groups => {
    const random = new RandomGenerator(16 * seed);
    const line = (count: number, k: number) => ({
      points: gaussianBlobs({ groups: 1, pointsPerGroup: count, spread: noise, box: 0, seed: 16 * seed + k })
        .points,
      to: ([x, y]: Place) => [3 * random.uniform() + x, 0.5 * (k - 1) + y],
    });
    const [a, b] = shares(n, 1, 1);
    return union(line(a, 1), line(b, 2));
  };
}

/** A half ring within a wider one, open to the same side. */
function arcs(noise: number) {
  return (n: number, seed: number): Groups => {
    const arc = (count: number, radius: number, k: number) => ({
      points: halfRing({ count, spacing: "random", noise: noise / radius, seed: 16 * seed + k }).points,
      to: ([x, y]: Place) => [radius * x, radius * y],
    });
    const [a, b] = shares(n, 1, 2);
    return union(arc(a, 1, 0), arc(b, 2, 1));
  };
}

const moonsOf = (noise: number) => (n: number, seed: number) =>
  moons({ pointsPerMoon: Math.round(n / 2), spacing: "random", noise, seed });

/** The parts of the double Swiss roll from π to 3π, in a unit in which the arms lie at 0.8 of each other. */
const spiralsOf =
  (noise: number) =>
  (n: number, seed: number): Groups => {
    const { points, angle } = doubleSwissRoll({
      pointsPerRoll: 2 * n,
      spacing: "random",
      noise: 4 * noise,
      seed,
    });
    const arm = (k: 0 | 1) => {
      const rolls = Array.from({ length: 2 * n }, (_, i) => 2 * n * k + i);
      return selectRows(points, rolls.filter((i) => angle[i] <= 3 * Math.PI).slice(0, Math.round(n / 2)));
    };
    const plane = ([x, y]: Place) => [x / 4, y / 4];
    return union({ points: arm(0), to: plane }, { points: arm(1), to: plane });
  };

/** Of each the noise is a standard deviation in the unit of the plane. */
export const randomCurves: readonly RandomCurves[] = [
  ...[0, 0.05, 0.1].map((noise) => ({
    name: `two rings, radii 1 and 2, noise ${noise}`,
    draw: ringsOf([1, 2], [1, 1], noise),
  })),
  { name: "two rings, three times as many on the outer, noise 0.05", draw: ringsOf([1, 2], [1, 3], 0.05) },
  { name: "three rings, noise 0.03", draw: ringsOf([1, 2, 3], [1, 2, 3], 0.03) },
  ...[0, 0.1].map((noise) => ({ name: `one ring, noise ${noise}`, draw: ringsOf([1], [1], noise) })),
  ...[0, 0.05, 0.1].map((noise) => ({ name: `moons, noise ${noise}`, draw: moonsOf(noise) })),
  ...[0, 0.05].map((noise) => ({ name: `two spirals, noise ${noise}`, draw: spiralsOf(noise) })),
  { name: "trefoil knot and ring, noise 0.05", draw: knots(0.05) },
  { name: "two links, noise 0.05", draw: links(0.05) },
  {
    name: "ring around a blob, noise 0.05",
    draw: (n, seed) => {
      const [a, b] = shares(n, 2, 1);
      return union(ringOf(a, 2, 0.05, 16 * seed), blobOf(b, 0.35, [0, 0], 16 * seed + 1));
    },
  },
  {
    name: "four blobs that touch",
    draw: (n, seed) => {
      const centres = [
        [0, 0],
        [4, 0],
        [2, 3.46],
        [6, 3.46],
      ] as const;
      return union(...shares(n, 1, 1, 1, 1).map((count, k) => blobOf(count, 0.8, centres[k], 16 * seed + k)));
    },
  },
  { name: "one blob", draw: (n, seed) => union(blobOf(n, 1, [0, 0], 16 * seed)) },
  { name: "two lines, noise 0.03", draw: lines(0.03) },
  { name: "two arcs, noise 0.05", draw: arcs(0.05) },
  {
    name: "double Swiss roll, noise 0",
    draw: (n, seed) => doubleSwissRoll({ pointsPerRoll: Math.round(n / 2), spacing: "random", seed }),
  },
];
