/**
 * Where the solver does its algebra: coordinates c of the points P c, P with K orthonormal columns that span the latest
 * points and gradients, and where x is in it.
 *
 *   u = v / ‖v‖;  up to three times u ← u − P Pᵀ u;  P ← [P  u / ‖u‖]                                 (eq. 9, 10)
 *   P ← P Q                                                                                         (eq. 11)
 *
 * P is kept column by column, in double or single precision; all sums are in double precision. In single precision P is
 * fixed between two collapses, so that the map from coordinates to points is exactly linear, but a collapse rounds P Q:
 * of a vector v that was in the span, up to 2⁻²⁴ ‖v‖ no longer is, and the coordinates of v known from before differ by
 * as much from those that v would have now. So a part of v below `resolution` ‖v‖ is not taken for a new direction, nor
 * (`subfunction-model.ts`) for a change of a gradient; and coordinates of points are never those of the point itself, but
 * follow from differences of points (`Position`).
 *
 * Memory: 8 M (or 4 M) bytes a column, for as many columns as were ever in use at once, at most `capacity`. Where M is no
 * more than that P is I, and is not stored.
 */
import { type Column, type Precision, type TallColumns, tallColumns } from "@curvature/linalg";
import { float64, type Kind, stateIn } from "@curvature/optim-core/state";
import { inner, lengthOf, subtract } from "./vectors.js";

export interface Subspace {
  /** M */
  readonly dimension: number;
  /** The columns in use. */
  readonly K: number;
  /** The most there can be. */
  readonly capacity: number;
  /** Bytes that P takes. */
  readonly bytes: number;
  /** Whether WebAssembly's memory had no room for P any more, so that TypeScript does the products. */
  readonly hasOutgrown: boolean;
  /** The part of its length to which a vector's coordinates hold through a collapse; 0 where P is kept in double precision. */
  readonly resolution: number;
  /** Pᵀ v into `out`, of at least K numbers. */
  project(v: Float64Array, out: Float64Array): void;
  /** x ← x + P c */
  addTo(x: Float64Array, c: Float64Array): void;
  /**
   * Takes v's direction in, as a new last column, unless it is there already; `out` becomes Pᵀ v.
   *
   * @returns whether P has as many columns as it can, so that the subspace must collapse before the next vector
   */
  expand(v: Float64Array, out: Float64Array): boolean;
  /** P ← P Q, for Q (K × k, row-major) with orthonormal columns. */
  collapse(Q: Float64Array, k: number): void;
  /** Undefined for P = I. */
  readonly columns: TallColumns | undefined;
  /** Takes the first K columns as P. */
  narrow(K: number): void;
}

/** P = I. */
export class FullSpace implements Subspace {
  readonly bytes = 0;
  readonly hasOutgrown = false;
  readonly resolution = 0;
  readonly columns = undefined;
  readonly K: number;
  readonly capacity: number;

  constructor(readonly dimension: number) {
    this.K = dimension;
    this.capacity = dimension;
  }

  project(v: Float64Array, out: Float64Array): void {
    out.set(v);
  }

  addTo(x: Float64Array, c: Float64Array): void {
    for (let i = 0; i < x.length; i++) x[i] += c[i];
  }

  expand(v: Float64Array, out: Float64Array): boolean {
    out.set(v);
    return false;
  }

  collapse(): void {
    throw new RangeError("The full space does not collapse.");
  }

  narrow(): void {}
}

/** A vector shorter than this is nothing, and in double precision a direction of which less than this is new is known. */
const NEGLIGIBLE = 1e-12;
/** If more than this is left of a unit vector, one sweep was enough. */
const MOSTLY_NEW = 0.1;
const SWEEPS = 3;
/** Four times the rounding of single precision. */
const SINGLE_RESOLUTION = 2 ** -22;

export class SharedSubspace implements Subspace {
  readonly resolution: number;
  /** As many as were ever in use; the first K of them are P. */
  readonly columns: TallColumns;
  private used = 0;
  private readonly u: Float64Array;
  private readonly c: Float64Array;

