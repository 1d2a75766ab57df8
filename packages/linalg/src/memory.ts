/** Large arrays, where their sizes come from outside. */
import { CurvatureError } from "./errors.js";

/** Of the typed arrays that hold numbers: Float64Array and its like. */
interface Kind<T> {
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): T;
}

/** Zeros, float64 unless another kind is named. @throws CurvatureError ERR_MEMORY where there is no room for so many */
export function allocated(length: number, where: string): Float64Array;
export function allocated<T>(length: number, where: string, Numbers: Kind<T>): T;
export function allocated(length: number, where: string, Numbers: Kind<unknown> = Float64Array): unknown {
  try {
    return new Numbers(length);
  } catch (cause) {
    const size = ((length * Numbers.BYTES_PER_ELEMENT) / 2 ** 30).toPrecision(3);
    throw new CurvatureError(
      "ERR_MEMORY",
      `there is no memory for an array of ${length} numbers (${size} GiB).`,
      { where, path: where, received: length, cause },
    );
  }
}
