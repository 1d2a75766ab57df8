/**
 * Argument validation of answers, wherever they come in: rows, flat arrays and `Comparisons` become `Comparisons`,
 * every number checked, degenerate ones set aside.
 */
import { badOption, CurvatureError, integerFrom, object, oneOf, optionName, shown } from "@curvature/linalg";
import type { Comparisons } from "@curvature/objectives/ordinal";
import { type AnswerGroups, groupsAt, type NumberedGroups, readGroups } from "./dependence.js";

/**
 * Answers to "which two are nearer to each other?":
 * - rows i, j, k ("i is nearer to j than to k") or i, j, l, k ("i, j are nearer to each other than l, k"), or both kinds
 * - `{ triplets }` or `{ quadruplets }`: the same numbers one after the other, with the number of objects and weights
 *   where they are known; `Comparisons` is one of these, and may carry `groups`
 *
 * Objects are whole numbers from 0. Without `objects` there are as many as the largest number says.
 */
export type AnswersLike =
  | (Comparisons & { readonly groups?: AnswerGroups | undefined })
  | {
      readonly quadruplets: ArrayLike<number>;
      readonly objects?: number | undefined;
      readonly weights?: ArrayLike<number> | undefined;
      readonly groups?: AnswerGroups | undefined;
    }
  | {
      readonly triplets: ArrayLike<number>;
      readonly objects?: number | undefined;
      readonly weights?: ArrayLike<number> | undefined;
      readonly groups?: AnswerGroups | undefined;
    }
  | readonly ArrayLike<number>[];

/** More objects than this are no map that anyone could look at, and indices that grew out of something else. */
const MAX_OBJECTS = 2 ** 26;

/** The options that say how answers are read. */
export const answerEntries = {
  /** n. Left out: the number of objects that the answers state, or their largest number and 1. */
  objects: integerFrom(1, MAX_OBJECTS),
  /** Of the answers, at least 0. Left out: those of the answers, or all 1. */
  weights: object<ArrayLike<number>>("an array of numbers"),
  /**
   * Which answers belong together, by the trial and by the participant they came from: `{ trial, participant }`, a label
   * for each answer in each, either may be left out. Trials and people are held out and drawn anew as a whole. Left out:
   * those of the answers, or every question stands for itself.
   */
  groups: object<AnswerGroups>("{ trial, participant }, a label for each answer in each"),
  /**
   * What becomes of answers that compare an object's distance to itself, or a pair to itself. "error" refuses them, "drop"
   * leaves them out, "keep" counts them in errors as they stand; no fit takes them into account, since no map could change
   * them.
   */
  degenerate: oneOf("error", "drop", "keep").default("error"),
};

export interface ReadOptions {
  /** The function whose answers these are, for messages. */
  readonly where: string;
  readonly objects?: number | undefined;
  readonly weights?: ArrayLike<number> | undefined;
  readonly groups?: AnswerGroups | undefined;
  readonly degenerate?: "error" | "drop" | "keep";
  /** Whether there may be none at all. */
  readonly mayBeEmpty?: boolean;
}

export interface Answers {
  /** Those that a fit can learn from. */
  readonly comparisons: Comparisons;
  /** Those by which errors are measured: the degenerate ones too if they are kept. */
  readonly measured: Comparisons;
  /** How many are degenerate, kept or dropped. */
  readonly degenerate: number;
  /** Of `comparisons`, and of `measured`; undefined where none are named. */
  readonly groups: NumberedGroups | undefined;
  readonly measuredGroups: NumberedGroups | undefined;
}

/** What an answer set says before its numbers are checked. */
interface Flat {
  readonly numbers: ArrayLike<number>;
  /** 3 or 4 numbers per answer. */
  readonly width: number;
  readonly objects: unknown;
  readonly weights: ArrayLike<number> | undefined;
  readonly groups: unknown;
}

