/**
 * The blocked Cholesky factorisation (see `src/kernels/cholesky.ts`, whose sums these are). Rows below a block are packed
 * in panels of four before they are solved for, lanes being rows, and the panels are both factors of the product that
 * follows.
 */
import { multiplyLower } from "./gemm";
import { dot } from "./sums";

const WIDTH: i32 = 64;

/**
 * @param A - rows of `stride` bytes, room for n rows and columns rounded up to multiples of four
 * @param packed - room for n rounded up × 64
 * @returns as the TypeScript form
 */
export function factorCholesky(A: usize, n: i32, stride: usize, least: usize, packed: usize): i32 {
  for (let start = 0; start < n; start += WIDTH) {
    const end = min(n, start + WIDTH);
    for (let i = start; i < end; i += 4) {
      const failed = factorRows(A, stride, start, i, min(i + 4, end), least);
      if (failed >= 0) return failed;
    }
    if (end < n) {
      solveBelow(A, n, stride, start, end, packed);
      multiplyLower(packed, packed, A + <usize>end * (stride + 8), stride, n - end, end - start, -1);
    }
  }
  return -1;
}

/** Rows from … to − 1 of the block that begins at `start`: left of their own square together, then one after another. */
function factorRows(A: usize, stride: usize, start: i32, from: i32, to: i32, least: usize): i32 {
  solveRows(A, stride, from, to, start, start, from);
  for (let i = from; i < to; i++) {
    solveRows(A, stride, i, i + 1, start, from, i);
    const row = entry(A, stride, i, start);
    const at = entry(A, stride, i, i);
    const pivot = load<f64>(at) - dot(row, row, i - start);
    store<f64>(at, pivot);
    if (!(pivot > load<f64>(least + (<usize>i << 3)) && pivot < Infinity)) return i;
    store<f64>(at, Math.sqrt(pivot));
  }
  return -1;
}

/**
 * Columns first … last − 1 of rows from … to − 1 of L, of a block that begins at `start`. Each entry waits for the one on its
 * left: rows together wait at the same time.
 */
function solveRows(A: usize, stride: usize, from: i32, to: i32, start: i32, first: i32, last: i32): void {
  for (let j = first; j < last; j++) {
    const above = entry(A, stride, j, start);
    const pivot = load<f64>(entry(A, stride, j, j));
    for (let i = from; i < to; i++) {
      const at = entry(A, stride, i, j);
      store<f64>(at, (load<f64>(at) - dot(entry(A, stride, i, start), above, j - start)) / pivot);
    }
  }
}

// @ts-ignore: decorator
@inline
function entry(A: usize, stride: usize, i: i32, j: i32): usize {
  return A + <usize>i * stride + (<usize>j << 3);
}

/**
 * Rows end … n − 1 of these columns, in place and packed. The block is 64 wide, or it would be the last. What stands in the
 * rows after n is packed, too, and reaches no entry but theirs.
 */
function solveBelow(A: usize, n: i32, stride: usize, start: i32, end: i32, packed: usize): void {
  const block = A + <usize>start * stride + (<usize>start << 3);
  const first = A + <usize>end * stride + (<usize>start << 3);
  const rest = n - end;
  const whole = rest & ~3;
  solveRows(A, stride, end + whole, n, start, start, end);
  for (let i = 0; i < rest; i += 4)
    pack(first + <usize>i * stride, stride, packed + ((<usize>i * WIDTH) << 3));
  let i = 0;
  for (; i + 15 < whole; i += 16) solveSixteen(block, stride, packed + ((<usize>i * WIDTH) << 3));
  for (; i < whole; i += 4) solveFour(block, stride, packed + ((<usize>i * WIDTH) << 3));
  for (i = 0; i < whole; i += 4)
    unpack(packed + ((<usize>i * WIDTH) << 3), first + <usize>i * stride, stride);
}

/** Four rows to a panel: two columns at a time are turned. */
function pack(row: usize, stride: usize, panel: usize): void {
  for (const end = panel + 32 * WIDTH; panel < end; panel += 64, row += 16) {
    const x0 = v128.load(row);
    const x1 = v128.load(row + stride);
    const x2 = v128.load(row + 2 * stride);
    const x3 = v128.load(row + 3 * stride);
    v128.store(panel, v128.shuffle<f64>(x0, x1, 0, 2));
    v128.store(panel, v128.shuffle<f64>(x2, x3, 0, 2), 16);
    v128.store(panel, v128.shuffle<f64>(x0, x1, 1, 3), 32);
    v128.store(panel, v128.shuffle<f64>(x2, x3, 1, 3), 48);
  }
}

