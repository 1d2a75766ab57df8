/**
 * Stochastic gradient descent with the weights kept as w = v/c, so that the decay of all of them is one product and a
 * row costs O(nnz).
 *
 * Iteration  w ← (1 − η_t λ) w − η_t c_i l′ x,   η_t = 1/(λ (t + t₀)),  t = 0, 1, 2, …
 *            as  c ← c / (1 − η_t λ),   v ← v − η_t c_i l′ c x;   v ← v/c, c ← 1 whenever c > 10⁵
 *
 * | symbol | variable | meaning                                   |
 * |--------|----------|-------------------------------------------|
 * | v, c   | v, c     | w = v/c                                   |
 * | b      | b        | a free bias, which does not decay         |
 *
 * Bottou: Large-scale machine learning with stochastic gradient descent. COMPSTAT 2010; the scaling is that of
 * Shalev-Shwartz, Singer, Srebro: Pegasos. ICML 2007, section 2.
 */
import { float64, number, stateOf, whole } from "@curvature/optim-core/state";
import type { LearnerSettings, RowLearner, TrainingRows } from "../learner.js";
import { type BiasRole, biasRole, firstParameters } from "./bias.js";

const LARGEST_SCALE = 1e5;

export class ScaledSgd implements RowLearner {
  readonly state;
  private readonly settings: LearnerSettings;
  private readonly role: BiasRole;
  private readonly w: Float64Array;

  constructor(settings: LearnerSettings) {
    this.settings = settings;
    this.role = biasRole(settings);
    this.w = new Float64Array(this.role.dimension);
    const v = firstParameters(settings);
    const b = settings.bias === "free" ? v[settings.columns] : 0;
    if (settings.bias === "free") v[settings.columns] = 0;
    this.state = stateOf({ v: float64(v), c: number(1), b: number(b), t: whole() });
  }

  get seen(): number {
    return this.state.t;
  }

  get evaluations(): number {
    return this.state.t;
  }

  visit({ access, targets, importances, order, squaredNorms }: TrainingRows, from: number, to: number): void {
    const { state, role } = this;
    const { v } = state;
    const { loss, lambda, t0, columns: d, step, bias } = this.settings;
    const [scaledGain, freeGain] = bias === "free" ? [0, role.gain] : [role.gain, 0];
    let { c, b } = state;
    const start = state.t + t0 - from;
    for (let k = from; k < to; k++) {
      const i = order === undefined ? k : order[k];
      const y = targets[i];
      const importance = importances === undefined ? 1 : importances[i];
      const s = (access.dot(i, v) + v[d]) / c + b;
      const eta = 1 / (lambda * (start + k));
      let slope: number;
      if (step === "explicit") slope = loss.slope(s, y);
      else {
        const q = (squaredNorms === undefined ? access.squaredNorm(i) : squaredNorms[i]) + role.gain;
        slope = loss.implicitSlope(s, y, eta * importance * q);
      }
      const factor = 1 - eta * lambda;
      if (factor > 0) c /= factor;
      else v.fill(0); // the first row with t₀ = 1
      const e = -eta * importance * slope;
      if (e !== 0) {
        access.addTo(i, e * c, v);
        v[d] += e * c * scaledGain;
        b += e * freeGain;
      }
      if (c > LARGEST_SCALE) {
        for (let j = 0; j <= d; j++) v[j] /= c;
        c = 1;
      }
    }
    state.c = c;
    state.b = b;
    state.t += to - from;
  }

  parameters(): Float64Array {
    const { w } = this;
    const { v, c, b } = this.state;
    for (let j = 0; j < w.length; j++) w[j] = v[j] / c;
    if (this.settings.bias === "free") w[this.settings.columns] = b;
    return w;
  }
}
