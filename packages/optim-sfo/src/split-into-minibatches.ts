/**
 * Data as a sum of functions: minibatch i holds the rows i, i + N, i + 2N, …
 */
import {
  badOption,
  CurvatureError,
  checkArgument,
  type DenseMatrix,
  integerFrom,
  type OptionsOf,
  option,
  optionTable,
  selectRows,
  toDense,
} from "@curvature/linalg";
import { defaultMinibatchCount, type SumOfFunctions } from "@curvature/optim-core";

/** A function of parameters and data, additive over the data's rows. */
export interface DataObjective<Data> {
  /** M, the number of parameters. */
  readonly dimension: number;
  /** The part of F that belongs to `batch`, and with an array its gradient into it. The parts of all batches add up to F. */
  evaluate(batch: Data, x: Float64Array, gradient?: Float64Array): number | Promise<number>;
}

export const minibatchOptions = optionTable({
  /** N, at most as many as the data have rows. Left out: `defaultMinibatchCount(D)`. */
  count: integerFrom(1),
});
export type MinibatchOptions = OptionsOf<typeof minibatchOptions>;

export interface Minibatches<Data> extends SumOfFunctions {
  readonly minibatches: readonly Data[];
}

/**
 * @param data - a matrix (copied, in contiguous minibatches) or a list of anything
 * @throws CurvatureError ERR_SHAPE or ERR_NON_FINITE for the data, ERR_OPTION for the options, ERR_ARGUMENT for the objective
 */
export function splitIntoMinibatches(
  data: DenseMatrix<Float64Array | Float32Array>,
  objective: DataObjective<DenseMatrix>,
  options?: MinibatchOptions,
): Minibatches<DenseMatrix>;
export function splitIntoMinibatches<Item>(
  data: readonly Item[],
  objective: DataObjective<readonly Item[]>,
  options?: MinibatchOptions,
): Minibatches<readonly Item[]>;
export function splitIntoMinibatches<Item>(
  data: DenseMatrix<Float64Array | Float32Array> | readonly Item[],
  objective: DataObjective<DenseMatrix | readonly Item[]>,
  options?: MinibatchOptions,
): Minibatches<DenseMatrix | readonly Item[]> {
  const { count } = minibatchOptions.resolve("splitIntoMinibatches", options);
  checkArgument("splitIntoMinibatches", "objective", dataObjective, objective);
  if (isList(data)) {
    const N = checkedCount(data.length, count);
    return asSum<DenseMatrix | readonly Item[]>(
      objective,
      everyNth(data.length, N, (indices) => indices.map((i) => data[i])),
    );
  }
  const matrix = toDense(data, "splitIntoMinibatches: data");
  const N = checkedCount(matrix.rows, count);
  return asSum<DenseMatrix | readonly Item[]>(
    objective,
    everyNth(matrix.rows, N, (indices) => selectRows(matrix, indices)),
  );
}

function isList<Item>(data: object | readonly Item[]): data is readonly Item[] {
  return Array.isArray(data);
}

function everyNth<Data>(rows: number, count: number, take: (indices: readonly number[]) => Data): Data[] {
  return Array.from({ length: count }, (_, i) =>
    take(Array.from({ length: Math.ceil((rows - i) / count) }, (_row, k) => i + k * count)),
  );
}

function asSum<Data>(objective: DataObjective<Data>, minibatches: readonly Data[]): Minibatches<Data> {
  return {
    dimension: objective.dimension,
    count: minibatches.length,
    minibatches,
    evaluate: (index, x, gradient) => objective.evaluate(minibatches[index], x, gradient),
  };
}

function checkedCount(rows: number, count: number | undefined): number {
  if (rows === 0)
    throw new CurvatureError("ERR_SHAPE", "the data have no rows.", {
      where: "splitIntoMinibatches",
      path: "data",
    });
  if (count === undefined) return defaultMinibatchCount(rows);
  if (count <= rows) return count;
  throw badOption(
    "splitIntoMinibatches",
    "count",
    `a whole number from 1 to ${rows}, the rows of the data`,
    count,
  );
}

const dataObjective = option(
  "an object with a dimension of at least 1 and a function evaluate(batch, x, gradient?)",
  (value): value is object =>
    typeof value === "object" &&
    value !== null &&
    Number.isSafeInteger(Reflect.get(value, "dimension")) &&
    Number(Reflect.get(value, "dimension")) >= 1 &&
    typeof Reflect.get(value, "evaluate") === "function",
);
