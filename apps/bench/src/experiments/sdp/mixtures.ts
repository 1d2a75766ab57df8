/** Draws of clusters around centres: with rows of noise among them, and with centres at a given distance of each other. */
import { type DenseMatrix, fillNormal, log, RandomGenerator } from "@curvature/linalg";

export interface Mixture {
  readonly points: DenseMatrix;
  /** The cluster of each row; −1 of noise. */
  readonly truth: readonly number[];
  readonly K: number;
}

/** What a draw with noise is of. */
export interface NoisyKind {
  readonly clusters: "normal" | "Laplace";
  readonly noise: "uniform" | "Cauchy";
}

type Law = (random: RandomGenerator) => number;

const normal: Law = (random) => {
  const one = new Float64Array(1);
  fillNormal(random, one);
  return one[0];
};

/** Of mean 0 and variance 1. */
const laplace: Law = (random) => {
  const u = 2 * random.uniform() - 1;
  return (-Math.sign(u) * log(1 - Math.abs(u))) / Math.SQRT2;
};

const cauchy: Law = (random) => normal(random) / normal(random);

/** Centres of clusters with noise are farther apart than this; the widest cluster has a standard deviation of 1.4. */
const APART = 6.5;
/** Uniform noise lies in a box so many times as large as that of the clusters. */
const BOX = 1.3;
const CAUCHY_SCALE = 10;

/**
 * 3 to 5 clusters of unequal width (standard deviation 0.6 to 1.4) and size (up to three times) in 2 to 6 dimensions, and noise
 * among them, in random order.
 *
 * @param share - of noise, of the n rows
 */
export function noisyMixture(
  { clusters, noise }: NoisyKind,
  share: number,
  n: number,
  seed: number,
): Mixture {
  const random = new RandomGenerator(seed);
  const K = 3 + Math.floor(3 * random.uniform());
  const d = 2 + Math.floor(5 * random.uniform());
  const centres = places(random, K, d, APART);
  const widths = centres.map(() => 0.6 + 0.8 * random.uniform());
  const weights = centres.map(() => 1 + 2 * random.uniform());
  const law = clusters === "normal" ? normal : laplace;
  const outside = Math.round(share * n);
  const rows = Array.from({ length: n - outside }, () => {
    const c = drawnOf(random, weights);
    return { c, x: centres[c].map((m) => m + widths[c] * law(random)) };
  });
  const box = centres[0].map((_, j) => BOX * Math.max(...rows.map(({ x }) => Math.abs(x[j]))));
  for (let i = 0; i < outside; i++) {
    const x = box.map((b) =>
      noise === "uniform" ? b * (2 * random.uniform() - 1) : CAUCHY_SCALE * cauchy(random),
    );
    rows.push({ c: -1, x });
  }
  for (let i = n - 1; i > 0; i--) {
    const j = Math.floor((i + 1) * random.uniform());
    [rows[i], rows[j]] = [rows[j], rows[i]];
  }
  const data = Float64Array.from(rows.flatMap(({ x }) => x));
  return { points: { rows: n, columns: d, data }, truth: rows.map(({ c }) => c), K };
}

/** n rows of K round normal clusters of standard deviation 1, whose two nearest centres are so far apart. */
export function roundClusters(K: number, d: number, apart: number, n: number, seed: number): DenseMatrix {
  const random = new RandomGenerator(seed);
  const centres = places(random, K, d, apart);
  const least = Math.min(...centres.flatMap((a, k) => centres.slice(0, k).map((b) => distance(a, b))));
  const scale = K === 1 ? 1 : apart / least;
  const rows = Array.from({ length: n }, () =>
    centres[Math.floor(K * random.uniform())].map((m) => scale * m + normal(random)),
  );
  return { rows: n, columns: d, data: Float64Array.from(rows.flat()) };
}

/** K places farther apart than this, in a box that grows until they have room. */
function places(random: RandomGenerator, K: number, d: number, apart: number): number[][] {
  const found: number[][] = [];
  for (let half = apart, tries = 1; found.length < K; tries++) {
    const place = Array.from({ length: d }, () => half * (2 * random.uniform() - 1));
    if (found.every((other) => distance(other, place) > apart)) found.push(place);
    if (tries % 100 === 0) half *= 1.1;
  }
  return found;
}

const distance = (a: readonly number[], b: readonly number[]): number =>
  Math.hypot(...a.map((x, j) => x - b[j]));

/** A place among weights, drawn by them. */
function drawnOf(random: RandomGenerator, weights: readonly number[]): number {
  let left = random.uniform() * weights.reduce((sum, weight) => sum + weight, 0);
  const found = weights.findIndex((weight) => {
    left -= weight;
    return left < 0;
  });
  return found < 0 ? weights.length - 1 : found;
}
