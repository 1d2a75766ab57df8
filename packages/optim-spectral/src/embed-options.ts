/**
 * What a user can ask of `embed`: one flat object, its frozen defaults, and the rules that guard them.
 */
import {
  anything,
  badOption,
  between,
  CurvatureError,
  callback,
  checkOptions,
  type DenseMatrix,
  either,
  flag,
  integerFrom,
  type MatrixLike,
  nonNegative,
  oneOf,
  optional,
  positive,
  type Rule,
  type Rules,
  type SparseMatrix,
} from "@curvature/linalg";
import { fastestGradient, type GradientMethod, normalizedDefaults } from "@curvature/objectives/embedding";
import type { RunOptions } from "@curvature/optim-core";
import type { EmbedPhases } from "./embed-phases.js";

/** t-SNE, symmetric SNE, SNE, elastic embedding, t-EE, Laplacian eigenmaps. */
export type EmbeddingMethod = "tsne" | "ssne" | "sne" | "ee" | "tee" | "laplacian";

/**
 * Our recipe (`auto`: λ homotopy, preconditioned L-BFGS), the paper's directions (spectral direction, the same with
 * the repulsion's curvature, fixed point, diagonal Hessian, gradient), its rivals (nonlinear CG, L-BFGS), and L-BFGS
 * with the spectral direction as its initial matrix.
 */
export type EmbeddingSolver = "auto" | "sd" | "sd-lbfgs" | "sdminus" | "fp" | "diagh" | "gd" | "cg" | "lbfgs";

/** What every solver of this package says about an iteration. */
export interface EmbeddingDetails {
  /** λ at this iteration. */
  readonly lambda: number;
  /** E⁺ + λ E⁻ at that λ; the iteration's `value` is E at the λ that was asked for, and unknown on the way there. */
  readonly energy: number;
  /** Kullback-Leibler divergence at λ = 1, constant included; undefined where it is not known without more work. */
  readonly klDivergence: number | undefined;
}

export interface EmbedOptions {
  /**
   * The model. Default "tsne". "laplacian" is a problem of eigenvectors: it has no iterations, so that solvers, starts,
   * limits, listeners and checkpoints do not concern it.
   */
  readonly method?: EmbeddingMethod;
  /**
   * Effective number of neighbours, from above 1 to below the number of neighbours used. Default 30, or less for few
   * points.
   */
  readonly perplexity?: number;
  /** Weight of the repulsion. Default 1; 100 for "ee" and "tee". */
  readonly lambda?: number;
  /** Dimensions of the map. Default 2. */
  readonly dimensions?: number;
  /** Default "auto". */
  readonly solver?: EmbeddingSolver;
  /** 50 values of λ from 1e-4 to `lambda`, warm-started; for every solver but "auto", which has its own. Default false. */
  readonly homotopy?: boolean;
  /**
   * Repulsive weights of "ee" and "tee": squared distances of the data, or all equal. Default "auto": distances up to
   * 5,000 points.
   */
  readonly repulsion?: "auto" | "distance" | "constant";
  /**
   * How the repulsion of all pairs is summed: "exact", O(N²); "barnes-hut", by cells of points, for maps in the plane or in
   * space, or "fft", by interpolation on a grid, for maps in the plane, both about O(N): E is off by some 1e-4 of log N, its
   * gradient by about 1 %. They serve every method but "sne" and "laplacian", not with repulsion "distance", and below 300
   * points the exact sum takes their place, with a warning. Default "auto", the fastest: above 2,000 points in the plane
   * and 1,000 in space "barnes-hut" for "tsne" and "tee"; above 1,000 in the plane "fft" and above 2,000 in space
   * "barnes-hut" for "ssne" and "ee". The solver "diagh" needs second derivatives, which a tree takes O(N²) for: in the
   * plane it gets "fft" wherever the others get "barnes-hut".
   */
  readonly gradient?: "auto" | GradientMethod;
  /**
   * θ, for gradient "barnes-hut", from 0 to 1: how large cells may be beside their distance to be taken as a whole. Default
   * 0.3.
   */
  readonly theta?: number;
  /**
   * How many threads work, in Node and in workers of a page that is cross-origin isolated: 1 to 32, or "auto", as many as
   * there are cores, 8 at most (one, without a word, where a page is not isolated). They change nothing but the time. From
   * 2,000 points on all of them search for neighbours where the search is exact, and with gradient "barnes-hut" or "fft"
   * one has the repulsion while the caller's has the attraction; from 800 on all sum over pairs with gradient "exact" in
   * the plane, except for the method "sne" and repulsion "distance". Default 1.
   */
  readonly threads?: "auto" | number;
  /** Neighbours per point in the affinities. Default "auto": 3 × perplexity. */
  readonly neighbors?: "auto" | "all" | number;
  /**
   * "exact"; "approximate", by inverted lists, which finds some 98 % of the neighbours (the result's `neighborRecall`);
   * "auto", the default: approximate where the exact search would take more than 4·10¹⁰ multiplications, N² D / 2: above
   * 40,000 points in 50 dimensions, but exact all the same, with a warning, where it finds less than 95 %.
   */
  readonly neighborSearch?: "auto" | "exact" | "approximate";
  /** Neighbours kept in the spectral direction's matrix. Default "auto": all of them while the factor fits. */
  readonly kappa?: "auto" | "all" | number;
  /**
   * Where the map starts: principal components (of size 1 for "tsne" and "tee", 0.1 for the others), Laplacian
   * eigenmaps (likewise), noise (of that size for "auto", 1e-5 for the paper's solvers), or a map of one's own, taken
   * as it is. Default "pca".
   */
  readonly initialization?: "pca" | "laplacian" | "random" | MatrixLike;
  /** Default 0. */
  readonly seed?: number;
  /**
   * Default 1000 for the paper's solvers, 10,000 with `homotopy`; without limit for "auto", which ends by its schedule
   * of evaluations.
   */
  readonly maxIterations?: number;
  /** Evaluations of E and its gradient. Default 100 for "auto" (the length of its schedule), no limit for the others. */
  readonly maxEvaluations?: number;
  /** Time limit of the optimisation. Default none. */
  readonly maxSeconds?: number;
  /**
   * Stops when E and X both change by no more than this, relatively, in one iteration. Default 1e-5; 0 (off) for
   * "auto", where it counts only once λ has reached its end.
   */
  readonly tolerance?: number;
  /**
   * Principal components to which the data is projected first; undefined for none, the default. Sparse points need it, and
   * stay sparse until then.
   */
  readonly pca?: number | undefined;
  readonly signal?: RunOptions<EmbeddingDetails>["signal"];
  readonly onIteration?: RunOptions<EmbeddingDetails>["onIteration"];
  /**
   * Hears of every phase when it begins, with `share` undefined, and during the search for neighbours of the share of it
   * that is done, from 0 to 1.
   */
  readonly onPhase?: (phase: keyof EmbedPhases, share: number | undefined) => void;
  /** Milliseconds after which the event loop gets its turn. Default 16. */
  readonly yieldEvery?: RunOptions["yieldEvery"];
  readonly checkpoint?: RunOptions["checkpoint"];
  /**
   * A checkpoint of a run with the same data and options, to go on from: to the end of the uninterrupted run, bit for
   * bit. Limits and tolerance may be others.
   */
  readonly resume?: RunOptions["resume"];
  /** Whether to keep the iterations in the result, or how many of the last ones. Default false. */
  readonly history?: RunOptions["history"];
}

