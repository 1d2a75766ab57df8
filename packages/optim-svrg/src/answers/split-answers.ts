/** Answers divided in two: to fit, and to measure the error with. */
import {
  CurvatureError,
  integerFrom,
  type OptionsOf,
  optionTable,
  RandomGenerator,
  strictlyBetween,
} from "@curvature/linalg";
import { type Comparisons, comparisonCount } from "@curvature/objectives/ordinal";
import { heldOut } from "./parts.js";
import { pairsNamed, questionsAsked } from "./questions.js";
import { type AnswersLike, readAnswers } from "./read-answers.js";

export const splitOptions = optionTable({
  /** The share of the answers that are held out. */
  test: strictlyBetween(0, 1).default(0.2),
  seed: integerFrom(0).default(0),
});
export type SplitOptions = OptionsOf<typeof splitOptions>;

export interface SplitAnswers {
  readonly train: Comparisons;
  readonly test: Comparisons;
}

/**
 * Holds out a share of the answers, drawn at random. Answers to one question stay together: an error on answers of which
 * the fit has seen already, by the same question, would be too small.
 *
 * @returns answers that compare an object or a pair to itself are kept as they are, like all others
 * @throws CurvatureError ERR_SHAPE, also where there are fewer than two different questions; ERR_ARGUMENT,
 *   ERR_NON_FINITE, ERR_OPTION
 */
export function splitAnswers(answers: AnswersLike, options?: SplitOptions): SplitAnswers {
  const { test, seed } = splitOptions.resolve("splitAnswers", options);
  const { measured } = readAnswers(answers, { where: "splitAnswers", degenerate: "keep" });
  const questions = questionsAsked(pairsNamed(measured.quadruplets));
  const target = Math.max(1, Math.round(test * comparisonCount(measured)));
  const parts = heldOut(measured, questions, target, new RandomGenerator(seed));
  if (parts !== undefined) return { train: parts.training, test: parts.validation };
  throw new CurvatureError(
    "ERR_SHAPE",
    `the answers are to ${questions.count === 1 ? "one question" : `${questions.count} questions`}, too few to hold out a share of ${test}. Give more, or hold out less.`,
    { where: "splitAnswers", path: "answers", received: questions.count },
  );
}
