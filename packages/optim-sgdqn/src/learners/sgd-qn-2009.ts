/**
 * SGD-QN as it was printed in 2009, for comparison.
 *
 * Iteration  w ← w − (t + t₀)⁻¹ B c l′ x,  t = 0, 1, 2, …
 *            every skip rows:  w ← w − skip (t + t₀)⁻¹ λ B w;  and at the row after that, with w′ the weights before and w
 *            those after its step, and p = g(w) − g(w′) of the same row,
 *            B_j ← B_j + (2/r) ((w_j − w′_j)/p_j − B_j),   the ratio 1/λ where x_j = 0 or l′ did not change
 *            B_j ← max(B_j, 0.01/λ),   r ← r + 1
 * Start      B_j = 1/λ,  r = 2
 *
 * Its flaw: the step w − w′ was made by the row itself and lies along B x, so that x_j cancels in the ratio, which comes
 * out (nearly) the same for all coordinates that the row has; and the mean of inverse curvatures stands where the inverse
 * of the mean curvature is wanted. `SgdQn` is the corrected form.
 *
 * | symbol | variable   | shape, meaning                                  |
 * |--------|------------|-------------------------------------------------|
 * | w, w′  | w, wBefore | d + 1, weights and bias; those before the step  |
 * | λ B    | gains      | d + 1, in single precision                      |
 * | x      | x          | d + 1, the row of a secant, spread out          |
 * | r      | r          | updates of B so far, and 2                      |
 *
 * Bordes, Bottou, Gallinari: SGD-QN: Careful quasi-Newton stochastic gradient descent. JMLR 10 (2009) 1737-1754,
 * Figure 2. Differs from it: the factor of a decay is kept from turning negative; implicit steps.
 */
import { boolean, float32, float64, stateOf, whole } from "@curvature/optim-core/state";
import type { LearnerSettings, RowLearner, TrainingRows } from "../learner.js";
import { type BiasRole, biasRole, firstParameters } from "./bias.js";

/** The least B, in units of 1/λ, as all gains are here. */
const MIN_GAIN = 0.01;

export class SgdQn2009 implements RowLearner {
  readonly state;
  private readonly settings: LearnerSettings;
  private readonly role: BiasRole;
  private readonly wBefore: Float64Array;
  private readonly x: Float64Array;

  constructor(settings: LearnerSettings) {
    const { columns, skip } = settings;
    this.settings = settings;
    this.role = biasRole(settings);
    this.wBefore = new Float64Array(columns + 1);
    this.x = new Float64Array(columns + 1);
    this.state = stateOf({
      w: float64(firstParameters(settings)),
      gains: float32(new Float32Array(columns + 1).fill(1)),
      t: whole(),
      r: whole(2, { from: 2 }),
      countdown: whole(skip, { from: 1, to: skip }),
      isSecantDue: boolean(),
    });
  }

  get seen(): number {
    return this.state.t;
  }

  get evaluations(): number {
    return this.state.t + this.state.r - 2;
  }

  visit(rows: TrainingRows, from: number, to: number): void {
    const { access, targets, importances, order } = rows;
    const { state } = this;
    const { w, gains } = state;
    const { loss, lambda, columns: d, step, t0 } = this.settings;
    const { entry } = this.role;
    for (let k = from; k < to; k++, state.t++) {
      const i = order === undefined ? k : order[k];
      const y = targets[i];
      const c = importances === undefined ? 1 : importances[i];
      const s = access.dot(i, w) + w[d];
      const eta = c / (lambda * (state.t + t0));
      if (state.isSecantDue) this.wBefore.set(w);
      const slope =
        step === "explicit"
          ? loss.slope(s, y)
          : loss.implicitSlope(s, y, eta * (access.scaledSquaredNorm(i, gains) + entry * gains[d]));
      if (slope !== 0) {
        const e = -eta * slope;
        access.addScaledTo(i, e, gains, w);
        w[d] += e * entry * gains[d];
      }
      if (state.isSecantDue) this.learnCurvature(rows, i, s);
      if (--state.countdown <= 0) this.decay();
    }
  }

  /** B from the slopes of row i before and after its own step; s is its score before. */
  private learnCurvature({ access, targets, importances }: TrainingRows, i: number, s: number): void {
    const { state, wBefore, x } = this;
    const { w, gains } = state;
    const { loss, lambda, columns: d } = this.settings;
    const y = targets[i];
    const c = importances === undefined ? 1 : importances[i];
    const change = c * (loss.slope(access.dot(i, w) + w[d], y) - loss.slope(s, y));
    x.fill(0);
    if (change !== 0) {
      access.addTo(i, change, x);
      x[d] = change * this.role.entry;
    }
    for (let j = 0; j <= d; j++) {
      const dw = w[j] - wBefore[j];
      const ratio = x[j] === 0 ? 1 : (lambda * dw) / (lambda * dw + x[j]);
      gains[j] = Math.max(MIN_GAIN, gains[j] + (2 / state.r) * (ratio - gains[j]));
    }
    state.r++;
    state.isSecantDue = false;
  }

  private decay(): void {
    const { state } = this;
    const { w, gains } = state;
    const { skip, t0 } = this.settings;
    const share = skip / (state.t + t0);
    for (let j = 0; j < this.role.decayed; j++) w[j] *= Math.max(0, 1 - share * gains[j]);
    state.countdown = skip;
    state.isSecantDue = true;
  }

  parameters(): Float64Array {
    return this.state.w.subarray(0, this.role.dimension);
  }
}
