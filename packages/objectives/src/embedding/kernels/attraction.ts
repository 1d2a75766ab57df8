/**
 * Attractive functions A(t), with A(0) = 0 and A′(0) = 1.
 *
 *   quadratic     A = t,             A′ = 1,   A″ = 0
 *   logarithmic   A = log(1 + t),    A′ = k,   A″ = −k²,   k = 1 / (1 + t)
 *
 * They are −log K of the Gaussian and of Student's kernel.
 */
import { log } from "@curvature/linalg";
import type { PairFunction } from "./pair-function.js";

export const quadratic: PairFunction = {
  name: "quadratic",
  values(t, f, count) {
    for (let j = 0; j < count; j++) f[j] = t[j];
  },
  slopes(t, f, f1, count) {
    for (let j = 0; j < count; j++) {
      f[j] = t[j];
      f1[j] = 1;
    }
  },
  curvatures(t, f, f1, f2, count) {
    this.slopes(t, f, f1, count);
    f2.fill(0, 0, count);
  },
};

export const logarithmic: PairFunction = {
  name: "logarithmic",
  values(t, f, count) {
    for (let j = 0; j < count; j++) f[j] = logOnePlus(t[j]);
  },
  slopes(t, f, f1, count) {
    for (let j = 0; j < count; j++) {
      f[j] = logOnePlus(t[j]);
      f1[j] = 1 / (1 + t[j]);
    }
  },
  curvatures(t, f, f1, f2, count) {
    for (let j = 0; j < count; j++) {
      const k = 1 / (1 + t[j]);
      f[j] = logOnePlus(t[j]);
      f1[j] = k;
      f2[j] = -k * k;
    }
  },
};

/** log(1 + t) for t ≥ 0, accurate for small t too: what 1 + t lost in rounding is given back to first order. */
function logOnePlus(t: number): number {
  const u = 1 + t;
  return t < 1 ? log(u) + (t - (u - 1)) / u : log(u);
}
