/**
 * Points on manifolds that no plane holds, with noise in all of ten dimensions, and how far they lie apart on them.
 *
 * | name      | points                                          | distance                                                     |
 * |-----------|-------------------------------------------------|--------------------------------------------------------------|
 * | rotations | turns of space: the first two columns of R      | the angle of R₁ᵀ R₂                                          |
 * | ring      | a disc's points, each a full turn of them       | root of the sum of squares of arc and distance in the disc   |
 * | book      | seven pages of 1 × 2 that share an edge         | on a page, straight; between pages, over the edge            |
 */
import { type DenseMatrix, normal, RandomGenerator } from "@curvature/linalg";

export interface Manifold {
  readonly points: DenseMatrix;
  /** Of points i and j, without noise. */
  readonly distance: (i: number, j: number) => number;
}

export const COLUMNS = 10;
export const manifoldNames = ["rotations", "ring", "book"] as const;
export type ManifoldName = (typeof manifoldNames)[number];

/** @param noise - standard deviation of every coordinate */
export function manifold(name: ManifoldName, N: number, noise: number, seed: number): Manifold {
  const random = new RandomGenerator(seed);
  const { places, distance } = makers[name](N, random);
  const data = new Float64Array(N * COLUMNS);
  for (let i = 0; i < N; i++)
    for (let c = 0; c < COLUMNS; c++) data[i * COLUMNS + c] = (places[i][c] ?? 0) + noise * normal(random);
  return { points: { rows: N, columns: COLUMNS, data }, distance };
}

interface Drawn {
  readonly places: readonly (readonly number[])[];
  readonly distance: (i: number, j: number) => number;
}

const makers: Readonly<Record<ManifoldName, (N: number, random: RandomGenerator) => Drawn>> = {
  rotations(N, random) {
    const turns = Array.from({ length: N }, () => unit(4, random));
    return {
      places: turns.map(([w, x, y, z]) => [
        1 - 2 * (y * y + z * z),
        2 * (x * y + w * z),
        2 * (x * z - w * y),
        2 * (x * y - w * z),
        1 - 2 * (x * x + z * z),
        2 * (y * z + w * x),
      ]),
      distance: (i, j) => 2 * Math.acos(Math.min(1, Math.abs(inner(turns[i], turns[j])))),
    };
  },
  ring(N, random) {
    const marks = Array.from({ length: N }, () => {
      const [radius, turn] = [Math.sqrt(random.uniform()), 2 * Math.PI * random.uniform()];
      return {
        angle: 2 * Math.PI * random.uniform(),
        disc: [radius * Math.cos(turn), radius * Math.sin(turn)],
      };
    });
    return {
      places: marks.map(({ angle, disc }) => [Math.cos(angle), Math.sin(angle), ...disc]),
      distance: (i, j) => {
        const [a, b] = [marks[i], marks[j]];
        const between = Math.abs(a.angle - b.angle);
        const arc = Math.min(between, 2 * Math.PI - between);
        return Math.hypot(arc, a.disc[0] - b.disc[0], a.disc[1] - b.disc[1]);
      },
    };
  },
  book(N, random) {
    const pages = Array.from({ length: 7 }, () => unit(COLUMNS - 1, random));
    const marks = Array.from({ length: N }, () => ({
      page: random.integer(7),
      out: random.uniform(),
      up: 2 * random.uniform(),
    }));
    return {
      places: marks.map(({ page, out, up }) => [up, ...pages[page].map((value) => out * value)]),
      distance: (i, j) => {
        const [a, b] = [marks[i], marks[j]];
        return Math.hypot(a.page === b.page ? a.out - b.out : a.out + b.out, a.up - b.up);
      },
    };
  },
};

function unit(columns: number, random: RandomGenerator): number[] {
  const v = Array.from({ length: columns }, () => normal(random));
  const length = Math.hypot(...v);
  return v.map((value) => value / length);
}

const inner = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, c) => sum + value * b[c], 0);

/** Neighbours of a point in the map, and the nearest on the manifold beside which one of them is far. */
const [NEAR, FAR] = [10, 50];
/** Of ten neighbours, those that must be far for the point to lie among strangers. */
const STRANGERS = 2;

/** Of each point whether it lies among strangers: at least two of its ten nearest in the map are not among its fifty on the manifold. */
export function falsePlaces({ distance }: Manifold, { rows: N, columns, data }: DenseMatrix): boolean[] {
  const inMap = (i: number, j: number): number => {
    let sum = 0;
    for (let c = 0; c < columns; c++) sum += (data[i * columns + c] - data[j * columns + c]) ** 2;
    return sum;
  };
  const nearest = (i: number, between: (i: number, j: number) => number, count: number): number[] => {
    const far = Float64Array.from({ length: N }, (_, j) => (j === i ? Infinity : between(i, j)));
    return Array.from(far.keys())
      .sort((a, b) => far[a] - far[b])
      .slice(0, count);
  };
  return Array.from({ length: N }, (_, i) => {
    const truly = new Set(nearest(i, distance, FAR));
    return nearest(i, inMap, NEAR).filter((j) => !truly.has(j)).length >= STRANGERS;
  });
}

/**
 * The probability that a point that lies among strangers has a lower score than one that does not; ties count half. Undefined where
 * there are none of one kind.
 */
export function areaUnderCurve(scores: Float64Array, isFalse: readonly boolean[]): number | undefined {
  const order = Array.from(scores.keys()).sort((i, j) => scores[i] - scores[j]);
  let [below, wrong, right] = [0, 0, 0];
  for (let first = 0, end = 0; first < order.length; first = end) {
    let [wrongHere, rightHere] = [0, 0];
    for (; end < order.length && scores[order[end]] === scores[order[first]]; end++)
      if (isFalse[order[end]]) wrongHere++;
      else rightHere++;
    below += rightHere * (wrong + wrongHere / 2);
    wrong += wrongHere;
    right += rightHere;
  }
  return wrong === 0 || right === 0 ? undefined : below / (wrong * right);
}
