/**
 * The projection of a symmetric M onto the spectraplex {P ⪰ 0, Tr P = s} or the Fantope {0 ⪯ P ⪯ I, Tr P = s}, with all
 * eigenpairs or with a few that are carried over from the last call.
 *
 * Projection   M = Σ w_i v_i v_iᵀ;  P = Σ [w_i − θ]_+ v_i v_iᵀ, θ such that Tr P = s: only the pairs with w_i > θ count.
 *              On the Fantope min(1, [w_i − θ]_+), with another θ
 * Sweep        Y = p(M) V, p the Chebyshev polynomial of degree 2 on [λ_min, the smallest kept Ritz value];
 *              V ← an orthonormal basis of Y's rows (two Cholesky-QR);  H = V M Vᵀ = S Θ Sᵀ;  V ← S V
 *
 * | symbol | variable | shape                                              |
 * |--------|----------|----------------------------------------------------|
 * | V      | V        | k × m, rows orthonormal; k = active rank and more    |
 * | s      | trace    | K − 1                                              |
 *
 * M changes little from one step of the ADMM to the next, so that one sweep from the last V follows its leading
 * eigenpairs at 6 k m² operations instead of some 11 m³. The few pairs take over where fewer than a fifth are active, and
 * give up where more than 28 % would be kept, where a sweep's residual stays above what the caller tolerates, or where the
 * block cannot be made orthonormal. Whatever V is, P lies in the spectraplex to rounding: approximate pairs make the
 * step inexact and no bound wrong.
 *
 * Zhou, Saad, Tiago, Chelikowsky: Self-consistent-field calculations using Chebyshev-filtered subspace iteration.
 * J. Comput. Phys. 219 (2006) 172-184.
 */
import {
  CurvatureError,
  DenseCholesky,
  type DenseMatrix,
  fillNormal,
  multiply,
  multiplyTranspose,
  norm2,
  outerGram,
  RandomGenerator,
  scale,
  symmetricEigen,
  symmetricTimesVector,
  zeros,
} from "@curvature/linalg";
import { generator, matrix, number, stateOf, whole } from "@curvature/optim-core/state";
import { Krylov } from "../krylov.js";
import { inverseLower } from "./dual/rows.js";
import { activeCount, cappedThreshold, simplexThreshold } from "./simplex-projection.js";

export interface Projected {
  /** √p_i v_iᵀ, one row for each active pair: P = RᵀR. */
  readonly rows: DenseMatrix;
  /** Whether all eigenpairs were computed. */
  readonly complete: boolean;
}

/** Below this size the full decomposition costs less than the bookkeeping. */
const SMALLEST = 120;
const START_BELOW = 0.2;
const GIVE_UP_ABOVE = 0.28;
/** Sweeps in one call before the full decomposition is taken instead. */
const SWEEPS = 3;
/** Calls between two estimates of the lower end of the spectrum. */
const LOOK = 10;

export class SpectralProjection {
  private readonly random = new RandomGenerator(0);
  readonly state;

  constructor(
    private readonly m: number,
    private readonly trace: number,
    private readonly set: "spectraplex" | "fantope" = "spectraplex",
  ) {
    this.state = stateOf({
      V: matrix(zeros(0, m), { columns: m, maxRows: m }),
      /** Ritz value of the last row of V. */
      cut: number(0),
      lowest: number(0),
      calls: whole(),
      random: generator(this.random),
    });
  }

  /**
   * @param M - symmetric, m × m
   * @param tolerated - the Frobenius norm of M V − V Θ over the active pairs up to which a sweep is good enough
   */
  project(M: DenseMatrix, tolerated: number): Projected {
    if (this.state.V.rows > 0) {
      const projected = this.follow(M, tolerated);
      if (projected !== undefined) return projected;
    }
    const { values, vectors } = symmetricEigen(M);
    const { m } = this;
    const decreasing = values.slice().reverse();
    const theta = this.threshold(decreasing);
    const rank = activeCount(decreasing, theta);
    const rows = zeros(rank, m);
    for (let i = 0; i < rank; i++) writeRow(rows, i, vectors, m - 1 - i, this.capped(decreasing[i] - theta));
    this.keep(values, vectors, rank);
    return { rows, complete: true };
  }

  private threshold(decreasing: Float64Array): number {
    return this.set === "fantope"
      ? cappedThreshold(decreasing, this.trace)
      : simplexThreshold(decreasing, this.trace);
  }

  private capped(p: number): number {
    return this.set === "fantope" ? Math.min(1, p) : p;
  }

  /** Takes the leading eigenvectors up, if they are few. */
  private keep(values: Float64Array, vectors: DenseMatrix, rank: number): void {
    const { m } = this;
    this.state.V = zeros(0, m);
    if (m < SMALLEST || rank >= START_BELOW * m) return;
    const k = rank + spare(rank);
    this.state.V = zeros(k, m);
    for (let i = 0; i < k; i++)
      this.state.V.data.set(vectors.data.subarray((m - 1 - i) * m, (m - i) * m), i * m);
    this.state.cut = values[m - k];
    this.state.lowest = values[0];
    this.state.calls = 0;
  }

