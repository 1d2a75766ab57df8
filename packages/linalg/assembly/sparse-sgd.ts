/**
 * Steps of stochastic gradient descent over sparse rows, many a call (see `src/kernels/row-steps.ts`, whose sums these
 * are). T is the type of the rows' values.
 */
import { addScaledTo, addTo, dot, pair, scaledSquaredNorm } from "./sparse-rows";
import { implicitSlopeOf, slopeOf } from "./step-losses";

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
  for (let k = from; k < to; k++) {
    const at = pointers + (<usize>k << 2);
    const first = <usize>load<i32>(at);
    const count = load<i32>(at, 4) - <i32>first;
    const J = indices + (first << 2);
    const x = values + first * sizeof<T>();
    const own = <usize>(k - from) << 3;
    const target = load<f64>(y + own);
    const s = dot<T>(J, x, count, w) + load<f64>(bias);
    const eta = load<f64>(c + own) / (lambda * (start + <f64>k));
    const slope =
      squares === 0
        ? slopeOf(loss, s, target)
        : implicitSlopeOf(loss, s, target, eta * (load<f64>(squares + own) + biasGain));
    if (slope === 0) continue;
    const e = -eta * slope;
    addTo<T>(J, x, count, e, w);
    store<f64>(bias, load<f64>(bias) + e * biasGain);
  }
}

// @ts-ignore: decorator
@inline
function scaledSteps<T extends number>(
  pointers: usize,
  indices: usize,
  values: usize,
  from: i32,
  to: i32,
  y: usize,
  c: usize,
  w: usize,
  bias: usize,
  B: usize,
  biasGain: usize,
  entry: f64,
  loss: i32,
  isImplicit: i32,
  unit: f64,
): void {
  for (let k = from; k < to; k++) {
    const at = pointers + (<usize>k << 2);
    const first = <usize>load<i32>(at);
    const count = load<i32>(at, 4) - <i32>first;
    const J = indices + (first << 2);
    const x = values + first * sizeof<T>();
    const own = <usize>(k - from) << 3;
    const target = load<f64>(y + own);
    const s = dot<T>(J, x, count, w) + load<f64>(bias);
    let slope = slopeOf(loss, s, target);
    if (slope === 0) continue;
    const importance = load<f64>(c + own);
    const gainOfBias = <f64>load<f32>(biasGain);
    if (isImplicit) {
      const square = scaledSquaredNorm<T>(J, x, count, B) + entry * gainOfBias;
      slope = implicitSlopeOf(loss, s, target, importance * unit * square);
      if (slope === 0) continue;
    }
    const e = -importance * unit * slope;
    addScaledTo<T>(J, x, count, e, B, w);
    store<f64>(bias, load<f64>(bias) + e * entry * gainOfBias);
  }
}

/**
 * Rows from … to − 1 of SVMSGD2, between two decays.
 *
 * @param y, c, squares - of row `from` on; squares 0 for explicit steps
 * @param bias - the address of b
 */
export function gradientSteps32(
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
  gradientSteps<f32>(pointers, indices, values, from, to, y, c, squares, w, bias, biasGain, loss, lambda, start);
}

export function gradientSteps64(
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
  gradientSteps<f64>(pointers, indices, values, from, to, y, c, squares, w, bias, biasGain, loss, lambda, start);
}

/**
 * Rows from … to − 1 of SGD-QN, none of them with a secant or a decay.
 *
 * @param y, c - of row `from` on
 * @param bias, biasGain - the addresses of b and of its entry of B
 */
export function scaledSteps32(
  pointers: usize,
  indices: usize,
  values: usize,
  from: i32,
  to: i32,
  y: usize,
  c: usize,
  w: usize,
  bias: usize,
  B: usize,
  biasGain: usize,
  entry: f64,
  loss: i32,
  isImplicit: i32,
  unit: f64,
): void {
  scaledSteps<f32>(pointers, indices, values, from, to, y, c, w, bias, B, biasGain, entry, loss, isImplicit, unit);
}

export function scaledSteps64(
  pointers: usize,
  indices: usize,
  values: usize,
  from: i32,
  to: i32,
  y: usize,
  c: usize,
  w: usize,
  bias: usize,
  B: usize,
  biasGain: usize,
  entry: f64,
  loss: i32,
  isImplicit: i32,
  unit: f64,
): void {
  scaledSteps<f64>(pointers, indices, values, from, to, y, c, w, bias, B, biasGain, entry, loss, isImplicit, unit);
}

/** w_j ← w_j max(0, 1 − share B_j), j < count. */
export function decayScaled(w: usize, B: usize, count: i32, share: f64): void {
  const one = f64x2.splat(1);
  const zero = f64x2.splat(0);
  const shares = f64x2.splat(share);
  const end = w + (<usize>(count & ~1) << 3);
  for (; w < end; w += 16, B += 8) {
    const factor = f64x2.sub(one, f64x2.mul(shares, pair<f32>(B)));
    v128.store(w, f64x2.mul(v128.load(w), f64x2.max(zero, factor)));
  }
  if (count & 1) store<f64>(w, load<f64>(w) * max<f64>(0, 1 - share * <f64>load<f32>(B)));
}

/** B_j ← t0/(common + e_j), j < count. */
export function renewGains(B: usize, e: usize, count: i32, t0: f64, common: f64): void {
  const numerator = f64x2.splat(t0);
  const commons = f64x2.splat(common);
  const end = e + (<usize>(count & ~1) << 3);
  for (; e < end; e += 16, B += 8) {
    const gains = f64x2.div(numerator, f64x2.add(commons, v128.load(e)));
    v128.store64_lane(B, f32x4.demote_f64x2_zero(gains), 0);
  }
  if (count & 1) store<f32>(B, <f32>(t0 / (common + load<f64>(e))));
}
