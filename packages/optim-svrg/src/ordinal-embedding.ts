/**
 * The façade: answers in, map out. Answers → objects with a place → first map → plan of the fit → run.
 */
import type { DenseMatrix } from "@curvature/linalg";
import { errorShare } from "@curvature/objectives/ordinal";
import {
  anyOf,
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
import { prepareAnswers } from "./answers/prepared.js";
import { readAnswers } from "./answers/read-answers.js";
import type { OrdinalProblem } from "./auto/make-fit.js";
import type { StagedFit } from "./auto/staged-fit.js";
import {
  checkDimensions,
  embeddingSettings,
  type OrdinalEmbeddingDetails,
  type OrdinalEmbeddingOptions,
  type OrdinalEmbeddingSettings,
} from "./embedding-options.js";
import type { OrdinalEmbeddingResult } from "./embedding-result.js";
import { withGaps } from "./gaps.js";

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
  const { makeFit } = await import("./auto/make-fit.js"); // with all solvers, once the answers are known to be in order
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

function readProblem(given: GivenAnswers, settings: OrdinalEmbeddingSettings): OrdinalProblem {
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
  { answers, prepared, test }: OrdinalProblem,
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
