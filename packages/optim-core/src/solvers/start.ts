/**
 * Argument validation of every solver: an objective and a first point that fit each other.
 */
import { CurvatureError, shown } from "@curvature/linalg";

/** @throws CurvatureError ERR_ARGUMENT, ERR_SHAPE or ERR_NON_FINITE */
export function checkStart(where: string, objective: unknown, x: unknown): void {
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
  checkPoint(where, x, Number(objective.dimension));
}

/** @throws CurvatureError ERR_SHAPE or ERR_NON_FINITE */
export function checkPoint(where: string, x: unknown, dimension: number): void {
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
