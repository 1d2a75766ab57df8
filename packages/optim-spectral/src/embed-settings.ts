/** From the options of `embed` to the settings for these points; what cannot be done with them is refused here. */
import {
  badOption,
  CurvatureError,
  type DenseMatrix,
  type MatrixLike,
  optionName,
  type SparseMatrix,
  toDense,
} from "@curvature/linalg";
import {
  bytesPerNeighbor,
  checkMagnitudes,
  checkPointMemory,
  fastestGradient,
  type GradientMethod,
  isEuclidean,
  unnormalizedOptions,
} from "@curvature/objectives/embedding";
import type { facadeEntries } from "@curvature/optim-core";
import { embedOptions, type ResolvedOptions } from "./embed-options.js";
import { SCHEDULE } from "./immediate-solver.js";
import type { Given } from "./source.js";

/** The options as used: what depends on the data or on other options is filled in, and what is about the run alone left out. */
export type EmbedSettings = Omit<ResolvedOptions, keyof Filled | OfRun | "device"> & Filled;

type OfRun = Exclude<keyof ReturnType<typeof facadeEntries>, "maxSeconds">;

interface Filled {
  readonly perplexity: number | readonly number[];
  readonly lambda: number;
  /** For "ee" and "tee" only. */
  readonly repulsion: "distance" | "constant" | undefined;
  /** On the processor, also of a map that a GPU makes: what measures it, and places new points. */
  readonly gradient: GradientMethod;
  /** Likewise. */
  readonly neighborSearch: "auto" | "exact" | "approximate";
  readonly neighbors: "all" | number;
  readonly initialization: "pca" | "laplacian" | "random" | DenseMatrix;
  readonly maxIterations: number;
  readonly maxEvaluations: number;
  readonly tolerance: number;
}

/** Points above which all repulsive weights are equal unless asked for otherwise. */
const MAX_DISTANCES = 5000;
const DEFAULT_PERPLEXITY = 30;

/**
 * The options as used for these points: what cannot be done with them is refused here, before anything is begun.
 *
 * @throws CurvatureError ERR_OPTION, ERR_SHAPE, ERR_NON_FINITE, ERR_MEMORY
 */
export function embedSettings(
  options: ResolvedOptions,
  points: DenseMatrix | SparseMatrix | Given,
): EmbedSettings {
  const N = points.rows;
  const others = "kind" in points && points.kind === "neighbors" ? points.most : N - 1;
  if ("kind" in points) checkAgainstGiven(options, points);
  else checkAgainstPoints(options, points);
  checkAgainstRows(options, N, others);
  const { onIteration, signal, yieldEvery, checkpoint, resume, history, onPhase, device, ...ofMap } = options;
  const { maxSeconds, tolerance, pca, ...asked } = ofMap; // in the order in which a report has them
  const { method, dimensions, solver, homotopy, initialization } = asked;
  const usual = "kind" in points && points.kind === "neighbors" ? points.typical : others;
  const most = typeof options.neighbors === "number" ? options.neighbors : usual;
  // Of a given graph nobody knows more neighbours: half of them keeps more than a third does (docs/results/spectral/graph-perplexity.md).
  const share = "kind" in points && points.kind === "neighbors" ? 2 : 3;
  const perplexity = options.perplexity ?? usualPerplexity(most / share);
  const near = typeof options.neighbors === "number" ? options.neighbors : Math.ceil(3 * largest(perplexity));
  const isAll = options.neighbors === "all" || near >= N - 1;
  const isAuto = solver === "auto";
  const evaluations = options.maxEvaluations ?? Number.POSITIVE_INFINITY;
  const isUnnormalized = method === "ee" || method === "tee";
  const repulsion = isUnnormalized ? repulsionOf(options, points) : undefined;
  const settings: EmbedSettings = {
    ...asked,
    perplexity,
    lambda: lambdaOf(options) ?? (isUnnormalized ? unnormalizedOptions.defaults.lambda : 1),
    repulsion,
    gradient: gradientOf(options, repulsion, N),
    neighborSearch: onProcessor(options.neighborSearch),
    neighbors: others < N - 1 ? others : isAll ? "all" : near,
    initialization:
      typeof initialization !== "string"
        ? checkedInitialMap(initialization, N, dimensions)
        : initialization === "pca" && "kind" in points && points.kind !== "distances"
          ? "laplacian"
          : initialization,
    maxIterations: options.maxIterations ?? (isAuto ? Number.POSITIVE_INFINITY : homotopy ? 10000 : 1000),
    maxEvaluations: evaluations < Number.POSITIVE_INFINITY || !isAuto ? evaluations : SCHEDULE,
    maxSeconds,
    tolerance: tolerance ?? (isAuto ? 0 : 1e-5),
    pca,
  };
  if (!("kind" in points && points.kind === "affinities")) checkSizes(settings, N);
  return settings;
}

