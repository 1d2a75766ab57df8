/**
 * The façade: answers in, map out. Answers → objects with a place → initial embedding → plan of the fit → run.
 */
import { type DenseMatrix, optionName, type Warning } from "@curvature/linalg";
import { comparisonCount, errorShare } from "@curvature/objectives/ordinal";
import {
  asTask,
  FacadeRun,
  type FacadeSteps,
  facade,
  maxIterations,
  maxPasses,
  type RunResult,
  type StoppingRule,
} from "@curvature/optim-core";
import {
  type AnalyzedAnswers,
  type AnswerSummary,
  analyzeAnswers,
  type Warn,
  warnOf,
} from "./answers/analyze-answers.js";
import { dependenceOf, groupsAt, looksGrouped } from "./answers/dependence.js";
import { type ErrorEstimate, errorEstimate } from "./answers/estimates.js";
import { type AnswerNoise, noiseOf } from "./answers/noise.js";
import { answersAt } from "./answers/parts.js";
import { withUnplaced } from "./answers/placed.js";
import { pairsNamed, questionsAsked } from "./answers/questions.js";
import { type Answers, type AnswersLike, readAnswers } from "./answers/read-answers.js";
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
import type { ChanceTest } from "./fit/chance.js";

export interface OrdinalEmbeddingResult extends RunResult<OrdinalEmbeddingDetails> {
  /**
   * The map: n × p, over the array `x`; centred, unless it began at a map of one's own that was not. Rows of objects
   * that no answer mentions are NaN: see `answers.unplaced`, and the warnings, which name them.
   */
  readonly embedding: DenseMatrix;
  /** The share of the answers that the map does not satisfy; ties are errors. */
  readonly trainingError: number;
  /**
   * The same for those answers of `test` whose objects all have a place; undefined without any. Of the others
   * (`testUnknown`) a map says nothing.
   */
  readonly testError: number | undefined;
  /** Answers of `test` about objects that no answer of the fit mentions. */
  readonly testUnknown: number;
  /** Its standard error and interval, over the trials of `test` and, where these are named, over its people. */
  readonly testEstimate: TestEstimate | undefined;
  /** Whether the map knows more than a coin; undefined for fewer than 20 trials, and where the signal or a limit of time ended the fit. */
  readonly chance: ChanceTest | undefined;
  /** What repeated questions say of the error that no map can go below; undefined where fewer than 20 questions came twice. */
  readonly noise: AnswerNoise | undefined;
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

/** How sure a test error is. */
export interface TestEstimate {
  /** Of the error on new trials (or questions) of the same people. */
  readonly trials: ErrorEstimate;
  /** Of the error on new people; undefined where nobody is named, and where one of the test's is in the fit. */
  readonly people: ErrorEstimate | undefined;
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
  const asked =
    settings.test && readAnswers(settings.test, { where: "ordinalEmbedding, test", objects, degenerate });
  const run = new FacadeRun<OrdinalEmbeddingDetails, OrdinalPhase>(settings);
  const warn: Warn = (code, sentence) => run.warn(code, sentence);
  const analyzed = await run.phase("answers", () => analyzeAnswers(read));
  const { placed, summary, comparisons } = analyzed;
  const test = asked && amongPlaced(asked, placed);
  checkDimensions("ordinalEmbedding", dimensions, comparisons.objects);
  warnOf(summary, warn);
  const testUnknown = comparisonsIn(asked) - comparisonsIn(test);
  if (testUnknown > 0)
    warn(
      "test-unknown",
      `${testUnknown} of the ${comparisonsIn(asked)} answers of ${optionName("test")} are about objects that no answer of the fit mentions. They are left out of the error.`,
    );
  if (read.groups === undefined && looksGrouped(comparisons.quadruplets, comparisons.objects))
    warn(
      "grouped",
      `The answers stand in runs about the same objects, as one trial makes several ("odd one out", "choose 2 of 8"), and no trial is named: errors on answers held out are too small, and regions too. Name them with ${optionName("groups")}.`,
    );
  const fit = await run.phase("initialization", async () => {
    const { makeFit } = await import("./fit/plan.js"); // with all solvers
    return makeFit(analyzed, test?.measured, settings, warn);
  });
  const result = yield* run.optimize(fit, limits(settings));
  const ridge = fit.bestRidge;
  const value = result.value ?? fit.valueAt(result.x, ridge);
  const x = withUnplaced(result.x, dimensions, placed, objects);
  const trainingError = errorShare(read.measured, x);
  const isUnbounded = result.status === "diverged" && result.test !== undefined;
  const usable = result.usable && !isUnbounded;
  const isCutShort = result.status === "aborted" || result.status === "time-limit" || !usable;
  const chance = isCutShort ? undefined : await chanceOf(analyzed, trainingError, settings);
  if (chance?.isBetter === false)
    warn(
      "chance",
      `The map is no better than chance: answers that were held out (${chance.units} units) agree with it no more often than with a coin (t = ${chance.statistic.toFixed(1)}). Its places, and regions around them, mean nothing. Check what the columns mean, or ask more questions.`,
    );
  return {
    ...result,
    usable,
    x,
    last: withUnplaced(result.last, dimensions, placed, objects),
    value: Number.isFinite(value) ? value : undefined,
    monitoringEvaluations: result.monitoringEvaluations + (result.value === undefined ? 1 : 0),
    embedding: { rows: objects, columns: dimensions, data: x },
    trainingError,
    testError: test && errorShare(test.measured, x),
    testUnknown,
    testEstimate: test && testEstimateOf(test, x, read.groups?.participant?.keys),
    chance,
    noise: noiseOf(comparisons, analyzed.questions),
    ridge,
    answers: summary,
    phases: run.phases("answers", "initialization", "optimization"),
    warnings: run.warnings,
    options: { ...result.options, ...reportedOptions(settings) },
  };
});

