/**
 * The mean loss as a function of the Gram matrix K (n × n, K_ij = ⟨xᵢ, xⱼ⟩), in which squared distances are linear:
 *
 *   d_ij = K_ii − 2 K_ij + K_jj,   F(K) = Σ_q s_q l(d₁, d₂) + (λ/2n) Σ_r K_rr
 *   ∇F = diag(W 1) − W,   W symmetric: s_q a added at (i, j) and (j, i), s_q c at (l, k) and (k, l)
 *
 * ∇F is a Laplacian: its rows have the sum 0, so that steps keep K centred. The ridge's part is centred for that too.
 * Convex in K for the losses "gnmds", "ste", "smooth-hinge"; not for "ckl", "tste", "soe", "logistic".
 *
 * Agarwal et al.: Generalized non-metric multidimensional scaling. AISTATS 2007.
 */
import type { OrdinalObjective } from "@curvature/objectives/ordinal";

const BLOCK = 256;

export class GramLoss {
  private readonly d1 = new Float64Array(BLOCK);
  private readonly d2 = new Float64Array(BLOCK);
  private readonly a = new Float64Array(BLOCK);
  private readonly c = new Float64Array(BLOCK);
  private readonly values = new Float64Array(BLOCK);
  /** λ/2n for the objects that occur, else 0; empty without a ridge. */
  private readonly ridge: Float64Array;
  private readonly n: number;

  constructor(private readonly objective: OrdinalObjective) {
    const { comparisons, ridge, sum } = objective;
    this.n = comparisons.objects;
    const weight = ridge / (2 * this.n);
    this.ridge = (sum.ridgeShares ?? new Float64Array(0)).map((share) => (share > 0 ? weight : 0));
  }

  /** F(K), and with an array ∇F(K) into it. */
  evaluate(K: Float64Array, gradient?: Float64Array): number {
    const { objective, values, n } = this;
    const { sum, loss } = objective;
    gradient?.fill(0);
    let value = 0;
    for (let start = 0; start < sum.count; start += BLOCK) {
      const count = Math.min(BLOCK, sum.count - start);
      this.measure(start, count, K);
      loss.values(count, this.d1, this.d2, values);
      for (let q = 0; q < count; q++) value += this.share(start + q) * values[q];
      if (gradient !== undefined) this.addWeights(start, count, gradient);
    }
    for (let r = 0; r < this.ridge.length; r++) value += this.ridge[r] * K[r * n + r];
    if (gradient !== undefined) this.finishGradient(gradient);
    return value;
  }

  private share(q: number): number {
    const { shares, count } = this.objective.sum;
    return shares === undefined ? 1 / count : shares[q];
  }

  private measure(start: number, count: number, K: Float64Array): void {
    const { d1, d2, n } = this;
    const { quadruplets } = this.objective.sum;
    for (let q = 0; q < count; q++) {
      const at = 4 * (start + q);
      d1[q] = distance(K, n, quadruplets[at], quadruplets[at + 1]);
      d2[q] = distance(K, n, quadruplets[at + 2], quadruplets[at + 3]);
    }
  }

  /** W, as negative entries off the diagonal. */
  private addWeights(start: number, count: number, gradient: Float64Array): void {
    const { d1, d2, a, c, n } = this;
    const { quadruplets, loss } = this.objective.sum;
    loss.slopes(count, d1, d2, a, c);
    for (let q = 0; q < count; q++) {
      const at = 4 * (start + q);
      const share = this.share(start + q);
      const i = quadruplets[at];
      const j = quadruplets[at + 1];
      const l = quadruplets[at + 2];
      const k = quadruplets[at + 3];
      gradient[i * n + j] -= share * a[q];
      gradient[j * n + i] -= share * a[q];
      gradient[l * n + k] -= share * c[q];
      gradient[k * n + l] -= share * c[q];
    }
  }

  /** The diagonal, and the ridge's part J diag J, J = I − 11ᵀ/n. */
  private finishGradient(gradient: Float64Array): void {
    const { n, ridge } = this;
    for (let i = 0; i < n; i++) {
      let row = 0;
      for (let j = 0; j < n; j++) row += gradient[i * n + j];
      gradient[i * n + i] -= row;
    }
    if (ridge.length === 0) return;
    let mean = 0;
    for (let i = 0; i < n; i++) mean += ridge[i] / (n * n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) gradient[i * n + j] += mean - (ridge[i] + ridge[j]) / n;
      gradient[i * n + i] += ridge[i];
    }
  }
}

/** d_ij; a centred K of rounding errors may give a little less than 0. */
function distance(K: Float64Array, n: number, i: number, j: number): number {
  return Math.max(0, K[i * n + i] - 2 * K[i * n + j] + K[j * n + j]);
}
