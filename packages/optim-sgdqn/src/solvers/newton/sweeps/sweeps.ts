/**
 * What Newton's method does with many rows at once: products with X, Xᵀ and Xᵀ diag(h) X, the latter's entries and its
 * diagonal. Whole sweeps in one call, so that short rows do not pay for calls; one class for each storage and
 * element type, so that no loop meets typed arrays of two kinds.
 *
 * With a bias every row has a last entry 1, and all vectors of parameters are one longer than the rows.
 *
 * All methods work on rows from … to − 1. Rows with aᵢ or hᵢ = 0 cost nothing.
 */
export interface RowSweeps {
  /** qᵢ ← xᵢ·v */
  multiply(v: Float64Array, q: Float64Array, from: number, to: number): void;
  /** out ← out + Σ aᵢ xᵢ */
  addTransposed(a: Float64Array, out: Float64Array, from: number, to: number): void;
  /** out ← out + Σ hᵢ (xᵢ·v) xᵢ */
  addHessianProduct(h: Float64Array, v: Float64Array, out: Float64Array, from: number, to: number): void;
  /** out ← out + Σ hᵢ xᵢ∘xᵢ */
  addSquares(h: Float64Array, out: Float64Array, from: number, to: number): void;
  /** H ← H + Σ hᵢ xᵢ xᵢᵀ, lower triangle, row-major; hᵢ of any sign. */
  addOuterProducts(h: Float64Array, H: Float64Array, from: number, to: number): void;
}
