/**
 * Columns that say nothing, which are left out of the training; their coefficients are 0, and all else is to the bit what it is
 * without them.
 *
 * Beside a free bias, and where means are subtracted, a column says nothing that is the same in all rows: its span is at most 1e-13
 * of its largest entry, which is rounding. Otherwise only a column of zeros does. Sparse rows with more than 2000 columns are left as
 * they are: solvers pass over their zeros.
 */
import { isSparseRows, type Rows, rowAccess } from "@curvature/objectives/linear";
import type { Point, Solver } from "@curvature/optim-core";
import type { LinearDetails } from "../details.js";
import { isText } from "../solvers/newton/system.js";

const ROUNDING = 1e-13;

type SparseRows = Extract<Rows, { readonly rowPointers: Int32Array }>;
type DenseRows = Exclude<Rows, SparseRows>;

/** The other columns; undefined for all. */
export function varyingColumns(rows: Rows, isCentered: boolean): Int32Array | undefined {
  const { rows: n, columns: d } = rows;
  if (n === 0 || isText(rows)) return undefined;
  const first = new Float64Array(d);
  if (isCentered) rowAccess(rows).addTo(0, 1, first);
  const same = isSparseRows(rows) ? sameInSparse(rows, first) : sameInDense(rows, first);
  if (same.length === 0) return undefined;
  const left = new Set(same);
  return Int32Array.from(first.keys()).filter((j) => !left.has(j));
}

/** The columns whose entries are all these. */
function sameInDense({ rows, columns, data }: DenseRows, values: Float64Array): Int32Array {
  let same = Int32Array.from(values.keys());
  for (let i = 0; i < rows && same.length > 0; i++)
    if (same.some((j) => differ(data[i * columns + j], values[j])))
      same = same.filter((j) => !differ(data[i * columns + j], values[j]));
  return same;
}

function sameInSparse(
  { rows, rowPointers, columnIndices, values: entries }: SparseRows,
  values: Float64Array,
): Int32Array {
  const counts = new Float64Array(values.length);
  const differs = new Uint8Array(values.length);
  for (let p = 0; p < rowPointers[rows]; p++) {
    const j = columnIndices[p];
    counts[j]++;
    if (differ(entries[p], values[j])) differs[j] = 1;
  }
  return Int32Array.from(values.keys()).filter(
    (j) => differs[j] === 0 && (counts[j] === rows || values[j] === 0),
  );
}

const differ = (x: number, y: number): boolean =>
  Math.abs(x - y) > ROUNDING * Math.max(Math.abs(x), Math.abs(y));

/** @param columns - ascending; undefined, or none, for all: rows have at least one column */
export function onlyColumns(rows: Rows, columns: Int32Array | undefined): Rows {
  if (columns === undefined || columns.length === 0) return rows;
  const { rows: n, columns: d } = rows;
  if (!isSparseRows(rows)) {
    const fill = <T extends Float64Array | Float32Array>(data: T): T => {
      for (let i = 0, at = 0; i < n; i++) for (const j of columns) data[at++] = rows.data[i * d + j];
      return data;
    };
    const shape = { rows: n, columns: columns.length };
    const size = n * columns.length;
    return rows.data instanceof Float32Array
      ? { ...shape, data: fill(new Float32Array(size)) }
      : { ...shape, data: fill(new Float64Array(size)) };
  }
  const { rowPointers, columnIndices, values } = rows;
  const placeOf = new Int32Array(d).fill(-1);
  for (const [k, j] of columns.entries()) placeOf[j] = k;
  const kept = Int32Array.from(columnIndices.subarray(0, rowPointers[n]).keys()).filter(
    (p) => placeOf[columnIndices[p]] >= 0,
  );
  const pointers = new Int32Array(n + 1);
  for (let i = 0, k = 0; i < n; i++) {
    while (k < kept.length && kept[k] < rowPointers[i + 1]) k++;
    pointers[i + 1] = k;
  }
  const shape = {
    rows: n,
    columns: columns.length,
    rowPointers: pointers,
    columnIndices: kept.map((p) => placeOf[columnIndices[p]]),
  };
  return values instanceof Float32Array
    ? { ...shape, values: Float32Array.from(kept, (p) => values[p]) }
    : { ...shape, values: Float64Array.from(kept, (p) => values[p]) };
}

/**
 * Parameters for all columns, 0 for those that were left out.
 *
 * @param x - model after model: w, and b where there is one
 */
function forAllColumns(
  x: Float64Array,
  models: number,
  columns: Int32Array | undefined,
  d: number,
): Float64Array {
  if (columns === undefined || columns.length === 0) return x;
  const own = x.length / models;
  const length = own - columns.length + d;
  const all = new Float64Array(models * length);
  for (let k = 0; k < models; k++) {
    for (const [c, j] of columns.entries()) all[k * length + j] = x[k * own + c];
    if (length > d) all[k * length + d] = x[k * own + own - 1];
  }
  return all;
}

/** The other way: what `forAllColumns` was made from. */
export function forColumns(
  x: Float64Array,
  models: number,
  columns: Int32Array | undefined,
  d: number,
): Float64Array {
  if (columns === undefined || columns.length === 0) return x;
  const length = x.length / models;
  const own = length - d + columns.length;
  const kept = new Float64Array(models * own);
  for (let k = 0; k < models; k++) {
    for (const [c, j] of columns.entries()) kept[k * own + c] = x[k * length + j];
    if (length > d) kept[k * own + own - 1] = x[k * length + d];
  }
  return kept;
}

/** The solver, whose points have parameters for all columns: what is looked at on the way is as long as the model. */
export function inAllColumns(
  solver: Solver<LinearDetails>,
  models: number,
  columns: Int32Array | undefined,
  d: number,
): Solver<LinearDetails> {
  if (columns === undefined || columns.length === 0) return solver;
  const whole = ({ x, value }: Point): Point => ({ x: forAllColumns(x, models, columns, d), value });
  const { name, dimension, options = {} } = solver;
  return {
    name,
    dimension: dimension + models * (d - columns.length),
    options,
    get fingerprint() {
      return solver.fingerprint;
    },
    get best() {
      return whole(solver.best);
    },
    get last() {
      return whole(solver.last);
    },
    step: () => solver.step(),
    save: () => solver.save(),
    restore: (snapshot) => solver.restore(snapshot),
  };
}
