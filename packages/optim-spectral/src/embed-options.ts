/** What a user can ask of `embed`: one flat object, its frozen defaults, and the rules that guard them. */
import {
  between,
  callback,
  checkOptions,
  either,
  flag,
  integerFrom,
  type MatrixLike,
  nonNegative,
  object,
  oneOf,
  optional,
  positive,
  type Rules,
} from "@curvature/linalg";
import { type GradientMethod, normalizedDefaults } from "@curvature/objectives/embedding";
import type { RunOptions } from "@curvature/optim-core";
import type { EmbedPhases } from "./embed-phases.js";
import type { EmbeddingDetails } from "./embedding-details.js";

/** t-SNE, symmetric SNE, SNE, elastic embedding, t-EE, Laplacian eigenmaps. */
export type EmbeddingMethod = "tsne" | "ssne" | "sne" | "ee" | "tee" | "laplacian";

/**
 * Our recipe (`auto`: λ homotopy, preconditioned L-BFGS), the paper's directions (spectral direction, the same with
 * the repulsion's curvature, fixed point, diagonal Hessian, gradient), its rivals (nonlinear CG, L-BFGS), and L-BFGS
 * with the spectral direction as its initial matrix.
 */
export type EmbeddingSolver = "auto" | "sd" | "sd-lbfgs" | "sdminus" | "fp" | "diagh" | "gd" | "cg" | "lbfgs";

