/**
 * The certificate: P − D(U) ≥ P − P* for every U in the domain of the dual,
 *
 *   D(U) = −Σ cᵢ Σ_k p_ik ln p_ik − ‖V‖²/(2λ),   V = Σ cᵢ uᵢ x̃ᵢᵀ,   uᵢ = pᵢ − e_yᵢ,   pᵢ ≥ 0,  Σ_k p_ik = 1,
 *
 * and Σᵢ cᵢ u_ik = 0 for every k where the bias is free. What is kept of U are the flows f_ik = cᵢ p_ik to the classes k ≠ yᵢ
 * that are not the row's own: they are small where the model is sure, and keep their digits there; and the domain, flows ≥ 0
 * of at most cᵢ a row, that into each class as large as that out of its rows, holds t U for every t ≤ 1 with U.
 *
 * The point      uᵢ = pᵢ − e_yᵢ + Wᵢ qᵢ at the full Newton step, q its change of the scores: V is then −λ times the weights
 *                after the step, and the gap of fourth order in the step
 * Its projection  1. flows below 0 to 0, and those of a row that are more than cᵢ in sum to that
 *                2. free bias: where more flows into class k than out of it, flows out of its rows (in proportion to those they
 *                   have) into the classes where less does
 *                3. V by a read of the rows
 *                4. t U, with the t that makes D largest
 */
import { log, log1p } from "@curvature/linalg";
import type { RowBlocks } from "./row-blocks.js";
import { RowLoss } from "./row-loss.js";

const MAX_TRIALS = 20;
/** t is known well enough: D is flat at its maximum. */
const ENOUGH = 1e-3;
/** Of a term in a sum of D or P. */
const ROUNDING = 2 ** -50;

export class SoftmaxDual {
  private readonly row: RowLoss;

  constructor(
    private readonly rows: RowBlocks,
    private readonly labels: Int32Array,
    private readonly classes: number,
    private readonly isBiasFree: boolean,
  ) {
    this.row = new RowLoss(classes);
  }

  /** cᵢ uᵢ, projected, into F. @param z - scores, `q` their change along the full step */
  take(z: Float64Array, q: Float64Array, F: Float64Array): void {
    const { classes: K, labels, row, rows } = this;
    for (let i = 0; i < labels.length; i++) {
      const at = i * K;
      const y = labels[i];
      row.take(z, z, 0, at, y);
      let mean = 0;
      for (let k = 0; k < K; k++) mean += row.p[k] * q[at + k];
      let sum = 0;
      for (let k = 0; k < K; k++) {
        F[at + k] = k === y ? 0 : rows.c[i] * row.p[k] * Math.max(0, 1 + q[at + k] - mean);
        sum += F[at + k];
      }
      const share = Math.min(1, rows.c[i] / sum);
      if (share < 1) for (let k = 0; k < K; k++) F[at + k] *= share;
    }
    if (this.isBiasFree) this.balance(F);
    this.closeRows(F);
  }

  private balance(F: Float64Array): void {
    const { classes: K, labels, rows } = this;
    const excess = new Float64Array(K);
    const out = new Float64Array(K);
    const counts = new Float64Array(K);
    for (let i = 0; i < labels.length; i++) {
      const sum = rowSum(F, i, K);
      for (let k = 0; k < K; k++) excess[k] += F[i * K + k];
      excess[labels[i]] -= sum;
      out[labels[i]] += sum;
      counts[labels[i]] += rows.c[i];
    }
    let total = 0;
    for (let k = 0; k < K; k++) total += Math.max(0, excess[k]);
    if (total === 0) return;
    for (let i = 0; i < labels.length; i++) {
      const y = labels[i];
      if (!(excess[y] > 0)) continue;
      const share = out[y] > 0 ? rowSum(F, i, K) / out[y] : rows.c[i] / counts[y];
      const flow = (excess[y] * share) / total;
      for (let k = 0; k < K; k++) F[i * K + k] += flow * Math.max(0, -excess[k]);
    }
  }

