/**
 * The façade: answers in, map out. Answers → objects with a place → first map → plan of the fit → run.
 */
import type { DenseMatrix } from "@curvature/linalg";
import { type Comparisons, errorShare } from "@curvature/objectives/ordinal";
import {
  anyOf,
  fingerprintOf,
  maxIterations,
  maxPasses,
  type RunOptions,
  type RunResult,
  run,
  type StoppingRule,
  timed,
  timeLimit,
} from "@curvature/optim-core";
import type { GivenAnswers } from "./answers/given-answers.js";
import { type PreparedAnswers, prepareAnswers } from "./answers/prepared.js";
import { type Answers, readAnswers } from "./answers/read-answers.js";
import { type FirstMap, SPECTRAL_BELOW } from "./auto/first-maps.js";
import { makePlan } from "./auto/make-plan.js";
import { StagedFit } from "./auto/staged-fit.js";
import {
  checkDimensions,
  embeddingSettings,
  type OrdinalEmbeddingDetails,
  type OrdinalEmbeddingOptions,
  type OrdinalEmbeddingSettings,
} from "./embedding-options.js";
import type { OrdinalEmbeddingResult } from "./embedding-result.js";
import { placedMap, withGaps } from "./gaps.js";
import type { OrdinalWarning } from "./ordinal-warning.js";

/**
 * Places objects so that their distances answer as people (or measurements) did.
 *
 * Time grows with the answers times the dimensions, for "auto" some 100 to 400 times; memory with answers and objects,
 * and n² for a spectral start. The event loop gets its turn between the phases, and within the optimisation every
 * `yieldEvery` milliseconds.
 *
 * @param answers - which of two pairs of objects is nearer; see `GivenAnswers`
 * @throws CurvatureError (the promise rejects) ERR_SHAPE, ERR_ARGUMENT or ERR_NON_FINITE for the answers, ERR_OPTION,
 *   ERR_CHECKPOINT or ERR_SNAPSHOT for `resume`; the signal's reason if it is aborted before there is a map
 */
export async function ordinalEmbedding(
  answers: GivenAnswers,
  options: OrdinalEmbeddingOptions = {},
): Promise<OrdinalEmbeddingResult> {
  const settings = embeddingSettings("ordinalEmbedding", options);
  const { signal } = options;
  const reading = await timed(() => readProblem(answers, settings), signal);
  const problem = reading.value;
  const making = await timed(() => makeFit(problem, settings), signal);
  const { fit, warnings } = making.value;
  const result = await run(fit, { ...runOptions(options), stop: limits(settings) });
  return finished(problem, settings, fit, result, {
    warnings: [...problem.prepared.warnings, ...warnings],
    phases: {
      answers: reading.seconds,
      initialization: making.seconds,
      optimization: result.elapsedSeconds,
    },
  });
}

interface Problem {
  readonly answers: Answers;
  readonly prepared: PreparedAnswers;
  /** By which `testError` is measured. */
  readonly test: Comparisons | undefined;
}

function readProblem(given: GivenAnswers, settings: OrdinalEmbeddingSettings): Problem {
  const { objects, weights, degenerate, dimensions } = settings;
  const answers = readAnswers(given, { where: "ordinalEmbedding", objects, weights, degenerate });
  const prepared = prepareAnswers(answers);
  checkDimensions("ordinalEmbedding", dimensions, prepared.comparisons.objects);
  const test =
    settings.test === undefined
      ? undefined
      : readAnswers(settings.test, {
          where: "ordinalEmbedding, test",
          objects: answers.comparisons.objects,
          degenerate,
        }).measured;
  return { answers, prepared, test };
}

function makeFit(
  { answers, prepared, test }: Problem,
  settings: OrdinalEmbeddingSettings,
): { readonly fit: StagedFit; readonly warnings: readonly OrdinalWarning[] } {
  const { comparisons, placed } = prepared;
  const { dimensions, solver, tolerance, seed } = settings;
  const { objects } = answers.comparisons;
  const first = firstMap(settings, objects, prepared);
  const { plan, warnings } = makePlan(prepared, settings, first);
  const testError =
    test === undefined
      ? undefined
      : (x: Float64Array) => errorShare(test, withGaps(x, dimensions, placed, objects));
  const fit = new StagedFit(plan, {
    name: solver,
    dimension: comparisons.objects * dimensions,
    fingerprint: fingerprintOf(
      "ordinal embedding",
      comparisons.quadruplets,
      comparisons.weights ?? "even",
      plan.first(0),
      test?.quadruplets ?? "no test",
      settings.loss,
      settings.mu,
      settings.alpha ?? "usual alpha",
      String(settings.ridge),
      settings.validation,
      settings.restarts,
      dimensions,
      seed,
    ),
    options: reported(settings),
    tolerance,
    testError,
  });
  return { fit, warnings };
}

function firstMap(settings: OrdinalEmbeddingSettings, objects: number, prepared: PreparedAnswers): FirstMap {
  const { initialization, dimensions } = settings;
  if (initialization === "auto")
    return { kind: prepared.comparisons.objects < SPECTRAL_BELOW ? "spectral" : "random" };
  if (initialization === "spectral" || initialization === "random") return { kind: initialization };
  return {
    kind: "given",
    map: placedMap(initialization, "initialization", objects, dimensions, prepared.placed),
  };
}

function limits({
  maxPasses: passes,
  maxIterations: iterations,
  maxSeconds,
}: OrdinalEmbeddingSettings): StoppingRule {
  return anyOf(
    ...(iterations === undefined ? [] : [maxIterations(iterations)]),
    ...(passes === undefined ? [] : [maxPasses(passes)]),
    ...(maxSeconds === undefined ? [] : [timeLimit(maxSeconds)]),
  );
}

/** What goes to `run` as it is. */
function runOptions(options: OrdinalEmbeddingOptions): RunOptions<OrdinalEmbeddingDetails> {
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

function finished(
  { answers, prepared, test }: Problem,
  { dimensions }: OrdinalEmbeddingSettings,
  fit: StagedFit,
  result: RunResult<OrdinalEmbeddingDetails>,
  rest: Pick<OrdinalEmbeddingResult, "warnings" | "phases">,
): OrdinalEmbeddingResult {
  if (result.status === "failed" && result.iterations === 0) throw result.cause;
  const { objects } = answers.comparisons;
  const { placed } = prepared;
  const ridge = fit.bestRidge;
  const value = result.value ?? fit.valueAt(result.x, ridge);
  const monitoringEvaluations = result.monitoringEvaluations + (result.value === undefined ? 1 : 0);
  const x = withGaps(result.x, dimensions, placed, objects);
  const embedding: DenseMatrix = { rows: objects, columns: dimensions, data: x };
  return {
    ...result,
    ...rest,
    x,
    last: withGaps(result.last, dimensions, placed, objects),
    value: Number.isFinite(value) ? value : undefined,
    monitoringEvaluations,
    embedding,
    trainingError: errorShare(answers.measured, x),
    testError: test === undefined ? undefined : errorShare(test, x),
    ridge,
    answers: prepared.summary,
  };
}

/** The settings as plain data. */
function reported(settings: OrdinalEmbeddingSettings): Readonly<Record<string, unknown>> {
  const { initialization, weights, test, ...plain } = settings;
  return {
    ...plain,
    initialization: typeof initialization === "string" ? initialization : "given",
    weights: weights === undefined ? undefined : "given",
    test: test === undefined ? undefined : "given",
  };
}
