/**
 * Approximate leave-one-out: the scores of each row in the model of the others, by one Newton step of those from the optimum of all.
 *
 *   s₋ᵢ = sᵢ + (I − QᵢWᵢ)⁻¹ Qᵢ gᵢ,   Qᵢ = (I⊗x̃ᵢ)ᵀ H⁻¹ (I⊗x̃ᵢ),   Wᵢ = γᵢ (diag p − ppᵀ),   gᵢ = γᵢ (p − e_y)
 *
 * with γᵢ what is left out of cᵢ: the row, or one copy of it. In contrasts (`contrasts.ts`), with H = L Lᵀ and
 * Wᵢ = EEᵀ, E = √γ V (I − p1ᵀ) diag √p:
 *
 *   Q = RᵀR,  R = L⁻¹(I⊗x̃ᵢ),   (I − QW)⁻¹Q g = Q g + QE T⁻¹ EᵀQ g,   T = I − EᵀQE
 *
 * T is positive definite; its pivots are kept at 1e-9 or more, as those of rows that alone hold a direction are
 * rounding. Two classes make this the formula of the binary model.
 */
import { type DenseCholesky, gemm } from "@curvature/linalg";
import { rowAccess } from "@curvature/objectives/linear";
import type { MulticlassProblem } from "../problem.js";
import { fromContrasts, toContrasts } from "./contrasts.js";
import type { RowBlocks } from "./row-blocks.js";
import { RowLoss } from "./row-loss.js";
import { SoftmaxHessian } from "./softmax-hessian.js";

const LEAST_PIVOT = 1e-9;
/** Numbers in R of a block of rows, at most. */
const BLOCK_SIZE = 2 ** 20;

export interface LeaveOneOut {
  /** n x K: the scores of each row by the model of the others; of a row that does not count, those of the model. */
  readonly scores: Float64Array;
  /** Length n: −ln p of the row's own class. */
  readonly losses: Float64Array;
  /**
   * The mean over rows (by their importances) and over the classes that are not the row's of −ln p, as if the label were wrong.
   * Classes without rows are left out.
   */
  readonly flipped: number;
}

interface Given {
  readonly problem: MulticlassProblem;
  readonly rows: RowBlocks;
  readonly labels: Int32Array;
  readonly present: readonly number[];
  readonly isBiasFree: boolean;
  /** (K − 1) x D */
  readonly theta: Float64Array;
  /** The same for all classes of the problem, K x D. */
  readonly parameters: Float64Array;
  /** γᵢ by row of the problem; undefined for whole rows. */
  readonly left: Float64Array | undefined;
}

export function leaveOneOut(given: Given): LeaveOneOut | undefined {
  const { problem, rows, labels, present, isBiasFree, theta, parameters, left: leftOut } = given;
  const K = present.length;
  const n = rows.count;
  const D = rows.width;
  const W = new Float64Array(K * D);
  for (let j = 0; j < D; j++) fromContrasts(K, theta, j, D, W, j, D);
  const scores = new Float64Array(n * K);
  rows.multiply(W, K, scores, 0, n);
  if (K > 1 && n > 0) {
    const hessian = new SoftmaxHessian(rows, K);
    hessian.add(scores, labels, 0, n);
    const factor = hessian.factor(problem.lambda, isBiasFree);
    if (factor === undefined) return undefined;
    moveScores(given, scores, inverseOf(factor), leftOut);
  }
  return inAll(given, scores, parameters);
}

