/**
 * Rows of the all-pairs sums of either kernel and precision (see `src/kernels/pairs.ts`, addition by addition). The lane of m is
 * m modulo 2, in single precision m modulo 4; lanes from n on are 0.
 */
import { gaussian, one } from "./pair-gaussian";
import { exponential, oneSingle } from "./pair-gaussian-single";

/** From its third entry back: one lane of single precision, two, three; two are one of double precision. */
const LANES = memory.data<i32>([-1, -1, -1, 0, 0, 0]);

// @ts-ignore: decorator
@inline
function kernel<T extends number>(isGaussian: bool, table: usize, unit: v128, dx: v128, dy: v128): v128 {
  const t = v128.add<T>(v128.mul<T>(dx, dx), v128.mul<T>(dy, dy));
  if (!isGaussian) return v128.div<T>(unit, v128.add<T>(unit, t));
  return sizeof<T>() === 4 ? exponential(t) : gaussian(table, t);
}

// @ts-ignore: decorator
@inline
function ofLanes<T extends number>(sums: v128): f64 {
  if (sizeof<T>() === 4)
    sums = f64x2.add(
      f64x2.promote_low_f32x4(v128.shuffle<f32>(sums, sums, 0, 2, 0, 2)),
      f64x2.promote_low_f32x4(v128.shuffle<f32>(sums, sums, 1, 3, 1, 3)),
    );
  return f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1);
}

/** Takes the lanes' sum from a force. */
// @ts-ignore: decorator
@inline
function take<T extends number>(at: usize, sums: v128): void {
  store<T>(at, <T>(<f64>load<T>(at) - ofLanes<T>(sums)));
}

// @ts-ignore: decorator
@inline
function rows<T extends number>(
  isGaussian: bool,
  withForces: bool,
  x: usize,
  y: usize,
  from: i32,
  to: i32,
  px: usize,
  py: usize,
  table: usize,
): f64 {
  const unit = sizeof<T>() === 4 ? oneSingle() : one();
  let sum: f64 = 0;
  for (let n = from; n < to; n++) {
    const own = <usize>n * sizeof<T>();
    const xn = v128.load_splat<T>(x + own);
    const yn = v128.load_splat<T>(y + own);
    let s = i64x2.splat(0);
    let u = s;
    let v = s;
    for (let m: usize = 0; m < own; m += 16) {
      const dx = v128.sub<T>(xn, v128.load(x + m));
      const dy = v128.sub<T>(yn, v128.load(y + m));
      let k = kernel<T>(isGaussian, table, unit, dx, dy);
      if (own - m < 16) k = v128.and(k, v128.load(LANES + 12 - (own - m)));
      s = v128.add<T>(s, k);
      if (!withForces) continue;
      const slope = isGaussian ? k : v128.mul<T>(k, k);
      const gx = v128.mul<T>(slope, dx);
      const gy = v128.mul<T>(slope, dy);
      u = v128.add<T>(u, gx);
      v = v128.add<T>(v, gy);
      v128.store(px + m, v128.add<T>(v128.load(px + m), gx));
      v128.store(py + m, v128.add<T>(v128.load(py + m), gy));
    }
    sum += ofLanes<T>(s);
    if (!withForces) continue;
    take<T>(px + own, u);
    take<T>(py + own, v);
  }
  return sum;
}

/** Σ_{from≤n<to} Σ_{m<n} K; `table` is the address of `powersOfTwo128`. */
export function pairSum64(isGaussian: bool, x: usize, y: usize, from: i32, to: i32, table: usize): f64 {
  return isGaussian
    ? rows<f64>(true, false, x, y, from, to, 0, 0, table)
    : rows<f64>(false, false, x, y, from, to, 0, 0, table);
}

/** The same; adds −K′ (x_n − x_m) to entry m of px and takes it from entry n, and so for y. */
export function pairForces64(
  isGaussian: bool,
  x: usize,
  y: usize,
  from: i32,
  to: i32,
  table: usize,
  px: usize,
  py: usize,
): f64 {
  return isGaussian
    ? rows<f64>(true, true, x, y, from, to, px, py, table)
    : rows<f64>(false, true, x, y, from, to, px, py, table);
}

/** The same in single precision. */
export function pairForces32(
  isGaussian: bool,
  x: usize,
  y: usize,
  from: i32,
  to: i32,
  table: usize,
  px: usize,
  py: usize,
): f64 {
  return isGaussian
    ? rows<f32>(true, true, x, y, from, to, px, py, table)
    : rows<f32>(false, true, x, y, from, to, px, py, table);
}
