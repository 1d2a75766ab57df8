/**
 * How labels become colours: up to twenty classes by colour and shape, more of them as the most frequent and the rest,
 * many different numbers as a continuous scale.
 */
import type { Theme } from "../shell/theme.js";
import { channelsOf, classColor, isRing, mostClasses, pointColor, restColor } from "./palette.js";

interface LegendEntry {
  readonly name: string;
  readonly count: number;
}

export type Coloring =
  | { readonly kind: "plain" }
  | {
      readonly kind: "classes";
      readonly classes: readonly LegendEntry[];
      /** Of every point, its index in `classes`; −1 for the rest. */
      readonly classOf: Int32Array;
      /** The points of no class shown, if there are any. */
      readonly rest: LegendEntry | undefined;
    }
  | {
      readonly kind: "scale";
      /** Of every point, its place between low and high, from 0 to 1; NaN where there is none. */
      readonly shares: Float64Array;
      readonly low: number;
      readonly high: number;
    };

export function coloringOf(labels: readonly string[] | undefined): Coloring {
  if (labels === undefined) return { kind: "plain" };
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  const names = [...counts.keys()].filter((name) => name !== "");
  const areNumbers = names.length > 0 && names.every((name) => Number.isFinite(Number(name)));
  return areNumbers && names.length > mostClasses
    ? scaled(labels.map((label) => (label === "" ? Number.NaN : Number(label))))
    : classified(labels, counts);
}

function classified(labels: readonly string[], counts: ReadonlyMap<string, number>): Coloring {
  const byCount = [...counts].filter(([name]) => name !== "");
  byCount.sort((a, b) => b[1] - a[1] || inOrder(a[0], b[0]));
  const shown = byCount.slice(0, byCount.length > mostClasses ? mostClasses - 1 : mostClasses);
  const classes = shown.sort((a, b) => inOrder(a[0], b[0])).map(([name, count]) => ({ name, count }));
  const indexOf = new Map(classes.map(({ name }, k) => [name, k]));
  const classOf = Int32Array.from(labels, (label) => indexOf.get(label) ?? -1);
  const others = byCount.length - classes.length;
  const left = classOf.reduce((count, index) => count + Number(index < 0), 0);
  const name = others === 0 ? "no label" : `${others} others`;
  return { kind: "classes", classes, classOf, rest: left === 0 ? undefined : { name, count: left } };
}

function scaled(values: readonly number[]): Coloring {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const half = high / 2 - low / 2; // halves: the span may overflow
  const shares = Float64Array.from(values, (value) => (half === 0 ? 0.5 : (value / 2 - low / 2) / half));
  return { kind: "scale", shares, low, high };
}

const collator = new Intl.Collator("en", { numeric: true });

function inOrder(a: string, b: string): number {
  const byNumber = Number(a) - Number(b);
  if (Number.isFinite(byNumber) && byNumber !== 0) return byNumber;
  return collator.compare(a, b) || (a < b ? -1 : 1);
}

/** How points look: red, green, blue, alpha (0 … 255) and shape (0 disc, 1 ring), for each. */
export interface Looks {
  readonly colors: Uint8Array;
  readonly shapes: Uint8Array;
}

const plainAlpha = 230;
const dimmedAlpha = 36;

/** @param isBright - whether a point stands out; where it is given, the others fade */
export function looksOf(
  coloring: Coloring,
  count: number,
  theme: Theme,
  isBright?: (point: number) => boolean,
): Looks {
  const colors = new Uint8Array(4 * count);
  const shapes = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const [red, green, blue] = channelsOf(colorOfPoint(coloring, i, theme));
    colors.set([red, green, blue, isBright === undefined || isBright(i) ? plainAlpha : dimmedAlpha], 4 * i);
    if (coloring.kind === "classes") shapes[i] = Number(isRing(coloring.classOf[i]));
  }
  return { colors, shapes };
}

export function colorOfPoint(coloring: Coloring, point: number, theme: Theme): string {
  switch (coloring.kind) {
    case "plain":
      return classColor(0, theme);
    case "classes": {
      const index = coloring.classOf[point];
      return index < 0 ? restColor(theme) : classColor(index, theme);
    }
    case "scale": {
      const share = coloring.shares[point];
      return Number.isNaN(share) ? restColor(theme) : pointColor(share, theme);
    }
  }
}
