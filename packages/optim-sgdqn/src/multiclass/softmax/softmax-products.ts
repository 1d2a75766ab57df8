/**
 * Newton's systems of the softmax model, (H + Λ) S = −g, by conjugate gradients that never form H: for more parameters than a factor is
 * worth. In contrasts (`contrasts.ts`), a = 1 … K − 1:
 *
 *   (H P)_a = Σ cᵢ (V (diag pᵢ − pᵢpᵢᵀ) qᵢ)_a x̃ᵢ,   qᵢ = VᵀP x̃ᵢ                     2 n K D multiplications
 *   M_aj = Λ_j + (Σ cᵢ var_pᵢ V_a) (Σ cᵢ x̃ᵢⱼ²/Σ cᵢ)                                  in the place of H's diagonal
 *
 * from S = 0 until √(r·M⁻¹r) is a tenth of what it was. Near the end, as in `truncated-system.ts`, until what is left of the system costs
 * the certificate, Σ r²/(2Λ) and r²/(2M) of a free bias, no more than a fifth of the P − D at which the solver ends.
 */
import { axpy, dot, gemm, ProductWorkspace, xpby } from "@curvature/linalg";
import { float64, number, part, stateOf, whole } from "@curvature/optim-core/state";
import { RowCursor, type Work } from "../../solvers/newton/work.js";
import { fromContrasts, toContrasts } from "./contrasts.js";
import { BLOCK_ROWS, type RowBlocks } from "./row-blocks.js";
import { RowLoss } from "./row-loss.js";

const REDUCTION = 0.1;
/** Below it r is rounding. */
const MIN_REDUCTION = 1e-8;
const MAX_PRODUCTS = 250;
/** Of P − D at the end: what S brings while a tenth is enough, and what the residual may cost after that. */
const FAR = 10;
const SHARE = 0.2;

export class SoftmaxProducts {
  readonly state;
  /** N = (K − 1) D */
  readonly size: number;
  private readonly row: RowLoss;
  /** Σ cᵢ x̃ᵢⱼ²/Σ cᵢ, once it was summed. */
  private squares: Float64Array | undefined;
  /** VᵀP and sums over rows in the place of V's classes, K x D. */
  private readonly W: Float64Array;
  private readonly sums: Float64Array;
  /** Of a block of rows, K each. */
  private readonly q: Float64Array;
  private readonly y: Float64Array;
  private readonly workspace = new ProductWorkspace();

  constructor(
    private readonly rows: RowBlocks,
    private readonly labels: Int32Array,
    private readonly classes: number,
    private readonly isBiasFree: boolean,
  ) {
    const K = classes;
    const D = rows.width;
    const N = Math.max(0, K - 1) * D;
    this.size = N;
    this.row = new RowLoss(K);
    this.W = new Float64Array(K * D);
    this.sums = new Float64Array(K * D);
    this.q = new Float64Array(BLOCK_ROWS * K);
    this.y = new Float64Array(N);
    this.state = stateOf({
      g: float64(new Float64Array(N)),
      M: float64(new Float64Array(N)),
      r: float64(new Float64Array(N)),
      p: float64(new Float64Array(N)),
      Hp: float64(new Float64Array(N)),
      /** Of each row the probabilities of its classes. */
      probabilities: float64(new Float64Array(rows.count * K)),
      /** Σ cᵢ (pᵢ − eᵢ) x̃ᵢᵀ or Σ cᵢ (diag pᵢ − pᵢpᵢᵀ) qᵢ x̃ᵢᵀ, K x D, as far as it is summed. */
      partial: float64(this.sums),
      /** By contrasts Σ cᵢ var_pᵢ V_a. */
      variances: float64(new Float64Array(Math.max(0, K - 1))),
      cursor: part(new RowCursor(rows.count, 2 * (K + 1) * D)),
      /** r·M⁻¹r, now and at the start. */
      rho: number(0),
      rhoAtStart: number(0),
      products: whole(),
      /** ½ Σ αₖ ρₖ, and P − D at the end of the whole. */
      decrease: number(0),
      enough: number(0),
    });
  }

