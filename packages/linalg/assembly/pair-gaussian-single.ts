/**
 * The Gaussian kernel of the all-pairs sums in single precision: e^−t as in `src/kernels/pairs-single.ts`.
 *
 * 2^k has k + 127 for its exponent; 1.5 · 2^23 + k, of which k is in the low bits, loses the others where it is shifted there.
 *
 * Constants are read from memory: V8 makes a constant of the code anew wherever it is used, and here are many.
 */
const CONSTANTS = memory.data<f32>([
  1, 60, 12582912, 1.4426950408889634, 0.693359375, -0.00021219444, 0.499992311, -0.166671142, 0.0418901481,
  -0.0083125215, 1.7796490496925177e-43,
]);

// @ts-ignore: decorator
@inline
function constant(place: usize): v128 {
  return v128.load_splat<f32>(CONSTANTS + (place << 2));
}

// @ts-ignore: decorator
@inline
export function oneSingle(): v128 {
  return constant(0);
}

// @ts-ignore: decorator
@inline
export function exponential(distance: v128): v128 {
  const t = f32x4.pmin(constant(1), distance);
  const rounded = f32x4.sub(constant(2), f32x4.mul(t, constant(3)));
  const k = f32x4.sub(rounded, constant(2));
  const r = f32x4.add(f32x4.add(t, f32x4.mul(k, constant(4))), f32x4.mul(k, constant(5)));
  const high = f32x4.add(constant(8), f32x4.mul(r, constant(9)));
  const low = f32x4.add(constant(6), f32x4.mul(r, f32x4.add(constant(7), f32x4.mul(r, high))));
  const p = f32x4.add(constant(0), f32x4.sub(f32x4.mul(f32x4.mul(r, r), low), r));
  return f32x4.mul(p, i32x4.shl(i32x4.add(rounded, constant(10)), 23));
}