  private follow(M: DenseMatrix, tolerated: number): Projected | undefined {
    if (++this.state.calls % LOOK === 0) this.lookBelow(M);
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      const swept = this.sweep(M);
      if (swept === undefined) return undefined;
      const { theta, MV } = swept;
      const threshold = this.threshold(theta);
      const rank = activeCount(theta, threshold);
      const k = this.state.V.rows;
      if (rank > k - Math.max(3, spare(rank) / 3)) {
        if (!this.widen(spare(rank) + Math.ceil(k / 4))) return undefined;
        continue;
      }
      if (residual(this.state.V, MV, theta, rank) > tolerated) continue;
      const rows = zeros(rank, this.m);
      for (let i = 0; i < rank; i++) writeRow(rows, i, this.state.V, i, this.capped(theta[i] - threshold));
      if (k > 1.5 * rank + 3 * spare(rank)) this.narrow(rank + spare(rank), theta);
      return { rows, complete: false };
    }
    return undefined;
  }

  /** One filtered step of subspace iteration; leaves the Ritz vectors in V by decreasing Ritz value. */
  private sweep(M: DenseMatrix): { theta: Float64Array; MV: DenseMatrix } | undefined {
    const { m } = this;
    const half = (this.state.cut - this.state.lowest) / 2;
    const centre = (this.state.cut + this.state.lowest) / 2;
    if (!(half > 0)) return undefined;
    const Y1 = filterStep(M, this.state.V, centre, half);
    const Y2 = filterStep(M, Y1, centre, half);
    const { data: V } = this.state.V;
    for (let k = 0; k < Y2.data.length; k++) Y2.data[k] = 2 * Y2.data[k] - V[k];
    const basis = orthonormalRows(Y2);
    if (basis === undefined) return undefined;
    const MB = multiply(basis, M);
    const { values, vectors } = symmetricEigen(multiplyTranspose(basis, MB));
    const k = values.length;
    const S = zeros(k, k);
    for (let i = 0; i < k; i++) S.data.set(vectors.data.subarray((k - 1 - i) * k, (k - i) * k), i * k);
    this.state.V = multiply(S, basis);
    const theta = values.slice().reverse();
    this.state.cut = theta[k - 1];
    if (this.state.cut <= this.state.lowest)
      this.state.lowest = this.state.cut - 0.01 * (theta[0] - this.state.cut);
    return { theta, MV: { rows: k, columns: m, data: multiply(S, MB).data } };
  }

  /** λ_min from twelve Lanczos vectors, some of its residual below. */
  private lookBelow(M: DenseMatrix): void {
    const negative = (v: Float64Array, out: Float64Array): void => {
      symmetricTimesVector(M, v, out);
      scale(-1, out);
    };
    const krylov = new Krylov(negative, this.m, { tolerance: 1e-3, vectors: 12, restarts: 0 });
    const { value, residual: error } = krylov.largest(undefined, this.random);
    this.state.lowest = -value - 0.3 * error;
  }

  /** @returns whether there is room for so many more rows */
  private widen(by: number): boolean {
    const { m } = this;
    const { V } = this.state;
    const k = V.rows + by;
    if (k > GIVE_UP_ABOVE * m) return false;
    const wider = zeros(k, m);
    fillNormal(this.random, wider.data);
    const share = 1 / Math.sqrt(m);
    scale(share, wider.data);
    wider.data.set(V.data);
    this.state.V = wider;
    return true;
  }

  private narrow(k: number, theta: Float64Array): void {
    this.state.V = { rows: k, columns: this.m, data: this.state.V.data.slice(0, k * this.m) };
    this.state.cut = theta[k - 1];
  }
}

/** How many rows are kept beside the active ones. */
const spare = (rank: number): number => Math.max(8, Math.ceil(rank / 4));

function writeRow(rows: DenseMatrix, to: number, vectors: DenseMatrix, from: number, weight: number): void {
  const m = rows.columns;
  const root = Math.sqrt(weight);
  for (let j = 0; j < m; j++) rows.data[to * m + j] = root * vectors.data[from * m + j];
}

/** (Y M − c Y) / h */
function filterStep(M: DenseMatrix, Y: DenseMatrix, centre: number, half: number): DenseMatrix {
  const YM = multiply(Y, M);
  for (let k = 0; k < YM.data.length; k++) YM.data[k] = (YM.data[k] - centre * Y.data[k]) / half;
  return YM;
}

/** Two passes of Cholesky-QR; undefined where the rows are not independent to rounding. */
function orthonormalRows(Y: DenseMatrix): DenseMatrix | undefined {
  let basis = Y;
  for (let i = 0; i < Y.rows; i++) {
    const row = Y.data.subarray(i * Y.columns, (i + 1) * Y.columns);
    const length = norm2(row);
    if (!(length > 0 && length < Number.POSITIVE_INFINITY)) return undefined;
    scale(1 / length, row);
  }
  for (let pass = 0; pass < 2; pass++) {
    try {
      const { factor } = new DenseCholesky(outerGram(basis), true);
      basis = multiply(inverseLower(factor), basis);
    } catch (error) {
      if (error instanceof CurvatureError && error.code === "ERR_NOT_POSITIVE_DEFINITE") return undefined;
      throw error;
    }
  }
  return basis;
}

/** ‖M V − V Θ‖_F over the first `rank` rows. */
function residual(V: DenseMatrix, MV: DenseMatrix, theta: Float64Array, rank: number): number {
  let sum = 0;
  for (let i = 0; i < rank; i++) {
    for (let j = i * V.columns; j < (i + 1) * V.columns; j++) {
      const r = MV.data[j] - theta[i] * V.data[j];
      sum += r * r;
    }
  }
  return Math.sqrt(sum);
}