/** @throws CurvatureError ERR_SHAPE, ERR_ARGUMENT, ERR_NON_FINITE, ERR_OPTION */
export function readAnswers(raw: AnswersLike, options: ReadOptions): Answers {
  const { where, degenerate = "error" } = options;
  const { quadruplets, objects: stated, weights: own, groups: ownGroups } = quadrupletsOf(raw, where);
  const objects = objectsOf(quadruplets, stated, options);
  const weights = weightsOf(options.weights ?? own, quadruplets.length / 4, where);
  if (quadruplets.length === 0 && options.mayBeEmpty !== true)
    throw shape(where, "there are no answers. Give at least one", "answers", raw);
  const all: Comparisons = { objects, quadruplets, weights };
  const allGroups = readGroups(options.groups ?? ownGroups, quadruplets.length / 4, where);
  const isFitted = new Uint8Array(quadruplets.length / 4);
  let fitted = 0;
  let refusals = 0;
  for (let q = 0; q < isFitted.length; q++) {
    const isRefused = isDegenerate(quadruplets, q);
    if (isRefused && degenerate === "error") throw refused(where, quadruplets, q);
    isFitted[q] = isRefused || weights?.[q] === 0 ? 0 : 1; // a weight of 0 says nothing of its objects
    fitted += isFitted[q];
    refusals += isRefused ? 1 : 0;
  }
  const count = isFitted.length;
  if (fitted === 0 && count > 0)
    throw shape(
      where,
      "all answers compare an object or a pair to itself, or have the weight 0. Give others",
      "answers",
      raw,
    );
  const isKept = degenerate === "keep";
  if (fitted === count)
    return {
      ...{ comparisons: all, measured: all, degenerate: refusals },
      ...{ groups: allGroups, measuredGroups: allGroups },
    };
  const comparisons = selected(all, isFitted, fitted);
  const order = allGroups && Array.from(isFitted.keys()).filter((q) => isFitted[q] === 1);
  const groups = order && groupsAt(allGroups, order);
  return {
    ...{ comparisons, measured: isKept ? all : comparisons, degenerate: refusals },
    ...{ groups, measuredGroups: isKept ? allGroups : groups },
  };
}

/** The comparisons for which `isSelected` is 1. */
function selected(
  { objects, quadruplets, weights }: Comparisons,
  isSelected: Uint8Array,
  count: number,
): Comparisons {
  const some = new Int32Array(4 * count);
  const weight = weights === undefined ? undefined : new Float64Array(count);
  let to = 0;
  for (let q = 0; q < isSelected.length; q++) {
    if (isSelected[q] === 0) continue;
    some.set(quadruplets.subarray(4 * q, 4 * q + 4), 4 * to);
    if (weight !== undefined && weights !== undefined) weight[to] = weights[q];
    to++;
  }
  return { objects, quadruplets: some, weights: weight };
}

function quadrupletsOf(
  raw: unknown,
  where: string,
): Pick<Flat, "objects" | "weights" | "groups"> & { readonly quadruplets: Int32Array } {
  if (Array.isArray(raw))
    return {
      ...{ quadruplets: fromRows(raw, where), objects: undefined, weights: undefined, groups: undefined },
    };
  const { numbers, width, objects, weights, groups } = flatOf(raw, where);
  if (numbers.length % width !== 0)
    throw shape(
      where,
      `${width === 3 ? "triplets" : "quadruplets"} must be ${width} numbers for each answer; there are ${numbers.length} in all`,
      width === 3 ? "triplets" : "quadruplets",
      numbers.length,
    );
  const count = numbers.length / width;
  const quadruplets = new Int32Array(4 * count);
  for (let q = 0; q < count; q++) write(quadruplets, q, numbers, width * q, width, where);
  return { quadruplets, objects, weights, groups };
}

function fromRows(rows: readonly unknown[], where: string): Int32Array {
  const answers: ArrayLike<number>[] = [];
  for (let q = 0; q < rows.length; q++) {
    const row = rows[q];
    if (!isNumbers(row) || (row.length !== 3 && row.length !== 4))
      throw shape(
        where,
        `answer ${q} (counted from 0) must be three numbers i, j, k or four i, j, l, k; received ${shown(row)}`,
        `answers[${q}]`,
        row,
      );
    answers.push(row);
  }
  const quadruplets = new Int32Array(4 * answers.length); // not before there are so many: lengths can be anything
  answers.forEach((row, q) => void write(quadruplets, q, row, 0, row.length, where));
  return quadruplets;
}

/** Answer q from `numbers`, a triplet i, j, k as i, j, i, k. */
function write(
  out: Int32Array,
  q: number,
  numbers: ArrayLike<number>,
  at: number,
  width: number,
  where: string,
): void {
  for (let e = 0; e < width; e++) {
    const index: unknown = numbers[at + e];
    if (typeof index !== "number" || !Number.isSafeInteger(index) || index < 0 || index >= MAX_OBJECTS)
      throw new CurvatureError(
        "ERR_ARGUMENT",
        `answer ${q} (counted from 0) names the object ${shown(index)}. Objects are whole numbers from 0 to ${MAX_OBJECTS - 1}; number yours that way.`,
        { where, path: `answers[${q}]`, expected: "a whole number from 0", received: index },
      );
    out[4 * q + (width === 3 && e === 2 ? 3 : e)] = index;
  }
  if (width === 3) out[4 * q + 2] = out[4 * q];
}

