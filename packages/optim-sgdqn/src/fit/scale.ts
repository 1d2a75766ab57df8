/**
 * The scaling that a fit takes where it is to choose.
 *
 * Dense columns are standardised, whatever their offsets: λ then means the same for all of them. Sparse ones are divided by their
 * deviations, which with a free bias is the same model without filling the zeros, and by their root mean squares where the bias
 * is not free. Sparse rows with more than 2000 columns are text and its like, whose columns differ by nature, and stay as they
 * are.
 */
import { fitScaling, optionName, type Scaling } from "@curvature/linalg";
import { type Bias, isSparseRows, type Rows } from "@curvature/objectives/linear";
import { FEW_COLUMNS } from "../solvers/newton/system.js";
import type { LinearSettings } from "./options.js";
import type { LinearWarningCode } from "./result.js";

/** A column's size over the median of all, from which a choice to leave them as they are is worth a word. */
const MAX_RATIO = 10;

/** @param weights - of the rows. @param warn - called with what a user should know of it */
export function scalingFor(
  rows: Rows,
  { scale }: Pick<LinearSettings, "scale">,
  bias: Bias,
  weights: ArrayLike<number> | undefined,
  warn: (code: LinearWarningCode, sentence: string) => void,
): Scaling | undefined {
  if (scale === "none") warnOfSizes(rows, warn);
  if (scale !== "auto") return scale === "none" ? undefined : fitScaling(rows, scale, weights);
  if (!isSparseRows(rows)) return fitScaling(rows, "standard", weights);
  if (rows.columns > FEW_COLUMNS) return undefined;
  return fitScaling(rows, bias === "free" ? "deviation" : "rms", weights);
}

function warnOfSizes(rows: Rows, warn: (code: LinearWarningCode, sentence: string) => void): void {
  if (rows.columns > FEW_COLUMNS) return;
  const sizes = columnSizes(rows)
    .filter((size) => size > 0)
    .sort();
  const ratio = sizes[sizes.length - 1] / sizes[(sizes.length - 1) >> 1];
  if (!(ratio > MAX_RATIO)) return;
  const fact = `One feature is ${Number(ratio.toPrecision(2))} times as large as the median of them (root mean squares of what is not 0).`;
  const advice = `Scale them (leave out ${optionName("scale", "none")}) unless that is meant: it trains faster and usually predicts better.`;
  warn("unequal-columns", `${fact} ${advice}`);
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
