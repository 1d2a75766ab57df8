/** What a user should know of the sizes of the features. */
import { isSparse, type Rows } from "@curvature/objectives/linear";

/** Beyond it text and its like, whose columns differ by nature. */
const MOST_COLUMNS = 2000;
/**
 * A column's size over the median of all. λ is by default the mean of |x|²/n, which the largest column decides: to the others,
 * ten times smaller, it is a hundred times too strong.
 */
const LARGEST_RATIO = 10;

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
    `One feature is ${Number(ratio.toPrecision(2))} times as large as the median of them (root mean squares of what is not 0). Scale them (scale: "rms") unless that is meant: it trains faster and usually predicts better.`,
  ];
}

/** Root mean squares of the columns' entries, without their zeros: how rare a word is, is no matter of scale. */
function columnSizes(rows: Rows): Float64Array {
  const { rows: n, columns: d } = rows;
  const squares = new Float64Array(d);
  const counts = new Float64Array(d);
  const see = (j: number, value: number): void => {
    squares[j] += value * value;
    counts[j] += value === 0 ? 0 : 1;
  };
  if (isSparse(rows)) {
    const { columnIndices, values, rowPointers } = rows;
    for (let p = 0; p < rowPointers[n]; p++) see(columnIndices[p], values[p]);
  } else {
    for (let i = 0; i < n; i++) for (let j = 0; j < d; j++) see(j, rows.data[i * d + j]);
  }
  return squares.map((square, j) => Math.sqrt(square / Math.max(1, counts[j])));
}