  constructor(
    readonly dimension: number,
    readonly capacity: number,
    precision: Precision,
  ) {
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
    out[used] = columnTimes(column, v);
    return this.used >= this.capacity;
  }

  collapse(Q: Float64Array, k: number): void {
    this.columns.widen(k);
    this.columns.transform(this.used, Q, k);
    this.used = k;
  }

  narrow(K: number): void {
    this.columns.widen(K);
    this.used = K;
  }
}

function columnTimes(column: Column, v: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < v.length; i++) sum += column[i] * v[i];
  return sum;
}

/** P's columns, one after the other; null for P = I. K is declared before it. */
export const columnsOf = (subspace: Subspace, precision: Precision): Kind<Subspace> => ({
  shape: precision,
  initial: subspace,
  save({ columns, K, dimension }) {
    if (columns === undefined) return null;
    const all = new (precision === "float64" ? Float64Array : Float32Array)(K * dimension);
    for (let k = 0; k < K; k++) all.set(columns.column(k), k * dimension);
    return all;
  },
  open(at, value) {
    const { columns, dimension } = subspace;
    const K = at.number("K");
    if (columns === undefined) return value === null ? () => subspace : at.refuse("null", value);
    const isOfKind = value instanceof (precision === "float64" ? Float64Array : Float32Array);
    if (!isOfKind || value.length !== K * dimension)
      return at.refuse(`${K} columns of ${dimension} numbers in ${precision}`, value);
    return () => {
      subspace.narrow(K);
      for (let k = 0; k < K; k++) columns.column(k).set(value.subarray(k * dimension, (k + 1) * dimension));
      return subspace;
    };
  },
});

// ── Collapse (section 3.3) ────────────────────────────────────────────────────────────────────────────────────────────

/** What is left of a unit vector below this is rounding. */
const RANK_TOLERANCE = 1e-12;

/**
 * The subspace shrinks to what is in use: P ← P Q, and every vector v of coordinates becomes Qᵀ v (eq. 11).
 *
 * @param kept - vectors in the old coordinates whose directions are kept
 * @returns v ← Qᵀ v for the vectors of coordinates that are carried over
 */
export function collapseSubspace(
  subspace: Subspace,
  kept: readonly Float64Array[],
): (v: Float64Array) => void {
  const before = subspace.K;
  const { Q, rank } = keptDirections(kept, before, subspace.resolution);
  subspace.collapse(Q, rank);
  const scratch = new Float64Array(rank);
  return (v) => {
    scratch.fill(0);
    for (let i = 0; i < before; i++) for (let j = 0; j < rank; j++) scratch[j] += Q[i * rank + j] * v[i];
    v.fill(0);
    v.set(scratch);
  };
}

/**
 * The directions that a collapse keeps: an orthonormal basis of vectors in the old coordinates, by Gram and Schmidt
 * with pivots. The vectors are brought to unit length first, since gradients shrink by orders of magnitude on the
 * way to a minimum; what is left below 1e-12 of that, or the resolution of P, is rounding.
 *
 * @returns Q, K × rank, row-major, and the rank
 */
function keptDirections(
  vectors: readonly Float64Array[],
  K: number,
  resolution: number,
): { readonly Q: Float64Array; readonly rank: number } {
  const negligible = Math.max(RANK_TOLERANCE, resolution);
  const rest: Float64Array[] = [];
  for (const vector of vectors) {
    const v = vector.slice(0, K);
    const length = lengthOf(v);
    if (!(length > 0 && Number.isFinite(length))) continue;
    for (let i = 0; i < K; i++) v[i] /= length;
    rest.push(v);
  }
  const basis: Float64Array[] = [];
  const sizes = rest.map(() => 1);
  while (basis.length < K && rest.length > 0) {
    const pivot = indexOfLargest(sizes);
    const v = rest[pivot];
    for (const e of basis) subtract(v, inner(e, v), e);
    const size = lengthOf(v);
    if (!(size > negligible)) break;
    for (let i = 0; i < K; i++) v[i] /= size;
    basis.push(v);
    rest.splice(pivot, 1);
    sizes.splice(pivot, 1);
    for (let k = 0; k < rest.length; k++) {
      subtract(rest[k], inner(v, rest[k]), v);
      sizes[k] = lengthOf(rest[k]);
    }
  }
  const rank = basis.length;
  const Q = new Float64Array(K * rank);
  for (let j = 0; j < rank; j++) for (let i = 0; i < K; i++) Q[i * rank + j] = basis[j][i];
  return { Q, rank };
}

