/**
 * Stochastic triplet embedding: the answer has the probability 1/(1 + exp(d₁ − d₂)).
 *
 *   l = softplus(z),   z = d₁ − d₂,   a = s(z),   c = −s(z)
 *
 * van der Maaten, Weinberger: Stochastic triplet embedding. MLSP 2012, eq. (3); Ma et al. (2019), eq. (48).
 */
import type { OrdinalLoss } from "./loss.js";
import { softplusLoss } from "./softplus-loss.js";

export function ste(): OrdinalLoss {
  return softplusLoss({
    name: "ste",
    description: "ste",
    margins(count, d1, d2, z) {
      for (let q = 0; q < count; q++) z[q] = d1[q] - d2[q];
    },
    slopesFrom(count, _d1, _d2, s, a, c) {
      for (let q = 0; q < count; q++) {
        a[q] = s[q];
        c[q] = -s[q];
      }
    },
  });
}