/** s ← s₋. @param T - L⁻¹, N x N */
function moveScores(
  { rows, labels }: Given,
  scores: Float64Array,
  T: Float64Array,
  leftOut: Float64Array | undefined,
): void {
  const D = rows.width;
  const K = scores.length / rows.count;
  const m = K - 1;
  const N = m * D;
  const left = new LeftOut(K);
  const block = Math.max(1, Math.min(128, Math.floor(BLOCK_SIZE / (N * m))));
  const R = new Float64Array(m * block * N);
  const Q = new Float64Array(m * m);
  rows.inBlocks(0, rows.count, block, (from, to) => {
    R.fill(0);
    for (let a = 0; a < m; a++) {
      // Columns aD … aD + D − 1 of L⁻¹, whose rows above aD are 0.
      const X = { data: rows.block, offset: 0, rowStride: D, columnStride: 1 };
      const turned = { data: T, offset: a * D * N + a * D, rowStride: 1, columnStride: N };
      const C = { data: R, offset: a * block * N + a * D, rowStride: N, columnStride: 1 };
      gemm(1, to - from, N - a * D, D, X, turned, C);
    }
    for (let i = from; i < to; i++) {
      for (let a = 0; a < m; a++)
        for (let b = 0; b <= a; b++) {
          const left = (a * block + i - from) * N;
          const right = (b * block + i - from) * N;
          let sum = 0;
          for (let r = a * D; r < N; r++) sum += R[left + r] * R[right + r];
          Q[a * m + b] = sum;
          Q[b * m + a] = sum;
        }
      const gamma = leftOut === undefined ? rows.c[i] : Math.min(leftOut[rows.indices[i]], rows.c[i]);
      left.move(scores, i * K, labels[i], gamma, Q);
    }
  });
}

/** One row left out. */
class LeftOut {
  private readonly row: RowLoss;
  private readonly slopes: Float64Array;
  private readonly g: Float64Array;
  private readonly Qg: Float64Array;
  private readonly column: Float64Array;
  private readonly E: Float64Array;
  private readonly QE: Float64Array;
  private readonly T: Float64Array;
  private readonly v: Float64Array;

  constructor(private readonly classes: number) {
    const K = classes;
    const m = K - 1;
    this.row = new RowLoss(K);
    this.slopes = new Float64Array(K);
    this.g = new Float64Array(m);
    this.Qg = new Float64Array(m);
    this.column = new Float64Array(K);
    this.E = new Float64Array(m * K);
    this.QE = new Float64Array(m * K);
    this.T = new Float64Array(K * K);
    this.v = new Float64Array(K);
  }

  /** scores ← s₋, K of them from `at` on. @param gamma - what is left out; Q - in contrasts */
  move(scores: Float64Array, at: number, y: number, gamma: number, Q: Float64Array): void {
    const { classes: K, row, slopes, g, Qg, E, QE, T, v, column } = this;
    const m = K - 1;
    row.take(scores, scores, 0, at, y);
    for (let k = 0; k < K; k++) slopes[k] = gamma * row.slope(k, y);
    toContrasts(K, slopes, 0, 1, g, 0, 1);
    multiply(Q, g, Qg, m, 1);
    this.factorCurvature(gamma);
    multiply(Q, E, QE, m, K);
    for (let j = 0; j < K; j++)
      for (let k = 0; k <= j; k++) {
        let sum = j === k ? 1 : 0;
        for (let a = 0; a < m; a++) sum -= E[a * K + j] * QE[a * K + k];
        T[j * K + k] = sum;
      }
    for (let k = 0; k < K; k++) {
      v[k] = 0;
      for (let a = 0; a < m; a++) v[k] += E[a * K + k] * Qg[a];
    }
    solveInPlace(T, v, K);
    for (let a = 0; a < m; a++) for (let k = 0; k < K; k++) Qg[a] += QE[a * K + k] * v[k];
    fromContrasts(K, Qg, 0, 1, column, 0, 1);
    for (let k = 0; k < K; k++) scores[at + k] += column[k];
  }

  /** E = √γ V (I − p1ᵀ) diag √p, so that EEᵀ = γ V (diag p − ppᵀ) Vᵀ. */
  private factorCurvature(gamma: number): void {
    const { classes: K, row, column, E } = this;
    for (let k = 0; k < K; k++) {
      const root = Math.sqrt(gamma * row.p[k]);
      for (let j = 0; j < K; j++) column[j] = -row.p[j] * root;
      column[k] = row.complement(k) * root;
      toContrasts(K, column, 0, 1, E, k, K);
    }
  }
}

