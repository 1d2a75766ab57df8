/** One digit against all others: the rows to learn from, and those held out. */
import type { DenseMatrix } from "@curvature/linalg";
import type { Dataset } from "../../data/dataset.js";
import type { ClassifyState } from "./options.js";

export interface LabeledSet {
  readonly rows: DenseMatrix;
  readonly labels: readonly string[];
}

/** Comes after every digit in order, so that its side is the one with scores above 0. */
export const otherName = "other";

export interface DigitSets {
  readonly training: LabeledSet;
  readonly test: LabeledSet;
}

export function digitSets(
  { points, labels = [] }: Dataset,
  { digit, held }: Pick<ClassifyState, "digit" | "held">,
): DigitSets {
  const { rows, columns, data } = points;
  const classes = labels.map((label) => (label === digit ? label : otherName));
  const cut = rows - held;
  const part = (from: number, to: number): LabeledSet => ({
    rows: { rows: to - from, columns, data: data.slice(from * columns, to * columns) },
    labels: classes.slice(from, to),
  });
  return { training: part(0, cut), test: part(cut, rows) };
}
