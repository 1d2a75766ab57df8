/** Pairs of entries of a relaxed step: `src/kernels/relaxed-pairs.ts` has it, operation by operation. */
import { pair } from "./sums";

/** w and x, `count` entries each, an even number; ten sums, whose lanes are even and odd entries. */
export function relax(w: usize, x: usize, count: i32, e: f64, r: f64, sums: usize): void {
  const zero = f64x2.splat(0);
  const constant = f64x2.splat(e);
  const own = f64x2.splat(r);
  const other = f64x2.splat(1 - r);
  let difference = v128.load(sums);
  let size = v128.load(sums, 16);
  let change = v128.load(sums, 32);
  let negative = v128.load(sums, 48);
  let least = v128.load(sums, 64);
  for (const end = w + (<usize>count << 2); w < end; w += 8, x += 16) {
    const wk = pair<f32>(w);
    const xk = f64x2.add(v128.load(x), constant);
    const z = f64x2.pmax(zero, wk);
    const next = f64x2.add(f64x2.add(f64x2.pmin(wk, zero), f64x2.mul(own, xk)), f64x2.mul(other, z));
    const zNext = f64x2.pmax(zero, next);
    difference = withSquare(difference, f64x2.sub(xk, z));
    size = withSquare(size, z);
    change = withSquare(change, f64x2.sub(zNext, z));
    negative = withSquare(negative, f64x2.pmin(next, zero));
    least = f64x2.pmin(least, xk);
    v128.store64_lane(w, f32x4.demote_f64x2_zero(next), 0);
  }
  v128.store(sums, difference);
  v128.store(sums, size, 16);
  v128.store(sums, change, 32);
  v128.store(sums, negative, 48);
  v128.store(sums, least, 64);
}

// @ts-ignore: decorator
@inline
function withSquare(sum: v128, t: v128): v128 {
  return f64x2.add(sum, f64x2.mul(t, t));
}
