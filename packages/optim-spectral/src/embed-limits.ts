/** What `embed` cannot do with so many points, and what needs too much memory for them. */
import { badOption, CurvatureError, type DenseMatrix, type SparseMatrix } from "@curvature/linalg";
import type { GivenOptions } from "./embed-options.js";

/** Points above which no full matrix is made: at 15,000 it takes 1.8 GB. */
const mostFull = 15000;
/** Neighbours of all points together: sparse matrices count the entries of both directions in 31 bits. */
const mostEntries = 2 ** 30 - 1;
/** Numbers of a map: a gibibyte, of which solvers keep many. */
const mostCoordinates = 2 ** 27;

/** @throws CurvatureError ERR_OPTION, ERR_SHAPE for fewer than 3 points or no columns */
export function checkAgainstPoints(given: GivenOptions, points: DenseMatrix | SparseMatrix): void {
  const { rows: N, columns: D } = points;
  const { dimensions, neighbors, perplexity, homotopy, solver, pca } = given;
  if (N < 3)
    throw new CurvatureError("ERR_SHAPE", `embed needs at least 3 points; received ${N}.`, {
      path: "points",
      expected: "at least 3 rows",
      received: N,
    });
  if (D < 1)
    throw new CurvatureError("ERR_SHAPE", "embed: points must have at least one column; received none.", {
      path: "points",
      expected: "at least one column",
      received: D,
    });
  if (dimensions > N - 1)
    throw badOption("embed", "dimensions", `at most ${N - 1}, which hold any ${N} points`, dimensions);
  if (typeof neighbors === "number" && neighbors > N - 1)
    throw badOption("embed", "neighbors", `at most ${N - 1}, the other points`, neighbors);
  const most = typeof neighbors === "number" ? neighbors : N - 1;
  if (perplexity !== undefined && !(perplexity > 1 && perplexity < most))
    throw badOption(
      "embed",
      "perplexity",
      `above 1 and below ${most}, the neighbours that each of ${N} points has`,
      perplexity,
    );
  if (pca !== undefined && pca > Math.min(N, D))
    throw badOption("embed", "pca", `at most ${Math.min(N, D)} for ${N} points of ${D} columns`, pca);
  if (pca === undefined && "values" in points)
    throw badOption(
      "embed",
      "pca",
      "a number of principal components (50, for instance) for sparse points, whose neighbours are searched among dense ones; or give the points as a dense matrix",
      pca,
    );
  if (homotopy && solver === "auto")
    throw badOption(
      "embed",
      "homotopy",
      'false for the solver "auto", which has a homotopy of its own',
      true,
    );
}

/**
 * Before anything is allocated.
 *
 * @param near - neighbours per point as used
 * @throws CurvatureError ERR_MEMORY, with how much it would take
 */
export function checkMemory({ repulsion, solver, dimensions }: GivenOptions, N: number, near: number): void {
  if (N * dimensions > mostCoordinates)
    throw tooLarge(
      `${N} points in ${dimensions} dimensions take ${gibibytes(N * dimensions)} GiB. Lower dimensions.`,
      "dimensions",
      Math.floor(mostCoordinates / N),
      dimensions,
    );
  if (N > mostFull && (near === N - 1 || repulsion === "distance" || solver === "sdminus"))
    throw tooLarge(
      `neighbors "all" (or a perplexity from N/3 on), repulsion "distance" and solver "sdminus" take ${gibibytes(N * N)} GiB for ${N} points. Choose others beyond ${mostFull}.`,
      "points",
      mostFull,
      N,
    );
  if (N * near > mostEntries)
    throw tooLarge(
      `${near} neighbours for each of ${N} points take ${gibibytes(N * near)} GiB. Lower neighbors or perplexity.`,
      "neighbors",
      Math.floor(mostEntries / N),
      near,
    );
}

const tooLarge = (message: string, path: string, most: number, received: number): CurvatureError =>
  new CurvatureError("ERR_MEMORY", `embed: ${message}`, { path, expected: `at most ${most}`, received });

const gibibytes = (numbers: number): string => (numbers / 2 ** 27).toPrecision(3);
