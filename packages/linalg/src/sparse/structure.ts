/**
 * Sparse matrices rearranged: transpose, symmetric part, triangle, diagonal, row sums.
 * All take O(entries + rows + columns), a check of the pattern included, and matrices that are returned are new, with sorted
 * rows. What the values are is not looked at.
 */
import { checkSparseIndices, checkSparsePattern, checkSquare } from "./check-sparse.js";
import { type SparseMatrix, storedEntries } from "./csr.js";

/** Aᵀ, of rows that need not be sorted: transposing twice sorts them. @throws CurvatureError ERR_SHAPE */
export function transposeSparse(A: SparseMatrix): SparseMatrix {
  checkSparseIndices(A, "transposeSparse: A");
  const { rows, columns, rowPointers: from, columnIndices: js, values } = A;
  const count = storedEntries(A);
  const rowPointers = new Int32Array(columns + 1);
  for (let p = 0; p < count; p++) rowPointers[js[p] + 1]++;
  for (let j = 0; j < columns; j++) rowPointers[j + 1] += rowPointers[j];
  const next = rowPointers.slice(0, columns);
  const columnIndices = new Int32Array(count);
  const transposed = new Float64Array(count);
  for (let i = 0; i < rows; i++) {
    for (let p = from[i]; p < from[i + 1]; p++) {
      const q = next[js[p]]++;
      columnIndices[q] = i;
      transposed[q] = values[p];
    }
  }
  return { rows: columns, columns: rows, rowPointers, columnIndices, values: transposed };
}

/** (A + Aᵀ)/2, exactly symmetric, on the union of both patterns. @throws CurvatureError ERR_SHAPE, also unless square */
export function symmetricPart(A: SparseMatrix): SparseMatrix {
  checkSparsePattern(A, "symmetricPart: A");
  checkSquare(A, "symmetricPart");
  const n = A.rows;
  const T = transposeSparse(A);
  const rowPointers = new Int32Array(n + 1);
  for (let i = 0; i < n; i++) rowPointers[i + 1] = rowPointers[i] + unionSize(A, T, i);
  const columnIndices = new Int32Array(rowPointers[n]);
  const values = new Float64Array(rowPointers[n]);
  let count = 0;
  for (let i = 0; i < n; i++) {
    let p = A.rowPointers[i];
    let q = T.rowPointers[i];
    const pEnd = A.rowPointers[i + 1];
    const qEnd = T.rowPointers[i + 1];
    while (p < pEnd || q < qEnd) {
      const a = p < pEnd ? A.columnIndices[p] : n;
      const b = q < qEnd ? T.columnIndices[q] : n;
      columnIndices[count] = Math.min(a, b);
      values[count++] = mean(a <= b ? A.values[p++] : 0, b <= a ? T.values[q++] : 0);
    }
  }
  return { rows: n, columns: n, rowPointers, columnIndices, values };
}

/** Rounded once, also where halves are no normal numbers or the sum overflows. */
function mean(a: number, b: number): number {
  const sum = a + b;
  return Number.isFinite(sum) ? sum / 2 : a / 2 + b / 2;
}

/** How many columns are stored in row i of A, of B, or of both. */
function unionSize(A: SparseMatrix, B: SparseMatrix, i: number): number {
  let [p, q] = [A.rowPointers[i], B.rowPointers[i]];
  const [pEnd, qEnd] = [A.rowPointers[i + 1], B.rowPointers[i + 1]];
  let shared = 0;
  const all = pEnd - p + qEnd - q;
  while (p < pEnd && q < qEnd) {
    const difference = A.columnIndices[p] - B.columnIndices[q];
    if (difference === 0) shared++;
    if (difference <= 0) p++;
    if (difference >= 0) q++;
  }
  return all - shared;
}

/** The entries a_ij with j ≤ i. @throws CurvatureError ERR_SHAPE */
export function lowerTriangle(A: SparseMatrix): SparseMatrix {
  checkSparsePattern(A, "lowerTriangle: A");
  const { rows, columns, rowPointers: from, columnIndices: js } = A;
  const rowPointers = new Int32Array(rows + 1);
  for (let i = 0; i < rows; i++) {
    let kept = 0;
    for (let p = from[i]; p < from[i + 1]; p++) if (js[p] <= i) kept++;
    rowPointers[i + 1] = rowPointers[i] + kept;
  }
  const columnIndices = new Int32Array(rowPointers[rows]);
  const values = new Float64Array(rowPointers[rows]);
  for (let i = 0; i < rows; i++) {
    // Columns increase, so the kept entries are the row's first.
    const kept = rowPointers[i + 1] - rowPointers[i];
    columnIndices.set(js.subarray(from[i], from[i] + kept), rowPointers[i]);
    values.set(A.values.subarray(from[i], from[i] + kept), rowPointers[i]);
  }
  return { rows, columns, rowPointers, columnIndices, values };
}

/** a_ii, 0 where none is stored; length min(rows, columns). @throws CurvatureError ERR_SHAPE */
export function sparseDiagonal(A: SparseMatrix): Float64Array {
  checkSparsePattern(A, "sparseDiagonal: A");
  const diagonal = new Float64Array(Math.min(A.rows, A.columns));
  for (let i = 0; i < diagonal.length; i++) {
    for (let p = A.rowPointers[i]; p < A.rowPointers[i + 1]; p++) {
      if (A.columnIndices[p] === i) diagonal[i] = A.values[p];
    }
  }
  return diagonal;
}

/** A 1: the sum of each row. @throws CurvatureError ERR_SHAPE */
export function sparseRowSums(A: SparseMatrix): Float64Array {
  checkSparsePattern(A, "sparseRowSums: A");
  const sums = new Float64Array(A.rows);
  for (let i = 0; i < A.rows; i++) {
    let sum = 0;
    for (let p = A.rowPointers[i]; p < A.rowPointers[i + 1]; p++) sum += A.values[p];
    sums[i] = sum;
  }
  return sums;
}
