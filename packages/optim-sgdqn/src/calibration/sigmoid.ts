/**
 * From scores to probabilities: Platt's sigmoid, fitted by Newton's method with backtracking.
 *
 * Problem    min over A, B of F = −Σᵢ cᵢ (tᵢ log pᵢ + (1 − tᵢ) log(1 − pᵢ)),   pᵢ = 1/(1 + exp(A fᵢ + B))        (1)
 * Targets    tᵢ = (N₊ + 1)/(N₊ + 2) for the positive rows, 1/(N₋ + 2) for the others
 * Gradient   ∂F/∂A = Σ cᵢ fᵢ (tᵢ − pᵢ),  ∂F/∂B = Σ cᵢ (tᵢ − pᵢ)
 * Hessian    Σ cᵢ pᵢ (1 − pᵢ) (fᵢ², fᵢ; fᵢ, 1), plus σ on the diagonal                                            (2)
 * Stable     log(1 + exp z) and p are computed from exp(−|z|), so that nothing overflows or cancels.
 *
 * | symbol | variable | meaning                                              |
 * |--------|----------|------------------------------------------------------|
 * | fᵢ     | f        | score of a row that had no part in its model's fit   |
 * | cᵢ     | c        | its weight                                           |
 * | N₊, N₋ | positives, negatives | their weights' sums                      |
 *
 * Platt: Probabilistic outputs for support vector machines (1999). Lin, Lin, Weng: A note on Platt's probabilistic
 * outputs for support vector machines. Machine Learning 68 (2007) 267-276. doi:10.1007/s10994-007-5018-6; the iteration
 * is that of its appendix.
 * Differs from it: rows may have weights; the scores are divided by their root mean square first, so that the stopping
 * test and σ do not depend on their unit; and where the best A is above 0, so that a higher score would mean a lower
 * probability, the scores say nothing and A is 0.
 */
import { exp, log1p } from "@curvature/linalg";

/** P(positive | score) = 1/(1 + exp(slope · score + offset)), slope at most 0. */
export interface Sigmoid {
  readonly slope: number;
  readonly offset: number;
}

/** What the logistic loss promises of its scores. */
export const logisticSigmoid: Sigmoid = Object.freeze({ slope: -1, offset: 0 });

const MAX_ITERATIONS = 100;
const SIGMA = 1e-12;
const GRADIENT_TOLERANCE = 1e-5;
const MIN_STEP = 1e-10;

/** p at a score, without overflow. */
export function probability({ slope, offset }: Sigmoid, score: number): number {
  const z = slope * score + offset;
  const e = exp(-Math.abs(z));
  return z >= 0 ? e / (1 + e) : 1 / (1 + e);
}

/**
 * @param scores - f, finite, length n
 * @param isPositive - by row 1 or 0
 * @param weights - c, at least 0; all 1 without
 */
export function fitSigmoid(
  scores: Float64Array,
  isPositive: Uint8Array,
  weights: Float64Array | undefined,
): Sigmoid {
  const n = scores.length;
  const c = weights ?? new Float64Array(n).fill(1);
  let positives = 0;
  let negatives = 0;
  for (let i = 0; i < n; i++) {
    if (isPositive[i] === 1) positives += c[i];
    else negatives += c[i];
  }
  const unit = rootMeanSquare(scores, c);
  const f = unit === 0 ? scores : scores.map((score) => score / unit);
  const high = (positives + 1) / (positives + 2);
  const low = 1 / (negatives + 2);
  const t = Float64Array.from(isPositive, (positive) => (positive === 1 ? high : low));
  const start: Sigmoid = { slope: 0, offset: logOdds(negatives + 1, positives + 1) };
  const { slope, offset } = newton({ f, t, c }, start);
  const fitted = { slope: slope / unit, offset };
  if (slope < 0 && Number.isFinite(fitted.slope)) return fitted;
  const mean = (positives * high + negatives * low) / (positives + negatives); // the best p where A = 0
  return { slope: 0, offset: logOdds(1 - mean, mean) };
}

interface Data {
  readonly f: Float64Array;
  readonly t: Float64Array;
  readonly c: Float64Array;
}

function newton({ f, t, c }: Data, start: Sigmoid): Sigmoid {
  let A = start.slope;
  let B = start.offset;
  let F = cost({ f, t, c }, A, B);
  let weight = 0;
  for (const ci of c) weight += ci;
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
    let h11 = SIGMA;
    let h22 = SIGMA;
    let h21 = 0;
    let g1 = 0;
    let g2 = 0;
    for (let i = 0; i < f.length; i++) {
      const z = A * f[i] + B;
      const e = exp(-Math.abs(z));
      const p = z >= 0 ? e / (1 + e) : 1 / (1 + e);
      const q = z >= 0 ? 1 / (1 + e) : e / (1 + e);
      const d2 = c[i] * p * q; // eq. (2)
      h11 += f[i] * f[i] * d2;
      h22 += d2;
      h21 += f[i] * d2;
      const d1 = c[i] * (t[i] - p);
      g1 += f[i] * d1;
      g2 += d1;
    }
    if (Math.abs(g1) < GRADIENT_TOLERANCE * weight && Math.abs(g2) < GRADIENT_TOLERANCE * weight) break;
    const determinant = h11 * h22 - h21 * h21;
    const dA = -(h22 * g1 - h21 * g2) / determinant;
    const dB = -(-h21 * g1 + h11 * g2) / determinant;
    const slope = g1 * dA + g2 * dB;
    let step = 1;
    while (step >= MIN_STEP) {
      const next = cost({ f, t, c }, A + step * dA, B + step * dB);
      if (next < F + 1e-4 * step * slope) {
        A += step * dA;
        B += step * dB;
        F = next;
        break;
      }
      step /= 2;
    }
    if (step < MIN_STEP) break; // rounding allows no better
  }
  return { slope: A, offset: B };
}

/** eq. (1) */
function cost({ f, t, c }: Data, A: number, B: number): number {
  let sum = 0;
  for (let i = 0; i < f.length; i++) {
    const z = A * f[i] + B;
    const tail = log1p(exp(-Math.abs(z)));
    sum += c[i] * (z >= 0 ? t[i] * z + tail : (t[i] - 1) * z + tail);
  }
  return sum;
}

/** log(a/b) */
function logOdds(a: number, b: number): number {
  return a >= b ? log1p((a - b) / b) : -log1p((b - a) / a);
}

function rootMeanSquare(values: Float64Array, weights: Float64Array): number {
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  if (largest === 0) return 0;
  let [sum, total] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    sum += weights[i] * (values[i] / largest) * (values[i] / largest);
    total += weights[i];
  }
  return largest * Math.sqrt(sum / total);
}
