/**
 * Student's t kernel with one degree of freedom.
 *
 *   K(t) = 1 / (1 + t),   K′ = −K²,   K″ = 2 K³
 */
import type { Kernel, SharedPlaneRow, WeightedPlaneRow } from "./pair-function.js";

const allInPlane: SharedPlaneRow = {
  sumShared(x, y, n, shares) {
    const xn = x[n];
    const yn = y[n];
    let sum = 0;
    for (let m = 0; m < n; m++) {
      const dx = xn - x[m];
      const dy = yn - y[m];
      const k = 1 / (1 + dx * dx + dy * dy);
      sum += k;
      shares[m] += k;
    }
    return sum;
  },
};

const inPlane: WeightedPlaneRow = {
  sum(x, y, n, columns, c, w, start, count) {
    const xn = x[n];
    const yn = y[n];
    let sum = 0;
    for (let j = 0; j < count; j++) {
      const m = columns[c + j];
      const dx = xn - x[m];
      const dy = yn - y[m];
      const t = dx * dx + dy * dy;
      const weight = w[start + j];
      sum += weight * (1 / (1 + t));
    }
    return sum;
  },
  forces(x, y, n, columns, c, w, start, count, fx, fy) {
    const xn = x[n];
    const yn = y[n];
    let sum = 0;
    let forceX = 0;
    let forceY = 0;
    for (let j = 0; j < count; j++) {
      const m = columns[c + j];
      const dx = xn - x[m];
      const dy = yn - y[m];
      const t = dx * dx + dy * dy;
      const weight = w[start + j];
      const k = 1 / (1 + t);
      const wk = weight * k;
      const wk2 = wk * k;
      sum += wk;
      forceX -= wk2 * dx;
      forceY -= wk2 * dy;
      fx[m] += wk2 * dx;
      fy[m] += wk2 * dy;
    }
    fx[n] += forceX;
    fy[n] += forceY;
    return sum;
  },
};

export const student: Kernel = {
  name: "student",
  values(t, count, f) {
    for (let j = 0; j < count; j++) f[j] = 1 / (1 + t[j]);
  },
  sum(t, w, start, count) {
    let sum = 0;
    for (let j = 0; j < count; j++) sum += w[start + j] * (1 / (1 + t[j]));
    return sum;
  },
  slopes(t, w, start, count, a) {
    let sum = 0;
    for (let j = 0; j < count; j++) {
      const k = 1 / (1 + t[j]);
      const wk = w[start + j] * k;
      sum += wk;
      a[j] = -wk * k;
    }
    return sum;
  },
  curvatures(t, w, start, count, a, b) {
    for (let j = 0; j < count; j++) {
      const k = 1 / (1 + t[j]);
      const wk2 = w[start + j] * k * k;
      a[j] = -wk2;
      b[j] = 2 * wk2 * k;
    }
  },
  inPlane,
  allInPlane,
};
