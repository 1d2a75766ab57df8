/** AᵀA some rows at a time, for matrices that are used up as they are made and need never be there as a whole. */
import { gemm } from "../kernels/product.js";
import { unfit } from "../options.js";
import { checkOperand, type DenseMatrix } from "./matrix.js";

/**
 * Entries (i, j) of AᵀA, start ≤ i < end and j < end, into `out[(i − start) A.columns + j]`: its lower triangle, in
 * strips. What lies beyond in `out` is left as it is.
 *
 * @throws CurvatureError ERR_SHAPE
 */
export function gramRows(A: DenseMatrix, start: number, end: number, out: Float64Array): void {
  checkOperand(A, "gramRows: A");
  const n = A.columns;
  if (!(Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start <= end && end <= n))
    throw unfit("ERR_SHAPE", "gramRows", "start and end", `whole numbers, 0 ≤ start ≤ end ≤ ${n}`, [
      start,
      end,
    ]);
  if (!(out instanceof Float64Array && out.length >= (end - start) * n))
    throw unfit(
      "ERR_SHAPE",
      "gramRows",
      "out",
      `a Float64Array of at least ${(end - start) * n} entries`,
      out,
    );
  for (let i = 0; i < end - start; i++) out.fill(0, i * n, i * n + end);
  const rows = { data: A.data, offset: start, rowStride: 1, columnStride: n };
  const columns = { data: A.data, offset: 0, rowStride: n, columnStride: 1 };
  const into = { data: out, offset: 0, rowStride: n, columnStride: 1 };
  gemm(1, end - start, end, A.rows, rows, columns, into);
}
