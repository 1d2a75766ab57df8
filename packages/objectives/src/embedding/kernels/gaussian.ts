/**
 * The Gaussian kernel.
 *
 *   K(t) = e^−t,   K′ = −K,   K″ = K
 */
import { exp } from "@curvature/linalg";
import type { Kernel } from "./pair-function.js";

export const gaussian: Kernel = {
  name: "gaussian",
  finiteSupport: false,
  values(t, f, count) {
    for (let j = 0; j < count; j++) f[j] = exp(-t[j]);
  },
  slopes(t, f, f1, count) {
    for (let j = 0; j < count; j++) {
      const k = exp(-t[j]);
      f[j] = k;
      f1[j] = -k;
    }
  },
  curvatures(t, f, f1, f2, count) {
    for (let j = 0; j < count; j++) {
      const k = exp(-t[j]);
      f[j] = k;
      f1[j] = -k;
      f2[j] = k;
    }
  },
  planeSum: (X, points, gradient) =>
    gradient === undefined ? planeValue(X, points) : planeValueAndGradient(X, points, gradient),
};

/** S = Σ_{n≠m} e^−t_nm */
function planeValue(X: Float64Array, points: number): number {
  let S = 0;
  for (let n = 1; n < points; n++) {
    const x = X[2 * n];
    const y = X[2 * n + 1];
    let row = 0;
    for (let m = 0; m < n; m++) {
      const dx = x - X[2 * m];
      const dy = y - X[2 * m + 1];
      row += exp(-(dx * dx + dy * dy));
    }
    S += row;
  }
  return 2 * S;
}

/** S and ∂S/∂x_n = −4 Σ_m e^−t_nm (x_n − x_m) */
function planeValueAndGradient(X: Float64Array, points: number, gradient: Float64Array): number {
  let S = 0;
  gradient.fill(0);
  for (let n = 1; n < points; n++) {
    const x = X[2 * n];
    const y = X[2 * n + 1];
    let row = 0;
    let gx = 0;
    let gy = 0;
    for (let m = 0; m < n; m++) {
      const dx = x - X[2 * m];
      const dy = y - X[2 * m + 1];
      const k = exp(-(dx * dx + dy * dy));
      const fx = k * dx;
      const fy = k * dy;
      row += k;
      gx += fx;
      gy += fy;
      gradient[2 * m] -= fx;
      gradient[2 * m + 1] -= fy;
    }
    S += row;
    gradient[2 * n] += gx;
    gradient[2 * n + 1] += gy;
  }
  for (let i = 0; i < 2 * points; i++) gradient[i] *= -4;
  return 2 * S;
}
