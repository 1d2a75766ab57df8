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
import { type RowMemory, type StepLoss, scale } from "@curvature/linalg";
import { float64, stateOf, whole } from "@curvature/optim-core/state";
import type { LearnerSettings, RowLearner, TrainingRows } from "../learner.js";
import { type BiasRole, biasRole, firstParameters } from "./bias.js";
import { decayFactor } from "./decay.js";
import { stepLoss, steppedMemory, steppedRows } from "./stepped.js";

export class SvmSgd2 implements RowLearner {
  readonly state;
  private readonly settings: LearnerSettings;
  private readonly role: BiasRole;
  private readonly nativeLoss: StepLoss | undefined;
  /** Another one after every change of w, so that only the memory of the last one is known to hold it. */
  private token = {};

  constructor(settings: LearnerSettings) {
    this.settings = settings;
    this.nativeLoss = stepLoss(settings);
    this.role = biasRole(settings);
    const { skip } = settings;
    this.state = stateOf({
      w: float64(firstParameters(settings)),
      t: whole(),
      countdown: whole(skip, { from: 1, to: skip }),
    });
  }

  get seen(): number {
    return this.state.t;
  }

  get evaluations(): number {
    return this.state.t;
  }

  visit(rows: TrainingRows, from: number, to: number): void {
    const memory = steppedMemory(rows, this.settings.skip);
    if (memory === undefined || this.nativeLoss === undefined) {
      this.visitHere(rows, from, to);
      this.token = {};
    } else this.visitIn(memory, this.nativeLoss, rows, from, to);
  }

  private visitHere(
    { access, targets, importances, order, squaredNorms }: TrainingRows,
    from: number,
    to: number,
  ): void {
    const { state } = this;
    const { w } = state;
    const { loss, lambda, t0, columns: d, step, skip } = this.settings;
    const { decayed, gain } = this.role;
    let { countdown } = state;
    const start = state.t + t0 - from;
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
    state.countdown = countdown;
    state.t += to - from;
  }

  /** The same, with the steps between two decays as one call. */
  private visitIn(memory: RowMemory, loss: StepLoss, rows: TrainingRows, from: number, to: number): void {
    const { state } = this;
    const { w } = memory;
    const { lambda, t0, step, skip } = this.settings;
    const { decayed, gain } = this.role;
    const start = state.t + t0 - from;
    const steps = { loss, isImplicit: step === "implicit", lambda, start, biasGain: gain };
    if (memory.owner !== this.token) w.set(state.w);
    memory.owner = undefined;
    for (let k = from, end = from; k < to; k = end) {
      end = Math.min(to, k + state.countdown);
      steppedRows(memory, rows, k, end, (first, last) => memory.gradientSteps(first, last, steps));
      state.countdown -= end - k;
      if (state.countdown > 0) continue;
      scale(decayFactor(skip, start + end - 1), decayed === w.length ? w : w.subarray(0, decayed));
      state.countdown = skip;
    }
    state.w.set(w);
    this.token = {};
    memory.owner = this.token;
    state.t += to - from;
  }

  parameters(): Float64Array {
    return this.state.w.subarray(0, this.role.dimension);
  }

  renew(): void {
    this.token = {};
  }
}
