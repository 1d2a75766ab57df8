/**
 * The work of `embed`: neighbours → affinities → objective → initial map → solver → run.
 */
import type {
  DenseMatrix,
  PrincipalThreads,
  SparseMatrix,
  SparseMatrixLike,
  Warning,
} from "@curvature/linalg";
import { type DataWarningCode, dataWarnings } from "@curvature/linalg/tables";
import { type EmbeddingObjective, laplacianEigenmaps } from "@curvature/objectives/embedding";
import type { EmbeddingThreads } from "@curvature/objectives/embedding/threads";
import {
  allOf,
  FacadeRun,
  type FacadeSteps,
  fingerprintOf,
  maxEvaluations,
  maxIterations,
  pointChangeBelow,
  type RunResult,
  rule,
  type StoppingRule,
  valueDecreaseBelow,
  withFingerprint,
} from "@curvature/optim-core";
import { divergenceOf } from "./divergence.js";
import type { EmbedPhase, ResolvedOptions } from "./embed-options.js";
import { checkColumns, type EmbedSettings, embedSettings, replacedGradient } from "./embed-settings.js";
import {
  embeddingProblem,
  finitePoints,
  neighborhood,
  projected,
  searchReport,
} from "./embedding-problem.js";
import type { EmbeddingDetails } from "./immediate-solver.js";
import { initialMap } from "./initial-map.js";
import type { ChosenSolver } from "./named-solver.js";
import { placesAmongFew, transformer } from "./transform.js";

/** What `embed` returns: the run's result, the map, and what a report of it needs. */
export interface EmbedResult extends RunResult<EmbeddingDetails> {
  /** The map: N × dimensions, over the array `x`; the best by E at the λ that was asked for, not the last. */
  readonly embedding: DenseMatrix;
  /**
   * Kullback-Leibler divergence of the map on the affinities used, at λ = 1, constant included; undefined for models
   * that are not normalised.
   */
  readonly klDivergence: number | undefined;
  /**
   * The share of the true nearest neighbours among those that the affinities were spread over: measured on 200 random
   * points where the search was approximate, 1 where it was exact; undefined for `neighbors: "all"`.
   */
  readonly neighborRecall: number | undefined;
  /** Seconds of each. */
  readonly phases: Readonly<Record<EmbedPhase, number>>;
  /** What a user should know about the data or the method, with an `EmbedWarningCode` each; empty where all is well. */
  readonly warnings: readonly Warning[];
  /**
   * Places new points into the map, which stays as it is: they are mapped one by one. It needs the data given to `embed`,
   * and does not copy them.
   *
   * @param newPoints - M × D, with the data's columns; none have no places, 0 × dimensions
   * @throws CurvatureError ERR_SHAPE for other columns than the data's, ERR_NON_FINITE also for entries so large that squared
   *   distances would overflow, ERR_ARGUMENT for sparse points where there was no `pca`, ERR_MEMORY for too many at a time
   */
  transform(newPoints: SparseMatrixLike): DenseMatrix;
}

export type EmbedWarningCode =
  | Exclude<DataWarningCode, "distinct-labels">
  | "disconnected"
  | "exact-gradient"
  | "few-points"
  | "fewer-neighbors"
  | "lost-components"
  | "neighbor-search"
  | "no-factor"
  | "perplexity"
  | "threads";

const remedies = {
  "distances-as-points":
    "Give the points; affinitiesOfDistances of @curvature/objectives/embedding is for distances.",
} as const;

