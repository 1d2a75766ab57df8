/**
 * The positive semidefinite matrix nearest to a symmetric one: A₊ = Σ_{λ > 0} λ v vᵀ over its eigenpairs.
 *
 * Near the solution A₊ has few positive eigenvalues: then Lanczos finds those alone, some more than there were the
 * last time, until one of them is not positive. The whole decomposition is quicker where n is small or they are many.
 */
import {
  CurvatureError,
  type DenseMatrix,
  type EigenPairs,
  gram,
  lanczos,
  symmetricEigen,
  symmetricTimesVector,
  zeros,
} from "@curvature/linalg";

export interface PositivePart {
  readonly matrix: DenseMatrix;
  /** How many eigenvalues are positive. */
  readonly rank: number;
}

/** Lanczos from this n on, while it is asked for no more than n / SHARE pairs. */
const MIN_LANCZOS = 300;
const SHARE = 12;
const EXTRA = 4;
const TOLERANCE = 1e-10;

/** @param rankBefore - of a matrix near A; undefined where none is known */
export function positivePart(A: DenseMatrix, rankBefore: number | undefined): PositivePart {
  return (rankBefore === undefined ? undefined : byLanczos(A, rankBefore)) ?? fromAll(A);
}

/** By Lanczos; undefined where that is not worth while. */
function byLanczos(A: DenseMatrix, rankBefore: number): PositivePart | undefined {
  const n = A.rows;
  for (let count = rankBefore + EXTRA; n >= MIN_LANCZOS && count * SHARE <= n; count *= 2) {
    const pairs = largestPairs(A, count);
    if (pairs === undefined) return undefined;
    const least = negligible(pairs.values[0], n);
    const rank = pairs.values.findIndex((value) => !(value > least));
    if (rank >= 0) return { matrix: composed(pairs.values, pairs.vectors, 0, rank), rank };
  }
  return undefined;
}

/** Undefined where eigenvalues lie too close to each other for Lanczos to be quick. */
function largestPairs(A: DenseMatrix, count: number): EigenPairs | undefined {
  const n = A.rows;
  try {
    return lanczos((v, out) => symmetricTimesVector(A, v, out), n, {
      count,
      tolerance: TOLERANCE,
      relativeTo: "operator",
      maxProducts: n,
    });
  } catch (error) {
    if (error instanceof CurvatureError && error.code === "ERR_NO_CONVERGENCE") return undefined;
    throw error;
  }
}

function fromAll(A: DenseMatrix): PositivePart {
  const { values, vectors } = symmetricEigen(A);
  const least = negligible(values[values.length - 1], A.rows);
  const first = values.findIndex((value) => value > least);
  if (first < 0) return { matrix: zeros(A.rows, A.rows), rank: 0 };
  return { matrix: composed(values, vectors, first, values.length), rank: values.length - first };
}

/** Below this an eigenvalue is rounding. */
const negligible = (largest: number, n: number): number => n * Number.EPSILON * Math.max(0, largest);

/** Σ λ v vᵀ over the pairs from `start` to `end` − 1. */
function composed(values: Float64Array, vectors: DenseMatrix, start: number, end: number): DenseMatrix {
  const n = vectors.columns;
  if (start === end) return zeros(n, n);
  const B = zeros(end - start, n);
  for (let r = start; r < end; r++) {
    const root = Math.sqrt(values[r]);
    for (let i = 0; i < n; i++) B.data[(r - start) * n + i] = root * vectors.data[r * n + i];
  }
  return gram(B);
}
