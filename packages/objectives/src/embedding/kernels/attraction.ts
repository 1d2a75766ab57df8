/**
 * Attractive functions A(t), with A(0) = 0 and A′(0) = 1.
 *
 *   quadratic     A = t,             A′ = 1,   A″ = 0
 *   logarithmic   A = log(1 + t),    A′ = k,   A″ = −k²,   k = 1 / (1 + t)
 *
 * They are −log K of the Gaussian and of Student's kernel. A pair of weight 0 counts for nothing even where A
 * overflows.
 */
import { log } from "@curvature/linalg";
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

/**
 * log(1 + t) for t ≥ 0, in which dense t-SNE spends its time: by a table, with which an evaluation takes some 0.7 times
 * as long as with the `log` of `linalg`, which serves every argument and has no table.
 *
 * Method     1 + t = u + e exactly (u the rounded sum);  u = 2^k m, 1 ≤ m < 2;  c the multiple of 1/128 nearest to m
 *            log(1 + t) = k ln 2 + log c + log(1 + r),   r = (m − c + 2^-k e) / c,   |r| ≤ 1/256
 *            log(1 + r) by its Taylor polynomial of degree 7 (remainder < 2^-58 r)
 * Accuracy   within 2 units in the last place (measured): no term is negative but the last, and where t is small
 *            k = 0 and c = 1, so that the last is all there is
 *
 * Arithmetic alone, so that the bits are the same on every engine.
 *
 * Tang: Table-driven implementation of the logarithm function in IEEE floating-point arithmetic. ACM TOMS 16 (1990)
 * 378-400. doi:10.1145/98267.98294. Differs from the paper: only arguments from 1 on, one table entry for log c.
 */
const view = /* @__PURE__ */ new Float64Array(1);
const words = /* @__PURE__ */ new Int32Array(view.buffer);
const HIGH_WORD = /* @__PURE__ */ highWord();
/** 2^-k for k = 0 … 1023 */
const scales = /* @__PURE__ */ Float64Array.from({ length: 1024 }, halved());
/** 1/c and log c for c = 1, 1 + 1/128, …, 2, in turns. */
const table = /* @__PURE__ */ Float64Array.from({ length: 258 }, inverseOrLog);

/** log(1 + t). @param t - at least 0; ∞ for ∞ */
export function logOnePlus(t: number): number {
  if (t > Number.MAX_VALUE) return t;
  const u = 1 + t;
  view[0] = u;
  const high = words[HIGH_WORD];
  const k = (high >> 20) - 1023;
  const j = ((high & 0xfffff) + 0x1000) >> 13;
  const scale = scales[k];
  const r = (u * scale - (1 + j / 128) + (t - (u - 1)) * scale) * table[2 * j];
  const s = r * r;
  const tail = s * (-1 / 2 + r * (1 / 3) + s * (-1 / 4 + r * (1 / 5) + s * (-1 / 6 + r * (1 / 7))));
  return k * 0.6931471803691238 + table[2 * j + 1] + (r + (tail + k * 1.9082149292705877e-10));
}

/** 1, 1/2, 1/4 … one a call. */
function halved(): () => number {
  let power = 2;
  return () => {
    power *= 0.5;
    return power;
  };
}

function inverseOrLog(_: unknown, place: number): number {
  const c = 1 + (place >> 1) / 128;
  return place % 2 === 0 ? 1 / c : log(c);
}

function highWord(): number {
  view[0] = 1;
  return words[0] === 0 ? 1 : 0;
}
