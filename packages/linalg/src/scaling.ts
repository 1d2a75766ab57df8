/**
 * Feature scaling: fitted once on the training data, kept as a plain object, applied to any data of as many columns.
 *
 *   max-abs    x_j / max |x_j|                    keeps zeros, so that it suits sparse and signed features
 *   rms        x_j / √(mean x_j²)                 keeps zeros too; an outlier weighs less
 *   deviation  x_j / deviation                    as standard, but keeps zeros: for models with a free constant term
 *   standard   (x_j − mean) / deviation           deviation with 1/N; for dense data only, since it fills the zeros
 *   unit-rows  x / ‖x‖₂, row by row               needs nothing of the fit but the number of columns
 *
 * A constant column (for max-abs and rms: a column of zeros; for standard and rms: also one whose size is below the
 * smallest normal number) has scale 1: it stays, or becomes exactly 0, and is never divided by 0. So does a row of
 * zeros. No threshold on the deviation guards it: the mean of a constant column is exact here, so that its deviation
 * is 0 and not rounding noise, and a column that varies little, in whatever unit, is still scaled.
 *
 * Sparse data stay sparse and single precision stays single; the arithmetic is in double precision.
 */
import { checkFinite, type DenseMatrix, type MatrixLike, toDense } from "./dense/matrix.js";
import { CurvatureError } from "./errors.js";
import { badOption, oneOf } from "./options.js";
import { fitDense, scaleDense } from "./scaling-dense.js";
import type { Scaling, ScalingMethod } from "./scaling-form.js";
import { fitSparse, scaleSparse } from "./scaling-sparse.js";
import type { SparseMatrix } from "./sparse/csr.js";
import { type MlSparseMatrixLike, type SparseMatrixLike, toSparse } from "./sparse/to-sparse.js";

/** Data whose zeros are not stored, in whatever form. */
type SparseInput = SparseMatrix | SparseMatrix<Float32Array> | MlSparseMatrixLike;

const aMethod = /* @__PURE__ */ oneOf("max-abs", "rms", "deviation", "standard", "unit-rows");

/**
 * @param data - a row for each item, a column for each feature
 * @param weights - of the rows, at least 0 and not all 0: a weight of 2 is the row twice, a row of weight 0 counts for nothing
 * @throws CurvatureError ERR_OPTION for a method that does not exist, and for "standard" on sparse data; ERR_SHAPE for
 *   a matrix without rows, ERR_NON_FINITE; for weights ERR_SHAPE, ERR_ARGUMENT
 */
export function fitScaling(
  data: SparseMatrixLike,
  method: ScalingMethod,
  weights?: ArrayLike<number>,
): Scaling {
  const where = "fitScaling";
  const X = isSparseInput(data) ? toSparse(data, `${where}: data`) : toDense(data, `${where}: data`);
  if (X.rows === 0) {
    throw new CurvatureError("ERR_SHAPE", "data has no rows. Fit on at least one.", {
      where: "fitScaling",
      path: "data",
    });
  }
  const offsets = new Float64Array(X.columns);
  const scales = new Float64Array(X.columns).fill(1);
  if (!aMethod.accepts(method)) throw badOption(where, "method", aMethod.expected, method);
  const shares = weights === undefined ? undefined : sharesOf(weights, X.rows);
  if ("data" in X) fitDense(X, method, offsets, scales, shares);
  else {
    checkKeepsZeros(where, method);
    fitSparse(X, method, scales, shares);
  }
  return { method, offsets, scales };
}

/**
 * A scaled copy of `data`, sparse where that is, with entries of its precision.
 *
 * @throws CurvatureError ERR_SHAPE if it has other columns than the fit; ERR_OPTION for what is no scaling, and for a
 *   "standard" scaling of sparse data; ERR_NON_FINITE, also where a scaled number overflows
 */
