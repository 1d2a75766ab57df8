/**
 * Averaged stochastic gradient descent: steps that fall slowly, and the mean of the points.
 *
 * Iteration  w ← (1 − η_t λ) w − η_t c_i l′ x,   η_t = η₀ (1 + λ η₀ t)^(−3/4),  η₀ = 1/(λ t₀),  t = 0, 1, 2, …
 *            a ← a + μ_t (w − a),   μ_t = 1 while t ≤ t_a, then 1/(1 + t − t_a)
 *
 * The model is a. Both are kept as multiples of sparse sums, so that a row costs O(nnz):
 *
 *            w = W/ω,   a = (A + f W)/α
 *            ω ← ω/(1 − η_t λ),   W ← W + e x,   A ← A − f e x,   e = −η_t c_i l′ ω
 *            α ← α/(1 − μ_t),     f ← f + μ_t α/ω;               while μ_t = 1:  A = 0, α = ω, f = 1
 *            made plain again (ω = α = 1, f = 0) when ω or α exceeds 10⁵
 *
 * | symbol | variable    | shape, meaning                        |
 * |--------|-------------|---------------------------------------|
 * | W, A   | W, A        | d + 1                                 |
 * | ω, α, f | omega, alpha, f |                                  |
 * | t_a    | averageStart | rows seen before averaging begins    |
 * | b, a_b | b, bMean    | a free bias, and its mean             |
 *
 * Xu: Towards optimal one pass large scale learning with averaged stochastic gradient descent. arXiv:1107.2490 (2010),
 * section 6; Polyak, Juditsky: Acceleration of stochastic approximation by averaging. SIAM J. Control 30 (1992).
 * Differs from the paper: averaging begins at t_a; implicit steps.
 */
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import type { LearnerSettings, RowLearner, TrainingRows } from "../learner.js";
import { type BiasRole, biasRole, firstParameters } from "./bias.js";

const LARGEST_SCALE = 1e5;

export class Asgd implements RowLearner {
  private readonly settings: LearnerSettings;
  private readonly role: BiasRole;
  private readonly W: Float64Array;
  private readonly A: Float64Array;
  private readonly a: Float64Array;
  private omega = 1;
  private alpha = 1;
  private f = 1;
  private b = 0;
  private bMean = 0;
  private t = 0;

  constructor(settings: LearnerSettings) {
    const { columns: d, bias } = settings;
    this.settings = settings;
    this.role = biasRole(settings);
    this.W = firstParameters(settings);
    this.A = new Float64Array(d + 1);
    this.a = new Float64Array(this.role.dimension);
    if (bias === "free") {
      this.b = this.W[d];
      this.bMean = this.b;
      this.W[d] = 0;
    }
  }

  get seen(): number {
    return this.t;
  }

  get evaluations(): number {
    return this.t;
  }

  visit({ access, targets, importances, order, squaredNorms }: TrainingRows, from: number, to: number): void {
    const { W, A, role } = this;
    const { loss, lambda, t0, columns: d, step, bias, averageStart } = this.settings;
    const [scaledGain, freeGain] = bias === "free" ? [0, role.gain] : [role.gain, 0];
    let { omega, alpha, f, b, bMean } = this;
    const start = this.t - from;
    for (let k = from; k < to; k++) {
      const t = start + k;
      const i = order === undefined ? k : order[k];
      const y = targets[i];
      const c = importances === undefined ? 1 : importances[i];
      const s = (access.dot(i, W) + W[d]) / omega + b;
      const fall = Math.sqrt(1 + t / t0);
      const eta = 1 / (lambda * t0 * fall * Math.sqrt(fall));
      let slope: number;
      if (step === "explicit") slope = loss.slope(s, y);
      else {
        const q = (squaredNorms === undefined ? access.squaredNorm(i) : squaredNorms[i]) + role.gain;
        slope = loss.implicitSlope(s, y, eta * c * q);
      }
      const factor = 1 - eta * lambda;
      if (factor > 0) omega /= factor;
      else W.fill(0); // the first row with t₀ = 1
      const e = -eta * c * slope;
      if (e !== 0) {
        access.addTo(i, e * omega, W);
        W[d] += e * omega * scaledGain;
        b += e * freeGain;
      }
      if (t <= averageStart) {
        alpha = omega;
        bMean = b;
      } else {
        const mu = 1 / (1 + t - averageStart);
        if (e !== 0) {
          access.addTo(i, -f * e * omega, A);
          A[d] -= f * e * omega * scaledGain;
        }
        alpha /= 1 - mu;
        f += (mu * alpha) / omega;
        bMean += mu * (b - bMean);
      }
      if (omega > LARGEST_SCALE || alpha > LARGEST_SCALE) {
        const isBeforeAverage = t <= averageStart;
        if (!isBeforeAverage) for (let j = 0; j <= d; j++) A[j] = (A[j] + f * W[j]) / alpha;
        for (let j = 0; j <= d; j++) W[j] /= omega;
        omega = 1;
        alpha = 1;
        f = isBeforeAverage ? 1 : 0;
      }
    }
    [this.omega, this.alpha, this.f] = [omega, alpha, f];
    [this.b, this.bMean] = [b, bMean];
    this.t += to - from;
  }

  parameters(): Float64Array {
    const { a, A, W, f, alpha } = this;
    for (let j = 0; j < a.length; j++) a[j] = (A[j] + f * W[j]) / alpha;
    if (this.settings.bias === "free") a[this.settings.columns] = this.bMean;
    return a;
  }

  save(): { readonly [key: string]: SnapshotValue } {
    const { omega, alpha, f, b, bMean, t } = this;
    return { W: this.W.slice(), A: this.A.slice(), omega, alpha, f, b, bMean, t };
  }

  restore(state: SnapshotReader): void {
    const [W, A] = [state.float64("W", this.W.length), state.float64("A", this.A.length)];
    const [omega, alpha, f] = [state.number("omega"), state.number("alpha"), state.number("f")];
    const [b, bMean, t] = [state.number("b"), state.number("bMean"), state.integer("t")];
    this.W.set(W);
    this.A.set(A);
    [this.omega, this.alpha, this.f] = [omega, alpha, f];
    [this.b, this.bMean, this.t] = [b, bMean, t];
  }
}
