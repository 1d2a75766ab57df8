/**
 * Stochastic gradient descent as it is written down.
 *
 * Iteration  w ← (1 − η_t λ) w − η_t c l′ x,   η_t = 1/(λ (t + t₀)),  t = 0, 1, 2, …
 *
 * Costs O(d) a row, however few entries the row has: here for comparison. `ScaledSgd` makes the same steps in O(nnz).
 *
 * Bordes, Bottou, Gallinari: SGD-QN: Careful quasi-Newton stochastic gradient descent. JMLR 10 (2009) 1737-1754,
 * section 2.
 */
import { float64, stateOf, whole } from "@curvature/optim-core/state";
import type { LearnerSettings, RowLearner, TrainingRows } from "../learner.js";
import { biasRole, firstParameters } from "./bias.js";

export class NaiveSgd implements RowLearner {
  readonly state;
  private readonly settings: LearnerSettings;

  constructor(settings: LearnerSettings) {
    this.settings = settings;
    this.state = stateOf({ w: float64(firstParameters(settings)), t: whole() });
  }

  get seen(): number {
    return this.state.t;
  }

  get evaluations(): number {
    return this.state.t;
  }

  visit({ access, targets, importances, order, squaredNorms }: TrainingRows, from: number, to: number): void {
    const { state } = this;
    const { w } = state;
    const { loss, lambda, t0, columns: d, step } = this.settings;
    const { decayed, gain } = biasRole(this.settings);
    for (let k = from; k < to; k++, state.t++) {
      const i = order === undefined ? k : order[k];
      const y = targets[i];
      const c = importances === undefined ? 1 : importances[i];
      const s = access.dot(i, w) + w[d];
      const eta = 1 / (lambda * (state.t + t0));
      let slope: number;
      if (step === "explicit") slope = loss.slope(s, y);
      else {
        const q = (squaredNorms === undefined ? access.squaredNorm(i) : squaredNorms[i]) + gain;
        slope = loss.implicitSlope(s, y, eta * c * q);
      }
      const factor = 1 - eta * lambda;
      for (let j = 0; j < decayed; j++) w[j] *= factor;
      const e = -eta * c * slope;
      if (e === 0) continue;
      access.addTo(i, e, w);
      w[d] += e * gain;
    }
  }

  parameters(): Float64Array {
    return this.state.w.subarray(0, biasRole(this.settings).dimension);
  }
}
