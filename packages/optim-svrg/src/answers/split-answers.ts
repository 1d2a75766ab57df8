/** Answers divided in two: to fit, and to measure the error with. */
import {
  CurvatureError,
  integerFrom,
  type OptionsOf,
  oneOf,
  optionName,
  optionTable,
  RandomGenerator,
  strictlyBetween,
} from "@curvature/linalg";
import { type Comparisons, comparisonCount } from "@curvature/objectives/ordinal";
import { type AnswerGroups, dependenceOf, type NumberedGroups } from "./dependence.js";
import { heldOut } from "./parts.js";
import { pairsNamed, questionsAsked } from "./questions.js";
import { type AnswersLike, answerEntries, readAnswers } from "./read-answers.js";

export const splitOptions = optionTable({
  /** The share of the answers that are held out. */
  test: strictlyBetween(0, 1).default(0.2),
  groups: answerEntries.groups,
  /**
   * What is held out as a whole. "trial": trials, or questions where none are named, so that the error is that on new
   * trials of the same people; "participant": people, so that it is the error on new people.
   */
  by: oneOf("trial", "participant").default("trial"),
  seed: integerFrom(0).default(0),
});
export type SplitOptions = OptionsOf<typeof splitOptions>;

export interface SplitAnswers {
  readonly train: Comparisons & { readonly groups?: AnswerGroups | undefined };
  readonly test: Comparisons & { readonly groups?: AnswerGroups | undefined };
}

/**
 * Holds out a share of the answers, drawn at random. Answers of one question stay together, or those of one trial or one
 * person where `groups` names them: an error on answers of which the fit has seen already, by the same question, would
 * be too small.
 *
 * @returns answers that compare an object or a pair to itself are kept as they are, like all others; their groups go with
 *   them
 * @throws CurvatureError ERR_SHAPE, also where there are fewer than two different questions, trials or people;
 *   ERR_ARGUMENT, ERR_NON_FINITE, ERR_OPTION
 */
export function splitAnswers(answers: AnswersLike, options?: SplitOptions): SplitAnswers {
  const { test, seed, groups: named, by } = splitOptions.resolve("splitAnswers", options);
  const { measured, measuredGroups: groups } = readAnswers(answers, {
    where: "splitAnswers",
    groups: named,
    degenerate: "keep",
  });
  const { trials, people } = dependenceOf(
    measured.quadruplets,
    questionsAsked(pairsNamed(measured.quadruplets)),
    groups,
  );
  if (by === "participant" && people === undefined)
    throw new CurvatureError(
      "ERR_OPTION",
      `${optionName("by", "participant")} holds out people, and none are named. Name them with groups: { participant }.`,
      { where: "splitAnswers", path: "by" },
    );
  const units = by === "participant" && people !== undefined ? people : trials;
  const target = Math.max(1, Math.round(test * comparisonCount(measured)));
  const parts = heldOut(measured, units, target, new RandomGenerator(seed));
  if (parts !== undefined)
    return {
      train: { ...parts.training, groups: labelsAt(groups, parts.trainingAt) },
      test: { ...parts.validation, groups: labelsAt(groups, parts.validationAt) },
    };
  const [one, many] =
    by === "participant"
      ? ["person", "people"]
      : groups?.trial === undefined
        ? ["question", "questions"]
        : ["trial", "trials"];
  throw new CurvatureError(
    "ERR_SHAPE",
    `the answers are ${groups === undefined ? "to" : "of"} ${units.count === 1 ? `one ${one}` : `${units.count} ${many}`}, too few to hold out a share of ${test}. Give more, or hold out less.`,
    { where: "splitAnswers", path: "answers", received: units.count },
  );
}

function labelsAt(groups: NumberedGroups | undefined, order: Int32Array): AnswerGroups | undefined {
  return (
    groups && {
      trial: groups.trial && order.map((q) => groups.trial?.unitOf[q] ?? 0),
      participant: groups.participant && order.map((q) => groups.participant?.unitOf[q] ?? 0),
    }
  );
}
