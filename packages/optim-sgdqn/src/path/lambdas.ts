/** The values of λ of a path, from the largest to the smallest. */
import { badOption, integerFrom, type Rule } from "@curvature/linalg";

export interface LambdaOptions {
  /** The values themselves, in any order. Default: by the options that follow. */
  readonly lambdas?: readonly number[] | undefined;
  /** How many, at most 10,000. Default 10. */
  readonly count?: number;
  /** The largest. Default R²/10, R² the mean of ‖x‖². */
  readonly largest?: number | undefined;
  /** Of one to the next, above 1. Default √10. */
  readonly ratio?: number;
}

export const lambdaDefaults = Object.freeze({
  lambdas: undefined,
  count: 10,
  largest: undefined,
  ratio: Math.sqrt(10),
});

export const countRule: Rule = integerFrom(1, 10_000);
export const ratioRule: Rule = {
  expected: "a finite number above 1",
  accepts: (value) => typeof value === "number" && value > 1 && value < Number.POSITIVE_INFINITY,
};
export const lambdasRule: Rule = {
  expected: "one or more finite numbers above 0 (or left out)",
  accepts: (value) =>
    value === undefined || (Array.isArray(value) && value.length > 0 && value.every(isLambda)),
};

const isLambda = (value: unknown): boolean =>
  typeof value === "number" && value > 0 && value < Number.POSITIVE_INFINITY;

/** @param first - the largest, where none is given. @throws CurvatureError ERR_OPTION if they fall to 0 */
export function lambdasOf(
  where: string,
  { lambdas, count, largest, ratio }: Required<LambdaOptions>,
  first: () => number,
): readonly number[] {
  if (lambdas !== undefined) return [...new Set(lambdas)].sort((a, b) => b - a);
  const values = [largest ?? first()];
  while (values.length < count && isLambda(values[values.length - 1]))
    values.push(values[values.length - 1] / ratio);
  if (!values.every(isLambda)) throw badOption(where, "count", "small enough that no λ falls to 0", count);
  return values;
}
