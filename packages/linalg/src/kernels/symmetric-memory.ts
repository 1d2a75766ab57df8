import type { RelaxPairs } from "./relaxed-pairs.js";

/** Where symmetric matrices lie that are gone over many times: beside the loops over them, where there are such. */
export interface SymmetricMemory {
  /** Zeros for matrices of at most `rows` rows; undefined where there is no memory for them, or where it does not pay. */
  take(length: number, rows: number): Float64Array | undefined;
  /** w ← A v as `timesSymmetric`, for the n × n matrix that begins with A; false where A does not lie here. */
  multiply(A: Float64Array, n: number, v: Float64Array, w: Float64Array): boolean;
  /** As `RelaxPairs`; false where W and X do not lie here together. */
  relax(...operands: Parameters<RelaxPairs>): boolean;
}