export function applyScaling(scaling: Scaling, data: SparseMatrix<Float32Array>): SparseMatrix<Float32Array>;
export function applyScaling(scaling: Scaling, data: SparseMatrix | MlSparseMatrixLike): SparseMatrix;
export function applyScaling(scaling: Scaling, data: DenseMatrix<Float32Array>): DenseMatrix<Float32Array>;
export function applyScaling(scaling: Scaling, data: MatrixLike): DenseMatrix;
export function applyScaling(
  scaling: Scaling,
  data: SparseMatrixLike,
): DenseMatrix | DenseMatrix<Float32Array> | SparseMatrix | SparseMatrix<Float32Array>;
export function applyScaling(
  scaling: Scaling,
  data: SparseMatrixLike,
): DenseMatrix | DenseMatrix<Float32Array> | SparseMatrix | SparseMatrix<Float32Array> {
  const where = "applyScaling";
  if (isSparseInput(data)) {
    const X = toSparse(data, `${where}: data`);
    checkColumns(X.columns, scaling);
    checkKeepsZeros(where, scaling.method);
    const values = scaleSparse(X, scaling);
    const scaled = { ...X, values };
    checkFinite(entriesOf(scaled), `${where}: the scaled data's stored entries`);
    if (!("values" in data && data.values instanceof Float32Array)) return scaled;
    const single = { ...X, values: Float32Array.from(values) };
    checkFinite(entriesOf(single), `${where}: the scaled data's stored entries`);
    return single;
  }
  const X = toDense(data, `${where}: data`);
  checkColumns(X.columns, scaling);
  const scaled = scaleDense(X, scaling);
  checkFinite(scaled, `${where}: the scaled data`);
  if (!("data" in data && data.data instanceof Float32Array)) return scaled;
  const single = { ...scaled, data: Float32Array.from(scaled.data) };
  checkFinite(single, `${where}: the scaled data`);
  return single;
}

/** The weights, divided by their sum. */
function sharesOf(weights: ArrayLike<number>, rows: number): Float64Array {
  const where = "fitScaling";
  if (weights.length !== rows)
    throw new CurvatureError(
      "ERR_SHAPE",
      `weights must have ${rows} entries, one a row; received ${weights.length}.`,
      {
        where,
        path: "weights",
        expected: `${rows} weights`,
        received: weights.length,
      },
    );
  const shares = Float64Array.from(weights);
  const total = shares.reduce((sum, weight) => sum + weight, 0);
  if (!(total > 0 && total < Number.POSITIVE_INFINITY && shares.every((weight) => weight >= 0)))
    throw new CurvatureError("ERR_ARGUMENT", "weights must be at least 0, with a finite sum above 0.", {
      where,
      path: "weights",
      received: total,
    });
  return shares.map((weight) => weight / total);
}

function isSparseInput(data: SparseMatrixLike): data is SparseInput {
  return (
    typeof data === "object" &&
    data !== null &&
    ("rowPointers" in data || "getNonZeros" in data || "withEachNonZero" in data)
  );
}

function checkColumns(columns: number, scaling: Scaling): void {
  const { method, offsets, scales } =
    typeof scaling === "object" && scaling !== null ? scaling : unknownScaling;
  const areArrays = offsets instanceof Float64Array && scales instanceof Float64Array;
  if (!areArrays || scales.length !== offsets.length || !aMethod.accepts(method))
    throw badOption("applyScaling", "scaling", "what fitScaling returned", scaling);
  if (columns === offsets.length) return;
  throw new CurvatureError(
    "ERR_SHAPE",
    `the scaling was fitted on ${offsets.length} columns; data has ${columns}.`,
    { where: "applyScaling", path: "data", expected: `${offsets.length} columns`, received: columns },
  );
}

function checkKeepsZeros(where: string, method: ScalingMethod): void {
  if (method !== "standard") return;
  throw badOption(
    where,
    "method",
    'one of "max-abs", "rms", "unit-rows" for sparse data: "standard" subtracts the mean, and every zero would become an entry (make the data dense if that fits)',
    method,
  );
}

const unknownScaling = { method: undefined, offsets: undefined, scales: undefined };

/** The stored entries as one row, for the check. */
function entriesOf<T extends Float64Array | Float32Array>({ values }: SparseMatrix<T>): DenseMatrix<T> {
  return { rows: 1, columns: values.length, data: values };
}
