/**
 * Which answers belong together. Answers of one trial ("choose two of eight" makes twelve) and of one person share what
 * the trial or the person has of its own: a part that is held out must not know them, and a sample draws them together.
 *
 * What answers are divided into are units:
 *
 *   trials    of `groups.trial` (within a participant, whose trials may be numbered from 1 again), those that ask about
 *             the same objects (around the same anchor) as one; without it questions
 *   people    of `groups.participant`
 *   coarsest  people where there are four or more, else trials
 */
import { CurvatureError, shown } from "@curvature/linalg";
import type { QuestionsAsked } from "./questions.js";

/** A label for each answer, a text or a number. */
export interface AnswerGroups {
  /** Answers given at once: the comparisons that "odd one out" or "choose two of eight" say. */
  readonly trial?: ArrayLike<number | string> | undefined;
  /** Who answered. */
  readonly participant?: ArrayLike<number | string> | undefined;
}

/** The same, numbered from 0 in the order of their first answers. */
export interface NumberedGroups {
  readonly trial: NamedUnits | undefined;
  readonly participant: NamedUnits | undefined;
}

/** What answers are divided into. */
export interface Units {
  readonly count: number;
  /** The unit of every answer, from 0. */
  readonly unitOf: Int32Array;
}

/** Units that were named. */
interface NamedUnits extends Units {
  /** The label of each. */
  readonly keys: readonly string[];
}

export interface Dependence {
  /** Trials, those about the same objects as one, or questions where none are named. */
  readonly trials: Units;
  /** Undefined where nobody is named. */
  readonly people: NamedUnits | undefined;
  /** By what answers are drawn anew. */
  readonly coarsest: Units;
  readonly coarsestKind: "question" | "trial" | "participant";
}

/** Of fewer people nothing can be learned of how people differ. */
export const MIN_PEOPLE = 4;

/** @throws CurvatureError ERR_SHAPE, ERR_ARGUMENT */
export function readGroups(raw: unknown, count: number, where: string): NumberedGroups | undefined {
  if (raw === undefined) return undefined;
  if (typeof raw !== "object" || raw === null)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `groups must be { trial, participant }, a label for each answer in each; received ${shown(raw)}.`,
      { where, path: "groups", received: raw },
    );
  for (const key of Object.keys(raw))
    if (key !== "trial" && key !== "participant")
      throw new CurvatureError("ERR_ARGUMENT", `groups has trial and participant; received ${shown(key)}.`, {
        where,
        path: `groups.${key}`,
      });
  const participant = labels("participant" in raw ? raw.participant : undefined, "participant", count, where);
  const trial = labels("trial" in raw ? raw.trial : undefined, "trial", count, where);
  const people = participant && numbered(count, (q) => keyOf(participant[q]));
  return {
    participant: people,
    trial:
      trial && numbered(count, (q) => `${people === undefined ? "" : people.unitOf[q]} ${keyOf(trial[q])}`),
  };
}

function labels(raw: unknown, name: string, count: number, where: string): ArrayLike<unknown> | undefined {
  if (raw === undefined) return undefined;
  const isList = Array.isArray(raw) || (ArrayBuffer.isView(raw) && !(raw instanceof DataView));
  const list = isList ? (raw as ArrayLike<unknown>) : undefined;
  if (list === undefined || list.length !== count)
    throw new CurvatureError(
      "ERR_SHAPE",
      `groups.${name} must be ${count} labels, one for each answer; received ${list === undefined ? shown(raw) : list.length}.`,
      { where, path: `groups.${name}`, received: raw },
    );
  for (let q = 0; q < count; q++) {
    const label = list[q];
    if (typeof label === "string" ? label.trim() !== "" : Number.isFinite(label)) continue;
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `answer ${q} (counted from 0) has the ${name} ${shown(label)}. A label is a text that is not empty, or a finite number.`,
      { where, path: `groups.${name}[${q}]`, received: label },
    );
  }
  return list;
}

/** The number 1 and the text "1" are the same label. */
const keyOf = (label: unknown): string => String(label);

