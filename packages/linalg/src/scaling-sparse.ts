/** Scaling of sparse data by methods that keep zeros; `scaling.ts` validates the arguments. */
import { toUnitLength } from "./scaling-dense.js";
import { type Scaling, type ScalingMethod, SMALLEST_NORMAL } from "./scaling-form.js";
import type { SparseMatrix } from "./sparse/csr.js";

/** Writes the scales, 1 before. */
export function fitSparse(
  X: SparseMatrix,
  method: ScalingMethod,
  scales: Float64Array,
  shares: Float64Array | undefined,
): void {
  if (method === "unit-rows") return;
  const { rows, columns, rowPointers, columnIndices, values } = X;
  const most = new Float64Array(columns);
  const weightOf = (i: number): number => (shares === undefined ? 1 : shares[i]);
  const total = shares === undefined ? rows : 1;
  for (let i = 0; i < rows; i++) {
    if (weightOf(i) === 0) continue;
    for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++) {
      const j = columnIndices[p];
      most[j] = Math.max(most[j], Math.abs(values[p]));
    }
  }
  if (method === "max-abs") {
    for (let j = 0; j < columns; j++) if (most[j] > 0) scales[j] = most[j];
    return;
  }
  const squares = new Float64Array(columns); // of numbers up to 1: they neither overflow nor vanish
  const sums = new Float64Array(columns);
  for (let i = 0; i < rows; i++) {
    const weight = weightOf(i);
    if (weight === 0) continue;
    for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++) {
      const j = columnIndices[p];
      const part = most[j] > 0 ? values[p] / most[j] : 0;
      sums[j] += weight * part;
      squares[j] += weight * part * part;
    }
  }
  if (method === "deviation") {
    for (let j = 0; j < columns; j++) sums[j] /= total;
    const spreads = spreadsOf(X, most, sums, shares);
    for (let j = 0; j < columns; j++) if (spreads[j] >= SMALLEST_NORMAL) scales[j] = spreads[j];
    return;
  }
  for (let j = 0; j < columns; j++) {
    const rms = most[j] * Math.sqrt(squares[j] / total);
    if (rms >= SMALLEST_NORMAL) scales[j] = rms;
  }
}

/**
 * Deviations about the means, entry by entry: where a column without zeros lies far from 0, the difference of the mean square
 * and the squared mean would be rounding. One whose entries are all the same has none.
 *
 * @param means - over `most`
 */
function spreadsOf(
  { rows, columns, rowPointers, columnIndices, values }: SparseMatrix,
  most: Float64Array,
  means: Float64Array,
  shares: Float64Array | undefined,
): Float64Array {
  const squares = new Float64Array(columns);
  const corrections = new Float64Array(columns);
  const stored = new Float64Array(columns);
  for (let i = 0; i < rows; i++) {
    const weight = shares === undefined ? 1 / rows : shares[i];
    if (weight === 0) continue;
    for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++) {
      const j = columnIndices[p];
      const difference = most[j] > 0 ? values[p] / most[j] - means[j] : 0;
      stored[j] += weight;
      corrections[j] += weight * difference;
      squares[j] += weight * difference * difference;
    }
  }
  return squares.map((square, j) => {
    const zeros = Math.max(0, 1 - stored[j]) < 1e-12 ? 0 : 1 - stored[j]; // the share of rows without an entry
    const bias = corrections[j] - zeros * means[j];
    const spread = Math.sqrt(Math.max(0, square + zeros * means[j] * means[j] - bias * bias));
    return spread <= 1e-13 ? 0 : most[j] * spread;
  });
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