/** The options as used: what depends on the data or on other options is filled in. */
export interface EmbedSettings {
  readonly method: EmbeddingMethod;
  readonly perplexity: number;
  readonly lambda: number;
  readonly dimensions: number;
  readonly solver: EmbeddingSolver;
  readonly homotopy: boolean;
  /** For "ee" and "tee" only. */
  readonly repulsion: "distance" | "constant" | undefined;
  readonly gradient: GradientMethod;
  readonly theta: number;
  /** In the result how many there were. */
  readonly threads: "auto" | number;
  readonly neighbors: "all" | number;
  readonly neighborSearch: "auto" | "exact" | "approximate";
  readonly kappa: "auto" | "all" | number;
  readonly initialization: "pca" | "laplacian" | "random" | MatrixLike;
  readonly seed: number;
  readonly maxIterations: number;
  readonly maxEvaluations: number;
  readonly maxSeconds: number;
  readonly tolerance: number;
  readonly pca: number | undefined;
}

/** Fields that have a default of their own. */
type Fixed =
  | "method"
  | "dimensions"
  | "solver"
  | "homotopy"
  | "repulsion"
  | "gradient"
  | "theta"
  | "threads"
  | "neighbors"
  | "neighborSearch"
  | "kappa"
  | "initialization"
  | "seed";

type Given = { readonly [K in Fixed]: NonNullable<EmbedOptions[K]> } & {
  readonly [K in Exclude<keyof EmbedOptions, Fixed>]: EmbedOptions[K] | undefined;
};

/** Undefined is what depends on the data or on other options: see `EmbedOptions`. */
export const embedDefaults: Given = Object.freeze({
  method: "tsne",
  perplexity: undefined,
  lambda: undefined,
  dimensions: 2,
  solver: "auto",
  homotopy: false,
  repulsion: "auto",
  gradient: "auto",
  theta: normalizedDefaults.theta,
  threads: 1,
  neighbors: "auto",
  neighborSearch: "auto",
  kappa: "auto",
  initialization: "pca",
  seed: 0,
  maxIterations: undefined,
  maxEvaluations: undefined,
  maxSeconds: undefined,
  tolerance: undefined,
  pca: undefined,
  signal: undefined,
  onIteration: undefined,
  onPhase: undefined,
  yieldEvery: undefined,
  checkpoint: undefined,
  resume: undefined,
  history: undefined,
});

