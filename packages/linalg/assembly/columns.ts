/**
 * Products with a tall matrix that is kept column by column: `src/kernels/columns.ts` has the sums. Rows are padded with
 * zeros to a multiple of `ROWS`, which none of the sums shows.
 */
import { pair } from "./sums";

const ROWS: usize = 16;

/** An entry and zero. */
// @ts-ignore: decorator
@inline
function single<T>(p: usize): v128 {
  if (sizeof<T>() === 8) return v128.load64_zero(p);
  return f64x2.promote_low_f32x4(v128.load32_zero(p));
}

/** The four partial sums of a column in one, as in `sums.ts`. */
// @ts-ignore: decorator
@inline
function putSum(out: usize, left: v128, right: v128): void {
  const first = f64x2.extract_lane(left, 0) + f64x2.extract_lane(left, 1);
  store<f64>(out, first + (f64x2.extract_lane(right, 0) + f64x2.extract_lane(right, 1)));
}

/** out_k = p_kᵀ v, k < K, each over four partial sums; two columns share each load of v. K is even. */
// @ts-ignore: decorator
@inline
function dotColumns<T>(P: usize, stride: usize, K: i32, v: usize, length: i32, out: usize): void {
  const size = sizeof<T>();
  const whole = <usize>(length & ~3) * size;
  const rest = <usize>(length & 3) * size;
  for (let k = 0; k < K; k += 2, P += 2 * stride, out += 16) {
    let a0 = f64x2.splat(0);
    let a1 = f64x2.splat(0);
    let b0 = f64x2.splat(0);
    let b1 = f64x2.splat(0);
    let x = v;
    let p = P;
    for (const end = P + whole; p < end; p += 4 * size, x += 32) {
      const x0 = v128.load(x);
      const x1 = v128.load(x, 16);
      a0 = f64x2.add(a0, f64x2.mul(pair<T>(p), x0));
      a1 = f64x2.add(a1, f64x2.mul(pair<T>(p + 2 * size), x1));
      b0 = f64x2.add(b0, f64x2.mul(pair<T>(p + stride), x0));
      b1 = f64x2.add(b1, f64x2.mul(pair<T>(p + stride + 2 * size), x1));
    }
    for (const end = p + rest; p < end; p += size, x += 8) {
      const x0 = v128.load64_zero(x);
      a0 = f64x2.add(a0, f64x2.mul(single<T>(p), x0));
      b0 = f64x2.add(b0, f64x2.mul(single<T>(p + stride), x0));
    }
    putSum(out, a0, a1);
    putSum(out + 8, b0, b1);
  }
}

/** c_0 p_0 + c_1 p_1 + (c_2 p_2 + c_3 p_3) of two rows. */
// @ts-ignore: decorator
@inline
function four<T>(p: usize, stride: usize, c: usize): v128 {
  const a = f64x2.mul(v128.load_splat<f64>(c), pair<T>(p));
  const b = f64x2.mul(v128.load_splat<f64>(c, 8), pair<T>(p + stride));
  const d = f64x2.mul(v128.load_splat<f64>(c, 16), pair<T>(p + 2 * stride));
  const e = f64x2.mul(v128.load_splat<f64>(c, 24), pair<T>(p + 3 * stride));
  return f64x2.add(f64x2.add(a, b), f64x2.add(d, e));
}

/** x ← x + Σ_k c_k p_k, four columns at a time and the last ones one by one; eight pass over x together. */
// @ts-ignore: decorator
@inline
function addColumns<T>(P: usize, stride: usize, K: i32, c: usize, x: usize, length: i32): void {
  const size = sizeof<T>();
  const end = <usize>length * size;
  let k = 0;
  for (; k + 8 <= K; k += 8, P += 8 * stride, c += 64)
    for (let p = P, at = x; p < P + end; p += 2 * size, at += 16) {
      const sum = f64x2.add(v128.load(at), four<T>(p, stride, c));
      v128.store(at, f64x2.add(sum, four<T>(p + 4 * stride, stride, c + 32)));
    }
  for (; k + 4 <= K; k += 4, P += 4 * stride, c += 32)
    for (let p = P, at = x; p < P + end; p += 2 * size, at += 16)
      v128.store(at, f64x2.add(v128.load(at), four<T>(p, stride, c)));
  for (; k < K; k++, P += stride, c += 8) {
    const factor = v128.load_splat<f64>(c);
    for (let p = P, at = x; p < P + end; p += 2 * size, at += 16)
      v128.store(at, f64x2.add(v128.load(at), f64x2.mul(factor, pair<T>(p))));
  }
}

