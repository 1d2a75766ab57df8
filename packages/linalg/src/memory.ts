/** Large arrays, where their sizes come from outside. */
import { CurvatureError } from "./errors.js";

/** Zeros. @throws CurvatureError ERR_MEMORY where there is no room for so many */
export function allocated(length: number, where: string): Float64Array {
  try {
    return new Float64Array(length);
  } catch (cause) {
    throw new CurvatureError(
      "ERR_MEMORY",
      `${where}: there is no memory for an array of ${length} numbers (${(length / 2 ** 27).toPrecision(3)} GiB).`,
      { path: where, received: length, cause },
    );
  }
}
