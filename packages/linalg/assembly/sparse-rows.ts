/**
 * A sparse row x and a dense vector w: products and sums, for steps over rows (`sparse-sgd.ts`). T is the type of the row's
 * values; w and sums are doubles.
 *
 * A dot's even and odd terms are the two lanes of one sum. In steps two entries a turn do not wait for each other, which
 * takes that a row has no column twice.
 */

// @ts-ignore: decorator
@inline
function weight(w: usize, index: usize): usize {
  return w + (<usize>load<u32>(index) << 3);
}

// @ts-ignore: decorator
@inline
function gain(B: usize, index: usize): f64 {
  return <f64>load<f32>(B + (<usize>load<u32>(index) << 2));
}

/** Two values from `at` on. */
// @ts-ignore: decorator
@inline
export function pair<T extends number>(at: usize): v128 {
  return sizeof<T>() === 4 ? f64x2.promote_low_f32x4(v128.load64_zero(at)) : v128.load(at);
}

/** The weights at the addresses p and q. */
// @ts-ignore: decorator
@inline
function gathered(p: usize, q: usize): v128 {
  return v128.load64_lane(q, v128.load64_zero(p), 1);
}

/** w·x */
// @ts-ignore: decorator
@inline
export function dot<T extends number>(indices: usize, values: usize, count: i32, w: usize): f64 {
  let sum = f64x2.splat(0);
  const end = indices + (<usize>(count & ~1) << 2);
  for (; indices < end; indices += 8, values += 2 * sizeof<T>()) {
    const both = gathered(weight(w, indices), weight(w, indices + 4));
    sum = f64x2.add(sum, f64x2.mul(pair<T>(values), both));
  }
  let even = f64x2.extract_lane(sum, 0);
  if (count & 1) even += <f64>load<T>(values) * load<f64>(weight(w, indices));
  return even + f64x2.extract_lane(sum, 1);
}

/** w ← w + a x, two entries at a time in the lanes of one vector: 8 % faster than one by one, with gains 10 to 15 %. */
// @ts-ignore: decorator
@inline
export function addTo<T extends number>(indices: usize, values: usize, count: i32, a: f64, w: usize): void {
  const end = indices + (<usize>(count & ~1) << 2);
  for (; indices < end; indices += 8, values += 2 * sizeof<T>()) {
    const p = weight(w, indices);
    const q = weight(w, indices + 4);
    const sum = f64x2.add(gathered(p, q), f64x2.mul(f64x2.splat(a), pair<T>(values)));
    v128.store64_lane(p, sum, 0);
    v128.store64_lane(q, sum, 1);
  }
  if (count & 1) {
    const j = weight(w, indices);
    store<f64>(j, load<f64>(j) + a * <f64>load<T>(values));
  }
}

/** w ← w + a B x */
// @ts-ignore: decorator
@inline
export function addScaledTo<T extends number>(indices: usize, values: usize, count: i32, a: f64, B: usize, w: usize): void {
  const end = indices + (<usize>(count & ~1) << 2);
  for (; indices < end; indices += 8, values += 2 * sizeof<T>()) {
    const j = <usize>load<u32>(indices);
    const l = <usize>load<u32>(indices + 4);
    const gains = f64x2.promote_low_f32x4(v128.load32_lane(B + (l << 2), v128.load32_zero(B + (j << 2)), 1));
    const p = w + (j << 3);
    const q = w + (l << 3);
    const step = f64x2.mul(f64x2.mul(f64x2.splat(a), gains), pair<T>(values));
    const sum = f64x2.add(gathered(p, q), step);
    v128.store64_lane(p, sum, 0);
    v128.store64_lane(q, sum, 1);
  }
  if (count & 1) {
    const j = weight(w, indices);
    store<f64>(j, load<f64>(j) + a * gain(B, indices) * <f64>load<T>(values));
  }
}

/** x·B x */
// @ts-ignore: decorator
@inline
export function scaledSquaredNorm<T extends number>(indices: usize, values: usize, count: i32, B: usize): f64 {
  let sum: f64 = 0;
  const end = indices + (<usize>count << 2);
  for (; indices < end; indices += 4, values += sizeof<T>()) {
    const x = <f64>load<T>(values);
    sum += gain(B, indices) * x * x;
  }
  return sum;
}
