import { type Bias, isSparseRows, type Rows } from "@curvature/objectives/linear";
import { DenseSweeps32 } from "./dense-sweeps32.js";
import { DenseSweeps64 } from "./dense-sweeps64.js";
import { SparseSweeps32 } from "./sparse-sweeps32.js";
import { SparseSweeps64 } from "./sparse-sweeps64.js";
import type { RowSweeps } from "./sweeps.js";

/** The class for rows as they are stored. */
export function rowSweeps(rows: Rows, bias: Bias): RowSweeps {
  const hasBias = bias !== "none";
  if (isSparseRows(rows)) {
    const { values } = rows;
    return values instanceof Float32Array
      ? new SparseSweeps32({ ...rows, values }, hasBias)
      : new SparseSweeps64({ ...rows, values }, hasBias);
  }
  const { data } = rows;
  return data instanceof Float32Array
    ? new DenseSweeps32({ ...rows, data }, hasBias)
    : new DenseSweeps64({ ...rows, data }, hasBias);
}
