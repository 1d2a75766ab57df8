/**
 * How far two rows x, y of the data lie apart.
 *
 * | metric      | d(x, y)                                              | search                                        |
 * |-------------|------------------------------------------------------|-----------------------------------------------|
 * | euclidean   | ‖x − y‖                                              | Euclidean                                     |
 * | cosine      | ‖x/‖x‖ − y/‖y‖‖ = √(2 − 2 cos)                       | Euclidean, of rows of length 1                |
 * | correlation | the same of rows less their mean: √(2 − 2 r)         | Euclidean, of centred rows of length 1        |
 * | hellinger   | ‖√p − √q‖/√2, p = x/Σx, q = y/Σy                     | Euclidean, of square roots of shares          |
 * | manhattan   | Σ |x_j − y_j|                                        | over all pairs                                |
 * | chebyshev   | max |x_j − y_j|                                      | over all pairs                                |
 * | canberra    | Σ |x_j − y_j| / (|x_j| + |y_j|), 0/0 = 0             | over all pairs                                |
 * | hamming     | the share of unequal entries                         | over all pairs                                |
 * | jaccard     | of the columns with an entry ≠ 0, those with only one | over all pairs                                |
 * | a function  | what it returns                                      | over all pairs                                |
 *
 * Those that are Euclidean after a transformation of the rows are distances between transformed rows (`preparedRows`), so that
 * everything that works on points works on them. SciPy's cosine and correlation are d²/2; the order of neighbours is the same.
 */
import {
  badArgument,
  badOption,
  CurvatureError,
  checkDenseForm,
  type DenseMatrix,
  type SparseMatrix,
  shown,
} from "@curvature/linalg";
import type { MetricName } from "../options.js";

/** The distance of two rows, which must not be changed or kept: symmetric, 0 for a row and itself, never negative. */
export type MetricFunction = (a: Float64Array, b: Float64Array) => number;
export type Metric = MetricName | MetricFunction;

const transformed: readonly unknown[] = ["cosine", "correlation", "hellinger"];

/** Those whose distances are Euclidean ones of `preparedRows`. */
export type EuclideanMetric = Extract<MetricName, "euclidean" | "cosine" | "correlation" | "hellinger">;

/** Whether rows are dense or sparse: of sparse ones the distances are those of their inner products. */
export const isEuclidean = (metric: unknown): metric is EuclideanMetric =>
  metric === "euclidean" || transformed.includes(metric);

const isTransformed = (metric: Metric): boolean => transformed.includes(metric);

/**
 * Rows between which Euclidean distances are those of the metric (√2 times those of Hellinger); the given ones for metrics that
 * are Euclidean as they are, or not at all. Sparse rows stay sparse; under correlation their means count beside them.
 *
 * @param name - what the caller calls them, for the message
 * @throws CurvatureError ERR_SHAPE for dense rows of another form; ERR_ARGUMENT for rows that have no direction, the row named, and for a
 *   negative entry under hellinger
 */
export function preparedRows<M extends DenseMatrix | SparseMatrix>(rows: M, metric: Metric, name?: string): M;
export function preparedRows(
  rows: DenseMatrix | SparseMatrix,
  metric: Metric,
  name = "points",
): DenseMatrix | SparseMatrix {
  if (!isTransformed(metric)) return rows;
  if (typeof rows !== "object" || rows === null) throw badArgument("preparedRows", "rows", "a matrix", rows);
  if ("data" in rows) {
    checkDenseForm(rows, "preparedRows: rows");
    const { rows: N, columns: D } = rows;
    const data = rows.data.slice();
    for (let i = 0; i < N; i++) prepare(data.subarray(i * D, i * D + D), D, metric, i, name);
    return { rows: N, columns: D, data };
  }
  const values = rows.values.slice();
  for (let i = 0; i < rows.rows; i++)
    prepare(values.subarray(rows.rowPointers[i], rows.rowPointers[i + 1]), rows.columns, metric, i, name);
  return { ...rows, values };
}

/**
 * A row, or the entries that it stores, in place. The zeros of a sparse row under correlation stay, so that their common part is
 * subtracted from inner products instead: of such a row only the length is divided by.
 */
function prepare(row: Float64Array, columns: number, metric: Metric, index: number, name: string): void {
  const isSparse = row.length < columns;
  if (metric === "hellinger") {
    for (let p = 0; p < row.length; p++) {
      if (row[p] < 0)
        throw unfit(
          `${name} has ${row[p]} in row ${index}: hellinger compares shares of a whole, which are not negative. Choose another metric, or check the columns.`,
          index,
          "entries of at least 0",
        );
    }
  }
  let largest = 0;
  for (let p = 0; p < row.length; p++) if (Math.abs(row[p]) > largest) largest = Math.abs(row[p]);
  if (largest === 0) {
    throw metric === "correlation"
      ? constantRow(name, index)
      : unfit(
          metric === "cosine"
            ? `Row ${index} of ${name} has zeros only: it has no direction, and no cosine. Leave it out, or choose another metric.`
            : `Row ${index} of ${name} has zeros only: there is nothing to have shares of. Leave it out, or choose another metric.`,
          index,
          "a row with an entry other than 0",
        );
  }
  for (let p = 0; p < row.length; p++) row[p] /= largest;
  if (metric === "hellinger") {
    let sum = 0;
    for (let p = 0; p < row.length; p++) sum += row[p];
    for (let p = 0; p < row.length; p++) row[p] = Math.sqrt(row[p] / sum);
    return;
  }
  let mean = 0;
  if (metric === "correlation") {
    for (let p = 0; p < row.length; p++) mean += row[p] / columns;
    if (!isSparse) for (let p = 0; p < row.length; p++) row[p] -= mean;
  }
  let squares = 0;
  for (let p = 0; p < row.length; p++) squares += row[p] * row[p];
  if (isSparse) squares -= columns * mean * mean;
  // What is left of a constant row is the rounding of its mean.
  if (metric === "correlation" && squares <= columns * (columns * Number.EPSILON) ** 2)
    throw constantRow(name, index);
  const norm = Math.sqrt(squares);
  for (let p = 0; p < row.length; p++) row[p] /= norm;
}

