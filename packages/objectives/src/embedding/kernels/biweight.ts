/**
 * The biweight kernel, of finite support and once continuously differentiable.
 *
 *   K(t) = max(0, 1 − t)²,   K′ = −2 max(0, 1 − t),   K″ = 2 for t < 1, else 0
 */
import type { Kernel } from "./pair-function.js";

export const biweight: Kernel = {
  name: "biweight",
  finiteSupport: true,
  values(t, f, count) {
    for (let j = 0; j < count; j++) {
      const u = Math.max(0, 1 - t[j]);
      f[j] = u * u;
    }
  },
  slopes(t, f, f1, count) {
    for (let j = 0; j < count; j++) {
      const u = Math.max(0, 1 - t[j]);
      f[j] = u * u;
      f1[j] = -2 * u;
    }
  },
  curvatures(t, f, f1, f2, count) {
    this.slopes(t, f, f1, count);
    for (let j = 0; j < count; j++) f2[j] = t[j] < 1 ? 2 : 0;
  },
};
