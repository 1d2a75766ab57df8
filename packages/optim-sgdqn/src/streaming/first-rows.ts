/** The rows at the beginning of a stream, held until there are enough of them to say how large columns and targets are. */
import type { DenseMatrix, SparseMatrix } from "@curvature/linalg";
import { isSparseRows, type Rows, rowAccess } from "@curvature/objectives/linear";
import { boolean, float64, int32, stateOf, whole } from "@curvature/optim-core/state";
import { lengthOf } from "./column-scaling.js";

/** Rows with what there is to learn of them. */
export interface Batch {
  readonly rows: Rows;
  /** One array for each model. */
  readonly targets: readonly Float64Array[];
  /** Of the rows, as the user gave them. */
  readonly weights: Float64Array;
  /** What their classes' weights multiply these by; all 1 without. */
  readonly factors: Float64Array | undefined;
}

const any = { anyLength: true };

export class FirstRows {
  private readonly models: number;
  readonly state = stateOf(
    {
      count: whole(),
      columns: whole(),
      isSparse: boolean(),
      rowPointers: int32(new Int32Array(1), any),
      columnIndices: int32(new Int32Array(0), any),
      values: float64(new Float64Array(0), any),
      /** Model after model. */
      targets: float64(new Float64Array(0), any),
      weights: float64(new Float64Array(0), any),
      factors: float64(new Float64Array(0), any),
      hasFactors: boolean(),
    },
    (saved) => {
      const length = (name: string): number => lengthOf(saved.get(name));
      const [count, pointers] = [Number(saved.get("count")), saved.get("rowPointers")];
      const agrees =
        pointers instanceof Int32Array &&
        pointers.length === count + 1 &&
        pointers[count] === length("values") &&
        length("columnIndices") === length("values") &&
        length("targets") % Math.max(1, count) === 0 &&
        length("weights") === count &&
        (saved.get("hasFactors") === false || length("factors") === count);
      return agrees ? undefined : "of arrays as long as there are rows and entries";
    },
  );

  constructor(models: number) {
    this.models = models;
  }

  get batch(): Batch | undefined {
    const { state, models } = this;
    const { count, columns, isSparse, rowPointers, columnIndices, values, targets, weights } = state;
    if (count === 0) return undefined;
    const sparse = { rows: count, columns, rowPointers, columnIndices, values };
    return {
      rows: isSparse ? sparse : filled(sparse),
      targets: Array.from({ length: models }, (_, k) => targets.slice(k * count, (k + 1) * count)),
      weights,
      factors: state.hasFactors ? state.factors : undefined,
    };
  }

  /** Holds this batch, and no other. */
  hold({ rows, targets, weights, factors }: Batch): void {
    const { columns, rowPointers, columnIndices, values } = stacked([rows]);
    Object.assign(this.state, {
      ...{ count: rows.rows, columns, isSparse: isSparseRows(rows), rowPointers, columnIndices, values },
      targets: joined(targets),
      weights: weights.slice(),
      factors: factors?.slice() ?? new Float64Array(0),
      hasFactors: factors !== undefined,
    });
  }

  release(): void {
    const [none, empty] = [new Float64Array(0), new Int32Array(0)];
    Object.assign(this.state, {
      ...{ count: 0, columns: 0, rowPointers: new Int32Array(1), columnIndices: empty, values: none },
      ...{ targets: none, weights: none, factors: none, hasFactors: false },
    });
  }
}

/** Both, one after the other; sparse if one of them is. */
export function together(a: Batch | undefined, b: Batch): Batch {
  if (a === undefined) return b;
  const sparse = stacked([a.rows, b.rows]);
  const ones = (part: Batch): Float64Array => new Float64Array(part.rows.rows).fill(1);
  const isWeighted = a.factors !== undefined || b.factors !== undefined;
  return {
    rows: isSparseRows(a.rows) || isSparseRows(b.rows) ? sparse : filled(sparse),
    targets: a.targets.map((ofModel, k) => joined([ofModel, b.targets[k]])),
    weights: joined([a.weights, b.weights]),
    factors: isWeighted ? joined([a.factors ?? ones(a), b.factors ?? ones(b)]) : undefined,
  };
}

/** A copy of all rows as sparse ones. */
function stacked(parts: readonly Rows[]): SparseMatrix {
  const pointers = [0];
  const [indices, values]: [number[], number[]] = [[], []];
  for (const part of parts) {
    const access = rowAccess(part);
    for (let i = 0; i < part.rows; i++) {
      access.forEachEntry(i, (j, x) => {
        indices.push(j);
        values.push(x);
      });
      pointers.push(indices.length);
    }
  }
  return {
    rows: pointers.length - 1,
    columns: Math.max(...parts.map(({ columns }) => columns)),
    rowPointers: Int32Array.from(pointers),
    columnIndices: Int32Array.from(indices),
    values: Float64Array.from(values),
  };
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function filled({ rows, columns, rowPointers, columnIndices, values }: SparseMatrix): DenseMatrix {
  const data = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i++)
    for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++)
      data[i * columns + columnIndices[p]] = values[p];
  return { rows, columns, data };
}