/** out ← Q B. @param Q - m x m; B - m x columns */
function multiply(Q: Float64Array, B: Float64Array, out: Float64Array, m: number, columns: number): void {
  for (let a = 0; a < m; a++)
    for (let k = 0; k < columns; k++) {
      let sum = 0;
      for (let b = 0; b < m; b++) sum += Q[a * m + b] * B[b * columns + k];
      out[a * columns + k] = sum;
    }
}

/** v ← T⁻¹ v by Cholesky in the lower triangle of T, whose pivots are held at `LEAST_PIVOT`. */
function solveInPlace(T: Float64Array, v: Float64Array, K: number): void {
  for (let j = 0; j < K; j++) {
    for (let k = 0; k <= j; k++) {
      let sum = T[j * K + k];
      for (let l = 0; l < k; l++) sum -= T[j * K + l] * T[k * K + l];
      T[j * K + k] = j === k ? Math.sqrt(Math.max(LEAST_PIVOT, sum)) : sum / T[k * K + k];
    }
    for (let l = 0; l < j; l++) v[j] -= T[j * K + l] * v[l];
    v[j] /= T[j * K + j];
  }
  for (let j = K - 1; j >= 0; j--) {
    v[j] /= T[j * K + j];
    for (let l = 0; l < j; l++) v[l] -= T[j * K + l] * v[j];
  }
}

/** L⁻¹, N x N, lower. */
function inverseOf({ factor }: DenseCholesky): Float64Array {
  const { rows: N, data: L } = factor;
  const T = new Float64Array(N * N);
  for (let i = 0; i < N; i++) {
    const row = i * N;
    T[row + i] = 1;
    for (let j = 0; j < i; j++) {
      const l = L[row + j];
      if (l !== 0) for (let k = 0; k <= j; k++) T[row + k] -= l * T[j * N + k];
    }
    for (let k = 0; k <= i; k++) T[row + k] /= L[row + i];
  }
  return T;
}

/** For all rows and classes of the problem. */
function inAll(
  { problem, rows, present, labels }: Given,
  moved: Float64Array,
  parameters: Float64Array,
): LeaveOneOut {
  const { classes, rows: all } = problem;
  const K = present.length;
  const D = rows.width;
  const d = all.columns;
  const scores = new Float64Array(all.rows * classes);
  const access = rowAccess(all);
  for (let k = 0; k < classes; k++) {
    const w = parameters.subarray(k * D, (k + 1) * D);
    let b = D > d ? w[d] : 0;
    for (let j = 0; j < d; j++) b -= w[j] * rows.shift[j];
    for (let i = 0; i < all.rows; i++) scores[i * classes + k] = access.dot(i, w) + b;
  }
  let flipped = 0;
  let total = 0;
  for (let i = 0; i < rows.count; i++) {
    const at = rows.indices[i] * classes;
    const own = moved.subarray(i * K, (i + 1) * K);
    for (const [k, label] of present.entries()) scores[at + label] = own[k];
    flipped += rows.c[i] * meanLossOfOthers(own, labels[i]);
    total += rows.c[i];
  }
  const losses = Float64Array.from(problem.labels, (label, i) =>
    lossOf(scores.subarray(i * classes, (i + 1) * classes), label),
  );
  return { scores, losses, flipped: total > 0 ? flipped / total : 0 };
}

function meanLossOfOthers(scores: Float64Array, y: number): number {
  if (scores.length < 2) return 0;
  let sum = 0;
  for (let k = 0; k < scores.length; k++) if (k !== y) sum += lossOf(scores, k);
  return sum / (scores.length - 1);
}

function lossOf(scores: Float64Array, y: number): number {
  const row = new RowLoss(scores.length);
  row.take(scores, scores, 0, 0, y);
  return row.loss;
}
