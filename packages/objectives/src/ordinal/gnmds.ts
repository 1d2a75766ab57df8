/**
 * Generalised non-metric multidimensional scaling: a hinge with margin 1 on squared distances.
 *
 *   l = max(0, 1 + d₁ − d₂),   a = 1 where 1 + d₁ − d₂ > 0, else 0,   c = −a
 *
 * Agarwal et al.: Generalized non-metric multidimensional scaling. AISTATS 2007. At the kink a = 0.
 */
import { lossFrom, type OrdinalLoss } from "./loss.js";

export function gnmds(): OrdinalLoss {
  return lossFrom({
    name: "gnmds",
    description: "gnmds",
    values(count, d1, d2, out) {
      for (let q = 0; q < count; q++) out[q] = Math.max(0, 1 + d1[q] - d2[q]);
    },
    slopes(count, d1, d2, a, c) {
      for (let q = 0; q < count; q++) {
        const isActive = 1 + d1[q] - d2[q] > 0 ? 1 : 0;
        a[q] = isActive;
        c[q] = -isActive;
      }
    },
  });
}
