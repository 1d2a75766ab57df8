/** The values of λ of a path, from the largest to the smallest. */
import { badOption, integerFrom, numberThat, oneOf, option, positive } from "@curvature/linalg";

const isLambda = (value: unknown): boolean =>
  typeof value === "number" && value > 0 && value < Number.POSITIVE_INFINITY;

export const lambdaEntries = {
  /** The values themselves, in any order. Left out: by the options that follow. */
  lambdas: option(
    "an array of one or more finite numbers above 0",
    (value): value is readonly number[] => Array.isArray(value) && value.length > 0 && value.every(isLambda),
    (text) => text.split(",").map((part) => positive.read(part.trim())),
  ),
  /** How many. */
  count: integerFrom(1, 10_000).default(10),
  /** The largest. Left out: R²/10, R² the mean of ‖x‖². */
  largest: positive,
  /** Of one to the next. */
  ratio: numberThat(
    "a finite number above 1",
    (value) => value > 1 && value < Number.POSITIVE_INFINITY,
  ).default(Math.sqrt(10)),
};

/**
 * By what λ is chosen: the loss of the rows left out with its anchor (that of the log loss for the logistic loss), or the best error,
 * area under the curve (of two classes) or F1 (of the second of two classes, or its mean) of their scores.
 */
export const lambdaSelection = oneOf("log-loss", "error", "auc", "f1").default("log-loss");
export type LambdaSelection = "log-loss" | "error" | "auc" | "f1";

interface LambdaSettings {
  readonly lambdas: readonly number[] | undefined;
  readonly count: number;
  readonly largest: number | undefined;
  readonly ratio: number;
}

/** @param first - the largest, where none is given. @throws CurvatureError ERR_OPTION if they fall to 0 */
export function lambdasOf(
  where: string,
  { lambdas, count, largest, ratio }: LambdaSettings,
  first: () => number,
): readonly number[] {
  if (lambdas !== undefined) return [...new Set(lambdas)].sort((a, b) => b - a);
  const values = [largest ?? first()];
  while (values.length < count && isLambda(values[values.length - 1]))
    values.push(values[values.length - 1] / ratio);
  if (!values.every(isLambda)) throw badOption(where, "count", "small enough that no λ falls to 0", count);
  return values;
}
