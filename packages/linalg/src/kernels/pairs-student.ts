/**
 * Rows of the sums of `pairs.ts` for Student's kernel:  K = 1 / (1 + t),  −K′ = K².
 */

/** Σ_{from≤n<to} Σ_{m<n} K */
export function studentSum(x: Float64Array, y: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let n = from; n < to; n++) {
    const xn = x[n];
    const yn = y[n];
    const even = n & ~1;
    let s0 = 0;
    let s1 = 0;
    for (let m = 0; m < even; m += 2) {
      const dx0 = xn - x[m];
      const dy0 = yn - y[m];
      s0 += 1 / (1 + (dx0 * dx0 + dy0 * dy0));
      const dx1 = xn - x[m + 1];
      const dy1 = yn - y[m + 1];
      s1 += 1 / (1 + (dx1 * dx1 + dy1 * dy1));
    }
    if (even < n) {
      const dx = xn - x[even];
      const dy = yn - y[even];
      s0 += 1 / (1 + (dx * dx + dy * dy));
    }
    sum += s0 + s1;
  }
  return sum;
}

/** The same; adds −K′ (x_n − x_m) to entry m of fx and takes it from entry n, and so for y. */
export function studentForces(
  x: Float64Array,
  y: Float64Array,
  from: number,
  to: number,
  fx: Float64Array,
  fy: Float64Array,
): number {
  let sum = 0;
  for (let n = from; n < to; n++) {
    const xn = x[n];
    const yn = y[n];
    const even = n & ~1;
    let s0 = 0;
    let s1 = 0;
    let u0 = 0;
    let u1 = 0;
    let v0 = 0;
    let v1 = 0;
    for (let m = 0; m < even; m += 2) {
      const dx0 = xn - x[m];
      const dy0 = yn - y[m];
      const k0 = 1 / (1 + (dx0 * dx0 + dy0 * dy0));
      const gx0 = k0 * k0 * dx0;
      const gy0 = k0 * k0 * dy0;
      const dx1 = xn - x[m + 1];
      const dy1 = yn - y[m + 1];
      const k1 = 1 / (1 + (dx1 * dx1 + dy1 * dy1));
      const gx1 = k1 * k1 * dx1;
      const gy1 = k1 * k1 * dy1;
      s0 += k0;
      s1 += k1;
      u0 += gx0;
      u1 += gx1;
      v0 += gy0;
      v1 += gy1;
      fx[m] += gx0;
      fx[m + 1] += gx1;
      fy[m] += gy0;
      fy[m + 1] += gy1;
    }
    if (even < n) {
      const dx = xn - x[even];
      const dy = yn - y[even];
      const k = 1 / (1 + (dx * dx + dy * dy));
      const gx = k * k * dx;
      const gy = k * k * dy;
      s0 += k;
      u0 += gx;
      v0 += gy;
      fx[even] += gx;
      fy[even] += gy;
    }
    sum += s0 + s1;
    fx[n] -= u0 + u1;
    fy[n] -= v0 + v1;
  }
  return sum;
}
