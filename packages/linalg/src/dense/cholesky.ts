/**
 * Cholesky factorisation A = L Lᵀ of a symmetric positive definite matrix, and solves with it.
 *
 * By blocks of columns, left to right:  A₁₁ = L₁₁ L₁₁ᵀ,  L₂₁ = A₂₁ L₁₁⁻ᵀ,  A₂₂ ← A₂₂ − L₂₁ L₂₁ᵀ.
 *
 * n³/3 operations, nearly all of them in the last product. Golub, Van Loan: Matrix Computations, 4th edition,
 * section 4.2. Only the lower triangle of A is read.
 */
import { checkBlock } from "../blocks.js";
import { CurvatureError } from "../errors.js";
import { factorCholeskyInTypeScript } from "../kernels/cholesky.js";
import { installed } from "../kernels/table.js";
import { checkDenseForm, checkSquareForm, type DenseMatrix, zeros } from "./matrix.js";

/** A pivot below this share of its diagonal entry is rounding, not curvature. */
const MIN_PIVOT = 1e-14;

/** A = L Lᵀ, ready for solves. */
export class DenseCholesky {
  /** L: n × n, zeros above the diagonal. */
  readonly factor: DenseMatrix;

  /**
   * @param A - symmetric; its lower triangle is read
   * @param inPlace - whether L takes A's place, which saves the memory of a copy
   * @throws CurvatureError ERR_SHAPE if A is not square; ERR_NOT_POSITIVE_DEFINITE where a pivot is not above
   *   1e-14 of its diagonal entry (NaN and infinite entries end here too), its index named; A is lost if `inPlace`
   */
  constructor(A: DenseMatrix, inPlace = false) {
    checkSquareForm(A, "DenseCholesky");
    this.factor = inPlace ? A : zeros(A.rows, A.rows);
    factor(A.data, A.rows, this.factor.data);
  }

  /**
   * X with A X = B, all right-hand sides together, without allocating.
   *
   * @param B - n × d, row-major
   * @param d - how many right-hand sides; two together cost little more than one
   * @param out - n × d, for X; B itself if left out
   * @throws CurvatureError ERR_SHAPE
   */
  solve(B: Float64Array, d = 1, out: Float64Array = B): void {
    const n = this.factor.rows;
    checkBlock("DenseCholesky.solve", "B", B, n, d);
    checkBlock("DenseCholesky.solve", "out", out, n, d);
    if (out !== B) out.set(B);
    const L = this.factor.data;
    let c = 0;
    for (; c + 1 < d; c += 2) solveTwo(L, n, out, d, c);
    if (c < d) solveOne(L, n, out, d, c);
  }
}

/** A⁻¹, exactly symmetric, by n solves. @throws CurvatureError ERR_SHAPE for what holds no factor */
export function inverse(cholesky: DenseCholesky): DenseMatrix {
  checkDenseForm(cholesky?.factor, "inverse: the factor");
  const n = cholesky.factor.rows;
  const X = zeros(n, n);
  for (let i = 0; i < n; i++) X.data[i * n + i] = 1;
  cholesky.solve(X.data, n);
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) X.data[j * n + i] = X.data[i * n + j];
  return X;
}

function factor(A: Float64Array, n: number, L: Float64Array): void {
  const least = Float64Array.from({ length: n }, (_, i) => MIN_PIVOT * Math.abs(A[i * n + i]));
  const factorCholesky = installed.factorCholesky ?? factorCholeskyInTypeScript;
  const failed = factorCholesky(A, n, least, L);
  if (failed >= 0) throw notPositiveDefinite(failed, L[failed * n + failed]);
}

/** Columns c and c + 1 of B: L y = b row by row, then Lᵀ x = y from the last row up. */
function solveTwo(L: Float64Array, n: number, B: Float64Array, d: number, c: number): void {
  for (let i = 0; i < n; i++) {
    const row = i * n;
    const whole = i - (i % 2);
    let s0 = 0;
    let s1 = 0;
    let t0 = 0;
    let t1 = 0;
    for (let j = 0, at = c; j < whole; j += 2, at += 2 * d) {
      const l0 = L[row + j];
      const l1 = L[row + j + 1];
      s0 += l0 * B[at];
      s1 += l0 * B[at + 1];
      t0 += l1 * B[at + d];
      t1 += l1 * B[at + d + 1];
    }
    if (whole < i) {
      s0 += L[row + whole] * B[whole * d + c];
      s1 += L[row + whole] * B[whole * d + c + 1];
    }
    B[i * d + c] = (B[i * d + c] - (s0 + t0)) / L[row + i];
    B[i * d + c + 1] = (B[i * d + c + 1] - (s1 + t1)) / L[row + i];
  }
  for (let i = n - 1; i >= 0; i--) {
    const row = i * n;
    const x0 = B[i * d + c] / L[row + i];
    const x1 = B[i * d + c + 1] / L[row + i];
    B[i * d + c] = x0;
    B[i * d + c + 1] = x1;
    for (let j = 0, at = c; j < i; j++, at += d) {
      const l = L[row + j];
      B[at] -= l * x0;
      B[at + 1] -= l * x1;
    }
  }
}

/** Column c of B. */
function solveOne(L: Float64Array, n: number, B: Float64Array, d: number, c: number): void {
  for (let i = 0; i < n; i++) {
    const row = i * n;
    const whole = i - (i % 2);
    let s = 0;
    let t = 0;
    for (let j = 0, at = c; j < whole; j += 2, at += 2 * d) {
      s += L[row + j] * B[at];
      t += L[row + j + 1] * B[at + d];
    }
    if (whole < i) s += L[row + whole] * B[whole * d + c];
    B[i * d + c] = (B[i * d + c] - (s + t)) / L[row + i];
  }
  for (let i = n - 1; i >= 0; i--) {
    const row = i * n;
    const x = B[i * d + c] / L[row + i];
    B[i * d + c] = x;
    for (let j = 0, at = c; j < i; j++, at += d) B[at] -= L[row + j] * x;
  }
}

function notPositiveDefinite(index: number, pivot: number): CurvatureError {
  return new CurvatureError(
    "ERR_NOT_POSITIVE_DEFINITE",
    `A is not positive definite: pivot ${index} (counted from 0) is ${pivot}. Add a multiple of the identity, or check A.`,
    { where: "DenseCholesky", path: `pivot ${index}`, expected: "a positive finite pivot", received: pivot },
  );
}
