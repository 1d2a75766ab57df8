/** Sums over four partial sums in a fixed order, as those of `src/kernels/vector.ts`. */

/** Σ x_k y_k, k < n. */
export function dot(x: usize, y: usize, n: i32): f64 {
  let left = f64x2.splat(0);
  let right = f64x2.splat(0);
  const whole = n & ~3;
  for (let k = 0; k < whole; k += 4, x += 32, y += 32) {
    left = f64x2.add(left, f64x2.mul(v128.load(x), v128.load(y)));
    right = f64x2.add(right, f64x2.mul(v128.load(x, 16), v128.load(y, 16)));
  }
  let first = f64x2.extract_lane(left, 0);
  for (let k = whole; k < n; k++, x += 8, y += 8) first += load<f64>(x) * load<f64>(y);
  return first + f64x2.extract_lane(left, 1) + (f64x2.extract_lane(right, 0) + f64x2.extract_lane(right, 1));
}
