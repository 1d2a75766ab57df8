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
const CONSTANTS = memory.data<f64>([
  745.2, 6755399441055744, 184.6649652337873, 0.00541521234663378, 1.4907929134926466e-12, 0.5, 0.16666666666666666,
  0.041666666666666664, 0.008333333333333333, 5.421010862427522e-20, 1,
]);
/** The places of the table, and the exponent's bias + 64. */
const INTEGERS = memory.data<i64>([127, 1087]);

// @ts-ignore: decorator
@inline
export function one(): v128 {
  return constant(10);
}

// @ts-ignore: decorator
@inline
function constant(place: usize): v128 {
  return v128.load_splat<f64>(CONSTANTS + (place << 3));
}

// @ts-ignore: decorator
@inline
export function gaussian(table: usize, distance: v128): v128 {
  const limit = constant(0);
  const rounder = constant(1);
  const back = v128.and(f64x2.le(distance, limit), constant(9));
  const t = f64x2.pmin(distance, limit);
  const k = f64x2.sub(rounder, f64x2.mul(t, constant(2)));
  const rounded = f64x2.sub(k, rounder);
  const r = f64x2.add(
    f64x2.add(t, f64x2.mul(rounded, constant(3))),
    f64x2.mul(rounded, constant(4)),
  );
  const r2 = f64x2.mul(r, r);
  const low = f64x2.sub(constant(5), f64x2.mul(r, constant(6)));
  const high = f64x2.sub(constant(7), f64x2.mul(r, constant(8)));
  const p = f64x2.sub(f64x2.mul(r2, f64x2.add(low, f64x2.mul(r2, high))), r);
  const j = i32x4.shl(v128.and(k, v128.load_splat<i64>(INTEGERS)), 4);
  const entry0 = v128.load(table + <usize>i32x4.extract_lane(j, 0));
  const entry1 = v128.load(table + <usize>i32x4.extract_lane(j, 2));
  const T = v128.shuffle<u64>(entry0, entry1, 0, 2);
  const rest = v128.shuffle<u64>(entry0, entry1, 1, 3);
  const power = i64x2.shl(i64x2.add(i64x2.shr_u(k, 7), v128.load_splat<i64>(INTEGERS, 8)), 52);
  return f64x2.mul(f64x2.mul(f64x2.add(T, f64x2.add(rest, f64x2.mul(T, p))), power), back);
}

