/** Data as users have them. */
import type { SparseMatrixLike } from "@curvature/linalg";
import type { Label, Labels } from "./labels.js";

/**
 * A row for each item, a column for each feature: `SparseMatrix` and `DenseMatrix` with float64 or float32 entries are
 * used as they are; arrays of rows, ml-matrix and ml-sparse-matrix matrices are copied once.
 */
export type FeatureRows = SparseMatrixLike;

/** A part of a stream. Columns may become more from batch to batch. */
export interface LabeledRows<L extends Label = Label> {
  readonly rows: FeatureRows;
  readonly labels: Labels<L>;
  /** As `sampleWeights` of `fit`. */
  readonly sampleWeights?: ArrayLike<number> | undefined;
}

/** As `LabeledRows`, for regression. */
export interface MeasuredRows {
  readonly rows: FeatureRows;
  readonly targets: ArrayLike<number>;
  readonly sampleWeights?: ArrayLike<number> | undefined;
}

/**
 * Batches that need not be in memory together: an array, a generator, a Node stream of objects. A function that
 * opens the stream anew allows several passes.
 */
export type Stream<Batch> =
  | Iterable<Batch>
  | AsyncIterable<Batch>
  | (() => Iterable<Batch> | AsyncIterable<Batch>);
