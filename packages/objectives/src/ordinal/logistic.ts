/**
 * The logistic loss of distances: the answer has the probability 1/(1 + exp(√d₁ − √d₂)).
 *
 *   l = softplus(z),   z = √d₁ − √d₂,   a = s(z)/(2√d₁),   c = −s(z)/(2√d₂)        (√d is √(d + 10⁻¹²))
 *
 * STE with distances in the place of their squares: far pairs count for less.
 */
import { distance } from "./distance.js";
import { lossFrom, type OrdinalLoss } from "./loss.js";
import { decayOf, sigmoid, sigmoidFrom, softplus, softplusFrom } from "./softplus.js";

export function logistic(): OrdinalLoss {
  return lossFrom({
    name: "logistic",
    description: "logistic",
    values(count, d1, d2, out) {
      for (let q = 0; q < count; q++) out[q] = softplus(distance(d1[q]) - distance(d2[q]));
    },
    slopes(count, d1, d2, a, c) {
      for (let q = 0; q < count; q++) {
        const near = distance(d1[q]);
        const far = distance(d2[q]);
        const half = 0.5 * sigmoid(near - far);
        a[q] = half / near;
        c[q] = -half / far;
      }
    },
    valuesAndSlopes(count, d1, d2, out, a, c) {
      for (let q = 0; q < count; q++) {
        const near = distance(d1[q]);
        const far = distance(d2[q]);
        const z = near - far;
        const e = decayOf(z);
        const half = 0.5 * sigmoidFrom(z, e);
        out[q] = softplusFrom(z, e);
        a[q] = half / near;
        c[q] = -half / far;
      }
    },
  });
}