export async function* mapped(
  points: SparseMatrixLike,
  options: ResolvedOptions,
): FacadeSteps<EmbeddingDetails, EmbedResult> {
  const given = finitePoints(points, "points");
  if (given.rows === 1 || given.rows === 2) return fewPointsMap(given, options);
  const settings = embedSettings(options, given);
  const call = new FacadeRun<EmbeddingDetails, EmbedPhase>(options);
  const threads = await threadsFor(settings, given.rows);
  try {
    call.warn("exact-gradient", replacedGradient(options.gradient, settings.gradient));
    call.warnings.push(...(await call.phase("neighbors", () => dataWarnings(given, { remedies }))));
    const projection = await call.phase("neighbors", () => projected(given, settings, threads.components));
    call.warn("lost-components", ...projection.warnings);
    const { data } = projection;
    const near = await call.steps("neighbors", neighborhood(data, settings, threads.shared));
    const { neighborRecall, neighborSearch, warnings } = searchReport(near);
    call.warn("neighbor-search", ...warnings);
    const problem = await call.steps("affinities", embeddingProblem(data, near, settings, threads.shared));
    call.warn("perplexity", ...problem.warnings);
    const { objective, affinities } = problem;

    let result: RunResult<EmbeddingDetails>;
    if (settings.method === "laplacian") {
      const { dimensions } = settings;
      const found = await call.phase("optimization", () => laplacianEigenmaps(affinities, { dimensions }));
      call.warn("disconnected", ...found.warnings);
      result = laplacianResult(found.coordinates, call.phases("optimization").optimization);
    } else {
      const start = await call.phase("initialization", () =>
        initialMap(data, affinities, objective, settings, threads.components),
      );
      const chosen = await call.phase("optimization", () => chooseSolver(objective, start, settings));
      call.warnings.push(...chosen.warnings);
      const { seed, kappa, homotopy } = settings;
      const origin = [objective.fingerprint, start.data, seed, String(kappa), String(homotopy)];
      const fingerprint = fingerprintOf(...origin);
      const solver = withFingerprint(chosen.solver, () => fingerprint);
      result = yield* call.optimize(solver, stoppingRules(settings));
      result = { ...result, ...divergence(objective, result) };
    }
    call.warn("threads", ...threads.warnings);
    const embedding = { rows: given.rows, columns: settings.dimensions, data: result.x };
    const size = { rows: given.rows, columns: given.columns };
    return {
      klDivergence: undefined,
      ...result,
      phases: call.phases("neighbors", "affinities", "initialization", "optimization"),
      warnings: call.warnings,
      embedding,
      neighborRecall,
      options: { ...result.options, ...reported({ ...settings, neighborSearch }), threads: threads.started },
      transform: transformer(size, projection, embedding, settings),
    };
  } finally {
    threads.close();
  }
}

/**
 * The solver that the options name, which is loaded when it is asked for: nobody loads the code of all of them for a map.
 *
 * @throws CurvatureError (the promise rejects) ERR_NOT_POSITIVE_DEFINITE if the spectral direction's matrix cannot be factored
 */
async function chooseSolver(
  objective: EmbeddingObjective,
  start: DenseMatrix,
  settings: EmbedSettings,
): Promise<ChosenSolver> {
  const { solver, method, maxEvaluations, initialization } = settings;
  if (solver === "auto") {
    const { HomotopyLbfgs } = await import("./homotopy-lbfgs.js");
    const shortening = initialization === "random" && method === "tsne" ? "rows" : "step";
    const auto = new HomotopyLbfgs(objective, start, { maxEvaluations, shortening });
    return { solver: auto, warnings: auto.warnings };
  }
  const { namedSolver } = await import("./named-solver.js");
  return namedSolver(solver, objective, start, settings);
}

/** Threads, while a map is made. Nobody loads their code who does not ask for them. */
interface MapThreads {
  /** The most that were started for any phase so far, the caller's included; none that has failed. */
  readonly started: number;
  /** For the search for neighbours and for sums that are not over pairs; undefined where those take no time. */
  readonly shared: EmbeddingThreads | undefined;
  /** For principal components, where the settings ask for some. */
  readonly components: PrincipalThreads | undefined;
  readonly warnings: readonly string[];
  close(): void;
}

/** Points below which a search or a sum that is not over pairs takes less time than starting a thread. */
const FEWEST = 2000;

/** What they cannot help is done by one thread: the other phases take little time, or are not of this form. */
async function threadsFor(settings: EmbedSettings, points: number): Promise<MapThreads> {
  const { threads, gradient, dimensions, method, repulsion, neighbors, pca, initialization } = settings;
  const isOfPairs = gradient === "exact" || gradient === "single";
  const sumsAllPairs =
    isOfPairs && dimensions === 2 && !["sne", "laplacian"].includes(method) && repulsion !== "distance";
  const hasOtherWork = points >= FEWEST && (neighbors !== "all" || !isOfPairs);
  const pairs =
    threads !== 1 && sumsAllPairs
      ? (await import("@curvature/linalg/threads")).startThreads(threads, points)
      : undefined;
  const shared =
    threads !== 1 && hasOtherWork
      ? (await import("@curvature/objectives/embedding/threads")).embeddingThreads(threads)
      : undefined;
  const components =
    threads !== 1 && (pca !== undefined || initialization === "pca")
      ? (await import("@curvature/linalg/threads")).principalThreads(threads)
      : undefined;
  const all = [components, shared, pairs].filter((some) => some !== undefined);
  return {
    ...{ shared, components },
    get started() {
      return Math.max(1, ...all.map(({ started }) => started));
    },
    get warnings() {
      return [...new Set(all.flatMap(({ warnings }) => warnings))];
    },
    close() {
      shared?.close();
      pairs?.close();
    },
  };
}

