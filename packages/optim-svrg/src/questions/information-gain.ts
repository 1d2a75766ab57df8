/**
 * What an answer is expected to teach. With maps X¹ … X^B of bootstrap samples, p_b the probability that the map X^b
 * gives the answer "i is nearer to j than to k", and H the entropy of a yes or no in bits:
 *
 *   gain = H(Σ_b p_b / B) − Σ_b H(p_b) / B,   p_b = 1/(1 + exp(d₁ − d₂))
 *
 * It is high where each map is sure and they contradict each other, and low where all maps are unsure, since such
 * questions stay open however often they are asked.
 *
 * Houlsby, Huszár, Ghahramani, Lengyel: Bayesian active learning for classification and preference learning (2011),
 * eq. (2); the maps stand for draws of the posterior.
 */
import { exp, log } from "@curvature/linalg";

const LOG_2 = log(2);

/** A map by the objects' numbers; objects without a place have −1. */
export interface SampledMaps {
  readonly maps: readonly Float64Array[];
  readonly dimensions: number;
  /** Of every object its row in the maps, or −1. */
  readonly rowOf: Int32Array;
}

export interface Expectation {
  readonly gain: number;
  /** The mean of p_b. */
  readonly probability: number;
}

/** Of a question about an object without a place nothing is known: it teaches one bit. */
export function expectationOf(
  { maps, dimensions, rowOf }: SampledMaps,
  i: number,
  j: number,
  k: number,
): Expectation {
  if (rowOf[i] < 0 || rowOf[j] < 0 || rowOf[k] < 0) return { gain: 1, probability: 0.5 };
  let mean = 0;
  let known = 0;
  for (const X of maps) {
    const z =
      squaredDistance(X, dimensions, rowOf[i], rowOf[j]) - squaredDistance(X, dimensions, rowOf[i], rowOf[k]);
    const p = z >= 0 ? exp(-z) / (1 + exp(-z)) : 1 / (1 + exp(z));
    mean += p / maps.length;
    known += entropy(p) / maps.length;
  }
  return { gain: Math.max(0, entropy(mean) - known), probability: mean };
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
