/**
 * Candidates for pairs of near points, with their distances: what searches for neighbours spend their time on.
 *
 * WebAssembly proposes pairs by products of single precision with a bound on their error, and measures those by direct
 * differences. There is no such form in TypeScript, where single precision is no faster: a caller without one has the
 * product of two blocks (`gemm`), and finds the same neighbours, since no pair that matters is left out by either.
 */

export interface NearPairs {
  /** Positions of the pairs of the last `find`: visitor and column. */
  readonly first: Int32Array;
  readonly second: Int32Array;
  /** ‖y_a − y_b‖², the four partial sums of entries k mod 4 added as s₀ + s₁ + (s₂ + s₃). */
  readonly distances: Float64Array;
  /** Most visitors of a call, and most columns. */
  readonly most: { readonly visitors: number; readonly columns: number };

  /** Makes the positions from … end − 1 the columns. */
  setColumns(from: number, end: number): void;

  /**
   * The pairs of these visitors with the columns, all those and some more of which
   *
   *   ‖y_a − y_b‖² ≤ worst[a], a the visitor, or where `way` is not "visitors" ≤ worst[b], b the column
   *
   * @param worst - of each position, not negative, infinity for all pairs
   * @param way - "after": columns beyond the visitor's position alone, the visitors being consecutive
   * @returns how many
   */
  find(visitors: Int32Array, worst: Float64Array, way: "visitors" | "both" | "after"): number;
}

/**
 * @param exact - N × columns, the points by position
 * @param centred - the same about any centre: the nearer it is to the points, the fewer pairs are proposed in vain
 * @returns undefined where there is no such form, or none for these points: too many, too long, of extreme sizes
 */
export type NearPairsOf = (
  exact: Float64Array,
  centred: Float64Array,
  columns: number,
) => NearPairs | undefined;
