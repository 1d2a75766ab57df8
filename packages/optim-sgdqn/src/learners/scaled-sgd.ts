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
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import type { LearnerSettings, RowLearner, TrainingRows } from "../learner.js";
import { type BiasRole, biasRole, firstParameters } from "./bias.js";

const LARGEST_SCALE = 1e5;

export class ScaledSgd implements RowLearner {
  private readonly settings: LearnerSettings;
  private readonly role: BiasRole;
  private readonly v: Float64Array;
  private readonly w: Float64Array;
  private c = 1;
  private b = 0;
  private t = 0;

  constructor(settings: LearnerSettings) {
    this.settings = settings;
    this.role = biasRole(settings);
    this.v = firstParameters(settings);
    this.w = new Float64Array(this.role.dimension);
    if (settings.bias === "free") {
      this.b = this.v[settings.columns];
      this.v[settings.columns] = 0;
    }
  }

  get seen(): number {
    return this.t;
  }

  get evaluations(): number {
    return this.t;
  }

  visit({ access, targets, importances, order, squaredNorms }: TrainingRows, from: number, to: number): void {
    const { v, role } = this;
    const { loss, lambda, t0, columns: d, step, bias } = this.settings;
    const [scaledGain, freeGain] = bias === "free" ? [0, role.gain] : [role.gain, 0];
    let { c, b } = this;
    const start = this.t + t0 - from;
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
    this.c = c;
    this.b = b;
    this.t += to - from;
  }

  parameters(): Float64Array {
    const { w, v, c } = this;
    for (let j = 0; j < w.length; j++) w[j] = v[j] / c;
    if (this.settings.bias === "free") w[this.settings.columns] = this.b;
    return w;
  }

  save(): { readonly [key: string]: SnapshotValue } {
    return { v: this.v.slice(), c: this.c, b: this.b, t: this.t };
  }

  restore(state: SnapshotReader): void {
    const v = state.float64("v", this.v.length);
    const [c, b, t] = [state.number("c"), state.number("b"), state.integer("t")];
    this.v.set(v);
    [this.c, this.b, this.t] = [c, b, t];
  }
}