/**
 * Options that these settings give no work.
 *
 * @throws CurvatureError ERR_OPTION
 */
export function checkHasEffect(
  { kappa, theta, solver, gradient: asked }: ResolvedOptions,
  { gradient }: EmbedSettings,
): void {
  if (kappa !== embedOptions.defaults.kappa && solver !== "sd" && solver !== "sd-lbfgs")
    throw badOption("embed", "kappa", 'left out for solvers other than "sd" and "sd-lbfgs"', kappa);
  const hasCells = gradient === "barnes-hut" || gradient === "fft"; // new points are placed by cells where the grid was used
  if (theta === embedOptions.defaults.theta || hasCells || asked === "barnes-hut" || asked === "fft") return;
  throw badOption(
    "embed",
    "theta",
    `left out for gradients without cells, such as these points get, "${gradient}"`,
    theta,
  );
}

/** @param share - of the neighbours that a point has */
export const usualPerplexity = (share: number): number => Math.min(DEFAULT_PERPLEXITY, Math.max(1.5, share));

/** The search of a map's new points, and of those whose affinities need none. */
export const onProcessor = (search: ResolvedOptions["neighborSearch"]): EmbedSettings["neighborSearch"] =>
  search === "gpu" ? "auto" : search;

/** Of one or several scales. */
export const largest = (perplexity: number | readonly number[]): number =>
  typeof perplexity === "number" ? perplexity : Math.max(...perplexity);

/** Undefined where the model's own is asked for. */
function lambdaOf({ method, lambda, exaggeration }: ResolvedOptions): number | undefined {
  if (exaggeration === undefined) return lambda;
  if (lambda !== undefined)
    throw badOption(
      "embed",
      "exaggeration",
      `left out beside ${optionName("lambda")}, which it is 1 over`,
      exaggeration,
    );
  if (method === "ee" || method === "tee" || method === "laplacian")
    throw badOption(
      "embed",
      "exaggeration",
      'left out for the methods "ee", "tee" and "laplacian"',
      exaggeration,
    );
  return 1 / exaggeration;
}

/** Whether the repulsion is one sum over all pairs of the kernel that its method is known by. */
export const hasOneSum = ({
  method,
  kernel,
  repulsion,
}: Pick<EmbedSettings, "method" | "kernel" | "repulsion">): boolean =>
  kernel === undefined &&
  !["sne", "nonsymmetric-tsne", "laplacian"].includes(method) &&
  repulsion !== "distance";

function repulsionOf(
  { repulsion }: ResolvedOptions,
  points: DenseMatrix | SparseMatrix | Given,
): "distance" | "constant" {
  if (repulsion === "constant") return repulsion;
  if ("kind" in points && points.kind !== "distances") {
    if (repulsion === "auto") return "constant";
    throw badOption(
      "embed",
      "repulsion",
      '"constant" for a graph of neighbours and for affinities, which know not all distances',
      repulsion,
    );
  }
  if (repulsion === "auto" && points.rows > MAX_DISTANCES) return "constant";
  if (!areAllEqual(points)) return "distance";
  if (repulsion === "auto") return "constant";
  throw badOption("embed", "repulsion", '"constant" for points that are all equal', repulsion);
}

/** Points below which all pairs are summed about as fast as by any other way. */
const MIN_POINTS = 300;

