/**
 * A part of a problem's rows: one drawn from each of as many runs of rows, so that neither sorted rows nor rows with a
 * period spoil it. Targets, importances, loss, λ and bias are the problem's.
 */
import { type DenseMatrix, RandomGenerator, type SparseMatrix } from "@curvature/linalg";
import { isSparse, type LinearProblem, type Rows } from "@curvature/objectives/linear";

/** @param count - rows of the sample, at most those of the problem */
export function sampledProblem(problem: LinearProblem, count: number, seed: number): LinearProblem {
  const { rows, targets, importances } = problem;
  const drawn = drawnRows(rows.rows, count, new RandomGenerator(seed));
  return {
    ...problem,
    rows: isSparse(rows) ? sparsePart(rows, drawn) : densePart(rows, drawn),
    targets: partOf(targets, drawn),
    importances: importances === undefined ? undefined : partOf(importances, drawn),
  };
}

/** Increasing. */
function drawnRows(n: number, count: number, random: RandomGenerator): Int32Array {
  const drawn = new Int32Array(count);
  for (let k = 0; k < count; k++) {
    const start = Math.floor((k * n) / count);
    const end = Math.floor(((k + 1) * n) / count);
    drawn[k] = Math.min(end - 1, start + Math.floor(random.uniform() * (end - start)));
  }
  return drawn;
}

function partOf(all: Float64Array, drawn: Int32Array): Float64Array {
  const part = new Float64Array(drawn.length);
  for (let k = 0; k < part.length; k++) part[k] = all[drawn[k]];
  return part;
}

function sparsePart(
  { columns, rowPointers: pointers, columnIndices, values }: SparseMatrix<Float64Array | Float32Array>,
  drawn: Int32Array,
): Rows {
  const rowPointers = new Int32Array(drawn.length + 1);
  for (let k = 0; k < drawn.length; k++)
    rowPointers[k + 1] = rowPointers[k] + pointers[drawn[k] + 1] - pointers[drawn[k]];
  const stored = rowPointers[drawn.length];
  const indices = new Int32Array(stored);
  const part = values instanceof Float32Array ? new Float32Array(stored) : new Float64Array(stored);
  for (let k = 0; k < drawn.length; k++) {
    const [start, end] = [pointers[drawn[k]], pointers[drawn[k] + 1]];
    indices.set(columnIndices.subarray(start, end), rowPointers[k]);
    part.set(values.subarray(start, end), rowPointers[k]);
  }
  const pattern = { rows: drawn.length, columns, rowPointers, columnIndices: indices };
  return part instanceof Float32Array ? { ...pattern, values: part } : { ...pattern, values: part };
}

function densePart({ columns, data }: DenseMatrix<Float64Array | Float32Array>, drawn: Int32Array): Rows {
  const size = drawn.length * columns;
  const part = data instanceof Float32Array ? new Float32Array(size) : new Float64Array(size);
  for (let k = 0; k < drawn.length; k++)
    part.set(data.subarray(drawn[k] * columns, (drawn[k] + 1) * columns), k * columns);
  const shape = { rows: drawn.length, columns };
  return part instanceof Float32Array ? { ...shape, data: part } : { ...shape, data: part };
}
