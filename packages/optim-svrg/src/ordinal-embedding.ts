/**
 * The façade: answers in, map out. Answers → objects with a place → initial embedding → plan of the fit → run.
 */
import type { DenseMatrix, Warning } from "@curvature/linalg";
import { errorShare } from "@curvature/objectives/ordinal";
import {
  FacadeRun,
  type FacadeSteps,
  facade,
  maxIterations,
  maxPasses,
  type RunResult,
  type StoppingRule,
} from "@curvature/optim-core";
import { type AnswerSummary, analyzeAnswers, type Warn, warnOf } from "./answers/analyze-answers.js";
import { withUnplaced } from "./answers/placed.js";
import { type AnswersLike, readAnswers } from "./answers/read-answers.js";
import {
  checkDimensions,
  type OrdinalEmbeddingDetails,
  type OrdinalEmbeddingOptions,
  type OrdinalEmbeddingSettings,
  type OrdinalPhase,
  ordinalEmbeddingOptions,
  type ReportedOrdinalOptions,
  reportedOptions,
} from "./embedding-options.js";

export interface OrdinalEmbeddingResult extends RunResult<OrdinalEmbeddingDetails> {
  /**
   * The map: n × p, over the array `x`; centred, unless it began at a map of one's own that was not. Rows of objects
   * that no answer mentions are NaN: see `answers.unplaced`, and the warnings, which name them.
   */
  readonly embedding: DenseMatrix;
  /** The share of the answers that the map does not satisfy; ties are errors. */
  readonly trainingError: number;
  /** The same for `test`; undefined without it. */
  readonly testError: number | undefined;
  /** λ as chosen or given. */
  readonly ridge: number;
  readonly answers: AnswerSummary;
  /** Seconds: of finding out what the answers are about, of the initial embedding, and of the rest. */
  readonly phases: Readonly<Record<OrdinalPhase | "optimization", number>>;
  /** What a user should read of the answers or the method, empty where all is well: see `OrdinalWarningCode`. */
  readonly warnings: readonly Warning[];
  /** As used; "given" for data. */
  readonly options: ReportedOrdinalOptions & Readonly<Record<string, unknown>>;
}

/**
 * Places objects so that their distances answer as people (or measurements) did.
 *
 * Time grows with the answers times the dimensions, for "auto" some 100 to 400 times; memory with answers and objects,
 * and n² for a spectral start. The event loop gets its turn between the phases, and within the optimisation every
 * `yieldEvery` milliseconds. While it is fitted (`onIteration`, `iterate`) a map has rows only for objects that answers
 * mention.
 *
 * @param answers - which of two pairs of objects is nearer; see `AnswersLike`
 * @throws CurvatureError (the promise rejects) ERR_OPTION; ERR_SHAPE, ERR_ARGUMENT or ERR_NON_FINITE for the answers;
 *   ERR_MEMORY; ERR_CHECKPOINT or ERR_SNAPSHOT for `resume`; the signal's reason if it is aborted before there is a map
 */
export const ordinalEmbedding = facade(async function* (
  answers: AnswersLike,
  options?: OrdinalEmbeddingOptions,
): FacadeSteps<OrdinalEmbeddingDetails, OrdinalEmbeddingResult> {
  const settings = ordinalEmbeddingOptions.resolve("ordinalEmbedding", options);
  const { dimensions, degenerate } = settings;
  const read = readAnswers(answers, { where: "ordinalEmbedding", ...settings });
  const { objects } = read.comparisons;
  const test =
    settings.test && readAnswers(settings.test, { where: "ordinalEmbedding, test", objects, degenerate });
  const run = new FacadeRun<OrdinalEmbeddingDetails, OrdinalPhase>(settings);
  const warn: Warn = (code, sentence) => run.warn(code, sentence);
  const analyzed = await run.phase("answers", () => analyzeAnswers(read));
  const { placed, summary, comparisons } = analyzed;
  checkDimensions("ordinalEmbedding", dimensions, comparisons.objects);
  warnOf(summary, warn);
  const fit = await run.phase("initialization", async () => {
    const { makeFit } = await import("./fit/plan.js"); // with all solvers
    return makeFit(analyzed, test?.measured, settings, warn);
  });
  const result = yield* run.optimize(fit, limits(settings));
  const ridge = fit.bestRidge;
  const value = result.value ?? fit.valueAt(result.x, ridge);
  const x = withUnplaced(result.x, dimensions, placed, objects);
  return {
    ...result,
    x,
    last: withUnplaced(result.last, dimensions, placed, objects),
    value: Number.isFinite(value) ? value : undefined,
    monitoringEvaluations: result.monitoringEvaluations + (result.value === undefined ? 1 : 0),
    embedding: { rows: objects, columns: dimensions, data: x },
    trainingError: errorShare(read.measured, x),
    testError: test && errorShare(test.measured, x),
    ridge,
    answers: summary,
    phases: run.phases("answers", "initialization", "optimization"),
    warnings: run.warnings,
    options: { ...result.options, ...reportedOptions(settings) },
  };
});

/** Beside `maxSeconds`. */
function limits(settings: OrdinalEmbeddingSettings): readonly StoppingRule[] {
  const {
    maxPasses: passes = Number.POSITIVE_INFINITY,
    maxIterations: iterations = Number.POSITIVE_INFINITY,
  } = settings;
  return [
    ...(iterations < Number.POSITIVE_INFINITY ? [maxIterations(iterations)] : []),
    ...(passes < Number.POSITIVE_INFINITY ? [maxPasses(passes)] : []),
  ];
}
