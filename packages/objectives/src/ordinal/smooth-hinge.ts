/**
 * The hinge of GNMDS without its kink: l = softplus(z), z = 1 + d₁ − d₂, a = s(z), c = −s(z). Unlike the hinge it
 * is never 0, so that answers with a margin still count a little.
 */
import { lossFrom, type OrdinalLoss } from "./loss.js";
import { decayOf, sigmoid, sigmoidFrom, softplus, softplusFrom } from "./softplus.js";

export function smoothHinge(): OrdinalLoss {
  return lossFrom({
    name: "smooth-hinge",
    description: "smooth-hinge",
    values(count, d1, d2, out) {
      for (let q = 0; q < count; q++) out[q] = softplus(1 + d1[q] - d2[q]);
    },
    slopes(count, d1, d2, a, c) {
      for (let q = 0; q < count; q++) {
        const s = sigmoid(1 + d1[q] - d2[q]);
        a[q] = s;
        c[q] = -s;
      }
    },
    valuesAndSlopes(count, d1, d2, out, a, c) {
      for (let q = 0; q < count; q++) {
        const z = 1 + d1[q] - d2[q];
        const e = decayOf(z);
        const s = sigmoidFrom(z, e);
        out[q] = softplusFrom(z, e);
        a[q] = s;
        c[q] = -s;
      }
    },
  });
}