  /** Scales U into its domain, and writes the entries of the rows' own classes: −Σ_k f_ik. */
  private closeRows(F: Float64Array): void {
    const { classes: K, labels, rows } = this;
    let most = 1;
    for (let i = 0; i < labels.length; i++) {
      const sum = rowSum(F, i, K);
      most = Math.max(most, sum / rows.c[i]);
      F[i * K + labels[i]] = -sum;
    }
    if (most > 1) for (let k = 0; k < F.length; k++) F[k] /= most;
  }

  /**
   * The larger of D(U) and D(t U) for the best t, less what rounding may have added to it, and taken from P.
   *
   * @param F - cᵢ uᵢ
   * @param squares - ‖V‖², what a free bias has there left out
   * @param sizes - Σ |V_kj| of the terms that were summed to V_kj
   */
  value(F: Float64Array, squares: number, sizes: number, lambda: number): number {
    const { classes: K, labels, rows } = this;
    let flow = 0;
    let logs = 0;
    let most = 0;
    for (let i = 0; i < labels.length; i++) {
      const c = rows.c[i];
      for (let k = 0; k < K; k++) {
        const f = F[i * K + k];
        if (k === labels[i] || f <= 0) continue;
        flow += f;
        logs += f * log(f / c);
      }
      most = Math.max(most, -F[i * K + labels[i]] / c);
    }
    if (!(flow > 0)) return 0;
    const sums: FlowSums = { flow, logs, squares, most, F };
    const bound = Math.max(this.at(1, sums, lambda), this.at(this.bestShare(sums, lambda), sums, lambda));
    return bound - ROUNDING * (bound + flow - logs + sizes / lambda);
  }

  /** D(t) = −t (Σ f ln(f/c) + ln t Σ f) − Σ (c − t f) ln(1 − t f/c) − t² ‖V‖²/(2λ) */
  private at(t: number, { flow, logs, squares, F }: FlowSums, lambda: number): number {
    const { classes: K, labels, rows } = this;
    let sum = -t * (logs + flow * log(t)) - (0.5 * t * t * squares) / lambda;
    for (let i = 0; i < labels.length; i++) {
      const out = t * F[i * K + labels[i]];
      const left = rows.c[i] + out;
      if (left > 0) sum -= left * log1p(out / rows.c[i]);
    }
    return sum;
  }

  /** The t of the largest D(t), which is concave, by Newton's method within a bracket. */
  private bestShare({ flow, logs, squares, most, F }: FlowSums, lambda: number): number {
    const { classes: K, labels, rows } = this;
    let low = 0;
    let high = 1 / most;
    let t = high > 1 ? 1 : 0.5 * high;
    for (let trial = 0; trial < MAX_TRIALS; trial++) {
      let slope = -logs - flow * log(t) - (t * squares) / lambda;
      let curvature = -flow / t - squares / lambda;
      for (let i = 0; i < labels.length; i++) {
        const f = -F[i * K + labels[i]];
        slope += f * log1p(-(t * f) / rows.c[i]);
        curvature -= (f * f) / (rows.c[i] - t * f);
      }
      if (slope > 0) low = t;
      else high = t;
      const next = t - slope / curvature;
      if (Math.abs(next - t) <= ENOUGH * t) break;
      t = next > low && next < high ? next : 0.5 * (low + high);
    }
    return t;
  }
}

/** What D(t U) is made of. */
interface FlowSums {
  /** Σ f and Σ f ln(f/c) over all flows. */
  readonly flow: number;
  readonly logs: number;
  /** ‖V‖² */
  readonly squares: number;
  /** The largest part of a row that flows. */
  readonly most: number;
  readonly F: Float64Array;
}

function rowSum(F: Float64Array, i: number, K: number): number {
  let sum = 0;
  for (let k = i * K; k < (i + 1) * K; k++) sum += F[k];
  return sum;
}