function flatOf(raw: unknown, where: string): Flat {
  if (typeof raw === "object" && raw !== null) {
    const weights = "weights" in raw ? raw.weights : undefined;
    if (weights !== undefined && !isNumbers(weights))
      throw shape(
        where,
        `weights must be an array of numbers; received ${shown(weights)}`,
        "weights",
        weights,
      );
    const objects = "objects" in raw ? raw.objects : undefined;
    const groups = "groups" in raw ? raw.groups : undefined;
    const triplets = "triplets" in raw ? raw.triplets : undefined;
    const quadruplets = "quadruplets" in raw ? raw.quadruplets : undefined;
    if (isNumbers(quadruplets) && triplets === undefined)
      return { numbers: quadruplets, width: 4, objects, weights, groups };
    if (isNumbers(triplets) && quadruplets === undefined)
      return { numbers: triplets, width: 3, objects, weights, groups };
  }
  throw shape(
    where,
    `answers must be rows of three or four numbers, { triplets } or { quadruplets }; received ${shown(raw)}`,
    "answers",
    raw,
  );
}

function isNumbers(value: unknown): value is ArrayLike<number> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}

/** n, as the option or the answers state it, or one more than the largest number. */
function objectsOf(quadruplets: Int32Array, stated: unknown, { where, objects }: ReadOptions): number {
  let largest = -1;
  for (let at = 0; at < quadruplets.length; at++) largest = Math.max(largest, quadruplets[at]);
  if (objects !== undefined && stated !== undefined && objects !== stated)
    throw badOption(where, "objects", `${shown(stated)}, as the answers have it`, objects);
  const n = objects ?? stated;
  if (n === undefined) {
    checkProportion(quadruplets, largest, where);
    return Math.max(1, largest + 1);
  }
  if (typeof n !== "number" || !Number.isSafeInteger(n) || n < 1 || n > MAX_OBJECTS)
    throw badOption(where, "objects", `a whole number from 1 to ${MAX_OBJECTS}`, n);
  if (largest >= n)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `answer ${Math.floor(quadruplets.indexOf(largest) / 4)} (counted from 0) names the object ${largest}, but there are ${n}, from 0 to ${n - 1}.`,
      { where, path: "answers", expected: `at most ${n - 1}`, received: largest },
    );
  return n;
}

/** Numbers far above their count are identifiers of another kind. */
function checkProportion(quadruplets: Int32Array, largest: number, where: string): void {
  if (largest < 1000 + 25 * quadruplets.length) return;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `the answers name the object ${largest}, far more than they could mention. Number the objects from 0 without gaps, or say with ${optionName("objects")} how many there are.`,
    { where, path: "objects", received: largest },
  );
}

function weightsOf(raw: unknown, count: number, where: string): Float64Array | undefined {
  if (raw === undefined) return undefined;
  if (!isNumbers(raw) || raw.length !== count)
    throw shape(
      where,
      `weights must be ${count} numbers, one for each answer; received ${shown(raw)}`,
      "weights",
      raw,
    );
  const weights = new Float64Array(count);
  for (let q = 0; q < count; q++) {
    const weight: unknown = raw[q];
    if (typeof weight !== "number" || !(weight >= 0 && weight < Number.POSITIVE_INFINITY))
      throw new CurvatureError(
        "ERR_NON_FINITE",
        `answer ${q} (counted from 0) has the weight ${shown(weight)}. Weights must be finite and at least 0.`,
        { where, path: `weights[${q}]`, expected: "a finite number of at least 0", received: weight },
      );
    weights[q] = weight;
  }
  if (weights.reduce((sum, weight) => sum + weight, 0) === Number.POSITIVE_INFINITY)
    throw new CurvatureError(
      "ERR_NON_FINITE",
      `the sum of the weights leaves the range of numbers. Only their ratios count: divide them all by the largest.`,
      { where, path: "weights", expected: "weights with a finite sum" },
    );
  return weights;
}

function isDegenerate(quadruplets: Int32Array, q: number): boolean {
  const i = quadruplets[4 * q];
  const j = quadruplets[4 * q + 1];
  const l = quadruplets[4 * q + 2];
  const k = quadruplets[4 * q + 3];
  return i === j || l === k || (i === l && j === k) || (i === k && j === l);
}

function refused(where: string, quadruplets: Int32Array, q: number): CurvatureError {
  const indices = Array.from(quadruplets.subarray(4 * q, 4 * q + 4));
  return new CurvatureError(
    "ERR_ARGUMENT",
    `answer ${q} (counted from 0), ${indices.join(" ")}, compares an object or a pair to itself. Remove such answers, or set ${optionName("degenerate", "drop")} or ${optionName("degenerate", "keep")}.`,
    { where, path: `answers[${q}]`, received: indices },
  );
}

function shape(where: string, what: string, path: string, received: unknown): CurvatureError {
  return new CurvatureError("ERR_SHAPE", `${what}.`, { where, path, received });
}
