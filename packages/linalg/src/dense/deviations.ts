/**
 * Points as principal components see them, B = (X − 1 mᵀ) / s: what `principal-components.ts` needs of B, so that it
 * never has to be there as a whole.
 */
import type { EigenPairs } from "../eigen/pairs.js";
import type { DenseMatrix } from "./matrix.js";
import type { PrincipalThreads } from "./principal-threads.js";

/** What the eigensolver is told. */
export interface PairSettings {
  readonly seed: number;
  readonly tolerance: number;
  readonly threads: PrincipalThreads | undefined;
}

export interface Deviations {
  /** N */
  readonly rows: number;
  /** D */
  readonly columns: number;
  /** m */
  readonly means: Float64Array;
  /** 1/s, or 1 where all points are one. */
  readonly inverse: number;
  /** ‖B‖_F² */
  readonly squares: number;

  /** The `count` ≤ min(N, D) largest pairs of BᵀB where D ≤ N, else of BBᵀ; of dense points with the help of threads. */
  pairs(count: number, settings: PairSettings): EigenPairs;

  /** U B, k × D, for the rows of U, k × N. */
  combined(U: DenseMatrix): DenseMatrix;

  /** (X − 1 mᵀ) Vᵀ for the rows of V, k × D: N × k. */
  scores(V: DenseMatrix): DenseMatrix;
}

/** Of deviations that are not normal numbers the inverse may be infinite. */
const LARGEST_INVERSE = 2 ** 1000;

/** 1/s for the largest deviation s. */
export const inverseOf = (largest: number): number =>
  largest > 0 ? Math.min(1 / largest, LARGEST_INVERSE) : 1;
