/**
 * The façade: points in, map out. Neighbours → affinities → objective → initial map → solver → run.
 */
import type { DenseMatrix, SparseMatrixLike, Warning } from "@curvature/linalg";
import { type EmbeddingObjective, laplacianEigenmaps } from "@curvature/objectives/embedding";
import {
  allOf,
  FacadeRun,
  type FacadeSteps,
  facade,
  fingerprintOf,
  maxEvaluations,
  maxIterations,
  pointChangeBelow,
  type RunResult,
  rule,
  type Solver,
  type StoppingRule,
  valueDecreaseBelow,
} from "@curvature/optim-core";
import { chooseSolver } from "./choose-solver.js";
import { type EmbedOptions, type EmbedPhase, embedOptions } from "./embed-options.js";
import { type EmbedSettings, embedSettings, replacedGradient } from "./embed-settings.js";
import type { EmbeddingDetails } from "./embedding-details.js";
import { embeddingProblem, neighborhood, searchReport } from "./embedding-problem.js";
import type { ImmediateSolver } from "./immediate-solver.js";
import { initialMap } from "./initial-map.js";
import { finitePoints, projected } from "./projection.js";
import { threadsFor } from "./threads.js";
import { transformer } from "./transform.js";

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
  /** What a user should know about the data or the method; empty where all is well. */
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

/**
 * Maps points to a plane (or line, or space) so that near points stay near.
 *
 * The event loop gets its turn between the phases, between steps of the search for neighbours and (from 4,097 points on) of the
 * affinities, and within the optimisation every `yieldEvery` milliseconds. `embed.iterate` gives the same as a loop over the
 * iterations of the optimisation.
 *
 * @param points - N × D, at least 3 rows, not to be changed before there is a map; sparse ones need the option `pca`
 * @throws CurvatureError (the promise rejects) ERR_OPTION, ERR_SHAPE or ERR_NON_FINITE for the points, ERR_MEMORY, and
 *   ERR_CHECKPOINT or ERR_SNAPSHOT for `resume`; the signal's reason if it is aborted before the optimisation
 */
export const embed = facade(async function* (
  points: SparseMatrixLike,
  options?: EmbedOptions,
): FacadeSteps<EmbeddingDetails, EmbedResult> {
  const resolved = embedOptions.resolve("embed", options);
  const given = finitePoints(points, "points");
  const settings = embedSettings(resolved, given);
  const call = new FacadeRun<EmbeddingDetails, EmbedPhase>(resolved);
  const threads = await threadsFor(settings, given.rows);
  try {
    call.warn("exact-gradient", replacedGradient(resolved.gradient, settings.gradient));
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
        initialMap(data, affinities, settings, threads.components),
      );
      const chosen = await call.phase("optimization", () => chooseSolver(objective, start, settings));
      call.warn("disconnected", ...chosen.warnings);
      const { seed, kappa, homotopy } = settings;
      const origin = [objective.fingerprint, start.data, seed, String(kappa), String(homotopy)];
      const solver = identified(chosen.solver, fingerprintOf(...origin));
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
});

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

/**
 * The solver under a fingerprint that names more than its objective: a checkpoint of `embed` is of a run from one
 * start with one matrix, and going on from it under other options would not be what the report says.
 */
function identified(solver: ImmediateSolver, fingerprint: string): Solver<EmbeddingDetails> {
  const { name, dimension, options } = solver;
  return {
    name,
    dimension,
    fingerprint,
    ...(options === undefined ? {} : { options }),
    get best() {
      return solver.best;
    },
    get last() {
      return solver.last;
    },
    step: () => solver.step(),
    save: () => solver.save(),
    restore: (snapshot) => solver.restore(snapshot),
  };
}

function laplacianResult({ data }: DenseMatrix, seconds: number): RunResult<EmbeddingDetails> {
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
    elapsedSeconds: seconds,
    status: "converged",
    usable: true,
    message: "The smoothest eigenvectors of the graph Laplacian are found.",
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
    klDivergence: Number.isFinite(E) ? E + objective.entropyConstant : undefined,
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
