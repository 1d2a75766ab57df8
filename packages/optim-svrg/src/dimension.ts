/**
 * How many dimensions the answers need, by cross-validation: the answers' questions are divided into folds; for each
 * candidate and fold a map is fitted to the others (L-BFGS, 40 iterations, a ridge of 0.03) and its error measured on
 * the fold.
 *
 * The least error decides. The rule of one standard error, measured beside it, picks too few dimensions on answers of
 * people; gaps in the eigenvalues of the answers do not show the dimension at all.
 */
import {
  badOption,
  callable,
  integerFrom,
  type OptionsOf,
  option,
  optionTable,
  RandomGenerator,
  type SettingsOf,
} from "@curvature/linalg";
import { type Comparisons, comparisonCount, errorShare } from "@curvature/objectives/ordinal";
import { asTask, facadeEntries } from "@curvature/optim-core";
import { analyzeAnswers } from "./answers/analyze-answers.js";
import { evenParts, separated } from "./answers/parts.js";
import type { QuestionsAsked } from "./answers/questions.js";
import { type AnswersLike, answerEntries, readAnswers } from "./answers/read-answers.js";
import { fitEntries } from "./embedding-options.js";
import { quickFit } from "./fit/quick-fit.js";

export interface DimensionCandidate {
  readonly dimensions: number;
  /** The error on the answers held out, over all folds. */
  readonly error: number;
  /** Of `error`, over the folds. */
  readonly standardError: number;
}

export interface DimensionChoice {
  /** The candidate of the least error; of equal ones the smallest. */
  readonly dimensions: number;
  /** In increasing order of their dimensions. */
  readonly candidates: readonly DimensionCandidate[];
}

const isCandidate = (p: unknown): p is number => Number.isSafeInteger(p) && Number(p) >= 1;

export const dimensionOptions = optionTable({
  ...answerEntries,
  /** Left out: 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, below the number of objects. */
  candidates: option(
    "an array of at least one whole number of at least 1",
    (value): value is readonly number[] =>
      Array.isArray(value) && value.length > 0 && value.findIndex((p) => !isCandidate(p)) < 0,
  ),
  /** Parts of the answers that are held out in turn. */
  folds: integerFrom(2).default(5),
  loss: fitEntries.loss,
  seed: integerFrom(0).default(0),
  signal: facadeEntries().signal,
  /** Called with every candidate when it is judged. */
  onCandidate: callable<(candidate: DimensionCandidate) => void>(),
});
export type DimensionOptions = OptionsOf<typeof dimensionOptions>;
type Settings = SettingsOf<typeof dimensionOptions>;

const usualCandidates = [1, 2, 3, 4, 5, 6, 8, 10, 12, 15];
const RIDGE = 0.03;
const ITERATIONS = 40;

/**
 * Chooses p by cross-validation. Time: folds × candidates fits of some 50 passes each.
 *
 * @throws CurvatureError (the promise rejects) as `ordinalEmbedding`; the signal's reason if it is aborted
 */
export async function chooseDimension(
  answers: AnswersLike,
  options?: DimensionOptions,
): Promise<DimensionChoice> {
  const settings = dimensionOptions.resolve("chooseDimension", options);
  const { folds, seed, signal } = settings;
  const read = readAnswers(answers, { where: "chooseDimension", ...settings });
  const { comparisons, partOf } = await asTask(() => {
    const { comparisons, questions } = analyzeAnswers(read);
    checkFolds(folds, questions);
    return { comparisons, partOf: evenParts(questions, folds, new RandomGenerator(seed)) };
  }, signal);
  const judged: DimensionCandidate[] = [];
  for (const dimensions of candidatesOf(settings, comparisons.objects)) {
    const candidate = await judge(dimensions, comparisons, partOf, settings);
    judged.push(candidate);
    settings.onCandidate?.(candidate);
  }
  const best = judged.reduce((least, other) => (other.error < least.error ? other : least));
  return { dimensions: best.dimensions, candidates: judged };
}

async function judge(
  dimensions: number,
  comparisons: Comparisons,
  partOf: Int32Array,
  { folds, loss, seed, signal }: Settings,
): Promise<DimensionCandidate> {
  const errors: number[] = [];
  let wrong = 0;
  let total = 0;
  for (let fold = 0; fold < folds; fold++) {
    const { error, weight } = await asTask(() => {
      const { inside, outside } = separated(comparisons, partOf, fold);
      const X = quickFit(outside, { loss, dimensions, ridge: RIDGE, iterations: ITERATIONS, seed });
      const weight = inside.weights?.reduce((sum, w) => sum + w, 0) ?? comparisonCount(inside);
      return { error: errorShare(inside, X), weight };
    }, signal);
    errors.push(error);
    wrong += error * weight;
    total += weight;
  }
  const mean = errors.reduce((sum, error) => sum + error, 0) / folds;
  const squares = errors.reduce((sum, error) => sum + (error - mean) * (error - mean), 0);
  return { dimensions, error: wrong / total, standardError: Math.sqrt(squares / (folds * (folds - 1))) };
}

function candidatesOf({ candidates }: Settings, objects: number): readonly number[] {
  if (candidates === undefined) return usualCandidates.filter((p) => p < objects);
  if (candidates.some((p) => p >= objects))
    throw badOption("chooseDimension", "candidates", `whole numbers from 1 to ${objects - 1}`, candidates);
  return [...new Set(candidates)].sort((a, b) => a - b);
}

function checkFolds(folds: number, { count }: QuestionsAsked): void {
  if (folds > count)
    throw badOption("chooseDimension", "folds", `at most ${count}, the different questions`, folds);
}
