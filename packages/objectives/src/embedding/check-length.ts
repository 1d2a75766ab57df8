import { CurvatureError } from "@curvature/linalg";

/** @throws CurvatureError ERR_SHAPE unless the array has that length */
export function checkLength(name: string, array: Float64Array, length: number): void {
  if (array.length === length) return;
  throw new CurvatureError("ERR_SHAPE", `${name} must have ${length} entries; received ${array.length}.`, {
    path: name,
    expected: `${length} entries`,
    received: array.length,
  });
}
