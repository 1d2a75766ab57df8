/** What `embed` cannot do with so many points, and what needs too much memory for them. */
import { badOption, CurvatureError, type DenseMatrix, type SparseMatrix } from "@curvature/linalg";
import { bytesPerNeighbor, checkMagnitudes, checkMemory } from "@curvature/objectives/embedding";
import type { GivenOptions } from "./embed-options.js";
import type { EmbedSettings } from "./embed-settings.js";

/** Bytes of a map, of which solvers keep many. */
const mostCoordinates = 2 ** 30;

/**
 * Up to which entries the squared distances of N points of D columns, their principal components' and the sum of them all
 * are finite numbers.
 */
export const largestEntry = ({ rows, columns }: Size): number =>
  Math.sqrt(Number.MAX_VALUE) / 8 / rows / columns;

/** Of the points. */
export type Size = Pick<DenseMatrix, "rows" | "columns">;

/** @throws CurvatureError ERR_OPTION, ERR_SHAPE for fewer than 3 points or no columns, ERR_NON_FINITE for too large ones */
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
  checkMagnitudes(points, "points", largestEntry(points));
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
 * Before anything is allocated. Full matrices are the conditional and the joint affinities of all pairs, SNE's and the
 * eigenmaps' own form of them, the squared distances as repulsive weights, and two of "sdminus".
 *
 * @throws CurvatureError ERR_MEMORY, with how much it would take
 */
export function checkSizes(settings: EmbedSettings, N: number): void {
  const { dimensions, neighbors, repulsion, solver, method, initialization } = settings;
  const coordinates = 8 * N * dimensions;
  if (coordinates > mostCoordinates)
    throw new CurvatureError(
      "ERR_MEMORY",
      `embed: ${N} points in ${dimensions} dimensions take ${(coordinates / 2 ** 30).toPrecision(3)} GiB. Lower dimensions.`,
      {
        path: "dimensions",
        expected: `at most ${Math.floor(mostCoordinates / 8 / N)}`,
        received: dimensions,
      },
    );
  const isAll = neighbors === "all";
  const hasEigenmaps = method === "laplacian" || initialization === "laplacian";
  const matrices =
    (isAll ? 2 + Number(method === "sne") + Number(hasEigenmaps) : 0) +
    Number(repulsion === "distance") +
    (solver === "sdminus" ? 2 : 0);
  checkMemory(
    "embed",
    N,
    8 * N * matrices + (isAll ? 0 : bytesPerNeighbor * neighbors),
    'Lower neighbors or perplexity; neighbors "all", repulsion "distance" and solver "sdminus" are for fewer points.',
  );
}