function gradientOf(
  { gradient, method, kernel, dimensions, solver }: ResolvedOptions,
  repulsion: "distance" | "constant" | undefined,
  N: number,
): GradientMethod {
  const isOneSum = hasOneSum({ method, kernel, repulsion });
  if (gradient === "gpu" && (method !== "tsne" || dimensions !== 2 || solver !== "auto"))
    throw badOption(
      "embed",
      "gradient",
      'other than "gpu", which makes maps of the method "tsne" in the plane by the solver "auto" alone',
      gradient,
    );
  if (gradient === "auto" || gradient === "gpu") {
    if (!isOneSum) return "exact";
    const fastest = fastestGradient(
      method === "tsne" || method === "tee" ? "student" : "gaussian",
      N,
      dimensions,
    );
    return fastest === "barnes-hut" && solver === "diagh" && dimensions === 2 ? "fft" : fastest;
  }
  if (gradient === "exact") return gradient;
  if (!isOneSum || (dimensions !== 2 && dimensions !== 3))
    throw badOption(
      "embed",
      "gradient",
      '"exact" for the methods "sne", "nonsymmetric-tsne" and "laplacian", kernels of finite reach, repulsion "distance" (which "ee" and "tee" have up to 5,000 points), and maps neither in the plane nor in space',
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
  return N < MIN_POINTS ? "exact" : gradient;
}

/** What the points are too few for; undefined where nothing that was asked for was changed. */
export const replacedGradient = (
  asked: ResolvedOptions["gradient"],
  used: GradientMethod,
): string | undefined =>
  asked === "auto" || asked === "gpu" || asked === used
    ? undefined
    : `gradient "${asked}" gains nothing below ${MIN_POINTS} points: the exact sum was taken.`;

/** As far as squared distances can tell. */
function areAllEqual(points: DenseMatrix | SparseMatrix | Extract<Given, { kind: "distances" }>): boolean {
  if ("kind" in points) return points.distances.data.every((distance) => distance === 0);
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

/** Bytes of a map, of which solvers keep many. */
const MAX_MAP_BYTES = 2 ** 30;

/**
 * Up to which entries the squared distances of N points of D columns, their principal components' and the sum of them all
 * are finite numbers.
 */
export const largestEntry = ({ rows, columns }: Size): number =>
  Math.sqrt(Number.MAX_VALUE) / 8 / rows / columns;

/** Of the points. */
export type Size = Pick<DenseMatrix, "rows" | "columns">;

/** Below this squares of distances that are a thousandth of it lose digits. */
const TINY = 2 ** -480;

/** @throws CurvatureError ERR_ARGUMENT for numbers that are all so small that their squares are none */
function checkNotTiny(values: ArrayLike<number>): void {
  let largest = 0;
  for (let k = 0; k < values.length; k++) largest = Math.max(largest, Math.abs(values[k]));
  if (largest === 0 || largest >= TINY) return;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `points has no number above ${largest}: squared distances would underflow. Rescale the data.`,
    {
      where: "embed",
      path: "points",
      expected: `numbers of which one is at least ${TINY}`,
      received: largest,
    },
  );
}

/** @throws CurvatureError ERR_OPTION for what needs points */
function checkAgainstGiven(
  { metric, pca, neighbors, neighborSearch, perplexity }: ResolvedOptions,
  { kind }: Given,
): void {
  const name = { distances: "given distances", neighbors: "a graph of neighbours", affinities: "affinities" }[
    kind
  ];
  if (metric !== "euclidean")
    throw badOption("embed", "metric", `left out for ${name}: it is for points`, metric);
  if (pca !== undefined) throw badOption("embed", "pca", `left out for ${name}: it is for points`, pca);
  if (neighborSearch === "gpu")
    throw badOption("embed", "neighborSearch", `left out for ${name}: it is for points`, neighborSearch);
  if (kind !== "distances" && neighbors !== "auto")
    throw badOption("embed", "neighbors", `left out for ${name}, which have theirs`, neighbors);
  if (kind === "affinities" && perplexity !== undefined)
    throw badOption("embed", "perplexity", `left out for ${name}, which have theirs`, perplexity);
}

/** @throws CurvatureError ERR_OPTION, ERR_SHAPE for fewer than 3 points */
function checkAgainstRows(options: ResolvedOptions, N: number, others: number): void {
  const { dimensions, neighbors, perplexity, homotopy, solver, method, kernel, refreshEvery } = options;
  if (N < 3)
    throw new CurvatureError(
      "ERR_SHAPE",
      `embed needs at least one dense point, or 3 objects of any other kind; received ${N}.`,
      {
        path: "points",
        expected: "at least one row",
        received: N,
      },
    );
  if (dimensions > N - 1)
    throw badOption("embed", "dimensions", `at most ${N - 1}, which hold any ${N} points`, dimensions);
  if (typeof neighbors === "number" && neighbors > N - 1)
    throw badOption("embed", "neighbors", `at most ${N - 1}, the other points`, neighbors);
  const most = typeof neighbors === "number" ? neighbors : others;
  if (perplexity !== undefined && !(largest(perplexity) < most))
    throw badOption(
      "embed",
      "perplexity",
      `above 1 and below ${most}, the neighbours that each of ${N} points has`,
      perplexity,
    );
  if (typeof perplexity === "object" && new Set(perplexity).size < perplexity.length)
    throw badOption("embed", "perplexity", "different numbers: each scale counts once", perplexity);
  if (kernel !== undefined && method !== "ee")
    throw badOption(
      "embed",
      "kernel",
      'left out for methods other than "ee": with a kernel of finite reach their E has no minimum',
      kernel,
    );
  if (refreshEvery !== undefined && solver !== "sd")
    throw badOption("embed", "refreshEvery", 'left out for solvers other than "sd"', refreshEvery);
  if (refreshEvery !== undefined && !["tsne", "nonsymmetric-tsne", "tee"].includes(method))
    throw badOption(
      "embed",
      "refreshEvery",
      'left out for methods other than "tsne", "nonsymmetric-tsne" and "tee", whose B is the same in every map',
      refreshEvery,
    );
  if (homotopy && solver === "auto")
    throw badOption(
      "embed",
      "homotopy",
      'false for the solver "auto", which has a homotopy of its own',
      true,
    );
}

/** @throws CurvatureError ERR_OPTION, ERR_SHAPE for no columns, ERR_NON_FINITE for too large entries */
function checkAgainstPoints(
  { pca, metric, neighborSearch }: ResolvedOptions,
  points: DenseMatrix | SparseMatrix,
): void {
  const { rows: N, columns: D } = points;
  if (D < 1)
    throw new CurvatureError("ERR_SHAPE", "points must have at least one column; received none.", {
      where: "embed",
      path: "points",
      expected: "at least one column",
      received: D,
    });
  checkMagnitudes(points, "points", largestEntry(points));
  if (metric === "euclidean" || metric === "manhattan" || metric === "chebyshev")
    // the others see no unit
    checkNotTiny("data" in points ? points.data : points.values);
  if (pca !== undefined && pca > Math.min(N, D))
    throw badOption("embed", "pca", `at most ${Math.min(N, D)} for ${N} points of ${D} columns`, pca);
  if (pca !== undefined && metric === "hellinger")
    throw badOption(
      "embed",
      "pca",
      "left out for hellinger, which compares shares: components are none",
      pca,
    );
  if (neighborSearch === "gpu" && (!isEuclidean(metric) || (pca === undefined && "values" in points)))
    throw badOption(
      "embed",
      "neighborSearch",
      "another for sparse points and for metrics other than euclidean, cosine, correlation and hellinger",
      neighborSearch,
    );
  if (pca === undefined && "values" in points && !isEuclidean(metric))
    throw badOption(
      "embed",
      "metric",
      `euclidean, cosine, correlation or hellinger for sparse points, which stay sparse under these; for another give the points as a dense matrix, or their principal components (${optionName("pca")}, 50 for instance)`,
      metric,
    );
}

/**
 * Before anything is allocated. Full matrices are the conditional and the joint affinities of all pairs, SNE's and the
 * eigenmaps' own form of them, the squared distances as repulsive weights, and two of "sdminus".
 *
 * @throws CurvatureError ERR_MEMORY, with how much it would take
 */
function checkSizes(settings: EmbedSettings, N: number): void {
  const { dimensions, neighbors, repulsion, solver, method, initialization, perplexity } = settings;
  const coordinates = 8 * N * dimensions;
  if (coordinates > MAX_MAP_BYTES)
    throw new CurvatureError(
      "ERR_MEMORY",
      `${N} points in ${dimensions} dimensions take ${(coordinates / 2 ** 30).toPrecision(3)} GiB. Lower ${optionName("dimensions")}.`,
      {
        where: "embed",
        path: "dimensions",
        expected: `at most ${Math.floor(MAX_MAP_BYTES / 8 / N)}`,
        received: dimensions,
      },
    );
  const isAll = neighbors === "all";
  const hasEigenmaps = method === "laplacian" || initialization === "laplacian";
  const matrices =
    (isAll
      ? 2 +
        Number(typeof perplexity !== "number") +
        Number(method === "sne" || method === "nonsymmetric-tsne") +
        Number(hasEigenmaps)
      : 0) +
    Number(repulsion === "distance") +
    (solver === "sdminus" ? 2 : 0);
  checkPointMemory(
    "embed",
    N,
    8 * N * matrices + (isAll ? 0 : bytesPerNeighbor * neighbors),
    `Lower ${optionName("neighbors")} or ${optionName("perplexity")}; ${optionName("neighbors", "all")}, ${optionName("repulsion", "distance")} and ${optionName("solver", "sdminus")} are for fewer points.`,
  );
}

/** A map to start from. @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE; ERR_ARGUMENT for a single place */
function checkedInitialMap(given: MatrixLike, N: number, d: number): DenseMatrix {
  const map = toDense(given, "initialization");
  if (map.rows === N && map.columns === d) {
    if (map.data.some((value, k) => value !== map.data[k % d])) return map;
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `${optionName("initialization")} has all points in one place, where no force moves them. Give each a place of its own.`,
      { path: "initialization", expected: "points in different places" },
    );
  }
  throw new CurvatureError(
    "ERR_SHAPE",
    `${optionName("initialization")} must be ${N} x ${d}, a row for each point; received ${map.rows} x ${map.columns}.`,
    { path: "initialization", expected: `${N} x ${d}`, received: [map.rows, map.columns] },
  );
}
