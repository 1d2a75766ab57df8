/** Whether one column of a table, by its unit alone, decides how far points lie apart. */
import type { DenseMatrix } from "@curvature/linalg";

/** A column's span over the median of all: at thirty times it counts a thousand times as much in squared distances. */
const LARGEST_RATIO = 30;

/**
 * Advice to rescale; undefined where there is no need.
 *
 * @param names - of the columns, as a reader calls them
 */
export function spanWarning(points: DenseMatrix, names: readonly string[]): string | undefined {
  const spans = spansOf(points);
  const varying = spans.filter((span) => span > 0).sort();
  const widest = varying[varying.length - 1];
  const ratio = widest / varying[(varying.length - 1) >> 1];
  if (!(ratio > LARGEST_RATIO)) return undefined;
  const j = spans.indexOf(widest);
  return `${JSON.stringify(names[j])} spans ${Number(ratio.toPrecision(2))} times as much as the median of the columns, and decides most distances. If columns differ in unit, give --scale standard.`;
}

function spansOf({ rows, columns, data }: DenseMatrix): Float64Array {
  const least = new Float64Array(columns).fill(Number.POSITIVE_INFINITY);
  const most = new Float64Array(columns).fill(Number.NEGATIVE_INFINITY);
  for (let i = 0, k = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++, k++) {
      least[j] = Math.min(least[j], data[k]);
      most[j] = Math.max(most[j], data[k]);
    }
  }
  return most.map((value, j) => value - least[j]);
}
