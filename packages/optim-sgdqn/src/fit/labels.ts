/**
 * Labels: what classes there are, in which order, and which of them each row has.
 *
 * Numbers are sorted by size, strings by their UTF-16 code units, so that the order is the same everywhere.
 */
import { CurvatureError, shown } from "@curvature/linalg";
import type { Labels } from "./data.js";
import type { Label } from "./options.js";

/**
 * The labels, all of one type and fit to be classes.
 *
 * @param rows - how many there must be
 * @throws CurvatureError ERR_SHAPE for another number of labels, ERR_ARGUMENT for one that is neither a finite number
 *   nor a string, and for numbers beside strings
 */
export function checkLabels(labels: Labels, rows: number, where: string): void {
  const length = lengthOf(labels, where);
  if (length !== rows)
    throw new CurvatureError(
      "ERR_SHAPE",
      `${where}: there must be one label for each of the ${rows} rows; received ${length}.`,
      { path: "labels", expected: `${rows} labels`, received: length },
    );
  checkKinds(labels, where, "label");
}

/** The sorted classes that occur in the labels, which `checkLabels` has seen. */
export function classesOf(labels: Labels): Label[] {
  const found = new Set<Label>();
  for (let i = 0; i < labels.length; i++) found.add(labels[i] === 0 ? 0 : labels[i]); // −0 is 0
  return sorted([...found]);
}

/**
 * The classes as the user lists them, sorted.
 *
 * @throws CurvatureError ERR_ARGUMENT for fewer than two, for one named twice, and as `checkLabels`
 */
export function checkClasses(classes: readonly Label[], where: string): readonly Label[] {
  const length = lengthOf(classes, where);
  checkKinds(classes, where, "class");
  const distinct = classesOf(classes);
  if (distinct.length < length)
    throw new CurvatureError("ERR_ARGUMENT", `${where}: classes names one class twice.`, {
      path: "classes",
      received: length,
    });
  if (length < 2) throw tooFew(distinct, where);
  return distinct;
}

/**
 * By row the place of its label among the classes.
 *
 * @throws CurvatureError ERR_ARGUMENT for a label that is none of them
 */
export function placesOf(labels: Labels, classes: readonly Label[], where: string): Int32Array {
  const place = new Map(classes.map((label, k) => [label, k]));
  const places = new Int32Array(labels.length);
  for (let i = 0; i < labels.length; i++) {
    const k = place.get(labels[i]); // a Map takes −0 for 0
    if (k === undefined)
      throw new CurvatureError(
        "ERR_ARGUMENT",
        `${where}: row ${i} (counted from 0) has the label ${shown(labels[i])}, which is none of the classes ${listed(classes)}. Name all classes beforehand by the option classes.`,
        { path: `labels[${i}]`, expected: `one of ${listed(classes)}`, received: labels[i] },
      );
    places[i] = k;
  }
  return places;
}

/** That there is nothing to tell apart. */
export function tooFew(classes: readonly Label[], where: string): CurvatureError {
  const seen =
    classes.length === 0
      ? "there is none"
      : `all labels are ${listed(classes)}; a classifier would say nothing else`;
  return new CurvatureError("ERR_ARGUMENT", `${where}: at least two classes are needed: ${seen}.`, {
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

function sorted(classes: Label[]): Label[] {
  return classes.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

function lengthOf(labels: unknown, where: string): number {
  if (Array.isArray(labels) || (ArrayBuffer.isView(labels) && "length" in labels))
    return Number(labels.length);
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `${where}: labels must be an array of numbers or of strings; received ${shown(labels)}.`,
    { path: "labels", expected: "an array", received: labels },
  );
}

function checkKinds(labels: ArrayLike<unknown>, where: string, what: string): void {
  const first = typeof labels[0];
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i];
    if (typeof label !== "string" && !(typeof label === "number" && Number.isFinite(label)))
      throw new CurvatureError(
        "ERR_ARGUMENT",
        `${where}: ${what} ${i} (counted from 0) must be a finite number or a string; received ${shown(label)}.`,
        { path: `${what} ${i}`, expected: "a finite number or a string", received: label },
      );
    if (typeof label !== first)
      throw new CurvatureError(
        "ERR_ARGUMENT",
        `${where}: ${what} ${i} (counted from 0) is the ${typeof label} ${shown(label)} and ${what} 0 a ${first}; all must be numbers, or all strings.`,
        { path: `${what} ${i}`, expected: `a ${first}`, received: label },
      );
  }
}
