/**
 * A function φ(t) of the squared distance t ≥ 0 of a pair of points, with its derivatives. It is applied to a block
 * of distances at a time, so that the loops over pairs are written once and no function is called per pair.
 *
 * Vladymyrov, Carreira-Perpiñán: Partial-Hessian strategies for fast learning of nonlinear embeddings, ICML 2012,
 * section 1: attraction A(t) with A′ > 0, repulsion through a kernel K(t) ≥ 0 with K′ ≤ 0.
 */
export interface PairFunction {
  readonly name: string;
  /** φ of the first `count` entries of t, into f. */
  values(t: Float64Array, f: Float64Array, count: number): void;
  /** φ into f and φ′ into f1. */
  slopes(t: Float64Array, f: Float64Array, f1: Float64Array, count: number): void;
  /** φ, φ′ and φ″ into f, f1 and f2. */
  curvatures(t: Float64Array, f: Float64Array, f1: Float64Array, f2: Float64Array, count: number): void;
}

/** A kernel K(t) with K(0) = 1, not increasing, convex where K > 0. */
export interface Kernel extends PairFunction {
  readonly name: KernelName;
  /** Whether K vanishes from t = 1 on, so that −log K is no attraction. */
  readonly finiteSupport: boolean;
  /** Σ_{n≠m} K(t_nm) of N points in the plane, with its gradient: the loop that most embeddings spend their time in. */
  readonly planeSum?: PlaneSum;
}

export type KernelName = "gaussian" | "student" | "epanechnikov" | "biweight";

/** X is N × 2. Without a gradient the value alone is computed. */
export type PlaneSum = (X: Float64Array, points: number, gradient: Float64Array | undefined) => number;
