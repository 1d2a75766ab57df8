/** From the options of `embed` to the settings for these points. */
import { badOption, type DenseMatrix, type SparseMatrix } from "@curvature/linalg";
import { fastestGradient, type GradientMethod } from "@curvature/objectives/embedding";
import { checkAgainstPoints, checkSizes } from "./embed-limits.js";
import { type EmbedOptions, type GivenOptions, givenOptions } from "./embed-options.js";
import type { EmbedSettings } from "./embed-settings.js";
import { givenMap } from "./initial-map.js";

/** Points above which all repulsive weights are equal unless asked for otherwise. */
const mostDistances = 5000;
const usualPerplexity = 30;

/**
 * The options as used for these points: what cannot be done with them is refused here, before anything is begun.
 *
 * @throws CurvatureError ERR_OPTION, ERR_SHAPE, ERR_NON_FINITE, ERR_MEMORY
 */
export function embedSettings(
  options: EmbedOptions | undefined,
  points: DenseMatrix | SparseMatrix,
): EmbedSettings {
  const given = givenOptions(options);
  const N = points.rows;
  checkAgainstPoints(given, points);
  const { method, dimensions, solver, homotopy, kappa, initialization, seed, pca } = given;
  const most = typeof given.neighbors === "number" ? given.neighbors : N - 1;
  const perplexity = given.perplexity ?? Math.min(usualPerplexity, Math.max(1.5, most / 3));
  const near = typeof given.neighbors === "number" ? given.neighbors : Math.ceil(3 * perplexity);
  const isAll = given.neighbors === "all" || near >= N - 1;
  const isAuto = solver === "auto";
  const isUnnormalized = method === "ee" || method === "tee";
  const repulsion = isUnnormalized ? repulsionOf(given, points) : undefined;
  const settings: EmbedSettings = {
    method,
    perplexity,
    lambda: given.lambda ?? (isUnnormalized ? 100 : 1),
    dimensions,
    solver,
    homotopy,
    repulsion,
    gradient: gradientOf(given, repulsion, N),
    theta: given.theta,
    threads: given.threads,
    neighbors: isAll ? "all" : near,
    neighborSearch: given.neighborSearch,
    kappa,
    initialization:
      typeof initialization === "string" ? initialization : givenMap(initialization, N, dimensions),
    seed,
    maxIterations: given.maxIterations ?? (isAuto ? Number.POSITIVE_INFINITY : homotopy ? 10000 : 1000),
    maxEvaluations: given.maxEvaluations ?? (isAuto ? 100 : Number.POSITIVE_INFINITY),
    maxSeconds: given.maxSeconds ?? Number.POSITIVE_INFINITY,
    tolerance: given.tolerance ?? (isAuto ? 0 : 1e-5),
    pca,
  };
  checkSizes(settings, N);
  return settings;
}

function repulsionOf(
  { repulsion }: GivenOptions,
  points: DenseMatrix | SparseMatrix,
): "distance" | "constant" {
  if (repulsion === "constant") return repulsion;
  if (repulsion === "auto" && points.rows > mostDistances) return "constant";
  if (!areAllEqual(points)) return "distance";
  if (repulsion === "auto") return "constant";
  throw badOption("embed", "repulsion", '"constant" for points that are all equal', repulsion);
}

/** Points below which all pairs are summed about as fast as by any other way. */
const fewest = 300;

function gradientOf(
  { gradient, method, dimensions, solver }: GivenOptions,
  repulsion: "distance" | "constant" | undefined,
  N: number,
): GradientMethod {
  const hasOneSum = method !== "sne" && method !== "laplacian" && repulsion !== "distance";
  if (gradient === "auto") {
    if (!hasOneSum) return "exact";
    const kernel = method === "tsne" || method === "tee" ? "student" : "gaussian";
    const fastest = fastestGradient(kernel, N, dimensions);
    return fastest === "barnes-hut" && solver === "diagh" && dimensions === 2 ? "fft" : fastest;
  }
  if (gradient === "exact") return gradient;
  if (!hasOneSum || (dimensions !== 2 && dimensions !== 3))
    throw badOption(
      "embed",
      "gradient",
      '"exact" for the methods "sne" and "laplacian", repulsion "distance" (which "ee" and "tee" have up to 5,000 points), and maps neither in the plane nor in space',
      gradient,
    );
  if (gradient === "single" && solver !== "auto")
    throw badOption(
      "embed",
      "gradient",
      '"exact" for solvers other than "auto": their stopping rules ask for digits of E that single precision has not',
      gradient,
    );
  if (gradient !== "barnes-hut" && dimensions === 3)
    throw badOption("embed", "gradient", '"exact" or "barnes-hut" for maps in space', gradient);
  return N < fewest ? "exact" : gradient;
}

/** Where the points are too few for the way that was asked for. */
export function gradientWarnings(
  { gradient: asked }: EmbedOptions,
  { gradient }: EmbedSettings,
): readonly string[] {
  return asked === undefined || asked === "auto" || asked === gradient
    ? []
    : [`gradient "${asked}" gains nothing below ${fewest} points: the exact sum was taken.`];
}

/** As far as squared distances can tell. */
function areAllEqual(points: DenseMatrix | SparseMatrix): boolean {
  if ("data" in points)
    return points.data.every((value, k) => (value - points.data[k % points.columns]) ** 2 === 0);
  const { rowPointers, columnIndices, values } = points;
  const count = rowPointers[1];
  return (
    rowPointers.every((at, n) => at === n * count) &&
    values.every((value, p) => {
      const first = p % count;
      return columnIndices[p] === columnIndices[first] && (value - values[first]) ** 2 === 0;
    })
  );
}