  clear(): void {
    this.sums.fill(0);
    this.state.variances.fill(0);
  }

  /** Sums the gradient of the losses, and what M is made of. @param scores - K for each row. @returns whether g is there */
  sumGradient(scores: Float64Array, work: Work): boolean {
    const { rows, labels, classes: K, row, q, state } = this;
    const isComplete = state.cursor.sweep(work, (from, to) => {
      rows.inBlocks(from, to, BLOCK_ROWS, (start, end) => {
        for (let i = start; i < end; i++) {
          const c = rows.c[i];
          row.take(scores, scores, 0, i * K, labels[i]);
          state.probabilities.set(row.p, i * K);
          for (let k = 0; k < K; k++) q[(i - start) * K + k] = c * row.slope(k, labels[i]);
          this.addVariances(c);
        }
        this.addBlock(end - start);
      });
      work.rowVisits += to - from;
    });
    if (isComplete) this.takeSums(state.g);
    return isComplete;
  }

  /** var_p V_a of Helmert's contrasts by sums over the classes before. */
  private addVariances(c: number): void {
    const { classes: K, row, state } = this;
    let before = 0;
    for (let a = 1; a < K; a++) {
      before += row.p[a - 1];
      const own = row.p[a];
      const mean = before - a * own;
      state.variances[a - 1] += (c * (before + a * a * own - mean * mean)) / (a * (a + 1));
    }
  }

  /** sums ← sums + qᵀ X̃ of the block */
  private addBlock(count: number): void {
    const { classes: K, rows, q, sums, workspace } = this;
    const { block, width: D } = rows;
    const turned = { data: q, offset: 0, rowStride: 1, columnStride: K };
    const X = { data: block, offset: 0, rowStride: D, columnStride: 1 };
    gemm(
      1,
      K,
      D,
      count,
      turned,
      X,
      { data: sums, offset: 0, rowStride: D, columnStride: 1 },
      false,
      workspace,
    );
  }

  /** The contrasts of the sums, which begin anew. */
  private takeSums(out: Float64Array): void {
    const { classes: K, rows, sums } = this;
    const D = rows.width;
    for (let j = 0; j < D; j++) toContrasts(K, sums, j, D, out, j, D);
    sums.fill(0);
  }

  /**
   * Begins the system, g complete.
   *
   * @param enough - P − D at which the solver would end
   */
  begin(lambda: number, enough: number): void {
    const { state, rows, isBiasFree } = this;
    const { g, M, r, p, variances } = state;
    const D = rows.width;
    this.squares ??= this.meanSquares();
    for (let at = 0; at < M.length; at++) {
      const j = at % D;
      const penalty = isBiasFree && j === D - 1 ? 0 : lambda;
      M[at] = penalty + variances[Math.floor(at / D)] * this.squares[j] || 1; // no row has curvature left
      r[at] = -g[at];
      p[at] = r[at] / M[at];
    }
    state.rho = dot(r, p);
    state.rhoAtStart = state.rho;
    state.products = 0;
    state.decrease = 0;
    state.enough = enough;
  }

  private meanSquares(): Float64Array {
    const { rows } = this;
    const { block, width: D, c, count } = rows;
    const squares = new Float64Array(D);
    let total = 0;
    rows.inBlocks(0, count, BLOCK_ROWS, (start, end) => {
      for (let i = start; i < end; i++) {
        total += c[i];
        for (let j = 0; j < D; j++) squares[j] += c[i] * block[(i - start) * D + j] ** 2;
      }
    });
    return squares.map((sum) => sum / total);
  }