/**
 * The limits, and the tolerance: E and X must both change by no more, relatively, in one iteration, since E alone
 * hardly changes where the descent begins, and X alone where steps are short. On the way to the target λ it does not
 * count. The evaluations of "auto" are its schedule, at whose end it stops by itself.
 */
function stoppingRules(settings: EmbedSettings): readonly StoppingRule[] {
  const { tolerance, solver, lambda } = settings;
  const change = [valueDecreaseBelow(tolerance), pointChangeBelow(tolerance)];
  const settled = solver === "auto" ? allOf(lambdaReached(lambda), ...change) : allOf(...change);
  return [
    ...limit(maxIterations, settings.maxIterations),
    ...limit(maxEvaluations, settings.maxEvaluations),
    ...(tolerance > 0 ? [settled] : []),
  ];
}

/** No rule for a limit that is not set. */
function limit(make: (most: number) => StoppingRule, most: number): readonly StoppingRule[] {
  return most === Number.POSITIVE_INFINITY ? [] : [make(most)];
}

function lambdaReached(target: number): StoppingRule {
  return rule(`lambda = ${target}`, ({ details }) =>
    typeof details === "object" && details !== null && "lambda" in details && details.lambda === target
      ? { status: "converged", message: `lambda has reached ${target}.` }
      : undefined,
  );
}

/** Of one point, at the origin, or two, about it: there is no other map of them but for its size. */
function fewPointsMap(given: DenseMatrix | SparseMatrix, options: ResolvedOptions): EmbedResult {
  const call = new FacadeRun<EmbeddingDetails, EmbedPhase>(options);
  const N = given.rows;
  checkColumns(given);
  call.warn(
    "few-points",
    `${N === 1 ? "One point has" : "Two points have"} no neighbourhoods: the map has ${N === 1 ? "it at the origin" : "them on either side of the origin"}, and new points with them. Give at least 3.`,
  );
  const { dimensions, method } = options;
  const embedding = { rows: N, columns: dimensions, data: new Float64Array(N * dimensions) };
  if (N === 2) [embedding.data[0], embedding.data[dimensions]] = [-1, 1];
  const hasDivergence = N === 2 && (method === "tsne" || method === "ssne" || method === "sne");
  const { signal, onIteration, yieldEvery, checkpoint, resume, history, onPhase, ...asked } = options;
  const { initialization } = asked;
  return {
    ...noIterations(embedding, 0, "There is nothing to optimise."),
    klDivergence: hasDivergence ? 0 : undefined,
    phases: call.phases("neighbors", "affinities", "initialization", "optimization"),
    warnings: call.warnings,
    embedding,
    neighborRecall: undefined,
    options: {
      ...asked,
      initialization: typeof initialization === "string" ? initialization : "given",
      threads: 1,
    },
    transform: placesAmongFew(given, embedding),
  };
}

function laplacianResult(map: DenseMatrix, seconds: number): RunResult<EmbeddingDetails> {
  return noIterations(map, seconds, "The smoothest eigenvectors of the graph Laplacian are found.");
}

function noIterations(
  { data }: DenseMatrix,
  elapsedSeconds: number,
  message: string,
): RunResult<EmbeddingDetails> {
  return {
    x: data.slice(),
    last: data.slice(),
    value: undefined,
    gradientNorm: undefined,
    iterations: 0,
    evaluations: 0,
    gradientEvaluations: 0,
    monitoringEvaluations: 0,
    passes: 0,
    elapsedSeconds,
    status: "converged",
    usable: true,
    message,
    test: undefined,
    cause: undefined,
    history: [],
    options: {},
  };
}

/** At λ = 1, constant included; where the run knows E at another λ alone, this takes an evaluation that only measures. */
function divergence(
  objective: EmbeddingObjective,
  { x, value, monitoringEvaluations }: RunResult<EmbeddingDetails>,
): Pick<EmbedResult, "klDivergence" | "monitoringEvaluations"> {
  if (!objective.isDivergence) return { klDivergence: undefined, monitoringEvaluations };
  const isKnown = objective.lambda === 1 && value !== undefined;
  const E = isKnown ? value : objective.atLambda(1).evaluate(x);
  return {
    klDivergence: Number.isFinite(E) ? divergenceOf(objective, E) : undefined,
    monitoringEvaluations: monitoringEvaluations + (isKnown ? 0 : 1),
  };
}

/** The settings as plain data. */
function reported(settings: EmbedSettings) {
  const { initialization } = settings;
  return {
    ...settings,
    initialization: typeof initialization === "string" ? initialization : ("given" as const),
  };
}
