/**
 * Argument validation of every solver: an objective and a first point that fit each other.
 */
import { CurvatureError, shown } from "@curvature/linalg";
import type { Objective } from "../problem.js";

/**
 * A first point, as a copy.
 *
 * @throws CurvatureError ERR_ARGUMENT, ERR_SHAPE or ERR_NON_FINITE
 */
export function startPoint(where: string, objective: unknown, x: ArrayLike<number>): Float64Array {
  checkObjective(where, objective);
  return pointOf(where, x, objective.dimension);
}

/** @throws CurvatureError ERR_ARGUMENT */
function checkObjective(where: string, objective: unknown): asserts objective is Objective {
  const isObjective =
    typeof objective === "object" &&
    objective !== null &&
    "dimension" in objective &&
    Number.isSafeInteger(objective.dimension) &&
    Number(objective.dimension) >= 1 &&
    "evaluate" in objective &&
    typeof objective.evaluate === "function";
  if (!isObjective)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `the objective must have a dimension of at least 1 and a function evaluate(x, gradient); received ${shown(objective)}.`,
      { where, path: "objective", received: objective },
    );
}

/**
 * The point as a copy, for plain arrays and other typed ones, too.
 *
 * @throws CurvatureError ERR_SHAPE or ERR_NON_FINITE
 */
export function pointOf(where: string, x: ArrayLike<number>, dimension: number): Float64Array {
  const copy = isNumbers(x) ? Float64Array.from(x) : x;
  checkPoint(where, copy, dimension);
  return copy;
}

/** Whether it is an array of numbers, plain or typed. */
export const isNumbers = (x: unknown): x is ArrayLike<number> =>
  Array.isArray(x)
    ? x.every((entry) => typeof entry === "number")
    : ArrayBuffer.isView(x) && "length" in x && typeof Reflect.get(x, 0) !== "bigint";

/** @throws CurvatureError ERR_SHAPE or ERR_NON_FINITE */
export function checkPoint(where: string, x: unknown, dimension: number): asserts x is Float64Array {
  if (!(x instanceof Float64Array) || x.length !== dimension)
    throw new CurvatureError(
      "ERR_SHAPE",
      `the first point must be a Float64Array of length ${shown(dimension)}; received ${shown(x)}${x instanceof Float64Array ? ` of length ${x.length}` : ""}.`,
      { where, path: "x", expected: `a Float64Array of length ${shown(dimension)}`, received: x },
    );
  const at = x.findIndex((entry) => !Number.isFinite(entry));
  if (at >= 0)
    throw new CurvatureError("ERR_NON_FINITE", `the first point has ${x[at]} at ${at} (counted from 0).`, {
      where,
      path: `x[${at}]`,
      expected: "a finite number",
      received: x[at],
    });
}
