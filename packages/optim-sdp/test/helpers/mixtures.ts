/** Draws of clusters, with noise or without, and how well labels agree with them. */
import { type DenseMatrix, fillNormal, RandomGenerator } from "@curvature/linalg";

interface Mixture {
  readonly X: DenseMatrix;
  /** The cluster of each row; −1 of noise. */
  readonly truth: readonly number[];
  readonly K: number;
}

function normal(random: RandomGenerator): number {
  const one = new Float64Array(1);
  fillNormal(random, one);
  return one[0];
}

/** Of variance 1. */
function laplace(random: RandomGenerator): number {
  const u = random.uniform() - 0.5;
  return (-Math.sign(u) * Math.log(1 - 2 * Math.abs(u))) / Math.SQRT2;
}

const cauchy = (random: RandomGenerator): number => Math.tan(Math.PI * (random.uniform() - 0.5));

/** K places at least so far apart, in a box that grows until they have room. */
function places(random: RandomGenerator, K: number, d: number, apart: number): number[][] {
  const found: number[][] = [];
  for (let half = apart, tries = 1; found.length < K; tries++) {
    const place = Array.from({ length: d }, () => half * (2 * random.uniform() - 1));
    if (found.every((other) => Math.hypot(...other.map((x, j) => x - place[j])) > apart)) found.push(place);
    if (tries % 100 === 0) half *= 1.1;
  }
  return found;
}

/** 3 to 5 clusters of unequal width and size in 2 to 6 dimensions, and a share of noise in a larger box or of Cauchy's law; shuffled. */
export function drawnMixture(draw: {
  readonly clusters: "normal" | "laplace";
  readonly noise: "uniform" | "cauchy";
  readonly share: number;
  readonly seed: number;
  readonly rows?: number;
}): Mixture {
  const { clusters, noise, share, seed, rows: count = 200 } = draw;
  const random = new RandomGenerator(seed);
  const K = 3 + Math.floor(3 * random.uniform());
  const d = 2 + Math.floor(5 * random.uniform());
  const centres = places(random, K, d, 6.5);
  const widths = centres.map(() => 0.6 + 0.8 * random.uniform());
  const one = clusters === "normal" ? normal : laplace;
  const rows = Array.from({ length: count }, (_, i) => {
    const c = i < 3 * K ? i % K : Math.floor(K * random.uniform() ** 1.2);
    return { c, x: centres[c].map((m) => m + widths[c] * one(random)) };
  });
  const box = Array.from({ length: d }, (_, j) => 1.3 * Math.max(...rows.map(({ x }) => Math.abs(x[j]))));
  for (let i = Math.round((count * share) / (1 - share)); i > 0; i--)
    rows.push({
      c: -1,
      x: box.map((b) => (noise === "uniform" ? b * (2 * random.uniform() - 1) : 10 * cauchy(random))),
    });
  for (let i = rows.length - 1; i > 0; i--) {
    const j = Math.floor((i + 1) * random.uniform());
    [rows[i], rows[j]] = [rows[j], rows[i]];
  }
  const data = Float64Array.from(rows.flatMap(({ x }) => x));
  return { X: { rows: rows.length, columns: d, data }, truth: rows.map(({ c }) => c), K };
}

/**
 * A table of few rows: K clusters of at least four in d dimensions, and a share of noise, in a box, of a heavy law, or in the plane of
 * one side of the box.
 */
export function smallMixture(draw: {
  readonly clusters: "normal" | "laplace";
  readonly noise: "uniform" | "cauchy" | "planar";
  readonly share: number;
  readonly seed: number;
  readonly rows: number;
  readonly K: number;
  readonly d: number;
}): Mixture {
  const { clusters, noise, share, seed, rows: count, K, d } = draw;
  const random = new RandomGenerator(seed);
  const centres = places(random, K, d, 7);
  const widths = centres.map(() => 0.6 + 0.8 * random.uniform());
  const one = clusters === "normal" ? normal : laplace;
  const outside = Math.floor(share * count);
  const rows = Array.from({ length: count - outside }, (_, i) => {
    const c = i < 4 * K ? i % K : Math.floor(K * random.uniform());
    return { c, x: centres[c].map((m) => m + widths[c] * one(random)) };
  });
  const box = centres[0].map((_, j) => 1.5 * Math.max(8, ...rows.map(({ x }) => Math.abs(x[j]))));
  for (let i = 0; i < outside; i++)
    rows.push({
      c: -1,
      x: box.map((b, j) =>
        noise === "cauchy"
          ? 10 * cauchy(random)
          : noise === "planar" && j > 0
            ? b
            : b * (2 * random.uniform() - 1),
      ),
    });
  const data = Float64Array.from(rows.flatMap(({ x }) => x));
  return { X: { rows: count, columns: d, data }, truth: rows.map(({ c }) => c), K };
}

/** K round normal clusters of width 1 whose middles are at least so far apart, 200 rows. */
export function roundClusters(K: number, d: number, apart: number, seed: number): DenseMatrix {
  const random = new RandomGenerator(seed);
  const centres = places(random, K, d, apart);
  const data = Float64Array.from(
    Array.from({ length: 200 }, () => centres[Math.floor(K * random.uniform())]).flatMap((m) =>
      m.map((x) => x + normal(random)),
    ),
  );
  return { rows: 200, columns: d, data };
}

/** The adjusted Rand index (Hubert, Arabie 1985). */
export function agreement(a: readonly number[], b: readonly number[]): number {
  const pairs = (counts: Iterable<number>): number => {
    let sum = 0;
    for (const m of counts) sum += (m * (m - 1)) / 2;
    return sum;
  };
  const counted = (keys: readonly string[]): number => {
    const counts = new Map<string, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    return pairs(counts.values());
  };
  const both = counted(a.map((x, i) => `${x} ${b[i]}`));
  const [ofA, ofB] = [counted(a.map(String)), counted(b.map(String))];
  const expected = (ofA * ofB) / pairs([a.length]);
  const most = (ofA + ofB) / 2;
  return most === expected ? 1 : (both - expected) / (most - expected);
}
