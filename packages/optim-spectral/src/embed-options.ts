/** What a user can ask of `embed`. */
import {
  callable,
  either,
  flag,
  integerFrom,
  integerOrInfinity,
  type MatrixLike,
  nonNegative,
  numberThat,
  type Option,
  type OptionsOf,
  object,
  oneOf,
  option,
  optionTable,
  positive,
  type SettingsOf,
} from "@curvature/linalg";
import { type MetricFunction, metricNames, normalizedOptions } from "@curvature/objectives/embedding";
import { facadeEntries } from "@curvature/optim-core";
import type { DeviceLike } from "@curvature/webgpu";
import type { EmbeddingDetails } from "./immediate-solver.js";

/** What `embed` does, one after the other; "neighbors" has reading and checking the data, `pca`, distances or the search. */
export type EmbedPhase = "neighbors" | "affinities" | "initialization" | "optimization";

const aboveOne = /* @__PURE__ */ numberThat("a finite number above 1", (v) => Number.isFinite(v) && v > 1);

/** Each by the rule, at least one; on a command line with commas between them. */
const listOf = /* @__NO_SIDE_EFFECTS__ */ (rule: Option<number>): Option<readonly number[]> =>
  option(
    `a list of such numbers`,
    (value): value is readonly number[] =>
      Array.isArray(value) && value.length > 0 && value.every(rule.accepts),
    (words) => (words.includes(",") ? words.split(",").map((word) => rule.read(word)) : words),
  );

