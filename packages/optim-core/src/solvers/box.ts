/**
 * Bounds on variables, l ≤ x ≤ u.
 */
import { CurvatureError, type Option, option } from "@curvature/linalg";
import { isNumbers } from "./start.js";

export interface Box {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

export const bound: Option<number | ArrayLike<number>> = option(
  "a number or an array of numbers, without NaN",
  (value): value is number | ArrayLike<number> =>
    typeof value === "number"
      ? !Number.isNaN(value)
      : isNumbers(value) && !Array.prototype.some.call(value, Number.isNaN),
);

/** One bound for each of n variables. @throws CurvatureError ERR_SHAPE; ERR_OPTION where no number lies between two */
export function boxOf(
  where: string,
  {
    lower,
    upper,
  }: { readonly lower: number | ArrayLike<number>; readonly upper: number | ArrayLike<number> },
  n: number,
): Box {
  const box = { lower: spread(where, "lower", lower, n), upper: spread(where, "upper", upper, n) };
  checkBox(where, box);
  return box;
}

function spread(where: string, name: string, given: number | ArrayLike<number>, n: number): Float64Array {
  if (typeof given === "number") return new Float64Array(n).fill(given);
  if (given.length === n) return Float64Array.from(given);
  throw new CurvatureError(
    "ERR_SHAPE",
    `${name} must have one number for each of the ${n} coordinates; it has ${given.length}.`,
    { where, path: name, expected: `${n} numbers`, received: given.length },
  );
}

function checkBox(where: string, { lower, upper }: Box): void {
  const at = lower.findIndex(
    (l, i) => l > upper[i] || l === Number.POSITIVE_INFINITY || upper[i] === Number.NEGATIVE_INFINITY,
  );
  if (at < 0) return;
  throw new CurvatureError(
    "ERR_OPTION",
    `no number lies between the bounds of coordinate ${at} (counted from 0), ${lower[at]} and ${upper[at]}.`,
    { where, path: `lower[${at}]`, expected: `at most ${upper[at]}`, received: lower[at] },
  );
}
