/** Arrays whose sizes follow from a user's options: too large ones are an error of ours, not of the engine. */
import { CurvatureError } from "@curvature/linalg";

/** @throws CurvatureError ERR_MEMORY */
export const numbers = (length: number): Float64Array => allocated(length, () => new Float64Array(length));

/** @throws CurvatureError ERR_MEMORY */
export const integers = (length: number): Int32Array => allocated(length, () => new Int32Array(length));

function allocated<T>(length: number, allocate: () => T): T {
  try {
    return allocate();
  } catch (cause) {
    throw new CurvatureError(
      "ERR_MEMORY",
      `There is no memory for an array of ${length} numbers. Take fewer units, or smaller minibatches (a larger count).`,
      { received: length, cause },
    );
  }
}