function numbered(count: number, key: (q: number) => string): NamedUnits {
  const numbers = new Map<string, number>();
  const unitOf = new Int32Array(count);
  for (let q = 0; q < count; q++) {
    const label = key(q);
    const number = numbers.get(label) ?? numbers.size;
    if (number === numbers.size) numbers.set(label, number);
    unitOf[q] = number;
  }
  return { count: numbers.size, unitOf, keys: [...numbers.keys()] };
}

/** Those of some of the answers, numbered anew. */
export function groupsAt(
  groups: NumberedGroups | undefined,
  order: ArrayLike<number>,
): NumberedGroups | undefined {
  const some = (units: NamedUnits | undefined) =>
    units && numbered(order.length, (k) => units.keys[units.unitOf[order[k]]]);
  return groups && { trial: some(groups.trial), participant: some(groups.participant) };
}

export function dependenceOf(
  quadruplets: Int32Array,
  { count, questionOf }: Pick<QuestionsAsked, "count" | "questionOf">,
  groups: NumberedGroups | undefined,
): Dependence {
  const trials =
    groups?.trial === undefined ? { count, unitOf: questionOf } : withoutRepeats(groups.trial, quadruplets);
  const people = groups?.participant;
  const arePeopleEnough = people !== undefined && people.count >= MIN_PEOPLE;
  return {
    trials,
    people,
    coarsest: arePeopleEnough ? people : trials,
    coarsestKind: arePeopleEnough ? "participant" : groups?.trial === undefined ? "question" : "trial",
  };
}

/**
 * Trials about the same objects are one unit: what is held out must not be known from another time or person. An answer
 * decides which comparisons a trial makes ("odd one out"), so that these do not say which trials are alike.
 */
function withoutRepeats({ count, unitOf }: Units, quadruplets: Int32Array): Units {
  const objects = Array.from({ length: count }, () => new Set<number>());
  const anchorOf = new Int32Array(count).fill(-1);
  const VARIOUS = -2;
  unitOf.forEach((trial, q) => {
    const [i, j, l, k] = quadruplets.subarray(4 * q, 4 * q + 4);
    for (const object of [i, j, l, k]) objects[trial].add(object);
    const anchor = i === l ? i : VARIOUS;
    anchorOf[trial] = anchorOf[trial] === -1 || anchorOf[trial] === anchor ? anchor : VARIOUS;
  });
  const numbers = new Map<string, number>();
  const numberOf = objects.map((named, trial) => {
    const key = `${anchorOf[trial]}: ${[...named].sort((a, b) => a - b).join()}`;
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  });
  return { count: numbers.size, unitOf: unitOf.map((trial) => numberOf[trial]) };
}

/** Answers in runs as experiments with many choices at once write them. */
const RUN_SHARE = 0.5;
const MIN_RUNS = 5;

/**
 * Whether the answers look as if several came of one trial: at least half of them stand next to another with the same
 * anchor and one of its other objects ("choose two of eight": the same anchor throughout; "odd one out": the same three
 * objects). Of answers in random order only some 6 / n do.
 */
export function looksGrouped(quadruplets: Int32Array, objects: number): boolean {
  const count = quadruplets.length / 4;
  if (count < 2 * MIN_RUNS || objects < 6) return false;
  let neighbours = 0;
  const isAlike = (a: number, b: number): boolean => {
    if (a < 0 || b >= count) return false;
    const first = new Set(quadruplets.subarray(4 * a, 4 * a + 4));
    const second = new Set(quadruplets.subarray(4 * b, 4 * b + 4));
    let common = 0;
    for (const object of second) if (first.has(object)) common++;
    const isSameAnchor = quadruplets[4 * a] === quadruplets[4 * b];
    return common === second.size ? true : isSameAnchor && common >= 2;
  };
  for (let q = 0; q < count; q++) if (isAlike(q - 1, q) || isAlike(q, q + 1)) neighbours++;
  return neighbours >= RUN_SHARE * count;
}
