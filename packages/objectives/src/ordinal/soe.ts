/**
 * Soft ordinal embedding: a squared hinge with margin 1 on distances.
 *
 *   l = m²,   m = max(0, 1 + √d₁ − √d₂),   a = m/√d₁,   c = −m/√d₂        (√d is √(d + 10⁻¹²))
 *
 * Terada, von Luxburg: Local ordinal embedding. ICML 2014, eq. (2). The margin is 1, since it only sets the scale.
 */
import { distance } from "./distance.js";
import { lossFrom, type OrdinalLoss } from "./loss.js";

export function soe(): OrdinalLoss {
  return lossFrom({
    name: "soe",
    description: "soe",
    values(count, d1, d2, out) {
      for (let q = 0; q < count; q++) {
        const m = Math.max(0, 1 + distance(d1[q]) - distance(d2[q]));
        out[q] = m * m;
      }
    },
    slopes(count, d1, d2, a, c) {
      for (let q = 0; q < count; q++) {
        const near = distance(d1[q]);
        const far = distance(d2[q]);
        const m = Math.max(0, 1 + near - far);
        a[q] = m / near;
        c[q] = -m / far;
      }
    },
  });
}
