/** What the options of the solvers have in common, and the points that solvers start from. */
import { CurvatureError, instance, object, shown } from "@curvature/linalg";
import { SharedRows } from "../multiclass/shared-rows.js";

/** Numbers in an array or a typed array; `firstPoint` looks at them. */
export const numbers = object<ArrayLike<number>>("an array of numbers");

export const sharedRows = instance("a SharedRows object", SharedRows);

export const sharedEntries = {
  /** First parameters, of length `parameterCount(problem)`; copied. Left out: 0. */
  initial: numbers,
  /** The rows, checked before, and what solvers on the same rows share. Left out: the problem is checked here. */
  shared: sharedRows,
};

/**
 * A copy of the numbers that a solver starts from.
 *
 * @param name - of the option
 * @throws CurvatureError ERR_SHAPE for another length, ERR_NON_FINITE
 */
export function firstPoint(where: string, name: string, values: unknown, length: number): Float64Array {
  if (!isList(values) || values.length !== length)
    throw new CurvatureError(
      "ERR_SHAPE",
      `${name} must be an array of ${length} numbers; received ${shown(values)}.`,
      { where, path: name, expected: `an array of length ${length}`, received: values },
    );
  const point = new Float64Array(length);
  for (let i = 0; i < length; i++) {
    const value = values[i];
    if (typeof value !== "number" || !Number.isFinite(value))
      throw new CurvatureError("ERR_NON_FINITE", `${name} has ${shown(value)} at ${i} (counted from 0).`, {
        where,
        path: `${name}[${i}]`,
        expected: "a finite number",
        received: value,
      });
    point[i] = value;
  }
  return point;
}

const isList = (values: unknown): values is ArrayLike<unknown> =>
  Array.isArray(values) || (ArrayBuffer.isView(values) && "length" in values);
