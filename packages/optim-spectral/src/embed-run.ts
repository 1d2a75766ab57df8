/**
 * The work of `embed`: neighbours → affinities → objective → initial map → solver → run.
 */
import {
  CurvatureError,
  type DenseMatrix,
  norm2,
  optionName,
  type PrincipalThreads,
  type SparseMatrixLike,
  type Warning,
  zeros,
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
import { centerColumns } from "./columns.js";
import type { EmbedPhase, ResolvedOptions } from "./embed-options.js";
import {
  checkHasEffect,
  type EmbedSettings,
  embedSettings,
  hasOneSum,
  onProcessor,
  replacedGradient,
} from "./embed-settings.js";
import { embeddingProblem, finitePoints, searchReport } from "./embedding-problem.js";
import type { GpuMap } from "./gpu-map.js";
import { divergenceOf, type EmbeddingDetails } from "./immediate-solver.js";
import { initialMap } from "./initial-map.js";
import { MapModel } from "./map-model.js";
import { type PlacedPoints, partsOf } from "./map-parts.js";
import type { ChosenSolver } from "./named-solver.js";
import { type Projection, projected } from "./projection.js";
import { checkedGiven, type EmbedInput, isGiven, neighborhood, pointSource, type Source } from "./source.js";
import type { TransformOptions } from "./transform-options.js";

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
   * The map as it places new points: for `saveMap`. It has the data given to `embed`, and does not copy them. Undefined for maps that
   * place none: of what was given in place of points, of sparse points without `pca`, and of metrics that are not Euclidean after a
   * transformation of rows.
   */
  readonly model: MapModel | undefined;
  /** Places new points into the map: `model.transform`. @throws CurvatureError (the promise rejects) ERR_ARGUMENT without a model */
  transform(newPoints: SparseMatrixLike, options?: TransformOptions): Promise<PlacedPoints>;
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
  "distances-as-points": "For distances give embed({ distances }).",
} as const;

export async function* mapped(
  input: EmbedInput,
  options: ResolvedOptions,
): FacadeSteps<EmbeddingDetails, EmbedResult> {
  const given = isGiven(input) ? checkedGiven(input) : finitePoints(input, "points");
  if ("data" in given && given.columns > 0 && (given.rows === 1 || given.rows === 2))
    return fewPoints(given, options);
  const settings = embedSettings(options, given);
  checkHasEffect(options, settings);
  const call = new FacadeRun<EmbeddingDetails, EmbedPhase>(options);
  const threads = await threadsFor(settings, given.rows);
  let gpu: GpuMap | undefined;
  try {
    gpu = await gpuFor(options, given.rows, settings);
    call.warn("exact-gradient", replacedGradient(options.gradient, settings.gradient));
    let source: Source;
    let projection: Projection | undefined;
    if ("kind" in given) source = given;
    else {
      call.warnings.push(...(await call.phase("neighbors", () => dataWarnings(given, { remedies }))));
      const seen = await call.phase("neighbors", () => projected(given, settings, threads.components));
      call.warn("lost-components", ...seen.warnings);
      source = await call.phase("neighbors", () => pointSource(seen.data, settings.metric));
      projection = seen.projection;
    }
    const near =
      (gpu && (await call.phase("neighbors", () => gpu?.neighbors(source, settings)))) ??
      (await call.steps("neighbors", neighborhood(source, settings, threads.shared)));
    const { neighborRecall, neighborSearch, warnings } = searchReport(near);
    const parts = partsOf(source, near, settings, projection);
    call.warn("neighbor-search", ...warnings);
    const fitted = gpu && (await call.phase("affinities", () => gpu?.affinities(near, settings)));
    const problem = await call.steps(
      "affinities",
      embeddingProblem(source, fitted ?? near, settings, threads.shared),
    );
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
        initialMap(source, affinities, settings, threads.components),
      );
      const chosen = await call.phase("optimization", () => chooseSolver(objective, start, settings, gpu));
      call.warnings.push(...chosen.warnings);
      const { seed, kappa, homotopy, refreshEvery = "never" } = settings;
      const origin = [
        objective.fingerprint,
        start.data,
        seed,
        String(kappa),
        String(homotopy),
        String(refreshEvery),
      ];
      const fingerprint = fingerprintOf(...origin);
      const solver = withFingerprint(chosen.solver, () => fingerprint);
      result = yield* call.optimize(solver, stoppingRules(settings));
      result = keptIfBetter(objective, settings, result);
      result = { ...result, ...divergence(objective, result) };
    }
    if (!call.warnings.some(({ code }) => code === "disconnected"))
      call.warn("disconnected", ...problem.partsWarnings);
    call.warn("threads", ...threads.warnings);
    const embedding = { rows: given.rows, columns: settings.dimensions, data: result.x };
    // Its owner may scale the map for a picture.
    const places = { ...embedding, data: embedding.data.slice() };
    const model = parts && new MapModel({ ...parts, places });
    return {
      klDivergence: undefined,
      ...result,
      phases: call.phases("neighbors", "affinities", "initialization", "optimization"),
      warnings: call.warnings,
      embedding,
      neighborRecall,
      options: {
        ...result.options,
        ...reported({ ...settings, neighborSearch }),
        threads: threads.started,
        ...gpu?.reported,
      },
      model,
      transform: async (newPoints, options) => {
        if (model === undefined) throw placesNone();
        return model.transform(newPoints, options);
      },
    };
  } finally {
    gpu?.close();
    threads.close();
  }
}

