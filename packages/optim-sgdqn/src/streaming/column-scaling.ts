/**
 * How the columns of a stream are moved and divided: as the first rows say, and from then on alike, so that the weights
 * keep their meaning.
 *
 * A column that has had one value only is open: it says nothing yet, stands at 0 and keeps the weight 0, so that its
 * offset and scale may still be chosen. The first batch in which it varies does so: by its mean and spread where the old
 * value is gone, else from the old value by the root mean square of what differs from it.
 *
 * Sparse rows keep their zeros. Only a column without zeros in the first rows, and more than 10 spreads away from 0, is moved;
 * where a later row lacks it, the row gets an entry.
 */
import { CurvatureError, type Scaling, type ScalingMethod } from "@curvature/linalg";
import { type Bias, isSparseRows, type Rows, rowAccess } from "@curvature/objectives/linear";
import { float64, stateOf, uint8, whole, word } from "@curvature/optim-core/state";
import { centeredRows } from "../solvers/newton/centered-rows.js";

type ByColumns = Exclude<ScalingMethod, "unit-rows">;
const methods = ["max-abs", "rms", "deviation", "standard"] as const satisfies readonly ByColumns[];

/** Of its largest entry, a spread at which a column counts as constant. */
const CONSTANT = 1e-13;
/** Scales from the offset beyond which the squares of entries would overflow together. */
const FARTHEST = 1e140;

export class ColumnScaling {
  readonly state = stateOf(
    {
      method: word("standard", methods),
      columns: whole(),
      offsets: float64(new Float64Array(0), { anyLength: true }),
      scales: float64(new Float64Array(0), { anyLength: true }),
      /** 1 for a column of one value, its offset. */
      isOpen: uint8(new Uint8Array(0), { anyLength: true }),
    },
    (saved) =>
      ["offsets", "scales", "isOpen"].every((name) => lengthOf(saved.get(name)) === saved.get("columns"))
        ? undefined
        : "of arrays as long as there are columns",
  );

  /** @param scaling - that of the first rows */
  begin(rows: Rows, weights: Float64Array, scaling: Scaling, bias: Bias): void {
    const { columns } = rows;
    const method = methods.find((known) => known === scaling.method) ?? "standard";
    const shift = method === "deviation" && bias === "free" ? centeredRows(rows, weights).shift : undefined;
    const offsets = shift?.high ?? scaling.offsets.slice();
    const scales = scaling.scales.slice();
    const isOpen = new Uint8Array(columns);
    const { least, most } = spans(rows, weights, columns);
    for (let j = 0; j < columns; j++) {
      if (!isConstant(least[j], most[j]) || (least[j] !== 0 && !isCentered(method))) continue;
      [offsets[j], scales[j], isOpen[j]] = [least[j], 1, 1];
    }
    Object.assign(this.state, { method, columns, offsets, scales, isOpen });
  }

  get openColumns(): number[] {
    return [...this.state.isOpen.keys()].filter((j) => this.state.isOpen[j] === 1);
  }

  /** As of a model of so many features, the columns seen so far. */
  get scaling(): Scaling {
    const { method, offsets, scales } = this.state;
    return { method, offsets: offsets.slice(), scales: scales.slice() };
  }

  /** The rows moved and divided. @throws CurvatureError ERR_NON_FINITE, and nothing is as before but what was open */
  scaled(rows: Rows, weights: Float64Array): Rows {
    this.widen(rows.columns);
    if (this.state.isOpen.includes(1)) this.close(rows, weights);
    return isSparseRows(rows) ? this.sparse(rows) : this.dense(rows);
  }

  private widen(columns: number): void {
    const { state } = this;
    if (columns <= state.columns) return;
    const [offsets, scales] = [new Float64Array(columns), new Float64Array(columns).fill(1)];
    offsets.set(state.offsets);
    scales.set(state.scales);
    const isOpen = new Uint8Array(columns).fill(1);
    isOpen.set(state.isOpen);
    Object.assign(state, { columns, offsets, scales, isOpen });
  }

  /** Measures the open columns that vary in these rows. */
  private close(rows: Rows, weights: Float64Array): void {
    const { columns, offsets, scales, isOpen, method } = this.state;
    const { least, most } = spans(rows, weights, columns);
    const varied = this.openColumns.filter(
      (j) => !isConstant(Math.min(least[j], offsets[j]), Math.max(most[j], offsets[j])),
    );
    if (varied.length === 0) return;
    const at = entriesOf(rows, varied);
    for (const [k, j] of varied.entries()) {
      const values = at[k].filter((_, i) => weights[i] > 0);
      const differing = values.filter((x) => x !== offsets[j]);
      const isGone =
        isCentered(method) && differing.length === values.length && !isConstant(least[j], most[j]);
      const center = isGone ? least[j] + meanOf(values.map((x) => x - least[j])) : offsets[j];
      const farthest = values.reduce((far, x) => Math.max(far, Math.abs(x - center)), 0);
      const squares = (isGone ? values : differing).map((x) => ((x - center) / farthest) ** 2);
      [offsets[j], scales[j], isOpen[j]] = [center, farthest * Math.sqrt(meanOf(squares)), 0];
    }
  }

