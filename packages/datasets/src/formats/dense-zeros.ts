/** Room for a sparse matrix with its zeros. */
import { CurvatureError } from "@curvature/linalg";
import { allocate } from "./bytes.js";

/** 2 GiB of float64. */
const mostNumbers = 2 ** 28;

/** Row by row. @throws CurvatureError ERR_MEMORY for more than 2 GiB */
export function denseZeros(rows: number, columns: number): Float64Array {
  if (rows * columns > mostNumbers) {
    throw new CurvatureError(
      "ERR_MEMORY",
      `The sparse input has ${rows} rows and ${columns} columns; with their zeros these are more than ${mostNumbers} numbers. Take fewer rows or columns.`,
      { expected: `at most ${mostNumbers} numbers`, received: rows * columns },
    );
  }
  return allocate(() => new Float64Array(rows * columns), rows * columns * 8);
}