export const embedOptions = optionTable({
  ...facadeEntries<EmbeddingDetails, EmbedPhase>(),
  /**
   * The model. "laplacian" is a problem of eigenvectors: it has no iterations, so that solvers, starts,
   * limits, listeners and checkpoints do not concern it, but are checked all the same. "tee" was tried as the default, and not taken: over
   * 8 tables at 3 perplexities it kept fewer of the 5 nearest on all 24 and of the 10 nearest on 20, and was the more trustworthy on
   * 11 and the less on 9; the order of far distances it kept better on 18.
   */
  method: oneOf("tsne", "ssne", "sne", "nonsymmetric-tsne", "ee", "tee", "laplacian").default("tsne"),
  /**
   * Of the repulsion of "ee" in the place of the Gaussian: max(0, 1 − t) or its square, t the squared distance. Points more than 1
   * apart then do not repel each other. All pairs are summed. No other method has one: log S of a kernel of finite reach falls
   * without end as pairs leave it, so that normalised models have no minimum, and log K, which attracts in "tee", is none.
   */
  kernel: oneOf("epanechnikov", "biweight"),
  /**
   * Effective number of neighbours, from above 1 to below the number of neighbours used. Left out: 30, or less
   * for few points: a third of the neighbours, and half of those of a graph that is given. A list, as [30, 300], is multi-scale: the mean of the conditional affinities of each, over the same neighbours.
   */
  perplexity: either(aboveOne, listOf(aboveOne)),
  /** Weight of the repulsion. Left out: 1, and 100 for "ee" and "tee". */
  lambda: nonNegative,
  /** The same by its usual name, 1 / λ, for all methods but "ee", "tee" and "laplacian", and in the place of `lambda`. */
  exaggeration: positive,
  /** Dimensions of the map. */
  dimensions: integerFrom(1).default(2),
  /**
   * Our recipe (`auto`: λ homotopy, preconditioned L-BFGS), the paper's directions (spectral direction, the same with
   * the repulsion's curvature, fixed point, diagonal Hessian, gradient), its rivals (nonlinear CG, L-BFGS), and L-BFGS
   * with the spectral direction as its initial matrix.
   */
  solver: oneOf("auto", "sd", "sd-lbfgs", "sdminus", "fp", "diagh", "gd", "cg", "lbfgs").default("auto"),
  /** 50 values of λ from 1e-4 to `lambda`, warm-started; for every solver but "auto", which has its own. */
  homotopy: flag.default(false),
  /**
   * Repulsive weights of "ee" and "tee": squared distances of the data, or all equal. "auto": distances up to 5,000 points.
   */
  repulsion: oneOf("auto", "distance", "constant").default("auto"),
  /**
   * How the repulsion of all pairs is summed: "exact", O(N²); "single", the same in single precision, for maps in the plane
   * by the solver "auto", which does not wait for the last digits of E: to 1e-5, in 0.4 to 0.7 of the time with SIMD and in four
   * to six times it without; "barnes-hut", by cells of points, for maps in the plane or in space, or "fft", by interpolation on a
   * grid, for maps in the plane, both about O(N): E is off by some 1e-4 of log N, its gradient by about 1 %. These three serve
   * every method but "sne" and "laplacian", not with repulsion "distance", and below 300 points the exact sum takes their
   * place, with a warning. "gpu": all of the optimisation on a GPU, for "tsne" in the plane by the solver "auto": see `device`. "auto" is the fastest of the others: above 2,000 points in the plane and 1,000 in space
   * "barnes-hut" for "tsne" and "tee"; above 1,000 in the plane "fft" and above 2,000 in space "barnes-hut" for "ssne" and
   * "ee". The solver "diagh" needs second derivatives, which a tree takes O(N²) for: in the
   * plane it gets "fft" wherever the others get "barnes-hut".
   */
  gradient: oneOf("auto", "exact", "single", "barnes-hut", "fft", "gpu").default("auto"),
  /**
   * θ, for gradient "barnes-hut", from 0 to 1: how large cells may be beside their distance to be taken as a whole. Where there are no
   * cells it is refused.
   */
  theta: normalizedOptions.entries.theta,
  /**
   * How many threads work, in Node and in workers of a page that is cross-origin isolated: 1 to 32, or "auto", as many as
   * there are cores, 8 at most (one, without a word, where a page is not isolated). They change nothing but the time. From
   * 2,000 points on all of them search for neighbours where the search is exact, and with gradient "barnes-hut" or "fft"
   * one has the repulsion while the caller's has the attraction; from 800 on all sum over pairs with gradient "exact" or "single" in
   * the plane, except for the method "sne" and repulsion "distance"; with a million nearest neighbours in all (11,112 points
   * of 90) and 4,097 points, or more, all fit the affinities; and all find principal components of dense points that take a
   * good part of a second. The result's `options` say how many were started.
   */
  threads: either(oneOf("auto"), integerFrom(1, 32)).default(1),
  /**
   * How far points lie apart (after `pca`, where asked for). "cosine", "correlation" and "hellinger" are Euclidean between rows that are
   * brought to length 1, to mean 0 and length 1, and to the square roots of their shares; sparse rows stay sparse under all four. The
   * others, and a function `(a, b) => number` of two rows (symmetric, 0 for a row and itself, never negative), are computed for all
   * pairs. "hamming" is the share of unequal entries, and
   * "jaccard" compares sets: which entries are other than 0.
   */
  metric: either(oneOf(...metricNames), callable<MetricFunction>()).default("euclidean"),
  /** Neighbours per point in the affinities. "auto": 3 × perplexity; all of a graph that is given. */
  neighbors: either(oneOf("auto", "all"), integerFrom(2)).default("auto"),
  /**
   * "exact"; "approximate", by inverted lists, which finds some 97 % of the neighbours where the data have structure (the result's `neighborRecall`);
   * "auto": approximate where the exact search would take more than 4·10¹⁰ multiplications, N² D / 2: above
   * 40,000 points in 50 dimensions, but exact all the same, with a warning, where it finds less than 95 %. "gpu": exact, on a GPU,
   * for dense points under a metric that is Euclidean between rows.
   */
  neighborSearch: oneOf("auto", "exact", "approximate", "gpu").default("auto"),
  /**
   * For gradient "gpu" and neighborSearch "gpu": a GPUDevice of one's own, or one is opened (in Node that takes the package `webgpu`). Nothing is done on a GPU that was not asked for: maps there are as good, but not the same bits elsewhere.
   */
  device: either(oneOf("auto"), object<DeviceLike & object>("a GPUDevice")).default("auto"),
  /** For the solvers "sd" and "sd-lbfgs": neighbours kept in the spectral direction's matrix. "auto": all of them while the factor fits. */
  kappa: either(oneOf("auto", "all"), integerFrom(0)).default("auto"),
  /**
   * Iterations after which the solver "sd" forms its matrix B anew, of the attraction's weights in the map as it is then; for methods by
   * whose Student kernel they change: "tsne", "nonsymmetric-tsne" and "tee". Left out: never.
   */
  refreshEvery: integerFrom(1),
  /**
   * Where the map starts: principal components, or for given distances their classical scaling and for graphs and affinities
   * Laplacian eigenmaps (of size 1 for "tsne" and "tee", 0.1 for the others), Laplacian
   * eigenmaps (likewise), noise (of that size for "auto", which then shortens t-SNE's steps point by point, 1e-5 for the paper's
   * solvers), or a map of one's own: centred, and for "auto" brought to the size of a start; if it was lower than the end, it stays as it is. Principal components need not be best: over 22 tables
   * of 150 to 1,400 rows (means of three seeds) noise ended lower on 5, by up to 1.8 %, higher on 8, by up to 24 %, and within 0.2 % on
   * 9. Trying both would take twice the time.
   */
  initialization: either(oneOf("pca", "laplacian", "random"), object<MatrixLike & object>("a map")).default(
    "pca",
  ),
  /** Of all choices at random. */
  seed: integerFrom(0).default(0),
  /**
   * Left out: 1000 for the paper's solvers, 10,000 with `homotopy`; without limit for "auto", which ends by its schedule
   * of evaluations.
   */
  maxIterations: integerOrInfinity(1),
  /** Evaluations of E and its gradient. Left out or Infinity: 100 for "auto" (the length of its schedule), no limit for the others. */
  maxEvaluations: integerOrInfinity(1),
  /**
   * Stops when E and X both change by no more than this, relatively, in one iteration. Left out: 1e-5; 0 (off) for
   * "auto", where it counts only once λ has reached its end.
   */
  tolerance: nonNegative,
  /**
   * Principal components to which the data is projected first. Left out: none. Sparse points
   * stay sparse until then, and need it for their map to place new points. Components that vary by next to nothing beside the first are lost to rounding, with a warning.
   */
  pca: integerFrom(1),
});
export type EmbedOptions = OptionsOf<typeof embedOptions>;

/** The options with the defaults of those that have one of their own; the others depend on the points. */
export type ResolvedOptions = SettingsOf<typeof embedOptions>;
export type EmbeddingMethod = ResolvedOptions["method"];
export type EmbeddingSolver = ResolvedOptions["solver"];
