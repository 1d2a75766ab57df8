/**
 * Rows of the sums of `pairs.ts` in single precision, for either kernel: every operation is rounded to it.
 *
 *   Student's    K = 1 / (1 + t),   −K′ = K²
 *   Gaussian     K = −K′ = e^−t = 2^k (1 − r + r² (c₂ + c₃ r + c₄ r² + c₅ r³)),   k = −[t / ln 2],  r = t + k ln 2
 *
 * with [·] the nearest integer, and coefficients that make the largest relative error for |r| ≤ (ln 2)/2 least: 1e-7, and
 * 2e-7 with all rounding. From t = 60 on K is e^−60 ≈ 9e-27, nothing beside a sum that single precision is good for, and
 * far from numbers that are not normal, which processors are slow with.
 *
 * | symbol  | variable                     | value                                                          |
 * |---------|------------------------------|----------------------------------------------------------------|
 * | k       | k                            | by adding and taking away 1.5 · 2^23, which rounds             |
 * | ln 2    | 0.693359375 − 0.00021219444  | the first part has 9 bits, so that its product with k is exact |
 * | 2^k     | powersOfTwo[−k]              |                                                                |
 *
 * The lane of m is m mod 4: their sums are stored as single numbers, and so rounded.
 */
import type { PairKernel, PairRows } from "./pairs.js";

const LIMIT = 60;
const ROUNDER = 12582912;
const PER_LN2 = Math.fround(Math.LOG2E);
const LN2_HIGH = 0.693359375;
const LN2_LOW = Math.fround(-0.00021219444);
const C2 = Math.fround(0.499992311);
const C3 = Math.fround(-0.166671142);
const C4 = Math.fround(0.0418901481);
const C5 = Math.fround(-0.0083125215);

const powersOfTwo = /* @__PURE__ */ Float32Array.from({ length: 88 }, (_, k) => 2 ** -k);

/** e^−t for t ≥ 0, a single number. */
function exponential(distance: number): number {
  const t = Math.min(distance, LIMIT);
  const k = Math.fround(Math.fround(ROUNDER - Math.fround(t * PER_LN2)) - ROUNDER);
  const r = Math.fround(Math.fround(t + Math.fround(k * LN2_HIGH)) + Math.fround(k * LN2_LOW));
  const high = Math.fround(C4 + Math.fround(r * C5));
  const low = Math.fround(C2 + Math.fround(r * Math.fround(C3 + Math.fround(r * high))));
  const p = Math.fround(1 + Math.fround(Math.fround(Math.fround(r * r) * low) - r));
  return Math.fround(p * powersOfTwo[-k]);
}

export function singleRows(kernel: PairKernel, x: Float32Array, y: Float32Array): PairRows {
  const px = new Float32Array(x.length);
  const py = new Float32Array(x.length);
  const sums = { s: new Float32Array(4), u: new Float32Array(4), v: new Float32Array(4) };
  const isGaussian = kernel === "gaussian";
  return {
    px,
    py,
    sum: (from, to) => singleForces(isGaussian, x, y, from, to, px, py, sums),
    close: () => undefined,
  };
}

/** Of one row, the lanes' sums of K and of −K′ (x_n − x_m), and so for y. */
interface LaneSums {
  readonly s: Float32Array;
  readonly u: Float32Array;
  readonly v: Float32Array;
}

/** Σ_{from≤n<to} Σ_{m<n} K; adds −K′ (x_n − x_m) to entry m of px and takes it from entry n, and so for y. */
function singleForces(
  isGaussian: boolean,
  x: Float32Array,
  y: Float32Array,
  from: number,
  to: number,
  px: Float32Array,
  py: Float32Array,
  { s, u, v }: LaneSums,
): number {
  let sum = 0;
  for (let n = from; n < to; n++) {
    const xn = x[n];
    const yn = y[n];
    s.fill(0);
    u.fill(0);
    v.fill(0);
    for (let m = 0; m < n; m++) {
      const dx = Math.fround(xn - x[m]);
      const dy = Math.fround(yn - y[m]);
      const t = Math.fround(Math.fround(dx * dx) + Math.fround(dy * dy));
      const k = isGaussian ? exponential(t) : Math.fround(1 / Math.fround(1 + t));
      const slope = isGaussian ? k : Math.fround(k * k);
      const gx = Math.fround(slope * dx);
      const gy = Math.fround(slope * dy);
      s[m & 3] += k;
      u[m & 3] += gx;
      v[m & 3] += gy;
      px[m] += gx;
      py[m] += gy;
    }
    sum += ofLanes(s);
    px[n] -= ofLanes(u);
    py[n] -= ofLanes(v);
  }
  return sum;
}

/** In double precision. */
function ofLanes(sums: Float32Array): number {
  return sums[0] + sums[1] + (sums[2] + sums[3]);
}
