/**
 * The blocked Cholesky factorisation (see `src/kernels/cholesky.ts`, whose sums these are). The panels of a block of columns
 * are both factors of the product that follows, too; their lanes are rows of A.
 */
import { multiplyLower, multiplyPanels } from "./gemm";

const WIDTH: i32 = 64;

/**
 * @param A - rows of `stride` bytes, room for n rows and columns rounded up to multiples of eight
 * @param packed - room for n rounded up × 64
 * @returns as the TypeScript form
 */
export function cholesky(A: usize, n: i32, stride: usize, least: usize, packed: usize): i32 {
  for (let start = 0; start < n; start += WIDTH) {
    const width = min(WIDTH, n - start);
    const panel: usize = (<usize>(width + 3) & ~3) << 6;
    const end = packed + (<usize>(n - start + 7) >> 3) * panel;
    const first = A + <usize>start * (stride + 8);
    let row = first;
    for (let at = packed; at < end; at += panel, row += 8 * stride) {
      pack(row, stride, at, panel);
      pack(row + 4 * stride, stride, at + 32, panel);
    }
    const failed = factorPanels(packed, end, panel, width, least + (<usize>start << 3));
    row = first;
    for (let at = packed; at < end; at += panel, row += 8 * stride) {
      unpack(at, row, stride, panel);
      unpack(at + 32, row + 4 * stride, stride, panel);
    }
    if (failed >= 0) return start + failed;
    if (start + width < n) {
      const below = packed + <usize>(WIDTH >> 3) * panel;
      multiplyLower(below, below, first + <usize>WIDTH * (stride + 8), stride, n - start - WIDTH, WIDTH, -1);
    }
  }
  return -1;
}

/** The columns of a block, of all rows from its own on, whose panels end at `end`. */
function factorPanels(packed: usize, end: usize, panel: usize, width: i32, least: usize): i32 {
  for (let j = 0; j < width; j += 4, least += 32) {
    const own = packed + <usize>(j >> 3) * panel;
    const above = own + (<usize>(j & 4) << 3);
    const J = <usize>j << 6;
    const square = above + J;
    takeProductOff(above, own, j, J);
    const failed = factorSquare(square, min(4, width - j), least);
    if (failed >= 0) return j + failed;
    solveSquare(square, square + 32, own + J + 64);
    for (let row = own + panel; row < end; row += panel) {
      takeProductOff(above, row, j, J);
      solveSquare(square, row + J, row + J + 64);
    }
  }
  return -1;
}

/** Columns j … j + 3 of the panel at `row`, J bytes from there, less the products of what stands left of them there and in `above`. */
function takeProductOff(above: usize, row: usize, j: i32, J: usize): void {
  multiplyPanels(above, 64, row, row + J, 64, 4, 8, j, 8, -1);
}

/** The square on the diagonal: entry (i, j) at i + 8 j. */
function factorSquare(L: usize, size: i32, least: usize): i32 {
  for (let i = 0; i < size; i++) {
    const row = L + (<usize>i << 3);
    for (let j = 0; j < i; j++) {
      const above = L + (<usize>j << 3);
      store<f64>(row + (<usize>j << 6), lessProducts(row, above, j) / load<f64>(above + (<usize>j << 6)));
    }
    const diagonal = row + (<usize>i << 6);
    const pivot = lessProducts(row, row, i);
    store<f64>(diagonal, pivot);
    if (!(pivot > load<f64>(least + (<usize>i << 3)) && pivot < Infinity)) return i;
    store<f64>(diagonal, Math.sqrt(pivot));
  }
  return -1;
}

/** Entry j of a row less the products of those before it with the row `above`. */
function lessProducts(row: usize, above: usize, j: i32): f64 {
  const end = row + (<usize>j << 6);
  let entry = load<f64>(end);
  for (; row < end; row += 64, above += 64) entry -= load<f64>(row) * load<f64>(above);
  return entry;
}

/** x − L_ij y */
// @ts-ignore: decorator
@inline
function less(x: v128, L: usize, i: usize, j: usize, y: v128): v128 {
  return f64x2.sub(x, f64x2.mul(v128.load_splat<f64>(L + ((i + 8 * j) << 3)), y));
}

/** Four columns of the rows from x to `end`, by the square L. */
function solveSquare(L: usize, x: usize, end: usize): void {
  for (; x < end; x += 16) {
    const x0 = f64x2.div(v128.load(x), v128.load_splat<f64>(L));
    const x1 = f64x2.div(less(v128.load(x, 64), L, 1, 0, x0), v128.load_splat<f64>(L, 72));
    const x2 = f64x2.div(less(less(v128.load(x, 128), L, 2, 0, x0), L, 2, 1, x1), v128.load_splat<f64>(L, 144));
    const x3 = less(less(less(v128.load(x, 192), L, 3, 0, x0), L, 3, 1, x1), L, 3, 2, x2);
    v128.store(x, x0);
    v128.store(x, x1, 64);
    v128.store(x, x2, 128);
    v128.store(x, f64x2.div(x3, v128.load_splat<f64>(L, 216)), 192);
  }
}

/** Four rows to half a panel of `size` bytes: two columns at a time are turned. */
function pack(row: usize, stride: usize, panel: usize, size: usize): void {
  for (const end = panel + size; panel < end; panel += 128, row += 16) {
    const x0 = v128.load(row);
    const x1 = v128.load(row + stride);
    const x2 = v128.load(row + 2 * stride);
    const x3 = v128.load(row + 3 * stride);
    v128.store(panel, v128.shuffle<f64>(x0, x1, 0, 2));
    v128.store(panel, v128.shuffle<f64>(x2, x3, 0, 2), 16);
    v128.store(panel, v128.shuffle<f64>(x0, x1, 1, 3), 64);
    v128.store(panel, v128.shuffle<f64>(x2, x3, 1, 3), 80);
  }
}

/** The same the other way round. */
function unpack(panel: usize, row: usize, stride: usize, size: usize): void {
  for (const end = panel + size; panel < end; panel += 128, row += 16) {
    const x0 = v128.load(panel);
    const x1 = v128.load(panel, 64);
    const x2 = v128.load(panel, 16);
    const x3 = v128.load(panel, 80);
    v128.store(row, v128.shuffle<f64>(x0, x1, 0, 2));
    v128.store(row + stride, v128.shuffle<f64>(x0, x1, 1, 3));
    v128.store(row + 2 * stride, v128.shuffle<f64>(x2, x3, 0, 2));
    v128.store(row + 3 * stride, v128.shuffle<f64>(x2, x3, 1, 3));
  }
}