  private dense({ rows: n, columns: d, data }: Exclude<Rows, { readonly values: unknown }>): Rows {
    const { columns, offsets, isOpen } = this.state;
    const scales = this.state.scales.map((scale, j) => (isOpen[j] === 1 ? Number.POSITIVE_INFINITY : scale));
    const out = new Float64Array(n * columns);
    for (let i = 0; i < n; i++) {
      const row = i * columns;
      for (let j = 0; j < d; j++) out[row + j] = (data[i * d + j] - offsets[j]) / scales[j];
      for (let j = d; j < columns; j++) out[row + j] = -offsets[j] / scales[j];
    }
    const far = out.findIndex((entry) => !(Math.abs(entry) <= FARTHEST));
    if (far >= 0) checked(out[far], Math.floor(far / columns), far % columns);
    return { rows: n, columns, data: out };
  }

  private sparse(rows: Extract<Rows, { readonly values: unknown }>): Rows {
    const { columns, offsets, scales, isOpen } = this.state;
    const moved = Int32Array.from(offsets.keys()).filter((j) => offsets[j] !== 0 && isOpen[j] === 0);
    const most = rows.rowPointers[rows.rows] + rows.rows * moved.length;
    const [columnIndices, values] = [new Int32Array(most), new Float64Array(most)];
    const rowPointers = new Int32Array(rows.rows + 1);
    const inRow = new Int32Array(columns); // 1 + the last row that has the column
    let at = 0;
    for (let i = 0; i < rows.rows; i++) {
      const put = (j: number, x: number): void => {
        columnIndices[at] = j;
        values[at++] = checked((x - offsets[j]) / scales[j], i, j);
        inRow[j] = i + 1;
      };
      for (let p = rows.rowPointers[i]; p < rows.rowPointers[i + 1]; p++)
        if (isOpen[rows.columnIndices[p]] === 0) put(rows.columnIndices[p], rows.values[p]);
      for (const j of moved) if (inRow[j] !== i + 1) put(j, 0);
      rowPointers[i + 1] = at;
    }
    return {
      ...{ rows: rows.rows, columns, rowPointers },
      ...{ columnIndices: columnIndices.slice(0, at), values: values.slice(0, at) },
    };
  }
}

export const lengthOf = (array: unknown): number =>
  ArrayBuffer.isView(array) && "length" in array ? Number(array.length) : Number.NaN;

const isCentered = (method: ScalingMethod): boolean => method === "standard" || method === "deviation";

const isConstant = (least: number, most: number): boolean =>
  most - least <= CONSTANT * Math.max(Math.abs(least), Math.abs(most));

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value / values.length, 0);

function checked(entry: number, row: number, column: number): number {
  if (Math.abs(entry) <= FARTHEST) return entry;
  throw new CurvatureError(
    "ERR_NON_FINITE",
    `row ${row}, column ${column} (counted from 0) is farther from the first rows than numbers reach. Scale the columns beforehand.`,
    { path: `rows[${row}][${column}]`, received: entry },
  );
}

/** By column the least and the largest entry of the rows with a weight; entries that are missing are 0. */
function spans(rows: Rows, weights: Float64Array, columns: number) {
  const least = new Float64Array(columns).fill(Number.POSITIVE_INFINITY);
  const most = new Float64Array(columns).fill(Number.NEGATIVE_INFINITY);
  const counts = new Int32Array(columns);
  const access = rowAccess(rows);
  let counted = 0;
  for (let i = 0; i < rows.rows; i++) {
    if (weights[i] === 0) continue;
    counted++;
    access.forEachEntry(i, (j, x) => {
      counts[j]++;
      if (x < least[j]) least[j] = x;
      if (x > most[j]) most[j] = x;
    });
  }
  for (let j = 0; j < columns; j++) {
    if (counts[j] === counted) continue;
    least[j] = Math.min(least[j], 0);
    most[j] = Math.max(most[j], 0);
  }
  return { least, most };
}

/** Of each of these columns its entries, row by row. */
function entriesOf(rows: Rows, wanted: readonly number[]): number[][] {
  const placeOf = new Map(wanted.map((j, k) => [j, k]));
  const found = wanted.map(() => new Array<number>(rows.rows).fill(0));
  const access = rowAccess(rows);
  for (let i = 0; i < rows.rows; i++)
    access.forEachEntry(i, (j, x) => {
      const k = placeOf.get(j);
      if (k !== undefined) found[k][i] = x;
    });
  return found;
}
