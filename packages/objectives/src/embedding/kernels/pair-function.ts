/**
 * A function φ(t) of the squared distance t ≥ 0 of a pair of points, with its derivatives. It is applied to a block of
 * pairs at a time, with their weights, so that the loops over pairs are written once and nothing is called per pair.
 *
 * Vladymyrov, Carreira-Perpiñán: Partial-Hessian strategies for fast learning of nonlinear embeddings, ICML 2012,
 * section 1: attraction A(t) with A′ > 0, repulsion through a kernel K(t) ≥ 0 with K′ ≤ 0.
 */
export interface PairFunction {
  readonly name: string;
  /** Σ_j w_j φ(t_j) over the first `count` entries of t, whose weights stand in w from `start` on. */
  sum(t: Float64Array, w: Float64Array, start: number, count: number): number;
  /** The same, with a_j = w_j φ′(t_j). */
  slopes(t: Float64Array, w: Float64Array, start: number, count: number, a: Float64Array): number;
  /** a_j = w_j φ′(t_j) and b_j = w_j φ″(t_j). */
  curvatures(
    t: Float64Array,
    w: Float64Array,
    start: number,
    count: number,
    a: Float64Array,
    b: Float64Array,
  ): void;
  /** The same for one row of pairs in the plane, written out: dense and sparse sums spend their time in it. */
  readonly inPlane?: WeightedPlaneRow;
}

export type KernelName = "gaussian" | "student" | "epanechnikov" | "biweight";

/** A kernel K(t) ≥ 0 with K(0) = 1, not increasing, convex where K > 0. */
export interface Kernel extends PairFunction {
  readonly name: KernelName;
  /** f_j = K(t_j) */
  values(t: Float64Array, count: number, f: Float64Array): void;
  /** Likewise for all pairs m < n with weight 1, where every point wants a sum of its own. */
  readonly allInPlane?: SharedPlaneRow;
}

/** One row of the sums S_n of the nonsymmetric models, for points (x_n, y_n). */
export interface SharedPlaneRow {
  /** Σ_{m<n} φ(‖x_n − x_m‖²); adds each φ to entry m of `shares`. */
  sumShared(x: Float64Array, y: Float64Array, n: number, shares: Float64Array): number;
}

/** One row of Σ w φ over the `count` points m that stand in `columns` from `c` on, their weights in w from `start` on. */
export interface WeightedPlaneRow {
  sum(
    x: Float64Array,
    y: Float64Array,
    n: number,
    columns: Int32Array,
    c: number,
    w: Float64Array,
    start: number,
    count: number,
  ): number;
  forces(
    x: Float64Array,
    y: Float64Array,
    n: number,
    columns: Int32Array,
    c: number,
    w: Float64Array,
    start: number,
    count: number,
    fx: Float64Array,
    fy: Float64Array,
  ): number;
}
