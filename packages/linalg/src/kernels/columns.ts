/**
 * A tall matrix P that is kept column by column and grows by columns, with the products that a subspace of a large space
 * needs. Sums are in double precision whatever the columns are kept in.
 *
 * Each sum of Pᵀ v runs over four partial ones, as `dot` of `vector.ts` has it; P c four columns at a time.
 */
import { allocated } from "../memory.js";

export type Column = Float64Array | Float32Array;

export type Precision = "float64" | "float32";

/** The arrays are as long as P is, or at least as long as it has columns in use; nothing is checked. */
interface ColumnProducts {
  /** P's columns; there are none after `count`. */
  readonly count: number;
  /** Bytes that the columns take. */
  readonly bytes: number;
  /** Column k < count; good until P grows or is multiplied. */
  column(k: number): Column;
  /** outₖ = pₖᵀ v for the first K columns. */
  project(K: number, v: Float64Array, out: Float64Array): void;
  /** x ← x + sign Σₖ cₖ pₖ over the first K columns. */
  combine(K: number, c: Float64Array, sign: 1 | -1, x: Float64Array): void;
}

export interface TallColumns extends ColumnProducts {
  /** Whether WebAssembly's memory had no room for more columns, so that TypeScript has done the work since. */
  readonly hasOutgrown: boolean;
  /**
   * Makes P so many columns wide, by columns of zeros; never narrower, nor wider than it was made for.
   *
   * @throws CurvatureError ERR_MEMORY; ERR_OPTION for a count that is no whole number up to that
   */
  widen(count: number): void;
  /** The first K columns times Q (K × k, row-major), in the place of the first k ≤ count. */
  transform(K: number, Q: Float64Array, k: number): void;
}

/** One of the forms. What returns false has changed nothing, since there is no memory for it. */
export interface ColumnsForm extends ColumnProducts {
  widen(count: number): boolean;
  transform(K: number, Q: Float64Array, k: number): boolean;
}

/** Undefined where there is no other form than TypeScript's. */
export type TakeColumns = (length: number, most: number, precision: Precision) => ColumnsForm | undefined;

/** Rows that are multiplied by Q at a time: K + k columns of them stay in the cache. */
const BLOCK = 64;

export class ColumnsInTypeScript implements ColumnsForm {
  private readonly columns: Column[] = [];

  constructor(
    private readonly length: number,
    private readonly precision: Precision,
  ) {}

  get count(): number {
    return this.columns.length;
  }

  get bytes(): number {
    return this.columns.length * this.length * (this.precision === "float64" ? 8 : 4);
  }

  column(k: number): Column {
    return this.columns[k];
  }

  widen(count: number): true {
    const { columns, length, precision } = this;
    const Numbers = precision === "float64" ? Float64Array : Float32Array;
    while (columns.length < count) columns.push(allocated<Column>(length, "tallColumns", Numbers));
    return true;
  }

  project(K: number, v: Float64Array, out: Float64Array): void {
    for (let k = 0; k < K; k++) out[k] = dotColumn(this.columns[k], v);
  }

  combine(K: number, c: Float64Array, sign: 1 | -1, x: Float64Array): void {
    const P = this.columns;
    let k = 0;
    for (; k + 4 <= K; k += 4)
      addFour(
        P[k],
        P[k + 1],
        P[k + 2],
        P[k + 3],
        sign * c[k],
        sign * c[k + 1],
        sign * c[k + 2],
        sign * c[k + 3],
        x,
      );
    for (; k < K; k++) addOne(P[k], sign * c[k], x);
  }

  transform(K: number, Q: Float64Array, k: number): true {
    transformInTypeScript(this.columns, K, Q, k);
    return true;
  }
}

/** The first K columns of P times Q (K × k, row-major), in the place of its first k. */
export function transformInTypeScript(P: readonly Column[], K: number, Q: Float64Array, k: number): void {
  const length = P[0]?.length ?? 0;
  const block = new Float64Array(BLOCK * K);
  const sums = new Float64Array(BLOCK);
  for (let start = 0; start < length; start += BLOCK) {
    const rows = Math.min(BLOCK, length - start);
    for (let l = 0; l < K; l++) {
      const column = P[l];
      for (let i = 0; i < rows; i++) block[l * BLOCK + i] = column[start + i];
    }
    for (let j = 0; j < k; j++) {
      sums.fill(0);
      let l = 0;
      for (; l + 4 <= K; l += 4)
        addRows(
          block,
          l,
          rows,
          Q[l * k + j],
          Q[(l + 1) * k + j],
          Q[(l + 2) * k + j],
          Q[(l + 3) * k + j],
          sums,
        );
      for (; l < K; l++) {
        const q = Q[l * k + j];
        for (let i = 0; i < rows; i++) sums[i] += q * block[l * BLOCK + i];
      }
      const column = P[j];
      for (let i = 0; i < rows; i++) column[start + i] = sums[i];
    }
  }
}

/** `dot` for columns of either precision: arrays of two kinds in one function would make that one slow. */
function dotColumn(p: Column, v: Float64Array): number {
  const n = v.length;
  const whole = n - (n % 4);
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  for (let i = 0; i < whole; i += 4) {
    s0 += p[i] * v[i];
    s1 += p[i + 1] * v[i + 1];
    s2 += p[i + 2] * v[i + 2];
    s3 += p[i + 3] * v[i + 3];
  }
  for (let i = whole; i < n; i++) s0 += p[i] * v[i];
  return s0 + s1 + (s2 + s3);
}

function addFour(
  p0: Column,
  p1: Column,
  p2: Column,
  p3: Column,
  c0: number,
  c1: number,
  c2: number,
  c3: number,
  x: Float64Array,
): void {
  for (let i = 0; i < x.length; i++) x[i] += c0 * p0[i] + c1 * p1[i] + (c2 * p2[i] + c3 * p3[i]);
}

function addOne(p: Column, c: number, x: Float64Array): void {
  for (let i = 0; i < x.length; i++) x[i] += c * p[i];
}

/** sums ← sums + Σ q block row, for four rows of the block from `l` on. */
function addRows(
  block: Float64Array,
  l: number,
  rows: number,
  q0: number,
  q1: number,
  q2: number,
  q3: number,
  sums: Float64Array,
): void {
  const at0 = l * BLOCK;
  const at1 = at0 + BLOCK;
  const at2 = at1 + BLOCK;
  const at3 = at2 + BLOCK;
  for (let i = 0; i < rows; i++)
    sums[i] += q0 * block[at0 + i] + q1 * block[at1 + i] + (q2 * block[at2 + i] + q3 * block[at3 + i]);
}
