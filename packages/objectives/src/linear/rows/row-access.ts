/**
 * One face for rows of every storage: what an algorithm does with a row xᵢ, whether it is dense or sparse, in single
 * or double precision. Behind it stands one class for each storage and element type, with a copy of the loops of
 * its own: shared loops would meet typed arrays of two kinds, which makes V8 two times slower.
 *
 * All vectors are of length at least `columns`; entries beyond (a bias) are left alone. The gains B of a step are in single
 * precision: sparse rows fetch them from all over the memory beside those of w, and half the bytes make a pass 10 to 15 %
 * faster.
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
  addScaledTo(i: number, a: number, B: Float32Array, w: Float64Array): void;
  /** xᵢ·B xᵢ with a diagonal B. */
  scaledSquaredNorm(i: number, B: Float32Array): number;
  /** xᵢ·D xᵢ with a diagonal D in double precision. */
  weightedSquaredNorm(i: number, D: Float64Array): number;
  /** Each stored entry of row i, in the order in which they are stored. */
  forEachEntry(i: number, visit: (column: number, value: number) => void): void;
  /** ‖xᵢ‖² */
  squaredNorm(i: number): number;
  /** The stored entries of row i. */
  count(i: number): number;
}
