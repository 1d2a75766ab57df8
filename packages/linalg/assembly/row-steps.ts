/**
 * Steps of stochastic gradient descent over rows, many a call (see `src/kernels/row-steps.ts`, whose sums these are). T is
 * the type of the rows' values. Rows without pointers are dense and lie one after the other, `columns` numbers each; steps
 * without gains B are gradient steps.
 */
import { addScaledTo, addThenDot, addTo, dot, scaledSquaredNorm } from "./rows";
import { implicitSlopeOf, slopeOf } from "./step-losses";
import { pair } from "./sums";

/**
 * Rows from … to − 1, between two decays.
 *
 * @param w, B - b and its gain stand at their ends
 * @param y, c, squares - of row `from` on
 * @param entry - γ of gradient steps, ε of scaled ones
 * @param unit - λ of gradient steps, u of scaled ones
 */
// @ts-ignore: decorator
@inline
function rowSteps<T extends number>(
  columns: i32,
  pointers: usize,
  indices: usize,
  values: usize,
  from: i32,
  to: i32,
  y: usize,
  c: usize,
  squares: usize,
  w: usize,
  B: usize,
  entry: f64,
  loss: i32,
  isImplicit: i32,
  unit: f64,
  start: f64,
): void {
  const bias = w + (<usize>columns << 3);
  const gain: f64 = B === 0 ? 1 : <f64>load<f32>(B + (<usize>columns << 2));
  let e: f64 = 0;
  let waiting: usize = 0; // the row that e is the step of, where the next row's product brings it along
  for (let k = from; k < to; k++) {
    let first = <usize>k * <usize>columns;
    let count = columns;
    let J: usize = 0;
    if (pointers !== 0) {
      const at = pointers + (<usize>k << 2);
      first = <usize>load<i32>(at);
      count = load<i32>(at, 4) - <i32>first;
      J = indices + (first << 2);
    }
    const x = values + first * sizeof<T>();
    const own = <usize>(k - from) << 3;
    const target = load<f64>(y + own);
    const s = (waiting === 0 ? dot<T>(J, x, count, w) : addThenDot<T>(waiting, e, x, count, w)) + load<f64>(bias);
    waiting = 0;
    let slope = slopeOf(loss, s, target);
    if (slope === 0) continue;
    const importance = load<f64>(c + own);
    const length = B === 0 ? importance / (unit * (start + <f64>k)) : importance * unit;
    if (isImplicit) {
      const square = B === 0 ? load<f64>(squares + own) : scaledSquaredNorm<T>(J, x, count, B);
      slope = implicitSlopeOf(loss, s, target, length * (square + entry * gain));
      if (slope === 0) continue;
    }
    e = -length * slope;
    if (B !== 0) addScaledTo<T>(J, x, count, e, B, w);
    else if (J !== 0) addTo<T>(J, x, count, e, w);
    else waiting = x;
    store<f64>(bias, load<f64>(bias) + e * entry * gain);
  }
  if (waiting !== 0) addThenDot<T>(waiting, e, waiting, columns, w);
}

export function rowSteps32(
  columns: i32,
  pointers: usize,
  indices: usize,
  values: usize,
  from: i32,
  to: i32,
  y: usize,
  c: usize,
  squares: usize,
  w: usize,
  B: usize,
  entry: f64,
  loss: i32,
  isImplicit: i32,
  unit: f64,
  start: f64,
): void {
  rowSteps<f32>(
    columns, pointers, indices, values, from, to, y, c, squares, w, B, entry, loss, isImplicit, unit, start,
  );
}

export function rowSteps64(
  columns: i32,
  pointers: usize,
  indices: usize,
  values: usize,
  from: i32,
  to: i32,
  y: usize,
  c: usize,
  squares: usize,
  w: usize,
  B: usize,
  entry: f64,
  loss: i32,
  isImplicit: i32,
  unit: f64,
  start: f64,
): void {
  rowSteps<f64>(
    columns, pointers, indices, values, from, to, y, c, squares, w, B, entry, loss, isImplicit, unit, start,
  );
}

/** w_j ← w_j max(0, 1 − share B_j), j < count. */
export function decay(w: usize, B: usize, count: i32, share: f64): void {
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

/** B_j ← t0/(common + e_j), j < count, by twos: there is room for one more. */
export function renew(B: usize, e: usize, count: i32, t0: f64, common: f64): void {
  const numerator = f64x2.splat(t0);
  const commons = f64x2.splat(common);
  for (const end = e + (<usize>count << 3); e < end; e += 16, B += 8) {
    const gains = f64x2.div(numerator, f64x2.add(commons, v128.load(e)));
    v128.store64_lane(B, f32x4.demote_f64x2_zero(gains), 0);
  }
}
