/**
 * How labels become colours: up to twenty classes by colour and shape, more of them as the most frequent and the
 * rest, many different numbers as a continuous scale.
 */
import { backgroundColor, classColors, maxClasses, plainColor, restColor, scaleColor } from "./palette.js";

export interface PlotClass {
  readonly name: string;
  readonly color: string;
  /** A ring rather than a disc: the second round of colours. */
  readonly ring: boolean;
  /** A class that the labels name, and not what is left over. */
  readonly named: boolean;
  readonly count: number;
}

export interface Coloring {
  /** The legend's entries; one that is not named if there are no labels, and the steps of the scale for numbers. */
  readonly classes: readonly PlotClass[];
  /** Of every row, its index in `classes`. */
  readonly classOf: Int32Array;
  /** Set where the labels are numbers on a continuous scale. */
  readonly scale: { readonly low: number; readonly high: number } | undefined;
}

const scaleSteps = 64;

/**
 * @param unlabelled - what rows with an empty label are called
 * @param background - so many of the first rows are a pale class of their own, whatever their labels
 */
export function coloringOf(
  rows: number,
  labels: readonly string[] | undefined,
  unlabelled = "no label",
  background = 0,
): Coloring {
  if (background > 0) {
    const { classes, classOf, scale } = coloringOf(rows - background, labels?.slice(background), unlabelled);
    const behind = new Int32Array(rows).fill(classes.length);
    behind.set(classOf, background);
    const known = { name: "the map", color: backgroundColor, ring: false, named: false, count: background };
    return { classes: [...classes, known], classOf: behind, scale };
  }
  if (labels === undefined) {
    const all: PlotClass = { name: "", color: plainColor, ring: false, named: false, count: rows };
    return { classes: [all], classOf: new Int32Array(rows), scale: undefined };
  }
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  const missing = counts.get("") ?? 0;
  counts.delete("");
  const names = [...counts.keys()];
  const numeric = names.length > 0 && names.every((name) => Number.isFinite(Number(name)));
  if (numeric && names.length > maxClasses) return scaled(labels, missing, unlabelled);
  return classified(labels, counts, missing, unlabelled);
}

function classified(
  labels: readonly string[],
  counts: Map<string, number>,
  missing: number,
  unlabelled: string,
): Coloring {
  const byCount = [...counts].sort((a, b) => b[1] - a[1] || inOrder(a[0], b[0]));
  const shown = byCount.length <= maxClasses ? byCount : byCount.slice(0, maxClasses - 1);
  const rest = byCount.slice(shown.length);
  const classes: PlotClass[] = shown
    .sort((a, b) => inOrder(a[0], b[0]))
    .map(([name, count], k) => ({
      name,
      color: classColors[k % classColors.length],
      ring: k >= classColors.length,
      named: true,
      count,
    }));
  const indexOf = new Map(classes.map(({ name }, k) => [name, k]));
  const leftOver = (name: string, count: number): number =>
    classes.push({ name, color: restColor, ring: false, named: false, count }) - 1;
  if (rest.length > 0) {
    const other = leftOver(
      `${rest.length} others`,
      rest.reduce((sum, [, count]) => sum + count, 0),
    );
    for (const [name] of rest) indexOf.set(name, other);
  }
  if (missing > 0) indexOf.set("", leftOver(unlabelled, missing));
  return { classes, classOf: Int32Array.from(labels, (label) => indexOf.get(label) ?? 0), scale: undefined };
}

function scaled(labels: readonly string[], missing: number, unlabelled: string): Coloring {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const label of labels) {
    if (label === "") continue;
    low = Math.min(low, Number(label));
    high = Math.max(high, Number(label));
  }
  const stepOf = (label: string): number => {
    if (label === "") return scaleSteps;
    const share = (Number(label) / 2 - low / 2) / (high / 2 - low / 2); // halves: the span may overflow
    return Math.min(scaleSteps - 1, Math.floor(share * scaleSteps));
  };
  const classOf = Int32Array.from(labels, stepOf);
  const counts = new Int32Array(scaleSteps + 1);
  for (const step of classOf) counts[step]++;
  const classes: PlotClass[] = Array.from({ length: scaleSteps }, (_, k) => ({
    name: "",
    color: scaleColor((k + 0.5) / scaleSteps),
    ring: false,
    named: false,
    count: counts[k],
  }));
  if (missing > 0) {
    classes.push({ name: unlabelled, color: restColor, ring: false, named: false, count: missing });
  }
  return { classes, classOf, scale: { low, high } };
}

const collator = new Intl.Collator("en", { numeric: true });

function inOrder(a: string, b: string): number {
  const byNumber = Number(a) - Number(b);
  if (Number.isFinite(byNumber) && byNumber !== 0) return byNumber;
  return collator.compare(a, b) || (a < b ? -1 : 1);
}