/** Nobody loads the code of a GPU who does not ask for it. */
async function gpuFor(
  { gradient, neighborSearch, device }: ResolvedOptions,
  points: number,
  { neighbors }: EmbedSettings,
): Promise<GpuMap | undefined> {
  if (gradient !== "gpu" && neighborSearch !== "gpu") return undefined;
  const { GpuMap } = await import("./gpu-map.js");
  return GpuMap.open({ gradient, neighborSearch, device }, points, neighbors);
}

const placesNone = (): CurvatureError =>
  new CurvatureError(
    "ERR_ARGUMENT",
    `This map places no new points: that takes points that are dense or projected (${optionName("pca")}), a metric that is euclidean, cosine, correlation or hellinger, and a method other than nonsymmetric-tsne with its own kernel. Map the new ones together with the old.`,
    { path: "newPoints", expected: "a map of points" },
  );

/**
 * The solver that the options name, which is loaded when it is asked for: nobody loads the code of all of them for a map.
 *
 * @throws CurvatureError (the promise rejects) ERR_NOT_POSITIVE_DEFINITE if the spectral direction's matrix cannot be factored
 */
async function chooseSolver(
  objective: EmbeddingObjective,
  start: DenseMatrix,
  settings: EmbedSettings,
  gpu: GpuMap | undefined,
): Promise<ChosenSolver> {
  const { solver, method, maxEvaluations, initialization } = settings;
  if (gpu?.optimizes === true) return gpu.solver(objective, start, settings);
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
export async function threadsFor(settings: EmbedSettings, points: number): Promise<MapThreads> {
  const { threads, gradient, dimensions, neighbors, pca, initialization } = settings;
  const isOfPairs = gradient === "exact" || gradient === "single";
  const sumsAllPairs = isOfPairs && dimensions === 2 && hasOneSum(settings);
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
    test: undefined,
    cause: undefined,
    history: [],
    options: {},
  };
}

/** "auto" brings a given map to the size of a start. One that was finished before, lower than where its schedule ends, stays as it is. */
function keptIfBetter(
  objective: EmbeddingObjective,
  { initialization, solver }: EmbedSettings,
  result: RunResult<EmbeddingDetails>,
): RunResult<EmbeddingDetails> {
  if (typeof initialization !== "object" || solver !== "auto") return result;
  const x = initialization.data.slice();
  centerColumns(x, initialization.columns);
  const gradient = new Float64Array(x.length);
  const value = objective.evaluate(x, gradient);
  const monitoringEvaluations = result.monitoringEvaluations + 1;
  if (result.value === undefined || !(value < result.value)) return { ...result, monitoringEvaluations };
  const message = `${result.message} The given map is lower, and stays as it is.`;
  return { ...result, x, value, gradientNorm: norm2(gradient), monitoringEvaluations, message };
}

/** At λ = 1, constant included; where the run knows E at another λ alone, this takes an evaluation that only measures. */
export function divergence(
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
export function reported(settings: EmbedSettings) {
  const { initialization } = settings;
  return {
    ...settings,
    initialization: typeof initialization === "string" ? initialization : ("given" as const),
  };
}

/** The map of one or two points, which no divergence can judge: a point at the origin, or two at a distance of 1. */
function fewPoints(data: DenseMatrix, options: ResolvedOptions): EmbedResult {
  const { method, dimensions, neighborSearch, seed, theta, solver } = options;
  const N = data.rows;
  const embedding = zeros(N, dimensions);
  const isApart = N === 2 && data.data.some((value, k) => value !== data.data[k % data.columns]);
  if (isApart) {
    embedding.data[0] = -0.5;
    embedding.data[dimensions] = 0.5;
  }
  const places = { ...embedding, data: embedding.data.slice() };
  const settings = {
    ...{
      neighborSearch: onProcessor(neighborSearch),
      seed,
      theta,
      lambda: 1,
      perplexity: 1,
      repulsion: undefined,
    },
    ...({ method: "tsne", neighbors: "all", gradient: "exact", metric: "euclidean" } as const),
  };
  const steps = { scaling: undefined, projection: undefined, preparation: undefined };
  const model = new MapModel({ ...steps, data, places, settings, gaps: new Float64Array(0) });
  return {
    x: embedding.data,
    last: embedding.data.slice(),
    ...{ value: undefined, gradientNorm: undefined, test: undefined, cause: undefined },
    ...{ iterations: 0, evaluations: 0, gradientEvaluations: 0, monitoringEvaluations: 0, passes: 0 },
    ...{ elapsedSeconds: 0, status: "converged", usable: true, history: [] },
    message: N === 1 ? "The map of one point is a point." : "The map of two points is two points.",
    embedding,
    klDivergence: undefined,
    neighborRecall: undefined,
    phases: { neighbors: 0, affinities: 0, initialization: 0, optimization: 0 },
    warnings: [
      {
        code: "few-points",
        message: `${N === 1 ? "One point has" : "Two points have"} no neighbourhoods to keep: where ${N === 1 ? "it lies" : "they lie"} means nothing.`,
      },
    ],
    options: { method, dimensions, solver, seed },
    model,
    transform: (newPoints, more) => model.transform(newPoints, more),
  };
}
