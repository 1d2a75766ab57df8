/**
 * What an answer is expected to teach. With maps X¹ … X^B of bootstrap samples, p_b the probability that the map X^b
 * gives the answer "i is nearer to j than to k", and H the entropy of a yes or no in bits:
 *
 *   gain = H(Σ_b p_b / B) − Σ_b H(p_b) / B,   p_b = 1/(1 + exp(d₁ − d₂))
 *
 * It is high where each map is sure and they contradict each other, and low where all maps are unsure, since such
 * questions stay open however often they are asked.
 *
 * The probability that is said is another: the mean of 1/(1 + exp(a (d₁ − d₂))) over maps of all but a tenth of the
 * answers each, and over the a that the tenths leave possible which the maps did not see (`sharpnessOf`). A map's own scale
 * says how sure it is of answers that it has partly learned by heart, and less than it may be where the ridge holds it.
 * a = 0 says one half of everything.
 *
 * Houlsby, Huszár, Ghahramani, Lengyel: Bayesian active learning for classification and preference learning (2011),
 * eq. (2); the maps stand for draws of the posterior.
 */
import { exp, log } from "@curvature/linalg";
import type { Comparisons } from "@curvature/objectives/ordinal";

const LOG_2 = log(2);

/** Maps by the objects' numbers. */
export interface SampledMaps {
  /** Of all but some of the answers, others each time. */
  readonly folds: readonly Float64Array[];
  /** Of bootstrap samples. */
  readonly samples: readonly Float64Array[];
  readonly dimensions: number;
  /** Of every object its row in the maps, or −1. */
  readonly rowOf: Int32Array;
  /** The a above that are possible; their weights add up to 1. */
  readonly sharpness: readonly Sharpness[];
}

export interface Expectation {
  readonly gain: number;
  /** That i is nearer to j than to k. */
  readonly probability: number;
}

/** Of a question about an object without a place nothing is known: it teaches one bit. */
export function expectationOf(
  { folds, samples, dimensions, rowOf, sharpness }: SampledMaps,
  i: number,
  j: number,
  k: number,
): Expectation {
  if (rowOf[i] < 0 || rowOf[j] < 0 || rowOf[k] < 0) return { gain: 1, probability: 0.5 };
  const difference = (X: Float64Array): number =>
    squaredDistance(X, dimensions, rowOf[i], rowOf[j]) - squaredDistance(X, dimensions, rowOf[i], rowOf[k]);
  let mean = 0;
  let known = 0;
  for (const X of samples) {
    const p = nearer(difference(X));
    mean += p / samples.length;
    known += entropy(p) / samples.length;
  }
  let probability = 0;
  for (const X of folds) {
    const z = difference(X);
    for (const { a, weight } of sharpness)
      probability += (weight * (a === 0 ? 0.5 : nearer(a * z))) / folds.length;
  }
  return { gain: Math.max(0, entropy(mean) - known), probability };
}

/** 1 / (1 + exp(z)) */
const nearer = (z: number): number => (z >= 0 ? exp(-z) / (1 + exp(-z)) : 1 / (1 + exp(z)));

/** a is sought on this grid: 0, and 1/16 to 16 by eighths of a power of two. */
const SHARPNESSES = [0, ...Array.from({ length: 65 }, (_, k) => 2 ** ((k - 32) / 8))];

/** Adds d₁ − d₂ of answers on a map, one in `step`. */
export function addDifferences(
  differences: number[],
  { quadruplets }: Comparisons,
  X: Float64Array,
  dimensions: number,
  step: number,
): void {
  for (let at = 0; at < quadruplets.length; at += 4 * step) {
    const [i, j, l, k] = quadruplets.subarray(at, at + 4);
    differences.push(squaredDistance(X, dimensions, i, j) - squaredDistance(X, dimensions, l, k));
  }
}

/** A factor a, and how probable the answers make it. */
export interface Sharpness {
  readonly a: number;
  readonly weight: number;
}

/**
 * The factors a that answers leave possible: each of the grid as probable as it makes them, if all were as likely before
 * (and 0 as likely as an eighth of them). Of few answers no single one is known, and the likeliest says too much.
 *
 * @param differences - d₁ − d₂ of each, by a map that did not see it
 */
export function sharpnessOf(differences: readonly number[]): readonly Sharpness[] {
  const losses = SHARPNESSES.map((a) => {
    let loss = a === 0 ? -log(SHARPNESSES.length / 8) : 0;
    for (const z of differences) loss -= log(Math.max(nearer(a * z), Number.MIN_VALUE));
    return loss;
  });
  const least = Math.min(...losses);
  const likelihoods = losses.map((loss) => exp(least - loss));
  const sum = likelihoods.reduce((total, each) => total + each, 0);
  return SHARPNESSES.map((a, k) => ({ a, weight: likelihoods[k] / sum })).filter(
    ({ weight }) => weight > NEGLIGIBLE,
  );
}

const NEGLIGIBLE = 1e-4;

/** Of a yes with probability p, in bits. */
export function entropy(p: number): number {
  return p <= 0 || p >= 1 ? 0 : -(p * log(p) + (1 - p) * log(1 - p)) / LOG_2;
}

function squaredDistance(X: Float64Array, p: number, i: number, j: number): number {
  let sum = 0;
  for (let t = 0; t < p; t++) {
    const u = X[i * p + t] - X[j * p + t];
    sum += u * u;
  }
  return sum;
}
