/**
 * Products with a tall matrix that is kept column by column: `src/kernels/columns.ts` has the sums. Rows are padded with
 * zeros to a multiple of `ROWS`, which none of the sums shows.
 */
const ROWS: usize = 16;

/** Two neighbouring entries of a column, in double precision. */
// @ts-ignore: decorator
@inline
function pair<T>(p: usize): v128 {
  if (sizeof<T>() === 8) return v128.load(p);
  return f64x2.promote_low_f32x4(v128.load64_zero(p));
}

/** Of two columns, the first rows of both and the second rows of both. */
// @ts-ignore: decorator
@inline
function firsts(a: v128, b: v128): v128 {
  return v128.shuffle<f64>(a, b, 0, 2);
}

// @ts-ignore: decorator
@inline
function seconds(a: v128, b: v128): v128 {
  return v128.shuffle<f64>(a, b, 1, 3);
}

/** out_k = p_kᵀ v, k < K, each sum from the first row to the last: lanes are columns. K is a multiple of eight. */
// @ts-ignore: decorator
@inline
function dotColumns<T>(P: usize, stride: usize, K: i32, v: usize, length: i32, out: usize): void {
  const size = sizeof<T>();
  const end = <usize>length * size;
  for (let k = 0; k < K; k += 8, P += 8 * stride, out += 64) {
    let s0 = f64x2.splat(0);
    let s1 = f64x2.splat(0);
    let s2 = f64x2.splat(0);
    let s3 = f64x2.splat(0);
    let x = v;
    for (let p = P; p < P + end; p += 2 * size, x += 16) {
      const x0 = v128.load_splat<f64>(x);
      const x1 = v128.load_splat<f64>(x, 8);
      let a = pair<T>(p);
      let b = pair<T>(p + stride);
      s0 = f64x2.add(f64x2.add(s0, f64x2.mul(firsts(a, b), x0)), f64x2.mul(seconds(a, b), x1));
      a = pair<T>(p + 2 * stride);
      b = pair<T>(p + 3 * stride);
      s1 = f64x2.add(f64x2.add(s1, f64x2.mul(firsts(a, b), x0)), f64x2.mul(seconds(a, b), x1));
      a = pair<T>(p + 4 * stride);
      b = pair<T>(p + 5 * stride);
      s2 = f64x2.add(f64x2.add(s2, f64x2.mul(firsts(a, b), x0)), f64x2.mul(seconds(a, b), x1));
      a = pair<T>(p + 6 * stride);
      b = pair<T>(p + 7 * stride);
      s3 = f64x2.add(f64x2.add(s3, f64x2.mul(firsts(a, b), x0)), f64x2.mul(seconds(a, b), x1));
    }
    v128.store(out, s0);
    v128.store(out, s1, 16);
    v128.store(out, s2, 32);
    v128.store(out, s3, 48);
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
