/**
 * Where the solver does its algebra: coordinates c of the points P c, P with K orthonormal columns.
 */
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
  /** P ← P Q, for Q (K x k, row-major) with orthonormal columns. */
  collapse(Q: Float64Array, k: number): void;
}
