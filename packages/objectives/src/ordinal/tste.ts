/**
 * t-distributed stochastic triplet embedding: STE with the heavy-tailed kernel (1 + d/α)^−h, h = (α + 1)/2.
 *
 *   l = softplus(z),   z = h (log(1 + d₁/α) − log(1 + d₂/α)) = h log((α + d₁)/(α + d₂))
 *   a = s(z) h/(α + d₁),   c = −s(z) h/(α + d₂)
 *
 * van der Maaten, Weinberger: Stochastic triplet embedding. MLSP 2012, eq. (5). Differs from it in writing: powers
 * are never formed, since those of large distances leave the range of numbers.
 */
import { log } from "@curvature/linalg";
import { lossFrom, type OrdinalLoss } from "./loss.js";
import { decayOf, sigmoid, sigmoidFrom, softplus, softplusFrom } from "./softplus.js";

export function tste(alpha: number): OrdinalLoss {
  const h = (alpha + 1) / 2;
  return lossFrom({
    name: "tste",
    description: `tste, alpha ${alpha}`,
    values(count, d1, d2, out) {
      for (let q = 0; q < count; q++) out[q] = softplus(h * log((alpha + d1[q]) / (alpha + d2[q])));
    },
    slopes(count, d1, d2, a, c) {
      for (let q = 0; q < count; q++) {
        const near = alpha + d1[q];
        const far = alpha + d2[q];
        const slope = h * sigmoid(h * log(near / far));
        a[q] = slope / near;
        c[q] = -slope / far;
      }
    },
    valuesAndSlopes(count, d1, d2, out, a, c) {
      for (let q = 0; q < count; q++) {
        const near = alpha + d1[q];
        const far = alpha + d2[q];
        const z = h * log(near / far);
        const e = decayOf(z);
        const slope = h * sigmoidFrom(z, e);
        out[q] = softplusFrom(z, e);
        a[q] = slope / near;
        c[q] = -slope / far;
      }
    },
  });
}
