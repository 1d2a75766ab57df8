/** What a user should know of the sizes of the features. */
import { isSparse, type Rows } from "@curvature/objectives/linear";

/** Beyond it text and its like, whose columns differ by nature. */
const MOST_COLUMNS = 2000;
/** A column's root mean square over the median of all. */
const LARGEST_RATIO = 100;

/** Advice to scale columns of very different sizes; empty where there is no need. */
export function sizeWarnings(rows: Rows): readonly string[] {
  if (rows.columns > MOST_COLUMNS) return [];
  const sizes = columnSizes(rows)
    .filter((size) => size > 0)
    .sort();
  if (sizes.length < 2) return [];
  const ratio = sizes[sizes.length - 1] / sizes[Math.floor(sizes.length / 2)];
  if (!(ratio > LARGEST_RATIO)) return [];
  return [
    `One feature is ${Number(ratio.toPrecision(2))} times as large as the median of them (root mean squares). Scale them (scale: "rms") unless that is meant: it trains faster and usually predicts better.`,
  ];
}

/** Root mean squares of the columns. */
function columnSizes(rows: Rows): Float64Array {
  const { rows: n, columns: d } = rows;
  const squares = new Float64Array(d);
  if (isSparse(rows)) {
    const { columnIndices, values, rowPointers } = rows;
    for (let p = 0; p < rowPointers[n]; p++) squares[columnIndices[p]] += values[p] * values[p];
  } else {
    for (let i = 0; i < n; i++)
      for (let j = 0; j < d; j++) squares[j] += rows.data[i * d + j] * rows.data[i * d + j];
  }
  return squares.map((square) => Math.sqrt(square / n));
}
