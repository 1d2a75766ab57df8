/** Scaling of sparse data by methods that keep zeros; `scaling.ts` validates the arguments. */
import { toUnitLength } from "./scaling-dense.js";
import { type Scaling, type ScalingMethod, SMALLEST_NORMAL } from "./scaling-form.js";
import type { SparseMatrix } from "./sparse/csr.js";

/** Writes the scales, 1 before. */
export function fitSparse(X: SparseMatrix, method: ScalingMethod, scales: Float64Array): void {
  if (method === "unit-rows") return;
  const { rows, columns, columnIndices, values } = X;
  const most = new Float64Array(columns);
  for (let p = 0; p < values.length; p++) {
    const j = columnIndices[p];
    most[j] = Math.max(most[j], Math.abs(values[p]));
  }
  if (method === "max-abs") {
    for (let j = 0; j < columns; j++) if (most[j] > 0) scales[j] = most[j];
    return;
  }
  const squares = new Float64Array(columns); // of numbers up to 1: they neither overflow nor vanish
  for (let p = 0; p < values.length; p++) {
    const j = columnIndices[p];
    const share = most[j] > 0 ? values[p] / most[j] : 0;
    squares[j] += share * share;
  }
  for (let j = 0; j < columns; j++) {
    const rms = most[j] * Math.sqrt(squares[j] / rows);
    if (rms >= SMALLEST_NORMAL) scales[j] = rms;
  }
}

/** The scaled values. */
export function scaleSparse(X: SparseMatrix, { method, scales }: Scaling): Float64Array {
  const { rows, rowPointers, columnIndices, values } = X;
  const scaled = new Float64Array(values.length);
  for (let p = 0; p < values.length; p++) scaled[p] = values[p] / scales[columnIndices[p]];
  if (method === "unit-rows")
    for (let i = 0; i < rows; i++) toUnitLength(scaled.subarray(rowPointers[i], rowPointers[i + 1]));
  return scaled;
}
