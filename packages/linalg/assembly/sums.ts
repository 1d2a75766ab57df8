/** Sums over four partial sums in a fixed order, as those of `src/kernels/vector.ts`. */

/** Two neighbours of either precision from `at` on, as doubles. */
// @ts-ignore: decorator
@inline
export function pair<T extends number>(at: usize): v128 {
  return sizeof<T>() === 4 ? f64x2.promote_low_f32x4(v128.load64_zero(at)) : v128.load(at);
}

/** Σ x_k y_k, k < n; y are doubles. */
// @ts-ignore: decorator
@inline
export function dotOf<T extends number>(x: usize, y: usize, n: i32): f64 {
  let left = f64x2.splat(0);
  let right = f64x2.splat(0);
  const end = x + <usize>n * sizeof<T>();
  for (const whole = x + <usize>(n & ~3) * sizeof<T>(); x < whole; x += 4 * sizeof<T>(), y += 32) {
    left = f64x2.add(left, f64x2.mul(pair<T>(x), v128.load(y)));
    right = f64x2.add(right, f64x2.mul(pair<T>(x + 2 * sizeof<T>()), v128.load(y, 16)));
  }
  let first = f64x2.extract_lane(left, 0);
  for (; x < end; x += sizeof<T>(), y += 8) first += <f64>load<T>(x) * load<f64>(y);
  return first + f64x2.extract_lane(left, 1) + (f64x2.extract_lane(right, 0) + f64x2.extract_lane(right, 1));
}

export function dot(x: usize, y: usize, n: i32): f64 {
  return dotOf<f64>(x, y, n);
}
