/** Room for a sparse matrix with its zeros. */
import { CurvatureError } from "@curvature/linalg";
import { allocate } from "./bytes.js";

/** 2 GiB of float64. */
const mostNumbers = 2 ** 28;

/** Zeros that are not in a file may be so many times its bytes, and these at least. */
const MOST_PER_BYTE = 2000;
const FEWEST = 2 ** 18;

/**
 * Row by row.
 *
 * @param source - where it is from, if its sizes are only stated, and how it is read into Python as `A`
 * @throws CurvatureError ERR_MEMORY for more than 2 GiB, and for far more zeros than the file has bytes
 */
export function denseZeros(
  rows: number,
  columns: number,
  source?: { readonly bytes: number; readonly python: string },
): Float64Array {
  const most =
    source === undefined
      ? mostNumbers
      : Math.min(mostNumbers, Math.max(FEWEST, MOST_PER_BYTE * source.bytes));
  if (rows * columns > most) {
    const remedy =
      source === undefined
        ? "Take fewer rows or columns."
        : `Take fewer rows or columns, or write it as LIBSVM text, of which train takes no zeros: python -c "${source.python}; from sklearn.datasets import dump_svmlight_file as d; d(A, [0] * A.shape[0], 'rows.svm')"`;
    throw new CurvatureError(
      "ERR_MEMORY",
      `The sparse input has ${rows} rows and ${columns} columns; with their zeros these are more than ${most} numbers. ${remedy}`,
      { expected: `at most ${most} numbers`, received: rows * columns },
    );
  }
  return allocate(() => new Float64Array(rows * columns), rows * columns * 8);
}
