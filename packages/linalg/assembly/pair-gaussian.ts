/**
 * The Gaussian kernel of the all-pairs sums in double precision.
 *
 * e^−t for t ≥ 0 is that of `src/portable/exp.ts`, bit for bit, without a branch: r has the other sign, and results are
 * computed 2^64 times as large and scaled back, which is exact where they are normal and rounds the others once, as
 * there. Beyond t = 745.2 the last factor is 0.
 *
 * | variable | value                                                                        |
 * |----------|------------------------------------------------------------------------------|
 * | k        | 1.5 · 2^52 + the integer nearest to −128 t / ln 2, which its low bits show    |
 * | table    | address of `powersOfTwo128`: 2^(j/128) and its rest for j, 16 bytes together  |
 *
 * Constants are read from memory: V8 makes a constant of the code anew wherever it is used, and here are many.
 */
const LIMIT = memory.data<f64>([745.2, 745.2], 16);
const ROUNDER = memory.data<f64>([6755399441055744, 6755399441055744], 16);
const SCALE = memory.data<f64>([184.6649652337873, 184.6649652337873], 16);
const STEP_HIGH = memory.data<f64>([0.00541521234663378, 0.00541521234663378], 16);
const STEP_LOW = memory.data<f64>([1.4907929134926466e-12, 1.4907929134926466e-12], 16);
const HALF = memory.data<f64>([0.5, 0.5], 16);
const SIXTH = memory.data<f64>([0.16666666666666666, 0.16666666666666666], 16);
const PART24 = memory.data<f64>([0.041666666666666664, 0.041666666666666664], 16);
const PART120 = memory.data<f64>([0.008333333333333333, 0.008333333333333333], 16);
/** 2^-64 */
const BACK = memory.data<f64>([5.421010862427522e-20, 5.421010862427522e-20], 16);
const PLACES = memory.data<i64>([127, 127], 16);
/** The exponent's bias + 64 */
const BIAS = memory.data<i64>([1087, 1087], 16);

// @ts-ignore: decorator
@inline
export function gaussian(table: usize, distance: v128): v128 {
  const limit = v128.load(LIMIT);
  const rounder = v128.load(ROUNDER);
  const back = v128.and(f64x2.le(distance, limit), v128.load(BACK));
  const t = f64x2.pmin(distance, limit);
  const k = f64x2.sub(rounder, f64x2.mul(t, v128.load(SCALE)));
  const rounded = f64x2.sub(k, rounder);
  const r = f64x2.add(
    f64x2.add(t, f64x2.mul(rounded, v128.load(STEP_HIGH))),
    f64x2.mul(rounded, v128.load(STEP_LOW)),
  );
  const r2 = f64x2.mul(r, r);
  const low = f64x2.sub(v128.load(HALF), f64x2.mul(r, v128.load(SIXTH)));
  const high = f64x2.sub(v128.load(PART24), f64x2.mul(r, v128.load(PART120)));
  const p = f64x2.sub(f64x2.mul(r2, f64x2.add(low, f64x2.mul(r2, high))), r);
  const j = i32x4.shl(v128.and(k, v128.load(PLACES)), 4);
  const entry0 = v128.load(table + <usize>i32x4.extract_lane(j, 0));
  const entry1 = v128.load(table + <usize>i32x4.extract_lane(j, 2));
  const T = v128.shuffle<u64>(entry0, entry1, 0, 2);
  const rest = v128.shuffle<u64>(entry0, entry1, 1, 3);
  const power = i64x2.shl(i64x2.add(i64x2.shr_u(k, 7), v128.load(BIAS)), 52);
  return f64x2.mul(f64x2.mul(f64x2.add(T, f64x2.add(rest, f64x2.mul(T, p))), power), back);
}

