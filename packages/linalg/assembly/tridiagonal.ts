/** Panels of the reduction to tridiagonal form: `src/kernels/tridiagonalize.ts` has the algorithm, and the same sums. */
import { multiplyLower } from "./gemm";
import { dot } from "./sums";

const NEGLIGIBLE: f64 = 1e-280;

/**
 * Rows m − 1 … m − rows.
 *
 * @param V - 2 · rows × n: V, then W; `W` likewise W, then V
 * @param left - room for a panel of `packed` columns of V, and `right` of W
 */
export function reduce(
  A: usize,
  n: i32,
  m: i32,
  rows: i32,
  V: usize,
  W: usize,
  left: usize,
  right: usize,
  d: usize,
  e: usize,
  h: usize,
): void {
  const stride = <usize>n << 3;
  memory.fill(V, 0, 2 * <usize>rows * stride);
  memory.fill(W, 0, 2 * <usize>rows * stride);
  for (let p = 0; p < rows; p++) reduceRow(A, stride, m - 1 - p, V, W, rows, p, d, e, h);
  const rest = m - rows;
  pack(V, stride, rest, 2 * rows, left);
  pack(W, stride, rest, 2 * rows, right);
  multiplyLower(left, right, A, stride, rest, 2 * rows, -1);
}

function reduceRow(
  A: usize,
  stride: usize,
  i: i32,
  V: usize,
  W: usize,
  rows: i32,
  p: i32,
  d: usize,
  e: usize,
  h: usize,
): void {
  const row = A + <usize>i * stride;
  for (let q = 0; q < p; q++)
    subtractTwo(row, V + <usize>q * stride, W + <usize>q * stride, i + 1, i);
  const at = <usize>i << 3;
  store<f64>(d + at, load<f64>(row + at));
  if (i === 0) return;
  const squares = dot(row, row, i - 1);
  const x = load<f64>(row + at - 8);
  if (squares < NEGLIGIBLE) {
    store<f64>(e + at - 8, x);
    return;
  }
  const norm = Math.sqrt(squares + x * x);
  const coupling = x > 0 ? -norm : norm;
  const size = squares + x * x - x * coupling;
  store<f64>(e + at - 8, coupling);
  store<f64>(h + at, size);
  store<f64>(row + at - 8, x - coupling);
  const v = V + <usize>p * stride;
  const w = W + <usize>p * stride;
  memory.copy(v, row, at);
  timesSymmetric(A, stride, v, w, i);
  for (let q = 0; q < p; q++) takeOff(V + <usize>q * stride, W + <usize>q * stride, v, w, i);
  for (let k: usize = 0; k < at; k += 8) store<f64>(w + k, load<f64>(w + k) / size);
  const half = dot(v, w, i) / (2 * size);
  for (let k: usize = 0; k < at; k += 8) store<f64>(w + k, load<f64>(w + k) - half * load<f64>(v + k));
  memory.copy(V + <usize>(rows + p) * stride, w, at);
  memory.copy(W + <usize>(rows + p) * stride, v, at);
}

/** x_k ← x_k − (a_i b_k + b_i a_k), k < n */
function subtractTwo(x: usize, a: usize, b: usize, n: i32, i: i32): void {
  const ai = load<f64>(a + (<usize>i << 3));
  const bi = load<f64>(b + (<usize>i << 3));
  combine(x, a, bi, b, ai, n);
}

/** w ← w − a (bᵀv) − b (aᵀv) */
function takeOff(a: usize, b: usize, v: usize, w: usize, n: i32): void {
  const av = dot(a, v, n);
  const bv = dot(b, v, n);
  combine(w, b, av, a, bv, n);
}

/** x ← x − (bFactor b + aFactor a), the product with b first */
function combine(x: usize, a: usize, aFactor: f64, b: usize, bFactor: f64, n: i32): void {
  const as = f64x2.splat(aFactor);
  const bs = f64x2.splat(bFactor);
  const whole = <usize>(n & ~1) << 3;
  let k: usize = 0;
  for (; k < whole; k += 16) {
    const sum = f64x2.add(f64x2.mul(bs, v128.load(b + k)), f64x2.mul(as, v128.load(a + k)));
    v128.store(x + k, f64x2.sub(v128.load(x + k), sum));
  }
  if (n & 1) store<f64>(x + k, load<f64>(x + k) - (bFactor * load<f64>(b + k) + aFactor * load<f64>(a + k)));
}

