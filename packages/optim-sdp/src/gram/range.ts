/** The range of a Gram matrix's entries in which all that follows can be computed. */
import { CurvatureError } from "@curvature/linalg";

/** Entries up to this have squares that are numbers, in sums of any length. */
const LARGEST = 1e140;
/** Matrices whose largest entry is below this have roundings too small for a number of full precision. */
const SMALLEST = 1e-280;

/** Tr D. @throws CurvatureError ERR_NON_FINITE, ERR_ARGUMENT if entries as large as `size` could overflow, or vanish, in what follows */
export function checkedTrace(where: string, diagonal: Float64Array, size: number): number {
  let trace = 0;
  let largest = size;
  for (let i = 0; i < diagonal.length; i++) {
    trace += diagonal[i];
    largest = Math.max(largest, Math.abs(diagonal[i]));
  }
  if (!(largest <= LARGEST && Math.abs(trace) <= LARGEST)) throw tooLarge(where, "data", trace);
  if (largest > 0 && largest < SMALLEST)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `${where}: all entries of the Gram matrix are below ${SMALLEST}, where numbers lose their digits; the largest is ${largest}. Multiply the data by a constant.`,
      { path: "data", expected: `0, or entries from ${SMALLEST} on`, received: largest },
    );
  return trace;
}

export function tooLarge(where: string, path: string, received: number): CurvatureError {
  return new CurvatureError(
    "ERR_NON_FINITE",
    `${where}: the Gram matrix has entries beyond ${LARGEST}, whose squares overflow. Divide the data by a constant.`,
    { path, expected: `entries up to ${LARGEST}`, received },
  );
}
