/**
 * Stochastic triplet embedding: the answer has the probability 1/(1 + exp(d₁ − d₂)).
 *
 *   l = softplus(z),   z = d₁ − d₂,   a = s(z),   c = −s(z)
 *
 * van der Maaten, Weinberger: Stochastic triplet embedding. MLSP 2012, eq. (3); Ma et al. (2019), eq. (48).
 */
import { lossFrom, type OrdinalLoss } from "./loss.js";
import { decayOf, sigmoid, sigmoidFrom, softplus, softplusFrom } from "./softplus.js";

export function ste(): OrdinalLoss {
  return lossFrom({
    name: "ste",
    description: "ste",
    values(count, d1, d2, out) {
      for (let q = 0; q < count; q++) out[q] = softplus(d1[q] - d2[q]);
    },
    slopes(count, d1, d2, a, c) {
      for (let q = 0; q < count; q++) {
        const s = sigmoid(d1[q] - d2[q]);
        a[q] = s;
        c[q] = -s;
      }
    },
    valuesAndSlopes(count, d1, d2, out, a, c) {
      for (let q = 0; q < count; q++) {
        const z = d1[q] - d2[q];
        const e = decayOf(z);
        const s = sigmoidFrom(z, e);
        out[q] = softplusFrom(z, e);
        a[q] = s;
        c[q] = -s;
      }
    },
  });
}
