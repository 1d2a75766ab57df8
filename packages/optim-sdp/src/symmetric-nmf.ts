/**
 * Symmetric nonnegative matrix factorisation A ≈ Y Yᵀ, Y ≥ 0 (n × r), by the ADMM on two copies of Y.
 *
 * Problem     minimise ‖A − W Hᵀ‖²_F  s.t.  W = H, W ≥ 0, H ≥ 0, A ≥ 0
 * Iteration   W ← [(A H + σ H − Γ)(Hᵀ H + σ I)⁻¹]_+
 *             H ← [(A W + σ W + Γ)(Wᵀ W + σ I)⁻¹]_+
 *             Γ ← Γ + σ (W − H)
 * Stop        ‖W − H‖_F < tolerance ‖W‖_F after the first step
 *
 * | symbol | variable | shape, value                         |
 * |--------|----------|--------------------------------------|
 * | W, H   | W, H     | n × r; H₀ = √(mean A / r) |N(0, 1)|   |
 * | Γ      | Gamma    | n × r, from 0                        |
 * | σ      | SIGMA    | 1                                    |
 *
 * Tepper, Sengupta, Chklovskii, J. Mach. Learn. Res. 19 (2018), eqs. (30), (31); the printed sign of (31c) contradicts
 * the Lagrangian (30), and is + here. Clipping the solution of the least squares is a heuristic, not the exact nonnegative
 * least squares, so that the end need not be a stationary point. Negative entries of A are taken as 0, and A is divided by
 * its largest entry first, so that σ = 1 suits any unit; Y is scaled back.
 *
 * Time 4 n² r + 4 n r² per step, memory n² + 5 n r.
 */
import {
  CurvatureError,
  checkArgument,
  DenseCholesky,
  type DenseMatrix,
  dot,
  fillNormal,
  gram,
  integerFrom,
  integerOrInfinity,
  type MatrixLike,
  multiply,
  nonNegative,
  type OptionsOf,
  optionTable,
  RandomGenerator,
  toDense,
  zeros,
} from "@curvature/linalg";

export const symmetricNmfOptions = optionTable({
  /** Relative difference of the copies at which it has converged. */
  tolerance: nonNegative.default(1e-5),
  maxIterations: integerOrInfinity(1).default(1000),
  /** Of H₀. */
  seed: integerFrom(0).default(0),
});
export type SymmetricNmfOptions = OptionsOf<typeof symmetricNmfOptions>;

export interface SymmetricNmfResult {
  /** Y, n × r, at least 0. */
  readonly factor: DenseMatrix;
  /** ‖A − Y Yᵀ‖_F / ‖A‖_F, A without its negative entries; 0 if A is 0. */
  readonly error: number;
  readonly iterations: number;
  /** Whether the copies met the tolerance. */
  readonly converged: boolean;
}

const SIGMA = 1;
/** Share of the largest entry by which a_ij and a_ji may differ. */
const ASYMMETRY = 1e-6;

/**
 * Factors a symmetric matrix.
 *
 * @param A - n × n, symmetric
 * @param r - columns of Y, at least 1; may be more than n
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT if A is not symmetric or r not whole, ERR_OPTION
 */
export function symmetricNmf(A: MatrixLike, r: number, options?: SymmetricNmfOptions): SymmetricNmfResult {
  const { tolerance, maxIterations, seed } = symmetricNmfOptions.resolve("symmetricNmf", options);
  checkArgument("symmetricNmf", "r", integerFrom(1), r);
  const { matrix, largest } = nonnegativePart(toDense(A, "A"));
  const n = matrix.rows;
  let W = zeros(n, r);
  if (largest === 0) return { factor: W, error: 0, iterations: 0, converged: true };
  let H = start(matrix, r, new RandomGenerator(seed));
  const Gamma = zeros(n, r);
  let iterations = 0;
  let converged = false;
  while (iterations < maxIterations && !converged) {
    iterations++;
    W = half(matrix, H, Gamma, -1);
    H = half(matrix, W, Gamma, 1);
    let difference = 0;
    for (let k = 0; k < Gamma.data.length; k++) {
      const d = W.data[k] - H.data[k];
      Gamma.data[k] += SIGMA * d;
      difference += d * d;
    }
    converged = iterations > 1 && Math.sqrt(difference) < tolerance * Math.sqrt(dot(W.data, W.data));
  }
  const root = Math.sqrt(largest);
  const error = relativeError(matrix, W);
  for (let k = 0; k < W.data.length; k++) W.data[k] *= root;
  return { factor: W, error, iterations, converged };
}

