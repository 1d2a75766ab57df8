/**
 * Where the entries of A go in the panels of its factor: found once, so that each new set of values is one pass.
 */
import type { CurvatureError } from "../errors.js";
import { type SparseMatrix, storedEntries } from "./csr.js";
import { mirrorPositions, notSymmetric } from "./mirror.js";
import { permuteSymmetric } from "./permute.js";
import type { Supernodes } from "./supernodes.js";
import { notFinite } from "./triplets.js";

/** Entry k of the lower triangle of P A Pᵀ. */
export interface PanelEntries {
  /** Its position in A. */
  readonly source: Int32Array;
  /** The position in A of its mirror image. */
  readonly mirror: Int32Array;
  /** Its position in the panels. */
  readonly target: Int32Array;
}

/** Mirror entries may differ by this share of their size: what rounding leaves of a symmetric formula. */
const asymmetry = 1e-9;

/** P A Pᵀ with the positions of its entries in A for values. */
export function permutedPositions(A: SparseMatrix, order: Int32Array): SparseMatrix {
  const values = new Float64Array(storedEntries(A)).map((_, position) => position);
  return permuteSymmetric({ ...A, values }, order);
}

/** @param permuted - of `permutedPositions(A, …)` */
export function panelEntries(A: SparseMatrix, permuted: SparseMatrix, layout: Supernodes): PanelEntries {
  const { rowPointers, columnIndices, values } = permuted;
  const mirrors = mirrorPositions(A);
  const source = new Int32Array(storedEntries(A));
  const target = new Int32Array(source.length);
  const place = new Int32Array(A.rows);
  let count = 0;
  for (let s = 0; s < layout.count; s++) {
    placeRows(layout, s, place);
    for (let column = layout.first[s]; column < layout.first[s + 1]; column++) {
      // By symmetry row `column` lists the rows of that column.
      for (let p = rowPointers[column]; p < rowPointers[column + 1]; p++) {
        if (columnIndices[p] < column) continue;
        source[count] = values[p];
        target[count++] = place[columnIndices[p]] + column - layout.first[s];
      }
    }
  }
  const used = source.slice(0, count);
  return { source: used, mirror: used.map((position) => mirrors[position]), target: target.slice(0, count) };
}

/** place[i]: where row i begins in the panel of supernode s, for the rows that the panel has. */
export function placeRows(layout: Supernodes, s: number, place: Int32Array): void {
  const { rows } = layout;
  const start = layout.rowStart[s];
  const end = start + layout.height[s];
  const width = layout.first[s + 1] - layout.first[s];
  let at = layout.panelStart[s];
  for (let p = start; p < end; p++, at += width) place[rows[p]] = at;
}

/**
 * The lower triangle of P A Pᵀ into the panels.
 *
 * @throws CurvatureError ERR_NON_FINITE, or ERR_ARGUMENT where A is not symmetric
 */
export function enterValues(A: SparseMatrix, entries: PanelEntries, panels: Float64Array): void {
  const { source, mirror, target } = entries;
  const { values } = A;
  panels.fill(0);
  for (let k = 0; k < source.length; k++) {
    const a = values[source[k]];
    const b = values[mirror[k]];
    // Written so that NaN and infinities fail too.
    if (!(Math.abs(a - b) <= asymmetry * Math.max(Math.abs(a), Math.abs(b))))
      throw refused(A, source[k], a, b);
    panels[target[k]] = a;
  }
}

function refused(A: SparseMatrix, position: number, a: number, b: number): CurvatureError {
  let row = 0;
  while (A.rowPointers[row + 1] <= position) row++;
  const column = A.columnIndices[position];
  if (!Number.isFinite(a)) return notFinite("matrix", row, column, a);
  if (!Number.isFinite(b)) return notFinite("matrix", column, row, b);
  return notSymmetric(row, column);
}
