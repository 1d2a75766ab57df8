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
import { float64, number, stateOf, whole } from "@curvature/optim-core/state";
import type { LearnerSettings, RowLearner, TrainingRows } from "../learner.js";
import { type BiasRole, biasRole, firstParameters } from "./bias.js";

const LARGEST_SCALE = 1e5;

export class Asgd implements RowLearner {
  readonly state;
  private readonly settings: LearnerSettings;
  private readonly role: BiasRole;
  private readonly a: Float64Array;

  constructor(settings: LearnerSettings) {
    const { columns: d, bias } = settings;
    this.settings = settings;
    this.role = biasRole(settings);
    this.a = new Float64Array(this.role.dimension);
    const W = firstParameters(settings);
    const b = bias === "free" ? W[d] : 0;
    if (bias === "free") W[d] = 0;
    this.state = stateOf({
      W: float64(W),
      A: float64(new Float64Array(d + 1)),
      omega: number(1),
      alpha: number(1),
      f: number(1),
      b: number(b),
      bMean: number(b),
      t: whole(),
    });
  }

  get seen(): number {
    return this.state.t;
  }

  get evaluations(): number {
    return this.state.t;
  }

  visit({ access, targets, importances, order, squaredNorms }: TrainingRows, from: number, to: number): void {
    const { state, role } = this;
    const { W, A } = state;
    const { loss, lambda, t0, columns: d, step, bias, averageStart } = this.settings;
    const [scaledGain, freeGain] = bias === "free" ? [0, role.gain] : [role.gain, 0];
    let { omega, alpha, f, b, bMean } = state;
    const start = state.t - from;
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
    [state.omega, state.alpha, state.f] = [omega, alpha, f];
    [state.b, state.bMean] = [b, bMean];
    state.t += to - from;
  }

  parameters(): Float64Array {
    const { a } = this;
    const { A, W, f, alpha, bMean } = this.state;
    for (let j = 0; j < a.length; j++) a[j] = (A[j] + f * W[j]) / alpha;
    if (this.settings.bias === "free") a[this.settings.columns] = bMean;
    return a;
  }
}
