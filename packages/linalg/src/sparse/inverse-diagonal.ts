/**
 * The diagonal of A⁻¹ from A = L Lᵀ, without the rest of A⁻¹: only its entries in the pattern of L are needed, in the work of a
 * factorisation and the memory of a second L.
 *
 *   Z = A⁻¹,   for j = n … 1 and the rows i > j of column j of L:
 *     Z_ij = −(1/L_jj) Σ_k Z_ik L_kj          k > j in column j
 *     Z_jj = (1/L_jj) (1/L_jj − Σ_k Z_kj L_kj)
 *
 * Takahashi, Fagan, Chen: Formation of a sparse bus impedance matrix and its application to short circuit study. PICA (1973) 63-69;
 * Erisman, Tinney: On computing certain elements of the inverse of a sparse matrix. CACM 18 (1975) 177-179.
 */
import type { SparseMatrix } from "./csr.js";
import { transposeSparse } from "./structure.js";

/** @param L - lower triangular, its diagonal positive */
export function inverseDiagonal(L: SparseMatrix): Float64Array {
  const n = L.rows;
  const { columnPointers, rowIndices, values } = closedColumns(L);
  const Z = new Float64Array(values.length);
  /** Of each row of the column at work its place there. */
  const column = new Float64Array(n);
  const sums = new Float64Array(n);
  const diagonal = new Float64Array(n);
  for (let j = n - 1; j >= 0; j--) {
    const [start, end] = [columnPointers[j], columnPointers[j + 1]];
    const pivot = values[start];
    for (let p = start + 1; p < end; p++) {
      column[rowIndices[p]] = values[p];
      sums[rowIndices[p]] = 0;
    }
    // Both triangles of Z over the rows of column j, from the stored lower one; rows beside them have a zero in `column`.
    for (let p = start + 1; p < end; p++) {
      const k = rowIndices[p];
      for (let q = columnPointers[k]; q < columnPointers[k + 1]; q++) {
        const i = rowIndices[q];
        sums[i] += Z[q] * values[p];
        if (i !== k) sums[k] += Z[q] * column[i];
      }
    }
    let inner = 0;
    for (let p = start + 1; p < end; p++) {
      Z[p] = -sums[rowIndices[p]] / pivot;
      inner += Z[p] * values[p];
    }
    Z[start] = (1 / pivot - inner) / pivot;
    diagonal[j] = Z[start];
    for (let p = start + 1; p < end; p++) column[rowIndices[p]] = 0;
  }
  return diagonal;
}

/** L by columns, with the zeros that elimination of its pattern may fill: entries that are 0 by chance were left out of it. */
function closedColumns(L: SparseMatrix) {
  const n = L.rows;
  const columns = transposeSparse(L);
  const { rowPointers: from, columnIndices: rows } = columns;
  const children: number[][] = Array.from({ length: n }, () => []);
  const patterns: Int32Array[] = [];
  const columnPointers = new Int32Array(n + 1);
  for (let j = 0; j < n; j++) {
    const own = rows.subarray(from[j], from[j + 1]);
    let pattern: Int32Array = own;
    for (const child of children[j]) {
      const below = patterns[child].subarray(1);
      if (below.every((i) => pattern.includes(i))) continue;
      pattern = Int32Array.from(new Set([...pattern, ...below])).sort();
    }
    patterns.push(pattern);
    columnPointers[j + 1] = columnPointers[j] + pattern.length;
    if (pattern.length > 1) children[pattern[1]].push(j);
  }
  const rowIndices = new Int32Array(columnPointers[n]);
  const values = new Float64Array(columnPointers[n]);
  for (const [j, pattern] of patterns.entries()) {
    let p = from[j];
    for (const [k, i] of pattern.entries()) {
      rowIndices[columnPointers[j] + k] = i;
      if (p < from[j + 1] && rows[p] === i) values[columnPointers[j] + k] = columns.values[p++];
    }
  }
  return { columnPointers, rowIndices, values };
}
