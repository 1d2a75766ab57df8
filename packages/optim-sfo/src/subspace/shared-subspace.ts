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

import { type Column, type Precision, type TallColumns, tallColumns } from "@curvature/linalg";
import type { SnapshotReader } from "@curvature/optim-core";
import { lengthOf } from "./length.js";
import type { Subspace } from "./subspace.js";

/** A vector shorter than this is nothing, and in double precision a direction of which less than this is new is known. */
const NEGLIGIBLE = 1e-12;
/** If more than this is left of a unit vector, one sweep was enough. */
const MOSTLY_NEW = 0.1;
const SWEEPS = 3;
/** Four times the rounding of single precision. */
const SINGLE_RESOLUTION = 2 ** -22;

export class SharedSubspace implements Subspace {
  readonly dimension: number;
  readonly capacity: number;
  readonly resolution: number;
  private readonly precision: Precision;
  /** As many as were ever in use; the first K of them are P. */
  private readonly columns: TallColumns;
  private used = 0;
  private readonly u: Float64Array;
  private readonly c: Float64Array;

  constructor(dimension: number, capacity: number, precision: Precision) {
    this.dimension = dimension;
    this.capacity = capacity;
    this.precision = precision;
    this.resolution = precision === "float64" ? 0 : SINGLE_RESOLUTION;
    this.columns = tallColumns(dimension, capacity, precision);
    this.u = new Float64Array(dimension);
    this.c = new Float64Array(capacity);
  }

  get K(): number {
    return this.used;
  }

  get bytes(): number {
    return this.columns.bytes;
  }

  get hasOutgrown(): boolean {
    return this.columns.hasOutgrown;
  }

  /** A copy of P's columns, one after the other. */
  save(): Column {
    const { dimension, used } = this;
    const all =
      this.precision === "float64" ? new Float64Array(used * dimension) : new Float32Array(used * dimension);
    for (let k = 0; k < used; k++) all.set(this.columns.column(k), k * dimension);
    return all;
  }

  /** Reads and checks; the returned function takes it over. @throws CurvatureError ERR_SNAPSHOT */
  open(state: SnapshotReader, key: string, K: number): () => void {
    const { dimension, precision } = this;
    const all: Column =
      precision === "float64" ? state.float64(key, K * dimension) : state.float32(key, K * dimension);
    return () => {
      this.used = K;
      this.columns.widen(K);
      for (let k = 0; k < K; k++)
        this.columns.column(k).set(all.subarray(k * dimension, (k + 1) * dimension));
    };
  }

  project(v: Float64Array, out: Float64Array): void {
    this.columns.project(this.used, v, out);
  }

  addTo(x: Float64Array, c: Float64Array): void {
    this.columns.combine(this.used, c, 1, x);
  }

  expand(v: Float64Array, out: Float64Array): boolean {
    const { u, c, used, resolution } = this;
    const known = Math.max(NEGLIGIBLE, resolution);
    const length = lengthOf(v);
    if (!(length >= NEGLIGIBLE)) {
      this.project(v, out);
      return false;
    }
    for (let i = 0; i < u.length; i++) u[i] = v[i] / length;
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      this.columns.project(used, u, c);
      if (sweep === 0) for (let k = 0; k < used; k++) out[k] = length * c[k];
      this.columns.combine(used, c, -1, u);
      const rest = lengthOf(u);
      if (rest < known) return false;
      for (let i = 0; i < u.length; i++) u[i] /= rest;
      if (rest > MOSTLY_NEW) break;
    }
    this.columns.widen(used + 1);
    const column = this.columns.column(used);
    column.set(u);
    this.used++;
    out[used] = inner(column, v);
    return this.used >= this.capacity;
  }

  collapse(Q: Float64Array, k: number): void {
    this.columns.widen(k);
    this.columns.transform(this.used, Q, k);
    this.used = k;
  }
}

function inner(column: Column, v: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < v.length; i++) sum += column[i] * v[i];
  return sum;
}