  /** Works until the system is solved or the work is used up. @returns whether S is there (entries may not be finite) */
  advance(lambda: number, S: Float64Array, work: Work): boolean {
    const { state } = this;
    if (state.products === 0 && state.cursor.next === 0) S.fill(0);
    if (!(state.rho > 0)) return true;
    for (;;) {
      if (!this.multiply(work)) return false;
      if (this.iterate(lambda, S)) return true;
    }
  }

  /** Hp ← H p but for Λ */
  private multiply(work: Work): boolean {
    const { rows, classes: K, W, q, state, workspace } = this;
    const D = rows.width;
    for (let j = 0; j < D; j++) fromContrasts(K, state.p, j, D, W, j, D);
    const turned = { data: W, offset: 0, rowStride: 1, columnStride: D };
    const isComplete = state.cursor.sweep(work, (from, to) => {
      rows.inBlocks(from, to, BLOCK_ROWS, (start, end) => {
        const X = { data: rows.block, offset: 0, rowStride: D, columnStride: 1 };
        q.fill(0);
        const Q = { data: q, offset: 0, rowStride: K, columnStride: 1 };
        gemm(1, end - start, K, D, X, turned, Q, false, workspace);
        for (let i = start; i < end; i++) this.weigh(i, (i - start) * K);
        this.addBlock(end - start);
      });
      work.rowVisits += to - from;
    });
    if (isComplete) this.takeSums(state.Hp);
    return isComplete;
  }

  /** q ← cᵢ (diag p − ppᵀ) q, beside the likeliest class, so that small probabilities keep their digits. */
  private weigh(i: number, at: number): void {
    const { classes: K, q, state } = this;
    const { probabilities: p } = state;
    const from = i * K;
    let top = 0;
    for (let k = 1; k < K; k++) if (p[from + k] > p[from + top]) top = k;
    const own = q[at + top];
    let mean = 0;
    for (let k = 0; k < K; k++) mean += p[from + k] * (q[at + k] - own);
    const c = this.rows.c[i];
    let others = 0;
    for (let k = 0; k < K; k++) {
      if (k === top) continue;
      q[at + k] = c * p[from + k] * (q[at + k] - own - mean);
      others += q[at + k];
    }
    q[at + top] = -others;
  }

  /** One iteration, H p known but for Λ. @returns whether S is good enough, or as good as it gets */
  private iterate(lambda: number, S: Float64Array): boolean {
    const { state, y } = this;
    const { M, r, p, Hp } = state;
    state.products++;
    for (let j = 0; j < p.length; j++) if (this.isPenalised(j)) Hp[j] += lambda * p[j];
    const curvature = dot(p, Hp);
    if (!(curvature > 0 && curvature < Number.POSITIVE_INFINITY)) {
      if (state.products === 1) S.set(p); // no decrease is seen: the line search decides
      return true;
    }
    const alpha = state.rho / curvature;
    axpy(alpha, p, S);
    axpy(-alpha, Hp, r);
    for (let j = 0; j < r.length; j++) y[j] = r[j] / M[j];
    const next = dot(r, y);
    state.decrease += 0.5 * alpha * state.rho;
    if (this.isGoodEnough(lambda, next / state.rhoAtStart) || state.products === MAX_PRODUCTS) return true;
    xpby(y, next / state.rho, p);
    state.rho = next;
    return false;
  }

  private isPenalised(j: number): boolean {
    const { width } = this.rows;
    return !this.isBiasFree || j % width !== width - 1;
  }

  /** @param left - r·M⁻¹r, as a part of what it was at the start */
  private isGoodEnough(lambda: number, left: number): boolean {
    if (!(left > MIN_REDUCTION * MIN_REDUCTION)) return true;
    if (left > REDUCTION * REDUCTION) return false;
    const { r, M, decrease, enough } = this.state;
    if (decrease > FAR * enough) return true;
    let cost = 0;
    for (let j = 0; j < r.length; j++) cost += (r[j] * r[j]) / (2 * (this.isPenalised(j) ? lambda : M[j]));
    return cost <= SHARE * enough;
  }
}
