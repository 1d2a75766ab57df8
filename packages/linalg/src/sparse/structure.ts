/**
 * Sparse matrices rearranged: transpose, symmetric part, triangle, diagonal, row sums, symmetric permutation.
 * All take O(entries + rows + columns) and return new matrices whose rows are sorted.
 */
import { CurvatureError } from "../errors.js";
import { type SparseMatrix, storedEntries } from "./csr.js";

/** Aᵀ */
export function transposeSparse(A: SparseMatrix): SparseMatrix {
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

/** (A + Aᵀ)/2, exactly symmetric, on the union of both patterns. @throws CurvatureError ERR_SHAPE unless square */
export function symmetricPart(A: SparseMatrix): SparseMatrix {
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
      values[count++] = (a <= b ? 0.5 * A.values[p++] : 0) + (b <= a ? 0.5 * T.values[q++] : 0);
    }
  }
  return { rows: n, columns: n, rowPointers, columnIndices, values };
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

/** The entries a_ij with j ≤ i. */
export function lowerTriangle(A: SparseMatrix): SparseMatrix {
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

/** a_ii, 0 where none is stored; length min(rows, columns). */
export function sparseDiagonal(A: SparseMatrix): Float64Array {
  const diagonal = new Float64Array(Math.min(A.rows, A.columns));
  for (let i = 0; i < diagonal.length; i++) {
    for (let p = A.rowPointers[i]; p < A.rowPointers[i + 1]; p++) {
      if (A.columnIndices[p] === i) diagonal[i] = A.values[p];
    }
  }
  return diagonal;
}

/** A 1: the sum of each row. */
export function sparseRowSums(A: SparseMatrix): Float64Array {
  const sums = new Float64Array(A.rows);
  for (let i = 0; i < A.rows; i++) {
    let sum = 0;
    for (let p = A.rowPointers[i]; p < A.rowPointers[i + 1]; p++) sum += A.values[p];
    sums[i] = sum;
  }
  return sums;
}

/**
 * P A Pᵀ: entry (i, j) of the result is a at (order[i], order[j]).
 *
 * @param order - a permutation of 0 … n − 1: which old row comes first, second, …
 * @throws CurvatureError ERR_SHAPE unless A is square, ERR_ARGUMENT unless `order` is a permutation
 */
export function permuteSymmetric(A: SparseMatrix, order: Int32Array): SparseMatrix {
  checkSquare(A, "permuteSymmetric");
  const n = A.rows;
  const place = inversePermutation(order, n);
  const rowPointers = new Int32Array(n + 1);
  const columnIndices = new Int32Array(storedEntries(A));
  const values = new Float64Array(columnIndices.length);
  let count = 0;
  for (let i = 0; i < n; i++) {
    const row = order[i];
    for (let p = A.rowPointers[row]; p < A.rowPointers[row + 1]; p++) {
      columnIndices[count] = place[A.columnIndices[p]];
      values[count++] = A.values[p];
    }
    rowPointers[i + 1] = count;
  }
  // Transposing twice sorts the rows.
  return transposeSparse(transposeSparse({ rows: n, columns: n, rowPointers, columnIndices, values }));
}

/** place[order[k]] = k. @throws CurvatureError ERR_ARGUMENT unless `order` is a permutation of 0 … n − 1 */
function inversePermutation(order: Int32Array, n: number): Int32Array {
  const place = new Int32Array(n).fill(-1);
  for (let k = 0; k < order.length; k++) place[order[k]] = k;
  if (order.length !== n || place.includes(-1)) {
    throw new CurvatureError("ERR_ARGUMENT", `order must hold each of 0 to ${n - 1} once.`, {
      path: "order",
      expected: `a permutation of 0 to ${n - 1}`,
      received: order,
    });
  }
  return place;
}

/**
 * Of each entry of a matrix with a symmetric pattern the position of its mirror image: where a_ji is stored.
 *
 * @throws CurvatureError ERR_SHAPE unless A is square, ERR_ARGUMENT naming an entry without a mirror image
 */
export function mirrorPositions(A: SparseMatrix): Int32Array {
  checkSquare(A, "mirrorPositions");
  const { rows, rowPointers, columnIndices } = A;
  const mirror = new Int32Array(storedEntries(A));
  // Rows come in order, so the next entry of row j that is not taken yet must be the one in column i.
  const next = rowPointers.slice(0, rows);
  for (let i = 0; i < rows; i++) {
    for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++) {
      const j = columnIndices[p];
      const q = next[j]++;
      if (q >= rowPointers[j + 1] || columnIndices[q] !== i) throw notSymmetric(i, j);
      mirror[p] = q;
    }
  }
  return mirror;
}

export function notSymmetric(row: number, column: number): CurvatureError {
  return new CurvatureError(
    "ERR_ARGUMENT",
    `The matrix must be symmetric and stored whole: entries (${row}, ${column}) and (${column}, ${row}) differ ` +
      "(counted from 0). symmetricPart(A) makes it so.",
    { path: `row ${row}, column ${column}`, expected: "a symmetric matrix" },
  );
}

/** @throws CurvatureError ERR_SHAPE unless A is square */
export function checkSquare(A: SparseMatrix, where: string): void {
  if (A.rows !== A.columns) {
    throw new CurvatureError(
      "ERR_SHAPE",
      `${where}: the matrix must be square; received ${A.rows} x ${A.columns}.`,
      { path: where, expected: "as many rows as columns", received: [A.rows, A.columns] },
    );
  }
}
