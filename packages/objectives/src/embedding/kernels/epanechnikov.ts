/**
 * The Epanechnikov kernel, of finite support. Its slope jumps at t = 1, where sums of it are not differentiable.
 *
 *   K(t) = max(0, 1 − t),   K′ = −1 for t < 1, else 0,   K″ = 0
 */
import type { Kernel } from "./pair-function.js";

export const epanechnikov: Kernel = {
  name: "epanechnikov",
  finiteSupport: true,
  values(t, f, count) {
    for (let j = 0; j < count; j++) f[j] = Math.max(0, 1 - t[j]);
  },
  slopes(t, f, f1, count) {
    for (let j = 0; j < count; j++) {
      f[j] = Math.max(0, 1 - t[j]);
      f1[j] = t[j] < 1 ? -1 : 0;
    }
  },
  curvatures(t, f, f1, f2, count) {
    this.slopes(t, f, f1, count);
    f2.fill(0, 0, count);
  },
};