/** w ← A v of the leading n × n block, four rows at a time: see `src/kernels/symmetric-product.ts`. */
export function timesSymmetric(A: usize, stride: usize, v: usize, w: usize, n: i32): void {
  const whole = n & ~3;
  for (let j = 0; j < whole; j += 4) fourRows(A + <usize>j * stride, stride, v, w, <usize>j << 3);
  for (let j = whole; j < n; j++) {
    const row = A + <usize>j * stride;
    const end = <usize>j << 3;
    const vj = load<f64>(v + end);
    let sum = load<f64>(row + end) * vj;
    for (let k: usize = 0; k < end; k += 8) {
      const a = load<f64>(row + k);
      sum += a * load<f64>(v + k);
      store<f64>(w + k, load<f64>(w + k) + a * vj);
    }
    store<f64>(w + end, sum);
  }
}

// @ts-ignore: decorator
@inline
function total(pair: v128): f64 {
  return f64x2.extract_lane(pair, 0) + f64x2.extract_lane(pair, 1);
}

function fourRows(r0: usize, stride: usize, v: usize, w: usize, j: usize): void {
  const r1 = r0 + stride;
  const r2 = r1 + stride;
  const r3 = r2 + stride;
  const v0 = v128.load_splat<f64>(v + j);
  const v1 = v128.load_splat<f64>(v + j, 8);
  const v2 = v128.load_splat<f64>(v + j, 16);
  const v3 = v128.load_splat<f64>(v + j, 24);
  let s0 = f64x2.splat(0);
  let s1 = f64x2.splat(0);
  let s2 = f64x2.splat(0);
  let s3 = f64x2.splat(0);
  for (let k: usize = 0; k < j; k += 16) {
    const x = v128.load(v + k);
    const a0 = v128.load(r0 + k);
    const a1 = v128.load(r1 + k);
    const a2 = v128.load(r2 + k);
    const a3 = v128.load(r3 + k);
    s0 = f64x2.add(s0, f64x2.mul(a0, x));
    s1 = f64x2.add(s1, f64x2.mul(a1, x));
    s2 = f64x2.add(s2, f64x2.mul(a2, x));
    s3 = f64x2.add(s3, f64x2.mul(a3, x));
    const left = f64x2.add(f64x2.mul(a0, v0), f64x2.mul(a1, v1));
    const right = f64x2.add(f64x2.mul(a2, v2), f64x2.mul(a3, v3));
    v128.store(w + k, f64x2.add(v128.load(w + k), f64x2.add(left, right)));
  }
  const x0 = load<f64>(v + j);
  const x1 = load<f64>(v + j, 8);
  const x2 = load<f64>(v + j, 16);
  const x3 = load<f64>(v + j, 24);
  const a10 = load<f64>(r1 + j);
  const a20 = load<f64>(r2 + j);
  const a21 = load<f64>(r2 + j, 8);
  const a30 = load<f64>(r3 + j);
  const a31 = load<f64>(r3 + j, 8);
  const a32 = load<f64>(r3 + j, 16);
  store<f64>(w + j, total(s0) + load<f64>(r0 + j) * x0 + a10 * x1 + (a20 * x2 + a30 * x3));
  store<f64>(w + j, total(s1) + a10 * x0 + load<f64>(r1 + j, 8) * x1 + (a21 * x2 + a31 * x3), 8);
  store<f64>(w + j, total(s2) + a20 * x0 + a21 * x1 + (load<f64>(r2 + j, 16) * x2 + a32 * x3), 16);
  store<f64>(w + j, total(s3) + a30 * x0 + a31 * x1 + (a32 * x2 + load<f64>(r3 + j, 24) * x3), 24);
}

/** The first `count` columns of `deep` rows, in panels of eight. */
function pack(rows: usize, stride: usize, count: i32, deep: i32, packed: usize): void {
  for (let i = 0; i < count; i += 8) {
    const lanes = min(8, count - i);
    for (let p = 0; p < deep; p++, packed += 64) {
      const own = <usize>lanes << 3;
      memory.copy(packed, rows + <usize>p * stride + (<usize>i << 3), own);
      memory.fill(packed + own, 0, 64 - own);
    }
  }
}