/**
 * P ← P Q in place, `ROWS` rows at a time.
 *
 * @param Q - k rows of K, its columns one after the other
 * @param block - room for K · ROWS numbers
 */
// @ts-ignore: decorator
@inline
function multiplyColumns<T>(P: usize, stride: usize, K: i32, Q: usize, k: i32, length: i32, block: usize): void {
  const size = sizeof<T>();
  for (let start: usize = 0; start < <usize>length * size; start += ROWS * size) {
    let into = block;
    for (let l = 0; l < K; l++)
      for (let i: usize = 0; i < ROWS; i += 2, into += 16)
        v128.store(into, pair<T>(P + <usize>l * stride + start + i * size));
    let q = Q;
    for (let j = 0; j < k; j++, q += <usize>K << 3) {
      const to = P + <usize>j * stride + start;
      for (let i: usize = 0; i < ROWS; i += 8) {
        let s0 = f64x2.splat(0);
        let s1 = f64x2.splat(0);
        let s2 = f64x2.splat(0);
        let s3 = f64x2.splat(0);
        let from = block + (i << 3);
        let c = q;
        let l = 0;
        for (; l + 4 <= K; l += 4, c += 32, from += 4 * 8 * ROWS) {
          s0 = f64x2.add(s0, four<f64>(from, 8 * ROWS, c));
          s1 = f64x2.add(s1, four<f64>(from + 16, 8 * ROWS, c));
          s2 = f64x2.add(s2, four<f64>(from + 32, 8 * ROWS, c));
          s3 = f64x2.add(s3, four<f64>(from + 48, 8 * ROWS, c));
        }
        for (; l < K; l++, c += 8, from += 8 * ROWS) {
          const factor = v128.load_splat<f64>(c);
          s0 = f64x2.add(s0, f64x2.mul(factor, v128.load(from)));
          s1 = f64x2.add(s1, f64x2.mul(factor, v128.load(from, 16)));
          s2 = f64x2.add(s2, f64x2.mul(factor, v128.load(from, 32)));
          s3 = f64x2.add(s3, f64x2.mul(factor, v128.load(from, 48)));
        }
        put<T>(to + i * size, s0);
        put<T>(to + (i + 2) * size, s1);
        put<T>(to + (i + 4) * size, s2);
        put<T>(to + (i + 6) * size, s3);
      }
    }
  }
}

// @ts-ignore: decorator
@inline
function put<T>(to: usize, sums: v128): void {
  if (sizeof<T>() === 8) v128.store(to, sums);
  else v128.store64_lane(to, f32x4.demote_f64x2_zero(sums), 0);
}

export function dotColumns64(P: usize, stride: usize, K: i32, v: usize, length: i32, out: usize): void {
  dotColumns<f64>(P, stride, K, v, length, out);
}

export function dotColumns32(P: usize, stride: usize, K: i32, v: usize, length: i32, out: usize): void {
  dotColumns<f32>(P, stride, K, v, length, out);
}

export function addColumns64(P: usize, stride: usize, K: i32, c: usize, x: usize, length: i32): void {
  addColumns<f64>(P, stride, K, c, x, length);
}

export function addColumns32(P: usize, stride: usize, K: i32, c: usize, x: usize, length: i32): void {
  addColumns<f32>(P, stride, K, c, x, length);
}

export function multiplyColumns64(
  P: usize,
  stride: usize,
  K: i32,
  Q: usize,
  k: i32,
  length: i32,
  block: usize,
): void {
  multiplyColumns<f64>(P, stride, K, Q, k, length, block);
}

export function multiplyColumns32(
  P: usize,
  stride: usize,
  K: i32,
  Q: usize,
  k: i32,
  length: i32,
  block: usize,
): void {
  multiplyColumns<f32>(P, stride, K, Q, k, length, block);
}
