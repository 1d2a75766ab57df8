/**
 * One face for rows of every storage: what an algorithm does with a row xᵢ, whether it is dense or sparse, in single
 * or double precision. Behind it stands one class for each storage and element type, with a copy of the loops of
 * its own: shared loops would meet typed arrays of two kinds, which makes V8 two times slower.
 *
 * All vectors are Float64Array of length at least `columns`; entries beyond (a bias) are left alone.
 */
export interface RowAccess {
  /** n */
  readonly rows: number;
  /** d */
  readonly columns: number;
  /** Of the whole matrix; explicit zeros count, and in dense rows all entries do. */
  readonly storedEntries: number;
  /** w·xᵢ */
  dot(i: number, w: Float64Array): number;
  /** w ← w + a xᵢ */
  addTo(i: number, a: number, w: Float64Array): void;
  /** w ← w + a B xᵢ with a diagonal B. */
  addScaledTo(i: number, a: number, B: Float64Array, w: Float64Array): void;
  /** xᵢ·B xᵢ with a diagonal B. */
  scaledSquaredNorm(i: number, B: Float64Array): number;
  /** ‖xᵢ‖² */
  squaredNorm(i: number): number;
  /** The stored entries of row i. */
  count(i: number): number;
}
