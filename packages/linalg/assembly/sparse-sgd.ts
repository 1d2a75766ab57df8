/**
 * Steps of stochastic gradient descent over sparse rows, many a call (see `src/kernels/row-steps.ts`, whose sums these
 * are). T is the type of the rows' values.
 *
 * A dot's even and odd terms are the two lanes of one sum. In steps two entries a turn do not wait for each other, which
 * takes that a row has no column twice.
 */

// @ts-ignore: decorator
@inline
const SQUARED_HINGE: i32 = 0;
// @ts-ignore: decorator
@inline
const HINGE: i32 = 1;

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
function pair<T extends number>(at: usize): v128 {
  return sizeof<T>() === 4 ? f64x2.promote_low_f32x4(v128.load64_zero(at)) : v128.load(at);
}

/** w·x */
// @ts-ignore: decorator
@inline
function dot<T extends number>(indices: usize, values: usize, count: i32, w: usize): f64 {
  let sum = f64x2.splat(0);
  const end = indices + (<usize>(count & ~1) << 2);
  for (; indices < end; indices += 8, values += 2 * sizeof<T>()) {
    const both = v128.load64_lane(weight(w, indices + 4), v128.load64_zero(weight(w, indices)), 1);
    sum = f64x2.add(sum, f64x2.mul(pair<T>(values), both));
  }
  let even = f64x2.extract_lane(sum, 0);
  if (count & 1) even += <f64>load<T>(values) * load<f64>(weight(w, indices));
  return even + f64x2.extract_lane(sum, 1);
}

/** w ← w + a x */
// @ts-ignore: decorator
@inline
function addTo<T extends number>(indices: usize, values: usize, count: i32, a: f64, w: usize): void {
  const end = indices + (<usize>(count & ~1) << 2);
  for (; indices < end; indices += 8, values += 2 * sizeof<T>()) {
    const j = weight(w, indices);
    const l = weight(w, indices + 4);
    const u = load<f64>(j) + a * <f64>load<T>(values);
    const v = load<f64>(l) + a * <f64>load<T>(values + sizeof<T>());
    store<f64>(j, u);
    store<f64>(l, v);
  }
  if (count & 1) {
    const j = weight(w, indices);
    store<f64>(j, load<f64>(j) + a * <f64>load<T>(values));
  }
}

/** w ← w + a B x */
// @ts-ignore: decorator
@inline
function addScaledTo<T extends number>(indices: usize, values: usize, count: i32, a: f64, B: usize, w: usize): void {
  const end = indices + (<usize>(count & ~1) << 2);
  for (; indices < end; indices += 8, values += 2 * sizeof<T>()) {
    const j = weight(w, indices);
    const l = weight(w, indices + 4);
    const u = load<f64>(j) + a * gain(B, indices) * <f64>load<T>(values);
    const v = load<f64>(l) + a * gain(B, indices + 4) * <f64>load<T>(values + sizeof<T>());
    store<f64>(j, u);
    store<f64>(l, v);
  }
  if (count & 1) {
    const j = weight(w, indices);
    store<f64>(j, load<f64>(j) + a * gain(B, indices) * <f64>load<T>(values));
  }
}

/** x·B x */
// @ts-ignore: decorator
@inline
function scaledSquaredNorm<T extends number>(indices: usize, values: usize, count: i32, B: usize): f64 {
  let sum: f64 = 0;
  const end = indices + (<usize>count << 2);
  for (; indices < end; indices += 4, values += sizeof<T>()) {
    const x = <f64>load<T>(values);
    sum += gain(B, indices) * x * x;
  }
  return sum;
}

/** ∂l/∂s */
// @ts-ignore: decorator
@inline
function slopeOf(loss: i32, s: f64, y: f64): f64 {
  const slack = 1 - y * s;
  if (loss === SQUARED_HINGE) return slack > 0 ? -y * slack : 0;
  if (loss === HINGE) return y * s < 1 ? -y : 0;
  return s - y;
}

/** ∂l/∂s after an implicit step of length a. */
// @ts-ignore: decorator
@inline
function implicitSlopeOf(loss: i32, s: f64, y: f64, a: f64): f64 {
  const slack = 1 - y * s;
  if (loss === SQUARED_HINGE) return slack > 0 ? (-y * slack) / (1 + a) : 0;
  if (loss === HINGE) {
    if (!(slack > 0)) return 0;
    const part = slack / a;
    return -y * (part < 1 ? part : 1);
  }
  return (s - y) / (1 + a);
}

// @ts-ignore: decorator
@inline
function gradientSteps<T extends number>(
  pointers: usize,
  indices: usize,
  values: usize,
  from: i32,
  to: i32,
  y: usize,
  c: usize,
  squares: usize,
  w: usize,
  bias: usize,
  biasGain: f64,
  loss: i32,
  lambda: f64,
  start: f64,
): void {
  for (let k = from; k < to; k++, y += 8, c += 8, squares += 8) {
    const at = pointers + (<usize>k << 2);
    const first = load<i32>(at);
    const count = load<i32>(at, 4) - first;
    const J = indices + (<usize>first << 2);
    const x = values + <usize>first * sizeof<T>();
    const target = load<f64>(y);
    const s = dot<T>(J, x, count, w) + load<f64>(bias);
    const eta = load<f64>(c) / (lambda * (start + <f64>k));
    const slope =
      squares < 8 * <usize>(to - from) // no norms: the step is explicit
        ? slopeOf(loss, s, target)
        : implicitSlopeOf(loss, s, target, eta * (load<f64>(squares) + biasGain));
    if (slope === 0) continue;
    const e = -eta * slope;
    addTo<T>(J, x, count, e, w);
    store<f64>(bias, load<f64>(bias) + e * biasGain);
  }
}
