/**
 * The Gaussian kernel.
 *
 *   K(t) = e^−t,   K′ = −K,   K″ = K
 */
import { exp } from "@curvature/linalg";
import type { Kernel, SharedPlaneRow, WeightedPlaneRow } from "./pair-function.js";

const allInPlane: SharedPlaneRow = {
  sumShared(x, y, n, shares) {
    const xn = x[n];
    const yn = y[n];
    let sum = 0;
    for (let m = 0; m < n; m++) {
      const dx = xn - x[m];
      const dy = yn - y[m];
      const k = exp(-(dx * dx + dy * dy));
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
      sum += weight * exp(-t);
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
      const wk = weight * exp(-t);
      sum += wk;
      forceX -= wk * dx;
      forceY -= wk * dy;
      fx[m] += wk * dx;
      fy[m] += wk * dy;
    }
    fx[n] += forceX;
    fy[n] += forceY;
    return sum;
  },
};

export const gaussian: Kernel = {
  name: "gaussian",
  values(t, count, f) {
    for (let j = 0; j < count; j++) f[j] = exp(-t[j]);
  },
  sum(t, w, start, count) {
    let sum = 0;
    for (let j = 0; j < count; j++) sum += w[start + j] * exp(-t[j]);
    return sum;
  },
  slopes(t, w, start, count, a) {
    let sum = 0;
    for (let j = 0; j < count; j++) {
      const wk = w[start + j] * exp(-t[j]);
      sum += wk;
      a[j] = -wk;
    }
    return sum;
  },
  curvatures(t, w, start, count, a, b) {
    for (let j = 0; j < count; j++) {
      const wk = w[start + j] * exp(-t[j]);
      a[j] = -wk;
      b[j] = wk;
    }
  },
  inPlane,
  allInPlane,
};
