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
import type { OrdinalLoss } from "./loss.js";
import { softplusLoss } from "./softplus-loss.js";

export function tste(alpha: number): OrdinalLoss {
  const h = (alpha + 1) / 2;
  return softplusLoss({
    name: "tste",
    description: `tste, alpha ${alpha}`,
    margins(count, d1, d2, z) {
      for (let q = 0; q < count; q++) z[q] = h * log((alpha + d1[q]) / (alpha + d2[q]));
    },
    slopesFrom(count, d1, d2, s, a, c) {
      for (let q = 0; q < count; q++) {
        const slope = h * s[q];
        a[q] = slope / (alpha + d1[q]);
        c[q] = -slope / (alpha + d2[q]);
      }
    },
  });
}
