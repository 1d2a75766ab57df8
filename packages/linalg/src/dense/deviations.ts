/**
 * Points as principal components see them, B = (X − 1 mᵀ) / s: what `principal-components.ts` needs of B, so that it
 * never has to be there as a whole.
 */
import type { EigenPairs } from "../eigen/pairs.js";
import { type DenseMatrix, zeros } from "./matrix.js";

/** Settings of the eigensolver. */
export interface PairSettings {
  readonly seed: number;
  readonly tolerance: number;
  /** What rounding leaves of λ: smaller ones need not be found. */
  readonly least: number;
}

export const noPairs = (n: number): EigenPairs => ({ values: new Float64Array(0), vectors: zeros(0, n) });

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

  /**
   * The largest pairs of BᵀB where D ≤ N, else of BBᵀ, for B less its shares along orthonormal rows of V: as many as there are
   * components, less those rows, or min(N, D).
   */
  pairs(settings: PairSettings, V: DenseMatrix): EigenPairs;

  /** U B, k × D, for the rows of U, k × N, at most as many as there are components. */
  combined(U: DenseMatrix): DenseMatrix;

  /** (X − 1 mᵀ) Vᵀ for the rows of V, k × D, at most as many as there are components: N × k. */
  scores(V: DenseMatrix): DenseMatrix;

  /** No more is asked: threads end. */
  end(): void;
}

/** Of deviations that are not normal numbers the inverse may be infinite. */
const LARGEST_INVERSE = 2 ** 1000;

/** 1/s for the largest deviation s. */
export const inverseOf = (largest: number): number =>
  largest > 0 ? Math.min(1 / largest, LARGEST_INVERSE) : 1;