const comparisonsIn = (answers: Answers | undefined): number =>
  answers === undefined ? 0 : comparisonCount(answers.measured);

/** Those whose objects all have a place; undefined for none. */
function amongPlaced(answers: Answers, placed: Int32Array | undefined): Answers | undefined {
  if (placed === undefined) return answers;
  const { measured, measuredGroups } = answers;
  const known = new Set(placed);
  const order: number[] = [];
  for (let q = 0; q < comparisonCount(measured); q++)
    if (measured.quadruplets.subarray(4 * q, 4 * q + 4).every((object) => known.has(object))) order.push(q);
  if (order.length === 0) return undefined;
  return {
    ...answers,
    measured: answersAt(measured, order),
    measuredGroups: groupsAt(measuredGroups, order),
  };
}

async function chanceOf(
  { comparisons, dependence }: AnalyzedAnswers,
  trainingError: number,
  { loss, dimensions, mu, alpha, seed, signal }: OrdinalEmbeddingSettings,
): Promise<ChanceTest | undefined> {
  const { chanceTest, isBeyondChance } = await import("./fit/chance.js");
  if (dependence.coarsestKind === "question" && isBeyondChance(comparisons, dimensions, trainingError))
    return { isBetter: true, statistic: Number.POSITIVE_INFINITY, units: dependence.coarsest.count };
  try {
    const fit = { loss, dimensions, mu, alpha, seed };
    return await chanceTest(comparisons, dependence, fit, (work) => asTask(work, signal));
  } catch (error) {
    if (signal?.aborted === true) return undefined; // there is a map, and it is what was asked for
    throw error;
  }
}

/** @param fitted - the labels of the people whose answers were fitted to */
function testEstimateOf(
  { measured, measuredGroups }: Answers,
  x: Float64Array,
  fitted: readonly string[] = [],
): TestEstimate {
  const questions = questionsAsked(pairsNamed(measured.quadruplets));
  const { trials, people } = dependenceOf(measured.quadruplets, questions, measuredGroups);
  const known = new Set(fitted);
  return {
    trials: errorEstimate(measured, trials, x),
    people: people?.keys.some((each) => known.has(each))
      ? undefined
      : people && errorEstimate(measured, people, x),
  };
}

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
