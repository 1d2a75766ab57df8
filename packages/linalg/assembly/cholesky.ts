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
    for (let i = start; i < end; i++) {
      const row = A + <usize>i * stride + (<usize>start << 3);
      solveRow(A, stride, row, start, i);
      const at = A + <usize>i * stride + (<usize>i << 3);
      const pivot = load<f64>(at) - dot(row, row, i - start);
      store<f64>(at, pivot);
      if (!(pivot > load<f64>(least + (<usize>i << 3)) && pivot < Infinity)) return i;
      store<f64>(at, Math.sqrt(pivot));
    }
    if (end < n) {
      solveBelow(A, n, stride, start, end, packed);
      multiplyLower(packed, packed, A + <usize>end * (stride + 8), stride, n - end, end - start, -1);
    }
  }
  return -1;
}

/** Entries start … end − 1 of a row of L; `row` is the address of the first of them. */
function solveRow(A: usize, stride: usize, row: usize, start: i32, end: i32): void {
  for (let j = start; j < end; j++) {
    const above = A + <usize>j * stride + (<usize>start << 3);
    const at = row + (<usize>(j - start) << 3);
    const pivot = load<f64>(above + (<usize>(j - start) << 3));
    store<f64>(at, (load<f64>(at) - dot(row, above, j - start)) / pivot);
  }
}

/** Rows end … n − 1 of these columns, in place and packed. The block is 64 wide, or it would be the last. */
function solveBelow(A: usize, n: i32, stride: usize, start: i32, end: i32, packed: usize): void {
  const block = A + <usize>start * stride + (<usize>start << 3);
  const first = A + <usize>end * stride + (<usize>start << 3);
  const rest = n - end;
  const whole = rest & ~3;
  for (let i = whole; i < rest; i++) solveRow(A, stride, first + <usize>i * stride, start, end);
  for (let i = 0; i < rest; i += 4)
    pack(first + <usize>i * stride, stride, min(4, rest - i), packed + ((<usize>i * WIDTH) << 3));
  let i = 0;
  for (; i + 15 < whole; i += 16) solveSixteen(block, stride, packed + ((<usize>i * WIDTH) << 3));
  for (; i < whole; i += 4) solveFour(block, stride, packed + ((<usize>i * WIDTH) << 3));
  for (i = 0; i < whole; i += 4)
    unpack(packed + ((<usize>i * WIDTH) << 3), first + <usize>i * stride, stride);
}

function pack(row: usize, stride: usize, lanes: i32, panel: usize): void {
  for (let lane = 0; lane < 4; lane++, row += stride)
    for (let p = 0; p < WIDTH; p++)
      store<f64>(panel + (<usize>(4 * p + lane) << 3), lane < lanes ? load<f64>(row + (<usize>p << 3)) : 0);
}

function unpack(panel: usize, row: usize, stride: usize): void {
  for (let lane = 0; lane < 4; lane++, row += stride)
    for (let p = 0; p < WIDTH; p++)
      store<f64>(row + (<usize>p << 3), load<f64>(panel + (<usize>(4 * p + lane) << 3)));
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
