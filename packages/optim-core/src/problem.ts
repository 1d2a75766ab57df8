/**
 * What is minimised. The interfaces are small and structural: an object literal of the user's is a problem.
 */

/** A function f of a vector x of length `dimension`. */
export interface Objective {
  readonly dimension: number;
  /** Names problem and data in checkpoints; two problems with the same fingerprint are the same problem. */
  readonly fingerprint?: string;
  /**
   * f(x), and with an array ∇f(x) into it, every entry: what the array held before is of no use. Allocates nothing, keeps no reference to either array, and gives the
   * same value with and without a gradient.
   */
  evaluate(x: Float64Array, gradient?: Float64Array): number;
  /** How far apart in coordinate i two points must be for their gradients to differ clearly, where those are not exact. */
  resolution?(i: number): number;
  /** ∇²f(x) v into `out`. */
  hessianVector?(x: Float64Array, v: Float64Array, out: Float64Array): void;
  /** The Gauss-Newton approximation of ∇²f(x) times v into `out`. */
  gaussNewtonVector?(x: Float64Array, v: Float64Array, out: Float64Array): void;
  /** Of a sum: up to that many objectives, of about one number of terms each, which add up to f. */
  partsOf?(parts: number): readonly Objective[];
}

/** F(x) = Σᵢ fᵢ(x), i = 0 … count − 1. Each fᵢ is deterministic. */
export interface SumOfFunctions {
  readonly dimension: number;
  readonly count: number;
  readonly fingerprint?: string;
  /**
   * fᵢ(x), and with an array ∇fᵢ(x) into it, every entry: what the array held before is of no use. The array belongs to
   * the callee until the promise settles.
   */
  evaluate(index: number, x: Float64Array, gradient?: Float64Array): number | Promise<number>;
  /**
   * Σ over `indices` of fᵢ(x), and with an array the sum of their gradients: for those who compute a batch
   * faster than its parts.
   */
  readonly evaluateBatch?:
    | ((indices: Int32Array, x: Float64Array, gradient?: Float64Array) => number | Promise<number>)
    | undefined;
  /**
   * fᵢ(x) with a gradient that is zero outside a few coordinates: writes which, and the entries there, and
   * returns the value and how many.
   */
  evaluateSparse?(
    index: number,
    x: Float64Array,
    coordinates: Int32Array,
    entries: Float64Array,
  ): SparseEvaluation;
}

export interface SparseEvaluation {
  readonly value: number;
  readonly touched: number;
}
