/**
 * When the active set grows: as soon as the gradients' noise outweighs their mean,
 *
 *   Σ (dᵢ − a)ᵀ H⁻¹ (dᵢ − a) / (n (n − 1))  ≥  α aᵀ H⁻¹ a,   a = the mean of the n active gradients   (eq. 16)
 *
 * or a step failed, or nothing joined for n steps; and only if every active subfunction was evaluated twice.
 * Differs from the paper, whose eq. (16) has H and uncentred gradients, by what its authors' program does.
 */
import type { DenseCholesky } from "@curvature/linalg";
import type { SubfunctionModel } from "./model/subfunction-model.js";
import { inverseNorm } from "./newton-step.js";

export function isNoisy(
  active: readonly SubfunctionModel[],
  cholesky: DenseCholesky,
  K: number,
  maxGradientNoise: number,
): boolean {
  const n = active.length;
  const mean = new Float64Array(K);
  for (const { d } of active) for (let i = 0; i < K; i++) mean[i] += d[i] / n;
  const signal = inverseNorm(cholesky, mean);
  let noise = 0;
  if (n > 1) {
    const centred = new Float64Array(K);
    for (const { d } of active) {
      for (let i = 0; i < K; i++) centred[i] = d[i] - mean[i];
      noise += inverseNorm(cholesky, centred);
    }
    noise /= n * (n - 1);
  }
  return noise >= maxGradientNoise * signal;
}
