/**
 * The factorisation of `dense/cholesky.ts`, in TypeScript.
 *
 * A block of columns is packed with all rows from its own on, in the panels of products (`gemm.ts`), and solved four columns
 * J at a time, K the block's columns before them, every row alike:
 *
 *   L_RJ = (A_RJ − L_RK L_JKᵀ) L_JJ⁻ᵀ,  L_JJ L_JJᵀ = A_JJ − L_JK L_JKᵀ
 *
 * so that nearly all of it is tiles of products. The panels have one row of the tile for each column of A.
 */
import { type Block, gemmInTypeScript, ProductWorkspace, pack, tile } from "./gemm.js";

/** Columns per block. */
export const CHOLESKY_WIDTH = 64;

/**
 * L, with zeros above the diagonal.
 *
 * @param A - its lower triangle is read
 * @param least - n, what each pivot must be above
 * @param L - zeros, or A itself
 * @returns the index of the first pivot that is not, whose value is then L's entry there and all else in L of no meaning;
 *   −1 where all are
 */
export type FactorCholesky = (A: Float64Array, n: number, least: Float64Array, L: Float64Array) => number;

export const factorCholeskyInTypeScript: FactorCholesky = (A, n, least, L) => {
  if (L !== A) for (let i = 0; i < n; i++) L.set(A.subarray(i * n, i * n + i + 1), i * n);
  const failed = factorInPlace(L, n, least);
  clearAbove(L, n);
  return failed;
};

/** Zeros above the diagonal. */
export function clearAbove(L: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) L.fill(0, i * n + i + 1, (i + 1) * n);
}

/** What is above the diagonal is lost. */
function factorInPlace(A: Float64Array, n: number, least: Float64Array): number {
  const workspace = new ProductWorkspace();
  const panels = new Float64Array(((n + 3) & ~3) * Math.min(CHOLESKY_WIDTH, n));
  for (let start = 0; start < n; start += CHOLESKY_WIDTH) {
    const end = Math.min(n, start + CHOLESKY_WIDTH);
    const width = end - start;
    pack(panels, A, start * n + start, n - start, width, n, 1);
    const failed = factorPanels(panels, n - start, width, least, start);
    unpack(panels, n - start, width, A, start * n + start, n);
    if (failed >= 0) return failed;
    const rest = n - end;
    const panel = end * n + start;
    const L21 = { data: A, offset: panel, rowStride: n, columnStride: 1 };
    const L21t = { data: A, offset: panel, rowStride: 1, columnStride: n };
    const A22 = { data: A, offset: end * n + end, rowStride: n, columnStride: 1 };
    gemmInTypeScript(-1, rest, rest, width, L21, L21t, A22, true, workspace);
  }
  return -1;
}

/** Columns start … start + width − 1, of all rows from there on. */
function factorPanels(
  panels: Float64Array,
  rows: number,
  width: number,
  least: Float64Array,
  start: number,
): number {
  const C = { data: panels, offset: 0, rowStride: 4, columnStride: 1 };
  for (let j = 0; j < width; j += 4) {
    const columns = Math.min(4, width - j);
    const above = j * width;
    takeProductOff(C, above, above, j, columns);
    const failed = factorSquare(panels, above + 4 * j, columns, least, start + j);
    if (failed >= 0) return failed;
    for (let row = above + 4 * width; row < rows * width; row += 4 * width) {
      takeProductOff(C, above, row, j, columns);
      for (let lane = 0; lane < 4; lane++) solveRow(panels, above + 4 * j, row + 4 * j + lane, 4);
    }
  }
  return -1;
}

/** Columns j … j + 3 of the panel at `row`, less the products of what stands left of them there and in the panel `above`. */
function takeProductOff(C: Block, above: number, row: number, j: number, columns: number): void {
  tile(-1, C.data, above, C.data, row, j, C, 0, row + 4 * j, columns, 4);
}

/** The square on the diagonal, of columns from `start` on: entry (i, j) at i + 4 j. */
function factorSquare(L: Float64Array, at: number, size: number, least: Float64Array, start: number): number {
  for (let i = 0; i < size; i++) {
    solveRow(L, at, at + i, i);
    const diagonal = at + 5 * i;
    const pivot = lessProducts(L, at + i, at + i, i);
    L[diagonal] = pivot;
    if (!(pivot > least[start + i] && pivot < Number.POSITIVE_INFINITY)) return start + i;
    L[diagonal] = Math.sqrt(pivot);
  }
  return -1;
}

/** Entries 0 … size − 1 of a row, by the square of L at `at`. */
function solveRow(L: Float64Array, at: number, row: number, size: number): void {
  for (let j = 0; j < size; j++) L[row + 4 * j] = lessProducts(L, row, at + j, j) / L[at + 5 * j];
}

/** Entry j of a row less the products of those before it with the row `above`. */
function lessProducts(L: Float64Array, row: number, above: number, j: number): number {
  let entry = L[row + 4 * j];
  for (let k = 0; k < 4 * j; k += 4) entry -= L[row + k] * L[above + k];
  return entry;
}

/** Where `pack` has them from. */
function unpack(
  panels: Float64Array,
  rows: number,
  width: number,
  A: Float64Array,
  start: number,
  n: number,
): void {
  for (let i = 0; i < rows; i++) {
    const panel = (i & ~3) * width + (i & 3);
    for (let j = 0; j < width; j++) A[start + i * n + j] = panels[panel + 4 * j];
  }
}
