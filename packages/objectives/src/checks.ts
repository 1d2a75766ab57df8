/** What every objective asks of the arrays and indices that it is given, in the same words. */
import { badArgument, CurvatureError, shown } from "@curvature/linalg";

/** @throws CurvatureError ERR_SHAPE unless it is a Float64Array of that length */
export function checkVector(where: string, path: string, vector: unknown, length: number): void {
  const isVector = vector instanceof Float64Array;
  if (isVector && vector.length === length) return;
  const expected = `a Float64Array of length ${length}`;
  throw new CurvatureError(
    "ERR_SHAPE",
    `${path} must be ${expected}; received ${shown(vector)}${isVector ? ` of length ${vector.length}` : ""}.`,
    { where, path, expected, received: vector },
  );
}

/** A point, and the array for its gradient where one is given. @throws CurvatureError ERR_SHAPE */
export function checkPoint(where: string, x: unknown, gradient: unknown, dimension: number): void {
  checkVector(where, "x", x, dimension);
  if (gradient !== undefined) checkVector(where, "gradient", gradient, dimension);
}

/** The number of one of a sum's `count` parts. @throws CurvatureError ERR_ARGUMENT */
export function checkIndex(where: string, index: number, count: number): void {
  if (index >= 0 && index < count && Math.floor(index) === index) return;
  throw badArgument(where, "index", `a whole number from 0 to ${count - 1}`, index);
}

/** Those of several. @throws CurvatureError ERR_ARGUMENT */
export function checkIndices(where: string, indices: unknown, count: number): void {
  if (!(indices instanceof Int32Array)) throw badArgument(where, "indices", "an Int32Array", indices);
  for (let k = 0; k < indices.length; k++) checkIndex(where, indices[k], count);
}
