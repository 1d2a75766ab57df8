/**
 * What cells of points do to each other: the formulas of `plane-cells.ts` and `space-cells.ts`, which are written out. Those of
 * single pairs are in `plane-pairs.ts` and `space-pairs.ts`.
 *
 * For a cell A: m_A points, centre of mass c_A, spread q_A = Σ_{n∈A} a aᵀ / m_A with a = x_n − c_A. For two cells, with
 * R = c_A − c_B, t = ‖R‖², q = q_A + q_B, and f, f₁, f₂, f₃ = K(t), K′, K″, K‴, the mean of K over their pairs by its second-
 * order Taylor polynomial in a − b, whose first-order terms vanish with Σ a, and its derivatives:
 *
 *   V    = Σ_{n∈A, m∈B} K  ≈  m_A m_B (f + f₁ tr q + 2 f₂ Rᵀ q R)
 *   g    = f₁ R + f₂ tr(q) R + 2 f₃ (Rᵀ q R) R + 2 f₂ q R             half the gradient of V / (m_A m_B) in R
 *   h    = f₁ I + 2 f₂ R Rᵀ                                           the same of V / (m_A m_B) in q, on both sides of it
 *   ½ ∂V/∂x_n = m_B (g + h a)  for n in A,   m_A (−g + h b)  for n in B
 *
 * since x_n moves c_A by 1 / m_A, and Q = m q by 2 a. A cell sums up all that acts on it as a field g + h a, hands it on to
 * its children at their own centres, and leaves to their points. A cell with itself is R = 0: V = m² − m + 2 m² f₁(0) tr q
 * over its m² − m ordered pairs, h = f₁(0) I, f₁(0) = −1.
 *
 * | symbol   | variable       | shape                                    |
 * |----------|----------------|------------------------------------------|
 * | c, ρ     | centers        | 4 per cell: x, y, z, radius              |
 * | q        | moments        | 3 or 6 per cell, upper triangle          |
 * | g, h     | fields         | 5 or 9 per cell                          |
 */

/** What the tree's walk asks of cells. */
export interface Cells {
  /** Of cell c, from 4 c on: the centre of mass (z = 0 in the plane) and the distance of the farthest point from it. */
  readonly centers: Float64Array;
  /** Their points, one by one. */
  readonly pairs: Pairs;
  /** Takes the centres and moments of the tree's cells. */
  measure(): void;
  /** Forgets what acted on cells and points. */
  clearForces(): void;
  /** Σ K over the ordered pairs between A_k and B_k, by expansion; with `forces`, remembers what acts on both. */
  far(A: Int32Array, B: Int32Array, count: number, forces: boolean): number;
  /** The same over the pairs within cell c. */
  own(c: number, forces: boolean): number;
  /** The gradient of what was summed, into the rows of the map's points. */
  storeForces(out: Float64Array): void;
}

/** What it asks of their points, pair by pair. */
export interface Pairs {
  /**
   * Σ K over the ordered pairs between A_k and B_k, within the cell where A_k = B_k; with `forces`, remembers what they add to
   * ½ ∂V/∂x.
   */
  near(A: Int32Array, B: Int32Array, count: number, forces: boolean): number;
}

/** t from which V is left at its first term, f, and exerts no force, so that no power of a distance overflows. */
export const FARTHEST = 1e70;
