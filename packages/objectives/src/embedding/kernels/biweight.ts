/**
 * The biweight kernel, of finite support and once continuously differentiable.
 *
 *   K(t) = max(0, 1 − t)²,   K′ = −2 max(0, 1 − t),   K″ = 2 for t < 1, else 0
 */
import type { Kernel } from "./pair-function.js";

export const biweight: Kernel = {
  name: "biweight",
  values(t, count, f) {
    for (let j = 0; j < count; j++) {
      const u = Math.max(0, 1 - t[j]);
      f[j] = u * u;
    }
  },
  sum(t, w, start, count) {
    let sum = 0;
    for (let j = 0; j < count; j++) {
      const u = Math.max(0, 1 - t[j]);
      sum += w[start + j] * u * u;
    }
    return sum;
  },
  slopes(t, w, start, count, a) {
    let sum = 0;
    for (let j = 0; j < count; j++) {
      const u = Math.max(0, 1 - t[j]);
      const wu = w[start + j] * u;
      sum += wu * u;
      a[j] = -2 * wu;
    }
    return sum;
  },
  curvatures(t, w, start, count, a, b) {
    for (let j = 0; j < count; j++) {
      const weight = w[start + j];
      a[j] = -2 * weight * Math.max(0, 1 - t[j]);
      b[j] = t[j] < 1 ? 2 * weight : 0;
    }
  },
};
