/** Answers divided in two: to fit, and to measure the error with. */
import { CurvatureError, checkOptions, integerFrom, RandomGenerator, type Rule } from "@curvature/linalg";
import { type Comparisons, comparisonCount } from "@curvature/objectives/ordinal";
import type { GivenAnswers } from "./given-answers.js";
import { pairsNamed } from "./pairs-named.js";
import { heldOut } from "./parts.js";
import { questionsAsked } from "./questions-asked.js";
import { readAnswers } from "./read-answers.js";

export interface SplitOptions {
  /** The share of the answers that are held out, above 0 and below 1. Default 0.2. */
  readonly test: number;
  /** Default 0. */
  readonly seed: number;
}

export const splitDefaults: SplitOptions = Object.freeze({ test: 0.2, seed: 0 });

export interface SplitAnswers {
  readonly train: Comparisons;
  readonly test: Comparisons;
}

const aShare: Rule = {
  expected: "a number above 0 and below 1",
  accepts: (value) => typeof value === "number" && value > 0 && value < 1,
};

/**
 * Holds out a share of the answers, drawn at random. Answers to one question stay together: an error on answers of which
 * the fit has heard already, by the same question, would be too small.
 *
 * @returns answers that compare an object or a pair to itself are kept as they are, like all others
 * @throws CurvatureError ERR_SHAPE, also where there are fewer than two different questions; ERR_ARGUMENT,
 *   ERR_NON_FINITE, ERR_OPTION
 */
export function splitAnswers(answers: GivenAnswers, options: Partial<SplitOptions> = {}): SplitAnswers {
  const { test, seed } = checkOptions("splitAnswers", options, splitDefaults, {
    test: aShare,
    seed: integerFrom(0),
  });
  const { measured } = readAnswers(answers, { where: "splitAnswers", degenerate: "keep" });
  const questions = questionsAsked(pairsNamed(measured.quadruplets));
  const target = Math.max(1, Math.round(test * comparisonCount(measured)));
  const parts = heldOut(measured, questions, target, new RandomGenerator(seed));
  if (parts !== undefined) return { train: parts.training, test: parts.validation };
  throw new CurvatureError(
    "ERR_SHAPE",
    `splitAnswers: the answers are to ${questions.count === 1 ? "one question" : `${questions.count} questions`}, too few to hold out a share of ${test}. Give more, or hold out less.`,
    { path: "answers", received: questions.count },
  );
}
