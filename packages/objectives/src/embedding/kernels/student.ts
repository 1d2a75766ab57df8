/**
 * Student's t kernel with one degree of freedom.
 *
 *   K(t) = 1 / (1 + t),   K′ = −K²,   K″ = 2 K³
 */
import type { Kernel } from "./pair-function.js";

export const student: Kernel = {
  name: "student",
  finiteSupport: false,
  values(t, f, count) {
    for (let j = 0; j < count; j++) f[j] = 1 / (1 + t[j]);
  },
  slopes(t, f, f1, count) {
    for (let j = 0; j < count; j++) {
      const k = 1 / (1 + t[j]);
      f[j] = k;
      f1[j] = -k * k;
    }
  },
  curvatures(t, f, f1, f2, count) {
    for (let j = 0; j < count; j++) {
      const k = 1 / (1 + t[j]);
      f[j] = k;
      f1[j] = -k * k;
      f2[j] = 2 * k * k * k;
    }
  },
  planeSum: (X, points, gradient) =>
    gradient === undefined ? planeValue(X, points) : planeValueAndGradient(X, points, gradient),
};

/** S = Σ_{n≠m} 1 / (1 + t_nm) */
function planeValue(X: Float64Array, points: number): number {
  let S = 0;
  for (let n = 1; n < points; n++) {
    const x = X[2 * n];
    const y = X[2 * n + 1];
    let row = 0;
    for (let m = 0; m < n; m++) {
      const dx = x - X[2 * m];
      const dy = y - X[2 * m + 1];
      row += 1 / (1 + dx * dx + dy * dy);
    }
    S += row;
  }
  return 2 * S;
}

/** S and ∂S/∂x_n = −4 Σ_m k² (x_n − x_m),  k = 1 / (1 + t_nm) */
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
      const k = 1 / (1 + dx * dx + dy * dy);
      const k2 = k * k;
      const fx = k2 * dx;
      const fy = k2 * dy;
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
