/**
 * How many dimensions the answers need, by cross-validation: people (where `groups` names enough), trials or questions
 * are divided into folds; for each candidate and fold a map is fitted to the others (L-BFGS, 40 iterations, a ridge of
 * 0.03) and its error measured on the fold.
 *
 * The choice is the smallest candidate whose error is within k standard errors of the least, where the standard error is
 * that of the difference of the two, on the same answers, and for N answers and a least error at p dimensions
 *
 *   k = max(1, 1 + 2 log₂₀(N / (10 n p)))
 *
 * With many answers differences of no importance are significant: folds end in minima of their own, and one more
 * dimension gives a way round. So k grows, as Schwarz's criterion does: 1 at 10 answers for each coordinate, where a
 * dimension too few is the danger, 2 at 45 and 3 at 200. (The least error alone picks too many dimensions; gaps in the
 * eigenvalues of the answers do not show the dimension at all.)
 */
import {
  badOption,
  callable,
  integerFrom,
  log,
  type OptionsOf,
  option,
  optionTable,
  RandomGenerator,
  type SettingsOf,
} from "@curvature/linalg";
import type { Comparisons } from "@curvature/objectives/ordinal";
import { asTask, facadeEntries } from "@curvature/optim-core";
import { analyzeAnswers } from "./answers/analyze-answers.js";
import type { Units } from "./answers/dependence.js";
import {
  addErrors,
  addMargins,
  effectiveCount,
  emptyMargins,
  emptySums,
  judgesAmong,
  ratioOf,
  studentised,
  type UnitMargins,
  type UnitSums,
} from "./answers/estimates.js";
import { evenParts, separated } from "./answers/parts.js";
import { type AnswersLike, answerEntries, readAnswers } from "./answers/read-answers.js";
import { fitEntries } from "./embedding-options.js";
import { quickFit } from "./fit/quick-fit.js";

export interface DimensionCandidate {
  readonly dimensions: number;
  /** The error on the answers held out, over all folds. */
  readonly error: number;
  /** Of `error`, over the units that are held out. */
  readonly standardError: number;
  /** `error` less the least of all candidates. */
  readonly excess: number;
  /** Of `excess`, over the same units. */
  readonly excessError: number;
}

export interface DimensionChoice {
  /** The smallest candidate whose error is within `standardErrors` paired standard errors of the least. */
  readonly dimensions: number;
  /** k above. */
  readonly standardErrors: number;
  /**
   * "inside": candidates on both sides were tried and are worse or no better. "edge": the choice is the largest that was
   * tried, or the smallest and above 1, so that others may be better. "chance": no candidate is seen to be better than a coin.
   */
  readonly outcome: "inside" | "edge" | "chance";
  /** `outcome` in words, with what to do. */
  readonly message: string;
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
  onCandidate: callable<(candidate: Omit<DimensionCandidate, "excess" | "excessError">) => void>(),
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
  const { comparisons, units, judges, partOf } = await asTask(() => {
    const { comparisons, dependence } = analyzeAnswers(read);
    const { coarsest, trials } = dependence;
    const units = effectiveCount(coarsest) >= folds ? coarsest : trials; // one person may have given most answers
    checkFolds(folds, units);
    const judges = judgesAmong(dependence) ?? trials;
    return { comparisons, units, judges, partOf: evenParts(units, folds, new RandomGenerator(seed)) };
  }, signal);
  const judged: Judged[] = [];
  for (const dimensions of candidatesOf(settings, comparisons.objects)) {
    const candidate = await judge(dimensions, comparisons, { units, judges, partOf }, settings);
    judged.push(candidate);
    settings.onCandidate?.(candidate.said);
  }
  return chosen(judged, comparisons);
}

/** A candidate with its sums by unit. */
interface Judged {
  readonly said: Pick<DimensionCandidate, "dimensions" | "error" | "standardError">;
  readonly sums: UnitSums;
  /** Of the margins of answers held out, by unit: of coin flips their mean is 0. */
  readonly margins: UnitMargins;
}

/** What answers are divided by, what the test against chance counts as independent, and which part each unit is in. */
interface Division {
  readonly units: Units;
  readonly judges: Units;
  readonly partOf: Int32Array;
}

async function judge(
  dimensions: number,
  comparisons: Comparisons,
  { units: { count, unitOf }, judges, partOf }: Division,
  { folds, loss, seed, signal }: Settings,
): Promise<Judged> {
  const sums = emptySums(count);
  const margins = emptyMargins(judges.count);
  for (let fold = 0; fold < folds; fold++)
    await asTask(() => {
      const { inside, outside, insideAt } = separated(comparisons, partOf, fold);
      const X = quickFit(outside, { loss, dimensions, ridge: RIDGE, iterations: ITERATIONS, seed });
      addErrors(sums, inside, (q) => unitOf[insideAt[q]], X);
      addMargins(margins, inside, (q) => judges.unitOf[insideAt[q]], X);
    }, signal);
  const { ratio: error, standardError } = ratioOf(sums);
  return { said: { dimensions, error, standardError }, sums, margins };
}

function chosen(judged: readonly Judged[], { objects, quadruplets }: Comparisons): DimensionChoice {
  const best = judged.reduce((least, other) => (other.said.error < least.said.error ? other : least));
  const candidates = judged.map(({ said, sums }) => {
    const wrong = sums.wrong.map((each, g) => each - best.sums.wrong[g]);
    const { ratio: excess, standardError: excessError } = ratioOf({ wrong, weight: sums.weight });
    return { ...said, excess, excessError };
  });
  const coordinates = objects * best.said.dimensions;
  const standardErrors = Math.max(1, 1 + (2 * log(quadruplets.length / 4 / (10 * coordinates))) / log(20));
  const isGood = ({ excess, excessError }: DimensionCandidate): boolean =>
    excess <= standardErrors * excessError;
  const { dimensions } = candidates.find(isGood) ?? best.said;
  const smallest = candidates[0].dimensions;
  const largest = candidates[candidates.length - 1].dimensions;
  const choice = { dimensions, standardErrors, candidates };
  const { isBeyond } = studentised(best.margins);
  if (isBeyond !== true)
    return {
      ...{ ...choice, outcome: "chance" },
      message:
        isBeyond === false
          ? "No number of dimensions that was tried predicts new answers better than a coin."
          : "There are too few answers to tell whether any number of dimensions predicts new ones better than a coin.",
    };
  if (dimensions === largest && largest < objects - 1)
    return {
      ...{ ...choice, outcome: "edge" },
      message: `${dimensions} is the most that was tried: more dimensions may be better. Try larger candidates.`,
    };
  if (dimensions === smallest && smallest > 1)
    return {
      ...{ ...choice, outcome: "edge" },
      message: `${dimensions} is the least that was tried: fewer dimensions may do. Try smaller candidates.`,
    };
  return {
    ...{ ...choice, outcome: "inside" },
    message: `${dimensions} is the smallest number of dimensions within ${standardErrors.toFixed(1)} standard errors of the least error.`,
  };
}

function candidatesOf({ candidates }: Settings, objects: number): readonly number[] {
  if (candidates === undefined) return usualCandidates.filter((p) => p < objects);
  if (candidates.some((p) => p >= objects))
    throw badOption("chooseDimension", "candidates", `whole numbers from 1 to ${objects - 1}`, candidates);
  return [...new Set(candidates)].sort((a, b) => a - b);
}

function checkFolds(folds: number, { count }: Units): void {
  if (folds > count)
    throw badOption("chooseDimension", "folds", `at most ${count}, the different questions or trials`, folds);
}