const constantRow = (name: string, index: number): CurvatureError =>
  unfit(
    `Row ${index} of ${name} is the same in all columns: it correlates with nothing. Leave it out, or choose another metric.`,
    index,
    "a row that is not constant",
  );

function unfit(sentence: string, index: number, expected: string): CurvatureError {
  return new CurvatureError("ERR_ARGUMENT", `${sentence} Rows are counted from 0.`, {
    path: `row ${index}`,
    expected,
  });
}

/** The distance of row i of `a` and row j of `b`, both of D columns. */
export type RowDistance = (a: Float64Array, i: number, b: Float64Array, j: number, D: number) => number;

/**
 * For metrics that are not Euclidean.
 *
 * @throws CurvatureError ERR_OPTION for one that is
 */
export function rowDistance(metric: Metric): RowDistance {
  if (typeof metric === "function") return ofFunction(metric);
  const found = kernels[metric];
  if (found !== undefined) return found;
  throw badOption(
    "rowDistance",
    "metric",
    "one that is not Euclidean after a transformation of rows",
    metric,
  );
}

const kernels: { readonly [K in MetricName]?: RowDistance } = {
  manhattan,
  chebyshev,
  canberra,
  hamming,
  jaccard,
};

function manhattan(a: Float64Array, i: number, b: Float64Array, j: number, D: number): number {
  let sum = 0;
  for (let p = i * D, q = j * D, end = p + D; p < end; p++, q++) sum += Math.abs(a[p] - b[q]);
  return sum;
}

function chebyshev(a: Float64Array, i: number, b: Float64Array, j: number, D: number): number {
  let most = 0;
  for (let p = i * D, q = j * D, end = p + D; p < end; p++, q++) {
    const difference = Math.abs(a[p] - b[q]);
    if (difference > most) most = difference;
  }
  return most;
}

function canberra(a: Float64Array, i: number, b: Float64Array, j: number, D: number): number {
  let sum = 0;
  for (let p = i * D, q = j * D, end = p + D; p < end; p++, q++) {
    const difference = Math.abs(a[p] - b[q]);
    if (difference > 0) sum += difference / (Math.abs(a[p]) + Math.abs(b[q]));
  }
  return sum;
}

function hamming(a: Float64Array, i: number, b: Float64Array, j: number, D: number): number {
  let unequal = 0;
  for (let p = i * D, q = j * D, end = p + D; p < end; p++, q++) unequal += Number(a[p] !== b[q]);
  return unequal / D;
}

function jaccard(a: Float64Array, i: number, b: Float64Array, j: number, D: number): number {
  let unequal = 0;
  let present = 0;
  for (let p = i * D, q = j * D, end = p + D; p < end; p++, q++) {
    unequal += Number((a[p] !== 0) !== (b[q] !== 0));
    present += Number(a[p] !== 0 || b[q] !== 0);
  }
  return present === 0 ? 0 : unequal / present;
}

function ofFunction(metric: MetricFunction): RowDistance {
  return (a, i, b, j, D) => {
    const distance = metric(a.subarray(i * D, i * D + D), b.subarray(j * D, j * D + D));
    if (typeof distance === "number" && Number.isFinite(distance) && distance >= 0) return distance;
    throw new CurvatureError(
      typeof distance === "number" && !Number.isFinite(distance) ? "ERR_NON_FINITE" : "ERR_ARGUMENT",
      `The function metric returned ${shown(distance)} for the rows ${i} and ${j} (counted from 0). It must return a finite number of at least 0 for every pair.`,
      { path: "metric", expected: "a finite number of at least 0", received: distance },
    );
  };
}

/** Others with which each row is compared both ways. */
const SAMPLED = 20;

/**
 * That a function is symmetric and 0 for a row and itself, on up to 20 pairs of each row (all pairs of up to 41 rows).
 *
 * @throws CurvatureError ERR_ARGUMENT that names the pair
 */
export function checkMetric(metric: Metric, { rows: N, columns: D, data }: DenseMatrix): void {
  if (typeof metric !== "function") return;
  const between = ofFunction(metric);
  const stride = Math.max(1, Math.floor((N - 1) / 2 / SAMPLED));
  for (let i = 0; i < N; i++) {
    const own = between(data, i, data, i, D);
    if (own !== 0)
      throw badPair(
        `The function metric returned ${own} for row ${i} and itself (counted from 0): it must be 0.`,
        0,
        own,
      );
    for (let s = 1; s <= SAMPLED; s++) {
      const j = (i + s * stride) % N;
      const there = between(data, i, data, j, D);
      const back = between(data, j, data, i, D);
      if (Math.abs(there - back) > 1e-9 * Math.max(there, back))
        throw badPair(
          `The function metric is asymmetric: it returned ${there} for the rows ${i} and ${j}, and ${back} for ${j} and ${i} (counted from 0). Return the same for both, their mean for instance.`,
          there,
          back,
        );
    }
  }
}

function badPair(sentence: string, expected: number, received: number): CurvatureError {
  return new CurvatureError("ERR_ARGUMENT", sentence, {
    path: "metric",
    expected: String(expected),
    received,
  });
}
