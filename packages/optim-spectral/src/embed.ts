/**
 * The façade: points in, map out. Neighbours → affinities → objective → first map → solver → run.
 */
import type { DenseMatrix, SparseMatrix, SparseMatrixLike } from "@curvature/linalg";
import { type EmbeddingObjective, laplacianEigenmaps, type Weights } from "@curvature/objectives/embedding";
import {
  decodeCheckpoint,
  fingerprintOf,
  type RunOptions,
  type RunResult,
  run,
  throwIfAborted,
  timed,
} from "@curvature/optim-core";
import { chooseSolver } from "./choose-solver.js";
import { embedSettings, gradientWarnings } from "./chosen-settings.js";
import type { Size } from "./embed-limits.js";
import type { EmbedOptions } from "./embed-options.js";
import type { EmbedResult } from "./embed-result.js";
import type { EmbedSettings } from "./embed-settings.js";
import type { EmbeddingDetails } from "./embedding-details.js";
import { embeddingProblem, neighborhood, searchReport } from "./embedding-problem.js";
import { identified } from "./identified.js";
import { initialMap } from "./initial-map.js";
import { laplacianResult } from "./laplacian-result.js";
import { PhaseListener } from "./phase-listener.js";
import { finitePoints, type Projected, projected } from "./projection.js";
import { stoppingRules } from "./stopping.js";
import { type MapThreads, threadsFor } from "./threads.js";
import { timedSteps } from "./timed-steps.js";
import { transformer } from "./transform.js";

/**
 * Maps points to a plane (or line, or space) so that near points stay near.
 *
 * The event loop gets its turn between the phases, between steps of the search for neighbours and (from 4,097 points on) of the
 * affinities, and within the optimisation every `yieldEvery` milliseconds.
 *
 * @param points - N × D, at least 3 rows, not to be changed before there is a map; sparse ones need the option `pca`
 * @throws CurvatureError (the promise rejects) ERR_SHAPE or ERR_NON_FINITE for the points, ERR_OPTION, ERR_MEMORY, and
 *   ERR_CHECKPOINT or ERR_SNAPSHOT for `resume`; the signal's reason if it is aborted before there is a map
 */
export async function embed(points: SparseMatrixLike, options: EmbedOptions = {}): Promise<EmbedResult> {
  const given = finitePoints(points, "points");
  const settings = embedSettings(options, given);
  const { signal, resume } = options;
  if (resume !== undefined) decodeCheckpoint(resume);
  throwIfAborted(signal);
  const threads = await threadsFor(settings, given.rows);
  try {
    return await mapped(given, settings, options, threads);
  } finally {
    threads.close();
  }
}

async function mapped(
  given: DenseMatrix | SparseMatrix,
  settings: EmbedSettings,
  options: EmbedOptions,
  threads: MapThreads,
): Promise<EmbedResult> {
  const { signal } = options;
  const listener = new PhaseListener(options.onPhase);
  listener.tell("neighbors", undefined);
  const projection = await timed(() => projected(given, settings, threads.components), signal);
  const { data } = projection.value;
  const near = await timedSteps(neighborhood(data, settings, threads.shared), signal, (share) =>
    listener.tell("neighbors", share),
  );
  await listener.caughtUp();
  listener.tell("affinities", undefined);
  const problem = await timedSteps(
    embeddingProblem(data, near.value, settings, threads.shared),
    signal,
    () => undefined,
  );
  await listener.caughtUp();
  const { objective, affinities } = problem.value;
  const { neighborRecall, neighborSearch, warnings } = searchReport(near.value);
  const prepared: Prepared = {
    given: { rows: given.rows, columns: given.columns },
    projected: projection.value,
    settings: { ...settings, neighborSearch },
    affinities,
    neighborRecall,
    warnings: [
      ...gradientWarnings(options, settings),
      ...projection.value.warnings,
      ...warnings,
      ...problem.value.warnings,
    ],
    seconds: { neighbors: projection.seconds + near.seconds, affinities: problem.seconds },
    threads,
    listener,
  };
  return settings.method === "laplacian"
    ? mapByEigenvectors(prepared, signal)
    : mapByDescent(prepared, objective, options);
}