/** A's symmetric part without negative entries, divided by its largest entry, so that σ = 1 suits any unit of A. */
function nonnegativePart(A: DenseMatrix): { matrix: DenseMatrix; largest: number } {
  const n = A.rows;
  if (n === 0 || A.columns !== n)
    throw new CurvatureError(
      "ERR_SHAPE",
      `A must be square, with at least one row; received ${n} x ${A.columns}.`,
      { where: "symmetricNmf", path: "A", expected: "n x n", received: `${n} x ${A.columns}` },
    );
  let largest = 0;
  let size = 0;
  for (let k = 0; k < A.data.length; k++) {
    largest = Math.max(largest, A.data[k]);
    size = Math.max(size, Math.abs(A.data[k]));
  }
  const matrix = zeros(n, n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      const lower = A.data[i * n + j];
      const upper = A.data[j * n + i];
      if (!(Math.abs(lower - upper) <= ASYMMETRY * size))
        throw new CurvatureError(
          "ERR_ARGUMENT",
          `A must be symmetric; row ${i}, column ${j} (counted from 0) has ${lower}, and row ${j}, column ${i} has ${upper}.`,
          {
            where: "symmetricNmf",
            path: `row ${i}, column ${j}`,
            expected: "a symmetric matrix",
            received: [lower, upper],
          },
        );
      const value = largest > 0 ? Math.max(0, (lower / 2 + upper / 2) / largest) : 0;
      matrix.data[i * n + j] = value;
      matrix.data[j * n + i] = value;
    }
  }
  return { matrix, largest };
}

/** √(mean A / r) |N(0, 1)| */
function start(A: DenseMatrix, r: number, random: RandomGenerator): DenseMatrix {
  let mean = 0;
  for (let k = 0; k < A.data.length; k++) mean += A.data[k] / A.data.length;
  const size = Math.sqrt(mean / r);
  const H = zeros(A.rows, r);
  fillNormal(random, H.data);
  for (let k = 0; k < H.data.length; k++) H.data[k] = size * Math.abs(H.data[k]);
  return H;
}

/** [(A F + σ F + sign Γ)(Fᵀ F + σ I)⁻¹]_+ */
function half(A: DenseMatrix, F: DenseMatrix, Gamma: DenseMatrix, sign: 1 | -1): DenseMatrix {
  const { rows: n, columns: r } = F;
  const right = multiply(A, F);
  for (let k = 0; k < right.data.length; k++) right.data[k] += SIGMA * F.data[k] + sign * Gamma.data[k];
  const normal = gram(F);
  for (let i = 0; i < r; i++) normal.data[i * (r + 1)] += SIGMA;
  const cholesky = new DenseCholesky(normal, true);
  const columns = zeros(r, n); // the right sides as columns, which the solve takes all together
  for (let i = 0; i < n; i++) for (let j = 0; j < r; j++) columns.data[j * n + i] = right.data[i * r + j];
  cholesky.solve(columns.data, n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < r; j++) right.data[i * r + j] = Math.max(0, columns.data[j * n + i]);
  return right;
}

/** ‖A − Y Yᵀ‖_F / ‖A‖_F; ‖A‖² − 2 Tr(Yᵀ A Y) + ‖Yᵀ Y‖² would lose half of its digits. */
function relativeError(A: DenseMatrix, Y: DenseMatrix): number {
  const { rows: n, columns: r } = Y;
  let error = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      let sum = A.data[i * n + j];
      for (let k = 0; k < r; k++) sum -= Y.data[i * r + k] * Y.data[j * r + k];
      error += sum * sum;
    }
  }
  return Math.sqrt(error / dot(A.data, A.data));
}
