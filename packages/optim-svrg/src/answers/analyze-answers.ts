/**
 * Answers made ready for a fit: objects that nobody speaks of are left out, and the groups that no answer connects are
 * found.
 */
import type { Comparisons } from "@curvature/objectives/ordinal";
import type { OrdinalWarning } from "../ordinal-warning.js";
import { answersInCircles } from "./circles.js";
import type { AnswerSummary } from "./given-answers.js";
import { groupsOf } from "./groups.js";
import { pairsNamed } from "./pairs-named.js";
import { type QuestionsAsked, questionsAsked } from "./questions-asked.js";
import type { Answers } from "./read-answers.js";

export interface PreparedAnswers {
  /** On the objects that have a place, numbered anew. */
  readonly comparisons: Comparisons;
  /** The objects that have a place, in increasing order; undefined where all have one. */
  readonly placed: Int32Array | undefined;
  readonly questions: QuestionsAsked;
  readonly summary: AnswerSummary;
  readonly warnings: readonly OrdinalWarning[];
}

export function prepareAnswers({ comparisons: given, degenerate }: Answers): PreparedAnswers {
  const { objects } = given;
  const isPlaced = new Uint8Array(objects);
  for (let at = 0; at < given.quadruplets.length; at++) isPlaced[given.quadruplets[at]] = 1;
  const unplaced: number[] = [];
  for (let r = 0; r < objects; r++) if (isPlaced[r] === 0) unplaced.push(r);
  const placed = unplaced.length === 0 ? undefined : placesOf(isPlaced, objects - unplaced.length);
  const comparisons = placed === undefined ? given : renumbered(given, placed);
  const groups = groupsOf(comparisons);
  const componentOf = new Int32Array(objects).fill(-1);
  groups.labels.forEach((label, r) => {
    componentOf[placed === undefined ? r : placed[r]] = label;
  });
  const pairs = pairsNamed(comparisons.quadruplets);
  const questions = questionsAsked(pairs);
  const summary: AnswerSummary = {
    count: comparisons.quadruplets.length / 4,
    degenerate,
    duplicates: questions.duplicates,
    contradictions: questions.contradictions,
    circular: answersInCircles(pairs, questions),
    unplaced,
    components: groups.count,
    componentOf,
  };
  return { comparisons, placed, questions, summary, warnings: warningsOf(summary) };
}

function placesOf(isPlaced: Uint8Array, count: number): Int32Array {
  const placed = new Int32Array(count);
  let to = 0;
  for (let r = 0; r < isPlaced.length; r++) if (isPlaced[r] === 1) placed[to++] = r;
  return placed;
}

function renumbered({ quadruplets, weights }: Comparisons, placed: Int32Array): Comparisons {
  const numberOf = new Int32Array(placed[placed.length - 1] + 1);
  placed.forEach((object, r) => {
    numberOf[object] = r;
  });
  return {
    objects: placed.length,
    quadruplets: quadruplets.map((object) => numberOf[object]),
    ...(weights === undefined ? {} : { weights }),
  };
}

function warningsOf(summary: AnswerSummary): readonly OrdinalWarning[] {
  const { count, circular, unplaced, components, componentOf } = summary;
  const warnings: OrdinalWarning[] = [];
  if (unplaced.length > 0) {
    const some = unplaced.slice(0, 10).join(", ");
    const more = unplaced.length > 10 ? ` and ${unplaced.length - 10} more` : "";
    const shifted =
      unplaced.length === 1 && unplaced[0] === 0 ? " If your objects are numbered from 1, subtract 1." : "";
    warnings.push({
      code: "unplaced",
      message: `No answer speaks of ${unplaced.length} of ${componentOf.length} objects (${some}${more}): they have no place, and their rows are NaN.${shifted}`,
    });
  }
  if (components > 1)
    warnings.push({
      code: "components",
      message: `The answers fall into ${components} groups of objects that no answer connects: how the groups lie to each other is arbitrary. Ask questions between them.`,
    });
  if (2 * circular > count)
    warnings.push({
      code: "circular",
      message: `${circular} of ${count} answers contradict each other in circles (a nearer than b, b than c, c than a), or lie between two circles: no map satisfies them all, and objects of which nothing else is said fall together. Check what the columns mean, if this is more than the noise that you expect.`,
    });
  return warnings;
}