/** What both ways to a map begin with. */
interface Prepared {
  /** The sizes of the points. */
  readonly given: Size;
  readonly projected: Projected;
  readonly settings: EmbedSettings;
  readonly affinities: Weights;
  readonly neighborRecall: number | undefined;
  readonly warnings: readonly string[];
  readonly seconds: { readonly neighbors: number; readonly affinities: number };
  readonly threads: MapThreads;
  readonly listener: PhaseListener;
}

async function mapByDescent(
  prepared: Prepared,
  objective: EmbeddingObjective,
  options: EmbedOptions,
): Promise<EmbedResult> {
  const { projected, affinities, settings, seconds, threads, listener } = prepared;
  const { signal } = options;
  listener.tell("initialization", undefined);
  const start = await timed(
    () => initialMap(projected.data, affinities, settings, threads.components),
    signal,
  );
  await listener.caughtUp();
  listener.tell("optimization", undefined);
  const chosen = await timed(() => chooseSolver(objective, start.value, settings), signal);
  const origin = fingerprintOf(
    objective.fingerprint,
    start.value.data,
    settings.seed,
    String(settings.kappa),
    String(settings.homotopy),
  );
  await listener.caughtUp();
  const solver = identified(chosen.value.solver, origin);
  const result = await run(solver, { ...runOptions(options), stop: stoppingRules(settings) });
  return finished(prepared, result, {
    ...divergence(objective, result),
    phases: {
      ...seconds,
      initialization: start.seconds,
      optimization: chosen.seconds + result.elapsedSeconds,
    },
    warnings: [...prepared.warnings, ...chosen.value.warnings, ...threads.warnings],
  });
}

async function mapByEigenvectors(prepared: Prepared, signal: AbortSignal | undefined): Promise<EmbedResult> {
  const { affinities, settings, seconds, threads, listener } = prepared;
  const { dimensions } = settings;
  listener.tell("optimization", undefined);
  await listener.caughtUp();
  const found = await timed(() => laplacianEigenmaps(affinities, { dimensions }), signal);
  const { coordinates, warnings } = found.value;
  return finished(prepared, laplacianResult(coordinates, found.seconds), {
    klDivergence: undefined,
    monitoringEvaluations: 0,
    phases: { ...seconds, initialization: 0, optimization: found.seconds },
    warnings: [...prepared.warnings, ...warnings, ...threads.warnings],
  });
}

function finished(
  { given, projected, settings, neighborRecall, threads }: Prepared,
  result: RunResult<EmbeddingDetails>,
  rest: Pick<EmbedResult, "klDivergence" | "monitoringEvaluations" | "phases" | "warnings">,
): EmbedResult {
  const embedding = { rows: given.rows, columns: settings.dimensions, data: result.x };
  return {
    ...result,
    ...rest,
    embedding,
    neighborRecall,
    options: { ...result.options, ...reported(settings), threads: threads.started },
    transform: transformer(given, projected, embedding, settings),
  };
}

/** What goes to `run` as it is. */
function runOptions(options: EmbedOptions): RunOptions<EmbeddingDetails> {
  const { signal, onIteration, yieldEvery, checkpoint, resume, history } = options;
  return {
    ...(signal === undefined ? {} : { signal }),
    ...(onIteration === undefined ? {} : { onIteration }),
    ...(yieldEvery === undefined ? {} : { yieldEvery }),
    ...(checkpoint === undefined ? {} : { checkpoint }),
    ...(resume === undefined ? {} : { resume }),
    ...(history === undefined ? {} : { history }),
  };
}

/** At λ = 1, constant included; where the run knows E at another λ alone, this takes an evaluation that only watches. */
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
function reported(settings: EmbedSettings): Readonly<Record<string, unknown>> {
  const { initialization } = settings;
  return {
    ...settings,
    initialization: typeof initialization === "string" ? initialization : "given",
  };
}
