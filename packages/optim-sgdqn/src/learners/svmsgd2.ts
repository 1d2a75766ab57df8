/**
 * SVMSGD2: stochastic gradient descent whose decay waits for `skip` rows.
 *
 * Iteration  w ← w − η_t c l′ x,   η_t = 1/(λ (t + t₀)),  t = 0, 1, 2, …
 *            every skip rows:  w ← (1 − skip/(t + t₀)) w
 *
 * Bordes, Bottou, Gallinari: SGD-QN: Careful quasi-Newton stochastic gradient descent. JMLR 10 (2009) 1737-1754,
 * Figure 1. Differs from the paper: the factor of the decay where it is far from 1 (`decay.ts`); implicit steps; and the
 * countdown runs on over the ends of passes, which matters where a pass holds few decays (7.7 against 0.22 % above the
 * optimum on the 20 newsgroups).
 */
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import type { LearnerSettings, RowLearner, TrainingRows } from "../learner.js";
import { type BiasRole, biasRole, firstParameters } from "./bias.js";
import { decayFactor } from "./decay.js";

export class SvmSgd2 implements RowLearner {
  private readonly settings: LearnerSettings;
  private readonly role: BiasRole;
  private readonly w: Float64Array;
  private t = 0;
  private countdown: number;

  constructor(settings: LearnerSettings) {
    this.settings = settings;
    this.role = biasRole(settings);
    this.w = firstParameters(settings);
    this.countdown = settings.skip;
  }

  get seen(): number {
    return this.t;
  }

  get evaluations(): number {
    return this.t;
  }

  visit({ access, targets, importances, order, squaredNorms }: TrainingRows, from: number, to: number): void {
    const { w } = this;
    const { loss, lambda, t0, columns: d, step, skip } = this.settings;
    const { decayed, gain } = this.role;
    let { countdown } = this;
    const start = this.t + t0 - from;
    for (let k = from; k < to; k++) {
      const i = order === undefined ? k : order[k];
      const y = targets[i];
      const c = importances === undefined ? 1 : importances[i];
      const s = access.dot(i, w) + w[d];
      const time = start + k;
      const eta = c / (lambda * time);
      let slope: number;
      if (step === "explicit") slope = loss.slope(s, y);
      else {
        const q = (squaredNorms === undefined ? access.squaredNorm(i) : squaredNorms[i]) + gain;
        slope = loss.implicitSlope(s, y, eta * q);
      }
      if (slope !== 0) {
        const e = -eta * slope;
        access.addTo(i, e, w);
        w[d] += e * gain;
      }
      if (--countdown <= 0) {
        const factor = decayFactor(skip, time);
        for (let j = 0; j < decayed; j++) w[j] *= factor;
        countdown = skip;
      }
    }
    this.countdown = countdown;
    this.t += to - from;
  }

  parameters(): Float64Array {
    return this.w.subarray(0, this.role.dimension);
  }

  save(): { readonly [key: string]: SnapshotValue } {
    return { w: this.w.slice(), t: this.t, countdown: this.countdown };
  }

  restore(state: SnapshotReader): void {
    const w = state.float64("w", this.w.length);
    const [t, countdown] = [state.integer("t"), state.integer("countdown", 1, this.settings.skip)];
    this.w.set(w);
    [this.t, this.countdown] = [t, countdown];
  }
}
