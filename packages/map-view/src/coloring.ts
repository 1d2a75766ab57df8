/**
 * How labels become colours: classes by colour and shape, however many there are; many different numbers as a continuous scale;
 * a label of each point's own as its name, which is no colour.
 */
import { exp, log } from "@curvature/linalg";
import {
  backgroundColor,
  lookOf,
  maxClasses,
  plainColor,
  restColor,
  type Shape,
  scaleColor,
} from "./palette.js";

export interface PlotClass {
  readonly name: string;
  readonly color: string;
  readonly shape: Shape;
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
  readonly scale: Scale | undefined;
}

export interface Scale {
  readonly low: number;
  readonly high: number;
  /** Whether equal steps of colour are equal factors: of positive numbers most of which would have one colour else. */
  readonly isLogarithmic: boolean;
}

/** The number at a share of the scale, from 0 to 1. */
export const scaleValue = ({ low, high, isLogarithmic }: Scale, share: number): number =>
  isLogarithmic ? low * exp(share * log(high / low)) : high * share + low * (1 - share);

/** Five numbers from the scale's high end to its low one, with the digits that tell them apart, as people write them. */
export function scaleTicks(scale: Scale): string[] {
  const values = [1, 0.75, 0.5, 0.25, 0].map((share) => scaleValue(scale, share));
  const step = Math.abs(scale.high / 4 - scale.low / 4);
  const largest = Math.max(Math.abs(scale.high), Math.abs(scale.low));
  const needed = scale.isLogarithmic || !(step > 0) ? 4 : powersBelow(largest / step) + 2;
  const digits = Math.min(15, Math.max(4, needed));
  return values.map((value) => {
    const size = Math.abs(value);
    if (value !== 0 && (size >= 1e9 || size < 1e-3)) return value.toExponential(Math.min(digits - 1, 3));
    const useGrouping = largest >= 1e4; // years are no thousands
    return value.toLocaleString("en-US", { maximumSignificantDigits: digits, useGrouping });
  });
}

/** Of ten, from 1 on. */
function powersBelow(value: number): number {
  let count = 0;
  for (let power = 1; power < value; power *= 10) count++;
  return count;
}

const scaleSteps = 64;

export interface ColoringOptions {
  /** What rows with an empty label are called; by default "no label". */
  readonly unlabelled?: string | undefined;
  /** So many of the first rows are a pale class of their own, whatever their labels; by default 0. */
  readonly background?: number | undefined;
  /** Whether labels that are all numbers are a scale in any case, and not from 21 different ones on; by default false. */
  readonly isScale?: boolean | undefined;
}

const isNumeric = (labels: Iterable<string>): boolean => {
  let isAny = false;
  for (const label of labels) {
    if (label === "") continue;
    if (!Number.isFinite(Number(label)) || label.trim() === "") return false;
    isAny = true;
  }
  return isAny;
};

/**
 * Whether labels are rather names: words, more of them than are classes in any case, and most points with one of their own.
 */
export function areNames(labels: readonly string[]): boolean {
  const counts = new Map<string, number>();
  for (const label of labels) if (label !== "") counts.set(label, (counts.get(label) ?? 0) + 1);
  const single = [...counts.values()].filter((count) => count === 1).length;
  const labelled = labels.reduce((sum, label) => sum + Number(label !== ""), 0);
  return counts.size > maxClasses && single > labelled / 2 && !isNumeric(counts.keys());
}

/** @param labels - one per row; "" for a row without one */
export function coloringOf(
  rows: number,
  labels: readonly string[] | undefined,
  { unlabelled = "no label", background = 0, isScale = false }: ColoringOptions = {},
): Coloring {
  if (background > 0) {
    const others = labels?.slice(background);
    const { classes, classOf, scale } = coloringOf(rows - background, others, { unlabelled, isScale });
    const behind = new Int32Array(rows).fill(classes.length);
    behind.set(classOf, background);
    const known: PlotClass = {
      name: "the map",
      color: backgroundColor,
      shape: "disc",
      named: false,
      count: background,
    };
    return { classes: [...classes, known], classOf: behind, scale };
  }
  if (labels === undefined) {
    const all: PlotClass = { name: "", color: plainColor, shape: "disc", named: false, count: rows };
    return { classes: [all], classOf: new Int32Array(rows), scale: undefined };
  }
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  const missing = counts.get("") ?? 0;
  counts.delete("");
  const names = [...counts.keys()];
  if ((isScale || names.length > maxClasses) && isNumeric(names)) return scaled(labels, missing, unlabelled);
  return classified(labels, counts, missing, unlabelled);
}

function classified(
  labels: readonly string[],
  counts: Map<string, number>,
  missing: number,
  unlabelled: string,
): Coloring {
  const classes: PlotClass[] = [...counts]
    .sort((a, b) => inOrder(a[0], b[0]))
    .map(([name, count], k) => ({ name, ...lookOf(k), named: true, count }));
  const indexOf = new Map(classes.map(({ name }, k) => [name, k]));
  if (missing > 0) {
    indexOf.set("", classes.length);
    classes.push({ name: unlabelled, color: restColor, shape: "disc", named: false, count: missing });
  }
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
  const isLogarithmic = isSkewed(labels.filter((label) => label !== "").map(Number), low, high);
  const shareOf = (value: number): number => {
    if (!(high > low)) return 0.5;
    if (isLogarithmic) return log(value / low) / log(high / low);
    return (value / 2 - low / 2) / (high / 2 - low / 2); // halves: the span may overflow
  };
  const stepOf = (label: string): number =>
    label === "" ? scaleSteps : Math.min(scaleSteps - 1, Math.floor(shareOf(Number(label)) * scaleSteps));
  const classOf = Int32Array.from(labels, stepOf);
  const counts = new Int32Array(scaleSteps + 1);
  for (const step of classOf) counts[step]++;
  const classes = Array.from(
    { length: scaleSteps },
    (_, k): PlotClass => ({
      name: "",
      color: scaleColor((k + 0.5) / scaleSteps),
      shape: "disc",
      named: false,
      count: counts[k],
    }),
  );
  if (missing > 0) {
    classes.push({ name: unlabelled, color: restColor, shape: "disc", named: false, count: missing });
  }
  return { classes, classOf, scale: { low, high, isLogarithmic } };
}

/** Whether half of the numbers lie in the lowest tenth of their span, which is wide. */
function isSkewed(values: readonly number[], low: number, high: number): boolean {
  if (!(low > 0 && high / low > 30 && Number.isFinite(high / low))) return false;
  const median = Float64Array.from(values).sort()[values.length >> 1];
  return median < low + 0.1 * (high - low);
}

const collator = new Intl.Collator("en", { numeric: true });

function inOrder(a: string, b: string): number {
  const byNumber = Number(a) - Number(b);
  if (Number.isFinite(byNumber) && byNumber !== 0) return byNumber;
  return collator.compare(a, b) || (a < b ? -1 : 1);
}
