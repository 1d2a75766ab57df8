/**
 * Attractive functions A(t), with A(0) = 0 and A′(0) = 1.
 *
 *   quadratic     A = t,             A′ = 1,   A″ = 0
 *   logarithmic   A = log(1 + t),    A′ = k,   A″ = −k²,   k = 1 / (1 + t)
 *
 * They are −log K of the Gaussian and of Student's kernel. A pair of weight 0 counts for nothing even where A
 * overflows.
 */
import { logOnePlus } from "./log-one-plus.js";
import type { PairFunction, WeightedPlaneRow } from "./pair-function.js";

const quadraticInPlane: WeightedPlaneRow = {
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
      if (weight > 0) sum += weight * t;
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
      if (weight > 0) sum += weight * t;
      forceX += weight * dx;
      forceY += weight * dy;
      fx[m] -= weight * dx;
      fy[m] -= weight * dy;
    }
    fx[n] += forceX;
    fy[n] += forceY;
    return sum;
  },
};

export const quadratic: PairFunction = {
  name: "quadratic",
  sum(t, w, start, count) {
    let sum = 0;
    for (let j = 0; j < count; j++) {
      const weight = w[start + j];
      if (weight > 0) sum += weight * t[j];
    }
    return sum;
  },
  slopes(t, w, start, count, a) {
    for (let j = 0; j < count; j++) a[j] = w[start + j];
    return this.sum(t, w, start, count);
  },
  curvatures(_t, w, start, count, a, b) {
    for (let j = 0; j < count; j++) a[j] = w[start + j];
    b.fill(0, 0, count);
  },
  inPlane: quadraticInPlane,
};

const logarithmicInPlane: WeightedPlaneRow = {
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
      if (weight > 0) sum += weight * logOnePlus(t);
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
      const wk = weight / (1 + t);
      if (weight > 0) sum += weight * logOnePlus(t);
      forceX += wk * dx;
      forceY += wk * dy;
      fx[m] -= wk * dx;
      fy[m] -= wk * dy;
    }
    fx[n] += forceX;
    fy[n] += forceY;
    return sum;
  },
};

export const logarithmic: PairFunction = {
  name: "logarithmic",
  sum(t, w, start, count) {
    let sum = 0;
    for (let j = 0; j < count; j++) {
      const weight = w[start + j];
      if (weight > 0) sum += weight * logOnePlus(t[j]);
    }
    return sum;
  },
  slopes(t, w, start, count, a) {
    for (let j = 0; j < count; j++) a[j] = w[start + j] / (1 + t[j]);
    return this.sum(t, w, start, count);
  },
  curvatures(t, w, start, count, a, b) {
    for (let j = 0; j < count; j++) {
      const k = 1 / (1 + t[j]);
      const wk = w[start + j] * k;
      a[j] = wk;
      b[j] = -wk * k;
    }
  },
  inPlane: logarithmicInPlane,
};