function indexOfLargest(sizes: readonly number[]): number {
  let at = 0;
  for (let k = 1; k < sizes.length; k++) if (sizes[k] > sizes[at]) at = k;
  return at;
}

// ── Position ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Where a run is: x, its coordinates z, and the point before it; and where other points are from there. */
export class Position {
  /** The next point to be evaluated. */
  readonly x: Float64Array;
  /** The point before the last step. */
  readonly xPrevious: Float64Array;
  readonly z: Float64Array;
  readonly state;
  private now: Float64Array | undefined;
  private before: Float64Array | undefined;
  /** Room for the way from x to a point, where P is rounded. */
  private readonly shift: Float64Array | undefined;

  /** Takes x into the subspace. */
  constructor(
    x: Float64Array,
    private readonly subspace: Subspace,
  ) {
    this.x = x.slice();
    this.xPrevious = x.slice();
    this.z = new Float64Array(subspace.capacity);
    this.shift = subspace.resolution > 0 ? new Float64Array(x.length) : undefined;
    subspace.expand(x, this.z);
    this.state = stateIn(this, {
      x: float64(this.x),
      xPrevious: float64(this.xPrevious),
      z: float64(this.z, { length: (number) => number("K") }),
    });
  }

  /** A copy of x, the same one until x moves. */
  pointNow(): Float64Array {
    this.now ??= this.x.slice();
    return this.now;
  }

  /** The same of the point before the last step. */
  pointBefore(): Float64Array {
    this.before ??= this.xPrevious.slice();
    return this.before;
  }

  /** @param point - of `pointNow`, if x is there */
  isAt(point: Float64Array): boolean {
    return point === this.now;
  }

  /** The copies that were given away are of another run's points. */
  forgetCopies(): void {
    this.now = undefined;
    this.before = undefined;
  }

  /**
   * The coordinates of a point: Pᵀ point, or where P is rounded, z + Pᵀ (point − x). That differs by rounding of the
   * distance to x, not of the distance to 0, which would soon be more than the steps near a minimum.
   */
  locate(point: Float64Array, out: Float64Array): void {
    const { shift, x, z, subspace } = this;
    if (shift === undefined) {
      this.project(point, out);
      return;
    }
    for (let i = 0; i < shift.length; i++) shift[i] = point[i] - x[i];
    this.project(shift, out);
    for (let k = 0; k < subspace.K; k++) out[k] += z[k];
  }

  /** Pᵀ v, with zeros behind. */
  project(v: Float64Array, out: Float64Array): void {
    out.fill(0);
    this.subspace.project(v, out);
  }

  /** What a collapse keeps of a point beside z: it itself, or where P is rounded the way from z to it. */
  direction(point: Float64Array): Float64Array {
    const { shift, z } = this;
    return shift === undefined ? point : point.map((entry, k) => entry - z[k]);
  }

  /** After a collapse, which has moved z as it moves all coordinates; an exact P gives it anew. */
  reproject(): void {
    if (this.shift === undefined) this.project(this.x, this.z);
  }

  moveTo(point: Float64Array): void {
    const z = new Float64Array(this.z.length);
    this.locate(point, z);
    this.z.set(z);
    this.x.set(point);
    this.now = point;
  }

  /** @param p - of K coordinates */
  step(p: Float64Array): void {
    const { x, z } = this;
    this.xPrevious.set(x);
    this.before = this.now;
    this.now = undefined;
    this.subspace.addTo(x, p);
    for (let k = 0; k < p.length; k++) z[k] += p[k];
  }
}