const rules: Rules<Given> = {
  method: oneOf("tsne", "ssne", "sne", "ee", "tee", "laplacian"),
  perplexity: optional(positive),
  lambda: optional(nonNegative),
  dimensions: integerFrom(1),
  solver: oneOf("auto", "sd", "sd-lbfgs", "sdminus", "fp", "diagh", "gd", "cg", "lbfgs"),
  homotopy: flag,
  repulsion: oneOf("auto", "distance", "constant"),
  gradient: oneOf("auto", "exact", "barnes-hut", "fft"),
  theta: between(0, 1),
  threads: { expected: '"auto" or a whole number from 1 to 32', accepts: isThreads },
  neighbors: either(oneOf("auto", "all"), integerFrom(2)),
  neighborSearch: oneOf("auto", "exact", "approximate"),
  kappa: either(oneOf("auto", "all"), integerFrom(0)),
  initialization: either(oneOf("pca", "laplacian", "random"), anyMatrix()),
  seed: integerFrom(0),
  maxIterations: optional(integerFrom(1)),
  maxEvaluations: optional(integerFrom(1)),
  maxSeconds: optional(nonNegative),
  tolerance: optional(nonNegative),
  pca: optional(integerFrom(1)),
  signal: anything,
  onIteration: optional(callback),
  onPhase: optional(callback),
  yieldEvery: anything,
  checkpoint: anything,
  resume: anything,
  history: anything,
};

function isThreads(value: unknown): boolean {
  return value === "auto" || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 32);
}

function anyMatrix(): Rule {
  return { expected: "a matrix", accepts: (value) => typeof value === "object" && value !== null };
}

/** Points above which all repulsive weights are equal unless asked for otherwise. */
const mostDistances = 5000;
/** Points above which no full matrix is made: at 15,000 it takes 1.8 GB. */
const mostFull = 15000;
/** Neighbours of all points together: sparse matrices count the entries of both directions in 31 bits. */
const mostEntries = 2 ** 30 - 1;
const usualPerplexity = 30;

/**
 * The options as used for these points.
 *
 * @throws CurvatureError ERR_OPTION, ERR_SHAPE for fewer than 3 points
 */
export function embedSettings(
  options: EmbedOptions | undefined,
  points: DenseMatrix | SparseMatrix,
): EmbedSettings {
  const given = checkOptions<Given>("embed", options, embedDefaults, rules);
  const N = points.rows;
  checkAgainstPoints(given, points);
  const { method, dimensions, solver, homotopy, kappa, initialization, seed, pca } = given;
  const most = typeof given.neighbors === "number" ? given.neighbors : N - 1;
  const perplexity = given.perplexity ?? Math.min(usualPerplexity, Math.max(1.5, most / 3));
  const near = typeof given.neighbors === "number" ? given.neighbors : Math.ceil(3 * perplexity);
  const isAll = given.neighbors === "all" || near >= N - 1;
  checkMemory(given, N, isAll ? N - 1 : near);
  const isAuto = solver === "auto";
  const isUnnormalized = method === "ee" || method === "tee";
  const repulsion = isUnnormalized ? repulsionOf(given, points) : undefined;
  return {
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
    initialization,
    seed,
    maxIterations: given.maxIterations ?? (isAuto ? Number.POSITIVE_INFINITY : homotopy ? 10000 : 1000),
    maxEvaluations: given.maxEvaluations ?? (isAuto ? 100 : Number.POSITIVE_INFINITY),
    maxSeconds: given.maxSeconds ?? Number.POSITIVE_INFINITY,
    tolerance: given.tolerance ?? (isAuto ? 0 : 1e-5),
    pca,
  };
}

function repulsionOf({ repulsion }: Given, points: DenseMatrix | SparseMatrix): "distance" | "constant" {
  if (repulsion !== "auto") return repulsion;
  return points.rows <= mostDistances && !areAllEqual(points) ? "distance" : "constant";
}

/** Points below which all pairs are summed about as fast as by any other way. */
const fewest = 300;

function gradientOf(
  { gradient, method, dimensions, solver }: Given,
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
  if (gradient === "fft" && dimensions === 3)
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

function checkAgainstPoints(given: Given, points: DenseMatrix | SparseMatrix): void {
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

/** @param near - neighbours per point as used */
function checkMemory({ repulsion, solver }: Given, N: number, near: number): void {
  if (N > mostFull && (near === N - 1 || repulsion === "distance" || solver === "sdminus"))
    throw new CurvatureError(
      "ERR_MEMORY",
      `embed: neighbors "all" (or a perplexity from a third of the points on), repulsion "distance" and the solver "sdminus" hold a number for each pair of points, too many for ${N} points. Choose others beyond ${mostFull}.`,
      { path: "points", expected: `at most ${mostFull} rows`, received: N },
    );
  if (N * near > mostEntries)
    throw new CurvatureError(
      "ERR_MEMORY",
      `embed: ${near} neighbours for each of ${N} points are too many to keep. Lower neighbors or perplexity.`,
      { path: "neighbors", expected: `at most ${Math.floor(mostEntries / N)}`, received: near },
    );
}
