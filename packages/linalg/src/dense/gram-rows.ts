/** AᵀA some rows at a time, for matrices that are used up as they are made and need never be there as a whole. */
import { CurvatureError } from "../errors.js";
import { gemm } from "../kernels/product.js";
import type { DenseMatrix } from "./matrix.js";

/**
 * Entries (i, j) of AᵀA, start ≤ i < end and j < end, into `out[(i − start) A.columns + j]`: its lower triangle, in
 * strips. What lies beyond in `out` is left as it is.
 *
 * @throws CurvatureError ERR_SHAPE
 */
export function gramRows(A: DenseMatrix, start: number, end: number, out: Float64Array): void {
  const n = A.columns;
  if (!(start >= 0 && start <= end && end <= n) || out.length < (end - start) * n)
    throw new CurvatureError(
      "ERR_SHAPE",
      `gramRows: out must have room for rows ${start} to ${end} of ${n}; it has ${out.length} entries.`,
      { path: "out", expected: `${(end - start) * n} entries`, received: out.length },
    );
  for (let i = 0; i < end - start; i++) out.fill(0, i * n, i * n + end);
  const rows = { data: A.data, offset: start, rowStride: 1, columnStride: n };
  const columns = { data: A.data, offset: 0, rowStride: n, columnStride: 1 };
  const into = { data: out, offset: 0, rowStride: n, columnStride: 1 };
  gemm(1, end - start, end, A.rows, rows, columns, into);
}
