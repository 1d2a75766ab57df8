/**
 * What answers are about: objects that no answer mentions are left out of the fit, and questions, cycles and the groups
 * that no answer connects are found.
 */
import type { Comparisons } from "@curvature/objectives/ordinal";
import { answersInCycles } from "./cycles.js";
import { type Dependence, dependenceOf } from "./dependence.js";
import { groupsOf } from "./groups.js";
import { pairsNamed, type QuestionsAsked, questionsAsked } from "./questions.js";
import type { Answers } from "./read-answers.js";

/** What was found in the answers. */
export interface AnswerSummary {
  /** Answers, degenerate ones left out. */
  readonly count: number;
  /** Answers that compare an object's distance to itself, or a pair to itself; they are no part of the fit. */
  readonly degenerate: number;
  /** Answers that say again what an earlier one said; each counts. */
  readonly duplicates: number;
  /** Questions that were answered both ways; all their answers count. */
  readonly contradictions: number;
  /**
   * Answers that contradict each other in cycles ("a nearer than b, b than c, c than a"), and those on the way from one
   * cycle to another; those of `contradictions` left out. Wrong answers make cycles: many of many answers are nothing
   * unusual.
   */
  readonly inCycles: number;
  /** How many answers of `inCycles` would have to go for the rest to be free of cycles: an estimate from above. */
  readonly toRemove: number;
  /** Objects that no answer of the fit mentions. They have no place in the map: their rows are NaN. */
  readonly unplaced: readonly number[];
  /**
   * Groups of objects that no answer connects: how one lies to another, and in what size, is arbitrary. 1 where all is
   * well.
   */
  readonly components: number;
  /** The group of every object, from 0; −1 for those without a place. */
  readonly componentOf: Int32Array;
}

export interface AnalyzedAnswers {
  /** On the objects that have a place, numbered anew. */
  readonly comparisons: Comparisons;
  /** The objects that have a place, in increasing order; undefined where all have one. */
  readonly placed: Int32Array | undefined;
  /** All objects, those without a place among them. */
  readonly objects: number;
  readonly questions: QuestionsAsked;
  /** Which answers belong together. */
  readonly dependence: Dependence;
  readonly summary: AnswerSummary;
}

export function analyzeAnswers({ comparisons: read, degenerate, groups: named }: Answers): AnalyzedAnswers {
  const { objects } = read;
  const isPlaced = new Uint8Array(objects);
  for (let at = 0; at < read.quadruplets.length; at++) isPlaced[read.quadruplets[at]] = 1;
  const unplaced: number[] = [];
  for (let r = 0; r < objects; r++) if (isPlaced[r] === 0) unplaced.push(r);
  const placed = unplaced.length === 0 ? undefined : placesOf(isPlaced, objects - unplaced.length);
  const comparisons = placed === undefined ? read : renumbered(read, placed);
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
    ...answersInCycles(pairs, questions),
    unplaced,
    components: groups.count,
    componentOf,
  };
  return {
    comparisons,
    placed,
    objects,
    questions,
    dependence: dependenceOf(comparisons.quadruplets, questions, named),
    summary,
  };
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
    weights,
  };
}

/**
 * What a user should read of the answers or the method.
 *
 * "unplaced": objects that no answer mentions; "components": groups that none connects; "cycles": more than a
 * tenth of the answers contradict the others in cycles; "few-answers": too few to choose the ridge by some of them; "no-spectral-map": the
 * fit starts at random instead; "grouped": answers look as if several came of one trial, and none is named; "chance":
 * the map is no better than a coin; "test-unknown": answers of the test about objects that have no place.
 */
export type OrdinalWarningCode =
  | "unplaced"
  | "components"
  | "cycles"
  | "few-answers"
  | "no-spectral-map"
  | "grouped"
  | "chance"
  | "test-unknown";

/** @param sentence - options in it by `optionName` */
export type Warn = (code: OrdinalWarningCode, sentence: string) => void;

export function warnOf(summary: AnswerSummary, warn: Warn): void {
  const { count, toRemove, unplaced, components, componentOf } = summary;
  if (unplaced.length > 0) {
    const some = unplaced.slice(0, 10).join(", ");
    const more = unplaced.length > 10 ? ` and ${unplaced.length - 10} more` : "";
    const shifted =
      unplaced.length === 1 && unplaced[0] === 0 ? " If your objects are numbered from 1, subtract 1." : "";
    warn(
      "unplaced",
      `No answer mentions ${unplaced.length} of ${componentOf.length} objects (${some}${more}): they have no place, and their rows are NaN.${shifted}`,
    );
  }
  if (components > 1)
    warn(
      "components",
      `The answers fall into ${components} groups of objects that no answer connects: how the groups lie to each other is arbitrary. Ask questions between them.`,
    );
  if (10 * toRemove > count)
    warn(
      "cycles",
      `About ${toRemove} of ${count} answers would have to go for the rest to be free of cycles (a nearer than b, b than c, c than a): no map satisfies them all, and objects of which nothing else is said fall together. Check what the columns mean, if this is more than the noise that you expect.`,
    );
}
