/**
 * How many dimensions the answers need, by cross-validation: the answers' questions are divided into folds; for each
 * candidate and fold a map is fitted to the others (L-BFGS, 40 iterations, a ridge of 0.03) and its error measured on
 * the fold.
 *
 * The least error decides. The rule of one standard error, measured beside it, picks too few dimensions on answers of
 * people; gaps in the eigenvalues of the answers do not show the dimension at all.
 */
import {
  anything,
  badOption,
  callback,
  checkOptions,
  integerFrom,
  oneOf,
  optional,
  RandomGenerator,
} from "@curvature/linalg";
import {
  type Comparisons,
  comparisonCount,
  errorShare,
  type OrdinalLossName,
  ordinalLossNames,
} from "@curvature/objectives/ordinal";
import { timed } from "@curvature/optim-core";
import type { DegenerateAnswers, GivenAnswers } from "./answers/given-answers.js";
import { evenParts, separated } from "./answers/parts.js";
import { type PreparedAnswers, prepareAnswers } from "./answers/prepared.js";
import { readAnswers } from "./answers/read-answers.js";
import { quickFit } from "./auto/quick-fit.js";

export interface DimensionOptions {
  /** Default 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, below the number of objects. */
  readonly candidates?: readonly number[];
  /** Parts of the answers that are held out in turn, at least 2. Default 5. */
  readonly folds?: number;
  /** Default "soe". */
  readonly loss?: OrdinalLossName;
  readonly objects?: number;
  readonly weights?: ArrayLike<number>;
  /** Default "error". */
  readonly degenerate?: DegenerateAnswers;
  /** Default 0. */
  readonly seed?: number;
  readonly signal?: AbortSignal;
  /** Hears of every candidate when it is judged. */
  readonly onCandidate?: (candidate: DimensionCandidate) => void;
}

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

interface Settings {
  readonly candidates: readonly number[] | undefined;
  readonly folds: number;
  readonly loss: OrdinalLossName;
  readonly objects: number | undefined;
  readonly weights: ArrayLike<number> | undefined;
  readonly degenerate: DegenerateAnswers;
  readonly seed: number;
  readonly signal: AbortSignal | undefined;
  readonly onCandidate: ((candidate: DimensionCandidate) => void) | undefined;
}

export const dimensionDefaults: Settings = Object.freeze({
  candidates: undefined,
  folds: 5,
  loss: "soe",
  objects: undefined,
  weights: undefined,
  degenerate: "error",
  seed: 0,
  signal: undefined,
  onCandidate: undefined,
});

const usualCandidates = [1, 2, 3, 4, 5, 6, 8, 10, 12, 15];
const RIDGE = 0.03;
const ITERATIONS = 40;

/**
 * Chooses p by cross-validation. Time: folds × candidates fits of some 50 passes each.
 *
 * @throws CurvatureError (the promise rejects) as `ordinalEmbedding`; the signal's reason if it is aborted
 */
export async function chooseDimension(
  answers: GivenAnswers,
  options: DimensionOptions = {},
): Promise<DimensionChoice> {
  const settings = checkOptions<Settings>("chooseDimension", options, dimensionDefaults, {
    candidates: anything,
    folds: integerFrom(2),
    loss: oneOf(...ordinalLossNames),
    objects: optional(integerFrom(1)),
    weights: anything,
    degenerate: oneOf("error", "drop", "keep"),
    seed: integerFrom(0),
    signal: anything,
    onCandidate: optional(callback),
  });
  const { objects, weights, degenerate, signal } = settings;
  const reading = await timed(() => {
    const read = readAnswers(answers, { where: "chooseDimension", objects, weights, degenerate });
    const prepared = prepareAnswers(read);
    const random = new RandomGenerator(settings.seed);
    checkFolds(settings.folds, prepared);
    return { prepared, partOf: evenParts(prepared.questions, settings.folds, random) };
  }, signal);
  const { prepared, partOf } = reading.value;
  const judged: DimensionCandidate[] = [];
  for (const dimensions of candidatesOf(settings, prepared.comparisons.objects)) {
    const candidate = await judge(dimensions, prepared.comparisons, partOf, settings);
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
    const { value } = await timed(() => {
      const { inside, outside } = separated(comparisons, partOf, fold);
      const X = quickFit(outside, { loss, dimensions, ridge: RIDGE, iterations: ITERATIONS, seed });
      const weight = inside.weights?.reduce((sum, w) => sum + w, 0) ?? comparisonCount(inside);
      return { error: errorShare(inside, X), weight };
    }, signal);
    errors.push(value.error);
    wrong += value.error * value.weight;
    total += value.weight;
  }
  const mean = errors.reduce((sum, error) => sum + error, 0) / folds;
  const squares = errors.reduce((sum, error) => sum + (error - mean) * (error - mean), 0);
  return { dimensions, error: wrong / total, standardError: Math.sqrt(squares / (folds * (folds - 1))) };
}

function candidatesOf({ candidates }: Settings, objects: number): readonly number[] {
  if (candidates === undefined) return usualCandidates.filter((p) => p < objects);
  const isList =
    Array.isArray(candidates) &&
    candidates.length > 0 &&
    candidates.every((p) => Number.isSafeInteger(p) && p >= 1 && p < objects);
  if (!isList)
    throw badOption("chooseDimension", "candidates", `whole numbers from 1 to ${objects - 1}`, candidates);
  return [...new Set(candidates)].sort((a, b) => a - b);
}

function checkFolds(folds: number, { questions }: PreparedAnswers): void {
  if (folds > questions.count)
    throw badOption("chooseDimension", "folds", `at most ${questions.count}, the different questions`, folds);
}
