/**
 * The logistic loss of distances: the answer has the probability 1/(1 + exp(√d₁ − √d₂)).
 *
 *   l = softplus(z),   z = √d₁ − √d₂,   a = s(z)/(2√d₁),   c = −s(z)/(2√d₂)        (√d is √(d + 10⁻¹²))
 *
 * STE with distances in the place of their squares: far pairs count for less.
 */
import { distance } from "./distance.js";
import type { OrdinalLoss } from "./loss.js";
import { softplusLoss } from "./softplus-loss.js";

export function logistic(): OrdinalLoss {
  return softplusLoss({
    name: "logistic",
    description: "logistic",
    margins(count, d1, d2, z) {
      for (let q = 0; q < count; q++) z[q] = distance(d1[q]) - distance(d2[q]);
    },
    slopesFrom(count, d1, d2, s, a, c) {
      for (let q = 0; q < count; q++) {
        const half = 0.5 * s[q];
        a[q] = half / distance(d1[q]);
        c[q] = -half / distance(d2[q]);
      }
    },
  });
}
