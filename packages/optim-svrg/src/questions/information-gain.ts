/**
 * What an answer is expected to teach. With maps X¹ … X^B of bootstrap samples, p_b the probability that the map X^b
 * gives the answer "i is nearer to j than to k", and H the entropy of a yes or no in bits:
 *
 *   gain = H(Σ_b p_b / B) − Σ_b H(p_b) / B,   p_b = 1/(1 + exp(d₁ − d₂))
 *
 * It is high where each map is sure and they contradict each other, and low where all maps are unsure, since such
 * questions stay open however often they are asked.
 *
 * Maps of few answers are too sure of themselves. The probability that is said is therefore that of answers p_b(a) =
 * 1/(1 + exp(a (d₁ − d₂))), where a, at most 1, makes the answers that each map did not see most probable (`sharpnessOf`);
 * a = 0 says one half of everything, so that this is never worse. What a question teaches is about the maps as they are.
 *
 * Houlsby, Huszár, Ghahramani, Lengyel: Bayesian active learning for classification and preference learning (2011),
 * eq. (2); the maps stand for draws of the posterior.
 */
import { exp, log } from "@curvature/linalg";
import { type Comparisons, comparisonCount } from "@curvature/objectives/ordinal";

const LOG_2 = log(2);

/** A map by the objects' numbers; objects without a place have −1. */
export interface SampledMaps {
  readonly maps: readonly Float64Array[];
  readonly dimensions: number;
  /** Of every object its row in the maps, or −1. */
  readonly rowOf: Int32Array;
  /** a above. */
  readonly sharpness: number;
}

export interface Expectation {
  readonly gain: number;
  /** The mean of p_b(a). */
  readonly probability: number;
}

/** Of a question about an object without a place nothing is known: it teaches one bit. */
export function expectationOf(
  { maps, dimensions, rowOf, sharpness }: SampledMaps,
  i: number,
  j: number,
  k: number,
): Expectation {
  if (rowOf[i] < 0 || rowOf[j] < 0 || rowOf[k] < 0) return { gain: 1, probability: 0.5 };
  let mean = 0;
  let known = 0;
  let said = 0;
  for (const X of maps) {
    const z =
      squaredDistance(X, dimensions, rowOf[i], rowOf[j]) - squaredDistance(X, dimensions, rowOf[i], rowOf[k]);
    const p = nearer(z);
    said += nearer(sharpness * z) / maps.length;
    mean += p / maps.length;
    known += entropy(p) / maps.length;
  }
  return { gain: Math.max(0, entropy(mean) - known), probability: said };
}

/** 1 / (1 + exp(z)) */
const nearer = (z: number): number => (z >= 0 ? exp(-z) / (1 + exp(-z)) : 1 / (1 + exp(z)));

/** So many answers are enough to find a, which is sought on this grid. */
const MAX_ANSWERS = 5000;
const SHARPNESSES = Array.from({ length: 21 }, (_, k) => k / 20);

/**
 * a above: of the grid, the one at which the answers are most probable, each by the maps that did not see it.
 *
 * @param isSeen - of each map, 1 for every answer that it was fitted to
 */
export function sharpnessOf(
  comparisons: Comparisons,
  maps: readonly Float64Array[],
  dimensions: number,
  isSeen: readonly ((q: number) => boolean)[],
): number {
  const { quadruplets } = comparisons;
  const losses = new Float64Array(SHARPNESSES.length);
  const count = comparisonCount(comparisons);
  const step = Math.max(1, Math.floor(count / MAX_ANSWERS));
  for (let q = 0; q < count; q += step) {
    const [i, j, l, k] = quadruplets.subarray(4 * q, 4 * q + 4);
    const unseen = maps.filter((_, b) => !isSeen[b](q));
    if (unseen.length === 0) continue;
    const margins = unseen.map(
      (X) => squaredDistance(X, dimensions, i, j) - squaredDistance(X, dimensions, l, k),
    );
    SHARPNESSES.forEach((a, at) => {
      let p = 0;
      for (const z of margins) p += nearer(a * z) / margins.length;
      losses[at] -= log(Math.max(p, Number.MIN_VALUE));
    });
  }
  let best = 0;
  for (let at = 1; at < losses.length; at++) if (losses[at] < losses[best]) best = at;
  return SHARPNESSES[best];
}

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
