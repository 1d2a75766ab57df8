/**
 * ml-matrix's decompositions behind a check of their input. Its iterations have no bound: its eigenvalues never
 * return on a NaN, nor on some matrices whose squares overflow, nor, where not symmetric, on some small matrices of
 * zeros and ones; its singular values come out as NaN. Therefore: finite, within range, square or symmetric where
 * needed, or an error.
 */
import {
  CholeskyDecomposition,
  EigenvalueDecomposition,
  LuDecomposition,
  QrDecomposition,
  SingularValueDecomposition,
} from "ml-matrix";
import { type DenseMatrix, type MatrixLike, toDense } from "../dense/matrix.js";
import { CurvatureError } from "../errors.js";
import { maxAbs } from "../kernels/vector.js";
import { toMl } from "./view.js";

/** Entries between these, if not 0, have squares and sums of squares that are numbers. */
const LARGEST = 1e140;
const SMALLEST = 1e-140;
/** Differences of a_ij and a_ji below this share of the largest entry are rounding. */
const ASYMMETRY = 1e-12;

/**
 * A = V diag(λ) Vᵀ of a symmetric matrix.
 *
 * @throws CurvatureError ERR_SHAPE; ERR_NON_FINITE; ERR_ARGUMENT if A is not symmetric or out of range
 */
export function eigenvalueDecomposition(A: MatrixLike): EigenvalueDecomposition {
  return new EigenvalueDecomposition(
    toMl(symmetric("eigenvalueDecomposition", inRange("eigenvalueDecomposition", A))),
    {
      assumeSymmetric: true,
    },
  );
}

/**
 * A = U diag(σ) Vᵀ; a matrix of more columns than rows is transposed inside.
 *
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE; ERR_ARGUMENT if A is out of range
 */
export function singularValueDecomposition(A: MatrixLike): SingularValueDecomposition {
  return new SingularValueDecomposition(toMl(inRange("singularValueDecomposition", A)), {
    autoTranspose: true,
  });
}

/** A = Q R, at least as many rows as columns. @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE */
export function qrDecomposition(A: MatrixLike): QrDecomposition {
  const matrix = checked("qrDecomposition", A);
  if (matrix.rows < matrix.columns)
    throw shape("qrDecomposition", "at least as many rows as columns", matrix);
  return new QrDecomposition(toMl(matrix));
}

/** P A = L U, A square. @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE */
export function luDecomposition(A: MatrixLike): LuDecomposition {
  return new LuDecomposition(toMl(square("luDecomposition", checked("luDecomposition", A))));
}

/**
 * A = L Lᵀ, A symmetric positive definite. `DenseCholesky` of the main entry is twice as fast and takes many
 * right-hand sides.
 *
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE; ERR_ARGUMENT if A is not symmetric; ERR_NOT_POSITIVE_DEFINITE
 */
export function choleskyDecomposition(A: MatrixLike): CholeskyDecomposition {
  const matrix = symmetric("choleskyDecomposition", checked("choleskyDecomposition", A));
  const cholesky = new CholeskyDecomposition(toMl(matrix));
  if (cholesky.isPositiveDefinite()) return cholesky;
  throw new CurvatureError("ERR_NOT_POSITIVE_DEFINITE", "A is not positive definite.", {
    where: "choleskyDecomposition",
    path: "A",
  });
}

function checked(where: string, A: MatrixLike): DenseMatrix {
  const matrix = toDense(A, `${where}: A`);
  if (matrix.data.length === 0) throw shape(where, "at least one row and one column", matrix);
  return matrix;
}

function square(where: string, matrix: DenseMatrix): DenseMatrix {
  if (matrix.rows !== matrix.columns) throw shape(where, "as many rows as columns", matrix);
  return matrix;
}

function inRange(where: string, A: MatrixLike): DenseMatrix {
  const matrix = checked(where, A);
  const largest = maxAbs(matrix.data);
  if (largest === 0 || (largest >= SMALLEST && largest <= LARGEST)) return matrix;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `the largest entry of A in magnitude must lie between ${SMALLEST} and ${LARGEST}; it is ${largest}. Scale A.`,
    { where, path: "A", expected: `${SMALLEST} to ${LARGEST}`, received: largest },
  );
}

/** The matrix itself if it is symmetric to the bit, a copy with the mean of both halves if it is so up to rounding. */
function symmetric(where: string, A: DenseMatrix): DenseMatrix {
  const { rows: n, data } = square(where, A);
  const allowed = ASYMMETRY * maxAbs(data);
  let copy = data;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const difference = Math.abs(data[i * n + j] - data[j * n + i]);
      if (difference === 0) continue;
      if (!(difference <= allowed)) throw asymmetric(where, i, j);
      if (copy === data) copy = data.slice();
      copy[i * n + j] = data[i * n + j] / 2 + data[j * n + i] / 2;
      copy[j * n + i] = copy[i * n + j];
    }
  }
  return { rows: n, columns: n, data: copy };
}

function shape(where: string, expected: string, { rows, columns }: DenseMatrix): CurvatureError {
  return new CurvatureError("ERR_SHAPE", `A must have ${expected}; received ${rows} x ${columns}.`, {
    where,
    path: "A",
    expected,
    received: `${rows} x ${columns}`,
  });
}

function asymmetric(where: string, i: number, j: number): CurvatureError {
  return new CurvatureError(
    "ERR_ARGUMENT",
    `A must be symmetric; entries (${i}, ${j}) and (${j}, ${i}) differ (counted from 0).`,
    { where, path: `row ${i}, column ${j}`, expected: "a symmetric matrix" },
  );
}
