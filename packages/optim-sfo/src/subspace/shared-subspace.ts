/**
 * The subspace that all subfunctions share: the columns of P span the latest points and gradients.
 *
 *   u = v / ‖v‖;  up to three times u ← u − P Pᵀ u;  P ← [P  u / ‖u‖]                                 (eq. 9, 10)
 *   P ← P Q                                                                                         (eq. 11)
 *
 * P is kept column by column, in double or single precision; all sums are in double precision. In single precision P is
 * fixed between two collapses, so that the map from coordinates to points is exactly linear, but a collapse rounds P Q:
 * of a vector v that was in the span, up to 2⁻²⁴ ‖v‖ no longer is, and the coordinates of v known from before differ by
 * as much from those that v would have now. So a part of v below `resolution` ‖v‖ is not taken for a new direction, nor
 * (`model/subfunction-model.ts`) for a change of a gradient; and coordinates of points are never those of the point
 * itself, but follow from differences of points (`workings.ts`).
 *
 * Memory: 8 M (or 4 M) bytes a column, for as many columns as were ever in use at once, at most `capacity`.
 */

import type { SnapshotReader } from "@curvature/optim-core";
import { addColumns, type Column, dotColumns, multiplyRows } from "./column-kernels.js";
import type { Subspace } from "./subspace.js";

/** A vector shorter than this is nothing, and in double precision a direction of which less than this is new is known. */
const NEGLIGIBLE = 1e-12;
/** If more than this is left of a unit vector, one sweep was enough. */
const MOSTLY_NEW = 0.1;
const SWEEPS = 3;
/** Four times the rounding of single precision. */
const SINGLE_RESOLUTION = 2 ** -22;

export type Precision = "float64" | "float32";

export class SharedSubspace implements Subspace {
  readonly dimension: number;
  readonly capacity: number;
  readonly resolution: number;
  private readonly precision: Precision;
  /** As many as were ever in use; the first K of them are P. */
  private readonly columns: Column[] = [];
  private used = 0;
  private readonly u: Float64Array;
  private readonly c: Float64Array;

  constructor(dimension: number, capacity: number, precision: Precision) {
    this.dimension = dimension;
    this.capacity = capacity;
    this.precision = precision;
    this.resolution = precision === "float64" ? 0 : SINGLE_RESOLUTION;
    this.u = new Float64Array(dimension);
    this.c = new Float64Array(capacity);
  }

  get K(): number {
    return this.used;
  }

  get bytes(): number {
    return this.columns.reduce((sum, column) => sum + column.byteLength, 0);
  }

  /** A copy of P's columns, one after the other. */
  save(): Column {
    const { dimension, used } = this;
    const all =
      this.precision === "float64" ? new Float64Array(used * dimension) : new Float32Array(used * dimension);
    for (let k = 0; k < used; k++) all.set(this.columns[k], k * dimension);
    return all;
  }

  /** Reads and checks; the returned function takes it over. @throws CurvatureError ERR_SNAPSHOT */
  open(state: SnapshotReader, key: string, K: number): () => void {
    const { dimension, precision } = this;
    const all: Column =
      precision === "float64" ? state.float64(key, K * dimension) : state.float32(key, K * dimension);
    return () => {
      this.used = K;
      for (let k = 0; k < K; k++) this.column(k).set(all.subarray(k * dimension, (k + 1) * dimension));
    };
  }

  project(v: Float64Array, out: Float64Array): void {
    dotColumns(this.columns, this.used, v, out);
  }

  addTo(x: Float64Array, c: Float64Array): void {
    addColumns(this.columns, this.used, c, 1, x);
  }

  expand(v: Float64Array, out: Float64Array): boolean {
    const { u, c, used, resolution } = this;
    const known = Math.max(NEGLIGIBLE, resolution);
    const length = norm(v);
    if (!(length >= NEGLIGIBLE)) {
      this.project(v, out);
      return false;
    }
    for (let i = 0; i < u.length; i++) u[i] = v[i] / length;
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      dotColumns(this.columns, used, u, c);
      if (sweep === 0) for (let k = 0; k < used; k++) out[k] = length * c[k];
      addColumns(this.columns, used, c, -1, u);
      const rest = norm(u);
      if (rest < known) return false;
      for (let i = 0; i < u.length; i++) u[i] /= rest;
      if (rest > MOSTLY_NEW) break;
    }
    this.column(used).set(u);
    this.used++;
    out[used] = inner(this.columns[used], v);
    return this.used >= this.capacity;
  }

  collapse(Q: Float64Array, k: number): void {
    for (let j = this.used; j < k; j++) this.column(j);
    multiplyRows(this.columns, this.used, this.dimension, Q, k);
    this.used = k;
  }

  private column(k: number): Column {
    for (let j = this.columns.length; j <= k; j++)
      this.columns.push(
        this.precision === "float64" ? new Float64Array(this.dimension) : new Float32Array(this.dimension),
      );
    return this.columns[k];
  }
}

function norm(v: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < v.length; i++) sum += v[i] * v[i];
  return Math.sqrt(sum);
}

function inner(column: Column, v: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < v.length; i++) sum += column[i] * v[i];
  return sum;
}
