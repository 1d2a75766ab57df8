/** Validation of points: what they are, how large affinities of them get, and how wide. */
import {
  badOption,
  CurvatureError,
  type DenseMatrix,
  type MatrixLike,
  type SparseMatrix,
  toDense,
} from "@curvature/linalg";

/**
 * The points, contiguous, and such that their squared distances are finite numbers.
 *
 * @throws CurvatureError ERR_SHAPE for ragged rows or no columns, ERR_NON_FINITE for a NaN or an infinity (row and
 *   column named) and for entries so large that a squared distance could overflow
 */
export function checkedPoints(input: MatrixLike, name: string): DenseMatrix {
  const points = toDense(input, name);
  const { columns } = points;
  if (columns < 1) {
    throw new CurvatureError("ERR_SHAPE", `${name} must have at least one column; received none.`, {
      path: name,
      expected: "at least one column",
      received: columns,
    });
  }
  checkMagnitudes(points, name, Math.sqrt(Number.MAX_VALUE / 16 / columns));
  return points;
}

/**
 * @param most - above which squared distances, or what is made of them, would overflow
 * @throws CurvatureError ERR_NON_FINITE, the row and the column of the first larger entry named
 */
export function checkMagnitudes(points: DenseMatrix | SparseMatrix, name: string, most: number): void {
  const values = "data" in points ? points.data : points.values;
  let p = 0;
  while (p < values.length && !(Math.abs(values[p]) > most)) p++;
  if (p === values.length) return;
  const place = placeOf(points, p);
  throw new CurvatureError(
    "ERR_NON_FINITE",
    `${name} has ${values[p]} at ${place} (counted from 0): squared distances would overflow. Rescale the data.`,
    { path: place, expected: `absolute values up to ${most}`, received: values[p] },
  );
}

/** Where the p-th stored entry stands. */
export function placeOf(points: DenseMatrix | SparseMatrix, p: number): string {
  if ("data" in points) return `row ${Math.floor(p / points.columns)}, column ${p % points.columns}`;
  let row = 0;
  while (points.rowPointers[row + 1] <= p) row++;
  return `row ${row}, column ${points.columnIndices[p]}`;
}

/** @throws CurvatureError ERR_SHAPE unless both have the same columns */
export function checkSameColumns(
  given: { readonly columns: number },
  known: { readonly columns: number },
  name: string,
): void {
  if (given.columns === known.columns) return;
  throw new CurvatureError(
    "ERR_SHAPE",
    `${name} has ${given.columns} columns, the known points have ${known.columns}. Give both the same columns.`,
    { path: name, expected: `${known.columns} columns`, received: given.columns },
  );
}

/**
 * @param neighbors - the number over which a row is spread
 * @throws CurvatureError ERR_SHAPE for fewer than 3 points, ERR_OPTION unless 1 < perplexity < neighbors
 */
export function checkPerplexity(perplexity: number, points: number, neighbors: number): void {
  if (!(points >= 3)) {
    throw new CurvatureError("ERR_SHAPE", `Affinities need at least 3 points; received ${points}.`, {
      path: "points",
      expected: "at least 3 rows",
      received: points,
    });
  }
  if (!(typeof perplexity === "number" && perplexity > 1 && perplexity < neighbors)) {
    throw badOption(
      "entropicAffinities",
      "perplexity",
      `above 1 and below ${neighbors}, the number of neighbours used for each of ${points} points`,
      perplexity,
    );
  }
}

/** What affinities take of memory, so that too much is refused before any of it is had. */

/** Bytes. */
const MAX_BYTES = 2 ** 32;

/**
 * Bytes that each neighbour of a point takes while joint affinities are made: 12 (an index and a number) in the lists, in
 * the conditional affinities and in their transpose, and 24 in the joint ones, which have up to twice as many entries. The
 * search before takes 24, and so do the conditional affinities with the lists, or 36 where threads make them.
 */
export const bytesPerNeighbor = 60;

/**
 * @param bytes - of each point: 8 for an entry of a full matrix, `bytesPerNeighbor` for a neighbour
 * @param advice - what to do
 * @throws CurvatureError ERR_MEMORY above 4 GiB, with how much it would be
 */
export function checkPointMemory(where: string, points: number, bytes: number, advice: string): void {
  const total = points * bytes;
  if (total <= MAX_BYTES) return;
  throw new CurvatureError(
    "ERR_MEMORY",
    `${points} points take ${total} bytes (${(total / 2 ** 30).toPrecision(3)} GiB), more than 4 GiB. ${advice}`,
    { where, path: "points", expected: "at most 4 GiB", received: total },
  );
}
