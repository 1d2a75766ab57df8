/**
 * The hinge of GNMDS without its kink: l = softplus(z), z = 1 + d₁ − d₂, a = s(z), c = −s(z). Unlike the hinge it
 * is never 0, so that answers with a margin still count a little.
 */
import type { OrdinalLoss } from "./loss.js";
import { softplusLoss } from "./softplus-loss.js";

export function smoothHinge(): OrdinalLoss {
  return softplusLoss({
    name: "smooth-hinge",
    description: "smooth-hinge",
    margins(count, d1, d2, z) {
      for (let q = 0; q < count; q++) z[q] = 1 + d1[q] - d2[q];
    },
    slopesFrom(count, _d1, _d2, s, a, c) {
      for (let q = 0; q < count; q++) {
        a[q] = s[q];
        c[q] = -s[q];
      }
    },
  });
}
