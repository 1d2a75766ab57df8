/**
 * Rows of Student's all-pairs sums (see `src/kernels/pairs-student.ts`, addition by addition). Lanes are even and odd m.
 *
 * The one of 1 / (1 + t) is read from memory: V8 makes a constant of the code anew wherever it is used, which would
 * make the loops of the forces a third slower.
 */
const ONE = memory.data<f64>([1, 1], 16);

// @ts-ignore: decorator
@inline
function kernel(one: v128, dx: v128, dy: v128): v128 {
  return f64x2.div(one, f64x2.add(one, f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy))));
}

/** Σ_{from≤n<to} Σ_{m<n} K */
export function studentSum(x: usize, y: usize, from: i32, to: i32): f64 {
  const one = v128.load(ONE);
  let sum: f64 = 0;
  for (let n = from; n < to; n++) {
    const own = <usize>n << 3;
    const even = <usize>(n & ~1) << 3;
    const xn = v128.load_splat<f64>(x + own);
    const yn = v128.load_splat<f64>(y + own);
    let s = f64x2.splat(0);
    for (let m: usize = 0; m < even; m += 16)
      s = f64x2.add(s, kernel(one, f64x2.sub(xn, v128.load(x + m)), f64x2.sub(yn, v128.load(y + m))));
    let s0 = f64x2.extract_lane(s, 0);
    if (even < own) {
      const dx = f64x2.sub(xn, v128.load_splat<f64>(x + even));
      const dy = f64x2.sub(yn, v128.load_splat<f64>(y + even));
      s0 += f64x2.extract_lane(kernel(one, dx, dy), 0);
    }
    sum += s0 + f64x2.extract_lane(s, 1);
  }
  return sum;
}

/** The same; adds −K′ (x_n − x_m) to entry m of fx and takes it from entry n, and so for y. */
export function studentForces(x: usize, y: usize, from: i32, to: i32, fx: usize, fy: usize): f64 {
  const one = v128.load(ONE);
  let sum: f64 = 0;
  for (let n = from; n < to; n++) {
    const own = <usize>n << 3;
    const even = <usize>(n & ~1) << 3;
    const xn = v128.load_splat<f64>(x + own);
    const yn = v128.load_splat<f64>(y + own);
    let s = f64x2.splat(0);
    let u = f64x2.splat(0);
    let v = f64x2.splat(0);
    for (let m: usize = 0; m < even; m += 16) {
      const dx = f64x2.sub(xn, v128.load(x + m));
      const dy = f64x2.sub(yn, v128.load(y + m));
      const k = kernel(one, dx, dy);
      const k2 = f64x2.mul(k, k);
      const gx = f64x2.mul(k2, dx);
      const gy = f64x2.mul(k2, dy);
      s = f64x2.add(s, k);
      u = f64x2.add(u, gx);
      v = f64x2.add(v, gy);
      v128.store(fx + m, f64x2.add(v128.load(fx + m), gx));
      v128.store(fy + m, f64x2.add(v128.load(fy + m), gy));
    }
    let s0 = f64x2.extract_lane(s, 0);
    let u0 = f64x2.extract_lane(u, 0);
    let v0 = f64x2.extract_lane(v, 0);
    if (even < own) {
      const dx = f64x2.sub(xn, v128.load_splat<f64>(x + even));
      const dy = f64x2.sub(yn, v128.load_splat<f64>(y + even));
      const k = kernel(one, dx, dy);
      const k2 = f64x2.mul(k, k);
      const gx = f64x2.extract_lane(f64x2.mul(k2, dx), 0);
      const gy = f64x2.extract_lane(f64x2.mul(k2, dy), 0);
      s0 += f64x2.extract_lane(k, 0);
      u0 += gx;
      v0 += gy;
      store<f64>(fx + even, load<f64>(fx + even) + gx);
      store<f64>(fy + even, load<f64>(fy + even) + gy);
    }
    sum += s0 + f64x2.extract_lane(s, 1);
    store<f64>(fx + own, load<f64>(fx + own) - (u0 + f64x2.extract_lane(u, 1)));
    store<f64>(fy + own, load<f64>(fy + own) - (v0 + f64x2.extract_lane(v, 1)));
  }
  return sum;
}