function unpack(panel: usize, row: usize, stride: usize): void {
  for (const end = panel + 32 * WIDTH; panel < end; panel += 64, row += 16) {
    const x0 = v128.load(panel);
    const x1 = v128.load(panel, 32);
    const x2 = v128.load(panel, 16);
    const x3 = v128.load(panel, 48);
    v128.store(row, v128.shuffle<f64>(x0, x1, 0, 2));
    v128.store(row + stride, v128.shuffle<f64>(x0, x1, 1, 3));
    v128.store(row + 2 * stride, v128.shuffle<f64>(x2, x3, 0, 2));
    v128.store(row + 3 * stride, v128.shuffle<f64>(x2, x3, 1, 3));
  }
}

/** One panel, by the block's rows of L. */
function solveFour(block: usize, stride: usize, panel: usize): void {
  for (let j = 0; j < WIDTH; j++, block += stride) {
    let left = f64x2.splat(0);
    let right = f64x2.splat(0);
    let at = panel;
    for (let k = 0; k < j; k++, at += 32) {
      const l = v128.load_splat<f64>(block + (<usize>k << 3));
      left = f64x2.add(left, f64x2.mul(v128.load(at), l));
      right = f64x2.add(right, f64x2.mul(v128.load(at, 16), l));
    }
    const pivot = v128.load_splat<f64>(block + (<usize>j << 3));
    v128.store(at, f64x2.div(f64x2.sub(v128.load(at), left), pivot));
    v128.store(at, f64x2.div(f64x2.sub(v128.load(at, 16), right), pivot), 16);
  }
}

/** Four panels: eight sums at a time hide the additions' latency. */
function solveSixteen(block: usize, stride: usize, panel: usize): void {
  for (let j = 0; j < WIDTH; j++, block += stride) {
    let s0 = f64x2.splat(0);
    let s1 = f64x2.splat(0);
    let s2 = f64x2.splat(0);
    let s3 = f64x2.splat(0);
    let s4 = f64x2.splat(0);
    let s5 = f64x2.splat(0);
    let s6 = f64x2.splat(0);
    let s7 = f64x2.splat(0);
    let at = panel;
    for (let k = 0; k < j; k++, at += 32) {
      const l = v128.load_splat<f64>(block + (<usize>k << 3));
      s0 = f64x2.add(s0, f64x2.mul(v128.load(at), l));
      s1 = f64x2.add(s1, f64x2.mul(v128.load(at, 16), l));
      s2 = f64x2.add(s2, f64x2.mul(v128.load(at, 2048), l));
      s3 = f64x2.add(s3, f64x2.mul(v128.load(at, 2064), l));
      s4 = f64x2.add(s4, f64x2.mul(v128.load(at, 4096), l));
      s5 = f64x2.add(s5, f64x2.mul(v128.load(at, 4112), l));
      s6 = f64x2.add(s6, f64x2.mul(v128.load(at, 6144), l));
      s7 = f64x2.add(s7, f64x2.mul(v128.load(at, 6160), l));
    }
    const pivot = v128.load_splat<f64>(block + (<usize>j << 3));
    v128.store(at, f64x2.div(f64x2.sub(v128.load(at), s0), pivot));
    v128.store(at, f64x2.div(f64x2.sub(v128.load(at, 16), s1), pivot), 16);
    v128.store(at, f64x2.div(f64x2.sub(v128.load(at, 2048), s2), pivot), 2048);
    v128.store(at, f64x2.div(f64x2.sub(v128.load(at, 2064), s3), pivot), 2064);
    v128.store(at, f64x2.div(f64x2.sub(v128.load(at, 4096), s4), pivot), 4096);
    v128.store(at, f64x2.div(f64x2.sub(v128.load(at, 4112), s5), pivot), 4112);
    v128.store(at, f64x2.div(f64x2.sub(v128.load(at, 6144), s6), pivot), 6144);
    v128.store(at, f64x2.div(f64x2.sub(v128.load(at, 6160), s7), pivot), 6160);
  }
}
