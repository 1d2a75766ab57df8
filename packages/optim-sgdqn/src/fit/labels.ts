/**
 * Labels: what classes there are, in which order, and which of them each row has.
 *
 * Numbers are sorted by size, strings by their UTF-16 code units, false before true, so that the order is the same everywhere.
 */
import { CurvatureError, optionName, shown } from "@curvature/linalg";

/** A class as the user names it; the labels of one model are all numbers, all strings or all booleans. */
export type Label = number | string | boolean;

/** A class for each row, all numbers, all strings or all booleans. */
export type Labels<L extends Label = Label> = ArrayLike<L>;

/**
 * The labels, all of one type and fit to be classes.
 *
 * @param rows - how many there must be
 * @throws CurvatureError ERR_SHAPE for another number of labels, ERR_ARGUMENT for one that is neither a finite number
 *   nor a string or a boolean, and for labels of several types
 */
export function checkLabels(labels: Labels, rows: number, where: string): void {
  const length = lengthOf(labels, where);
  if (length !== rows)
    throw new CurvatureError(
      "ERR_SHAPE",
      `there must be one label for each of the ${rows} rows; received ${length}.`,
      { where, path: "labels", expected: `${rows} labels`, received: length },
    );
  checkKinds(labels, where, "label");
}

/** The sorted classes that occur in the labels, which `checkLabels` has seen. */
export function classesOf<L extends Label>(labels: ArrayLike<L>): L[] {
  const found = new Set<L>();
  for (let i = 0; i < labels.length; i++) found.add(labels[i]); // a Set takes −0 for 0
  return sorted([...found]);
}

/**
 * The classes as the user lists them, sorted.
 *
 * @throws CurvatureError ERR_ARGUMENT for fewer than two, for one named twice, and as `checkLabels`
 */
export function checkClasses<L extends Label>(classes: readonly L[], where: string): readonly L[] {
  const length = lengthOf(classes, where);
  checkKinds(classes, where, "class");
  const distinct = classesOf(classes);
  if (distinct.length < length)
    throw new CurvatureError("ERR_ARGUMENT", `${optionName("classes")} names one class twice.`, {
      where,
      path: "classes",
      received: length,
    });
  if (length < 2) throw tooFew(distinct, where);
  return distinct;
}

/**
 * By row the index of its label among the classes.
 *
 * @throws CurvatureError ERR_ARGUMENT for a label that is none of them
 */
export function classIndices(
  labels: Labels,
  classes: readonly Label[],
  where: string,
  rows?: Int32Array,
): Int32Array {
  const indexOf = new Map(classes.map((label, k) => [label, k]));
  const indices = new Int32Array(rows?.length ?? labels.length);
  for (let r = 0; r < indices.length; r++) {
    const i = rows?.[r] ?? r;
    const k = indexOf.get(labels[i]); // a Map takes −0 for 0
    if (k === undefined)
      throw new CurvatureError(
        "ERR_ARGUMENT",
        `row ${i} (counted from 0) has the label ${shown(labels[i])}, which is none of the classes ${listed(classes)}. Name all classes beforehand by ${optionName("classes")}.`,
        { where, path: `labels[${i}]`, expected: `one of ${listed(classes)}`, received: labels[i] },
      );
    indices[r] = k;
  }
  return indices;
}

/** That all rows are of one class, or that there is none. */
export function tooFew(classes: readonly Label[], where: string, advice = ""): CurvatureError {
  const seen =
    classes.length === 0
      ? "there is none"
      : `all labels are ${listed(classes)}; a classifier would say nothing else`;
  return new CurvatureError("ERR_ARGUMENT", `at least two classes are needed: ${seen}.${advice}`, {
    where,
    path: "labels",
    expected: "at least two classes",
    received: classes.length,
  });
}

/** Some of the classes, for a sentence. */
export function listed(classes: readonly Label[]): string {
  const some = classes.slice(0, 8).map(shown).join(", ");
  return classes.length > 8 ? `${some} … (${classes.length} in all)` : some;
}

function sorted<L extends Label>(classes: L[]): L[] {
  return classes.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

function lengthOf(labels: unknown, where: string): number {
  if (Array.isArray(labels) || (ArrayBuffer.isView(labels) && "length" in labels))
    return Number(labels.length);
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `labels must be an array of numbers, of strings or of booleans; received ${shown(labels)}.`,
    { where, path: "labels", expected: "an array", received: labels },
  );
}

function checkKinds(labels: ArrayLike<unknown>, where: string, what: string): void {
  const first = typeof labels[0];
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i];
    if (!isLabel(label))
      throw new CurvatureError(
        "ERR_ARGUMENT",
        `${what} ${i} (counted from 0) must be a finite number, a string or a boolean; received ${shown(label)}.`,
        { where, path: `${what} ${i}`, expected: "a finite number, a string or a boolean", received: label },
      );
    if (typeof label !== first)
      throw new CurvatureError(
        "ERR_ARGUMENT",
        `${what} ${i} (counted from 0) is the ${typeof label} ${shown(label)} and ${what} 0 a ${first}; all must be numbers, or all strings, or all booleans.`,
        { where, path: `${what} ${i}`, expected: `a ${first}`, received: label },
      );
  }
}

const isLabel = (value: unknown): value is Label =>
  typeof value === "string" ||
  typeof value === "boolean" ||
  (typeof value === "number" && Number.isFinite(value));

/** Whether these may be classes; whether they are of one type, and all different, is for `checkClasses` to say. */
export const areLabels = (value: unknown): value is readonly Label[] =>
  Array.isArray(value) && value.every(isLabel);
