/**
 * Points as principal components see them, B = (X − 1 mᵀ) / s: what `principal-components.ts` needs of B, so that it
 * never has to be there as a whole.
 */
import type { SymmetricOperator } from "../eigen/operator.js";
import type { DenseMatrix } from "./matrix.js";

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

  /** v → BᵀB v where D ≤ N, else u → BBᵀ u, of which so many pairs are wanted. */
  product(count: number): SymmetricOperator;

  /** v ← Bᵀ u */
  transposeTimes(u: Float64Array, v: Float64Array): void;

  /** (X − 1 mᵀ) Vᵀ for the rows of V, k × D: N × k. */
  scores(V: DenseMatrix): DenseMatrix;
}

/** Of deviations that are not normal numbers the inverse may be infinite. */
const LARGEST_INVERSE = 2 ** 1000;

/** 1/s for the largest deviation s. */
export const inverseOf = (largest: number): number =>
  largest > 0 ? Math.min(1 / largest, LARGEST_INVERSE) : 1;
