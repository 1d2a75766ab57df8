/** Whether features differ so much in size that they are to be scaled. */
import { optionName } from "@curvature/linalg";
import { isSparseRows, type Rows } from "@curvature/objectives/linear";
import type { FeatureScaling, LinearSettings } from "./options.js";
import type { LinearWarningCode } from "./result.js";

/** Beyond it text and its like, whose columns differ by nature. */
const MAX_COLUMNS = 2000;
/**
 * A column's size over the median of all. λ is by default the mean of |x|²/n, which the largest column decides: to the others,
 * ten times smaller, it is a hundred times too strong.
 */
const MAX_RATIO = 10;

/** @param warn - called with what a user should know of it */
export function scalingFor(
  rows: Rows,
  { scale, lambda }: Pick<LinearSettings, "scale" | "lambda">,
  warn: (code: LinearWarningCode, sentence: string) => void,
): Exclude<FeatureScaling, "auto"> {
  if (scale !== "auto" && scale !== "none") return scale;
  const ratio = sizeRatio(rows);
  if (!(ratio > MAX_RATIO)) return "none";
  const fact = `One feature is ${Number(ratio.toPrecision(2))} times as large as the median of them (root mean squares of what is not 0).`;
  const method = isSparseRows(rows) ? "rms" : "standard";
  const asked = optionName("scale", method);
  if (scale === "none" || typeof lambda === "number") {
    const advice = `Scale them (${asked}) unless that is meant: it trains faster and usually predicts better.`;
    warn("unequal-columns", `${fact} ${advice}`);
    return "none";
  }
  const why = `for ${optionName("lambda")} would otherwise be that of the largest`;
  const way = `${optionName("scale", "none")} leaves them as they are.`;
  warn("scaled-columns", `${fact} They were brought to one size (${asked}), ${why}. ${way}`);
  return method;
}

/** The largest column's size over the median of all; NaN where that says nothing. */
function sizeRatio(rows: Rows): number {
  if (rows.columns > MAX_COLUMNS) return Number.NaN;
  const sizes = columnSizes(rows)
    .filter((size) => size > 0)
    .sort();
  return sizes[sizes.length - 1] / sizes[(sizes.length - 1) >> 1];
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
  if (isSparseRows(rows)) {
    const { columnIndices, values, rowPointers } = rows;
    for (let p = 0; p < rowPointers[n]; p++) see(columnIndices[p], values[p]);
  } else {
    for (let i = 0; i < n; i++) for (let j = 0; j < d; j++) see(j, rows.data[i * d + j]);
  }
  return squares.map((square, j) => Math.sqrt(square / Math.max(1, counts[j])));
}