export interface EmbedOptions {
  /**
   * The model. Default "tsne". "laplacian" is a problem of eigenvectors: it has no iterations, so that solvers, starts,
   * limits, listeners and checkpoints do not concern it, but are checked all the same.
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
   * How the repulsion of all pairs is summed: "exact", O(N²); "single", the same in single precision, for maps in the plane
   * by the solver "auto", which does not wait for the last digits of E: to 1e-5, in 0.4 to 0.7 of the time with SIMD and in four
   * to six times it without; "barnes-hut", by cells of points, for maps in the plane or in space, or "fft", by interpolation on a
   * grid, for maps in the plane, both about O(N): E is off by some 1e-4 of log N, its gradient by about 1 %. These three serve
   * every method but "sne" and "laplacian", not with repulsion "distance", and below 300 points the exact sum takes their
   * place, with a warning. Default "auto", the fastest of the others: above 2,000 points in the plane and 1,000 in space
   * "barnes-hut" for "tsne" and "tee"; above 1,000 in the plane "fft" and above 2,000 in space "barnes-hut" for "ssne" and
   * "ee". The solver "diagh" needs second derivatives, which a tree takes O(N²) for: in the
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
   * one has the repulsion while the caller's has the attraction; from 800 on all sum over pairs with gradient "exact" or "single" in
   * the plane, except for the method "sne" and repulsion "distance"; with a million nearest neighbours in all (11,112 points
   * of 90) and 4,097 points, or more, all fit the affinities; and all find principal components of dense points that take a
   * good part of a second. The result's `options` say how many were started. Default 1.
   */
  readonly threads?: "auto" | number;
  /** Neighbours per point in the affinities. Default "auto": 3 × perplexity. */
  readonly neighbors?: "auto" | "all" | number;
  /**
   * "exact"; "approximate", by inverted lists, which finds some 97 % of the neighbours where the data have structure (the result's `neighborRecall`);
   * "auto", the default: approximate where the exact search would take more than 4·10¹⁰ multiplications, N² D / 2: above
   * 40,000 points in 50 dimensions, but exact all the same, with a warning, where it finds less than 95 %.
   */
  readonly neighborSearch?: "auto" | "exact" | "approximate";
  /** Neighbours kept in the spectral direction's matrix. Default "auto": all of them while the factor fits. */
  readonly kappa?: "auto" | "all" | number;
  /**
   * Where the map starts: principal components (of size 1 for "tsne" and "tee", 0.1 for the others), Laplacian
   * eigenmaps (likewise), noise (of that size for "auto", which then shortens t-SNE's steps point by point, 1e-5 for the paper's
   * solvers), or a map of one's own, taken as it is. Default "pca".
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
   * stay sparse until then. Components that vary by less than a millionth of the first are lost to rounding, with a warning.
   */
  readonly pca?: number | undefined;
  readonly signal?: RunOptions<EmbeddingDetails>["signal"];
  readonly onIteration?: RunOptions<EmbeddingDetails>["onIteration"];
  /**
   * Hears of every phase when it begins, with `share` undefined, and during the search for neighbours of the share of it
   * that is done, from 0 up to 1. A promise is waited for before the next phase begins.
   */
  readonly onPhase?: (phase: keyof EmbedPhases, share: number | undefined) => unknown;
  /** Milliseconds after which the event loop gets its turn. Default 16. */
  readonly yieldEvery?: RunOptions["yieldEvery"];
  readonly checkpoint?: RunOptions["checkpoint"];
  /**
   * A checkpoint of a run with the same data and options, to go on from: to the end of the uninterrupted run, bit for
   * bit. Limits and tolerance may be others, but not `maxEvaluations` of "auto", whose schedule it is.
   */
  readonly resume?: RunOptions["resume"];
  /** Whether to keep the iterations in the result, or how many of the last ones. Default false. */
  readonly history?: RunOptions["history"];
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

/** The options, with the defaults of those that have one of their own. */
export type GivenOptions = { readonly [K in Fixed]: NonNullable<EmbedOptions[K]> } & {
  readonly [K in Exclude<keyof EmbedOptions, Fixed>]: EmbedOptions[K] | undefined;
};

/** Undefined is what depends on the data or on other options: see `EmbedOptions`. */
export const embedDefaults: GivenOptions = Object.freeze({
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

const rules: Rules<GivenOptions> = {
  method: oneOf("tsne", "ssne", "sne", "ee", "tee", "laplacian"),
  perplexity: optional(positive),
  lambda: optional(nonNegative),
  dimensions: integerFrom(1),
  solver: oneOf("auto", "sd", "sd-lbfgs", "sdminus", "fp", "diagh", "gd", "cg", "lbfgs"),
  homotopy: flag,
  repulsion: oneOf("auto", "distance", "constant"),
  gradient: oneOf("auto", "exact", "single", "barnes-hut", "fft"),
  theta: between(0, 1),
  threads: { expected: '"auto" or a whole number from 1 to 32', accepts: isThreads },
  neighbors: either(oneOf("auto", "all"), integerFrom(2)),
  neighborSearch: oneOf("auto", "exact", "approximate"),
  kappa: either(oneOf("auto", "all"), integerFrom(0)),
  initialization: either(oneOf("pca", "laplacian", "random"), object("a matrix")),
  seed: integerFrom(0),
  maxIterations: optional(integerFrom(1)),
  maxEvaluations: optional(integerFrom(1)),
  maxSeconds: optional(nonNegative),
  tolerance: optional(nonNegative),
  pca: optional(integerFrom(1)),
  signal: optional({
    expected: "an AbortSignal",
    accepts: (value) => has(value, "aborted", "boolean"),
  }),
  onIteration: optional(callback),
  onPhase: optional(callback),
  yieldEvery: optional({
    expected: "a number of at least 0",
    accepts: (value) => typeof value === "number" && value >= 0,
  }),
  checkpoint: optional({
    expected: "an object { write, … }",
    accepts: (value) => has(value, "write", "function"),
  }),
  resume: optional({
    expected: "a checkpoint (Uint8Array)",
    accepts: (value) => value instanceof Uint8Array,
  }),
  history: optional(either(flag, integerFrom(0))),
};

function has(value: unknown, name: string, type: string): boolean {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, name) === type;
}

function isThreads(value: unknown): boolean {
  return value === "auto" || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 32);
}

/** @throws CurvatureError ERR_OPTION */
export const givenOptions = (options: EmbedOptions | undefined): GivenOptions =>
  checkOptions<GivenOptions>("embed", options, embedDefaults, rules);
