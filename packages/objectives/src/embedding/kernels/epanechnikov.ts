/**
 * The Epanechnikov kernel, of finite support. Its slope jumps at t = 1, where sums of it are not differentiable.
 *
 *   K(t) = max(0, 1 − t),   K′ = −1 for t < 1, else 0,   K″ = 0
 */
import type { Kernel } from "./pair-function.js";

export const epanechnikov: Kernel = {
  name: "epanechnikov",
  values(t, count, f) {
    for (let j = 0; j < count; j++) f[j] = Math.max(0, 1 - t[j]);
  },
  sum(t, w, start, count) {
    let sum = 0;
    for (let j = 0; j < count; j++) sum += w[start + j] * Math.max(0, 1 - t[j]);
    return sum;
  },
  slopes(t, w, start, count, a) {
    let sum = 0;
    for (let j = 0; j < count; j++) {
      const weight = w[start + j];
      sum += weight * Math.max(0, 1 - t[j]);
      a[j] = t[j] < 1 ? -weight : 0;
    }
    return sum;
  },
  curvatures(t, w, start, count, a, b) {
    for (let j = 0; j < count; j++) a[j] = t[j] < 1 ? -w[start + j] : 0;
    b.fill(0, 0, count);
  },
};
