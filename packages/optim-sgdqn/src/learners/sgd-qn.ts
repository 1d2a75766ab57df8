/**
 * SGD-QN in its corrected form: stochastic gradient descent with a diagonal gain B that is learned from secants.
 *
 * Iteration  w ← w − B c l′ x
 *            every skip rows:  w′ ← w,  w ← w − skip λ B w;  and at the row after that
 *            h_j = λ + c (l′(w·x) − l′(w′·x)) x_j / (w_j − w′_j),   clipped to [0.1 λ, 100 λ]
 *            1/B_j ← 1/B_j + (t − t_B) h_j
 * Start      1/B_j = λ t₀
 *
 * so that 1/B_j = λ t₀ + Σ h_j, about t times the mean curvature: a gain that falls as 1/t. A coordinate that the row
 * does not have shows h_j = λ; one whose weight did not change, the upper clip. A row whose slope did not change says
 * nothing: B waits for the next one, which then counts for all rows since t_B.
 *
 * | symbol | variable | shape, meaning                                           |
 * |--------|----------|----------------------------------------------------------|
 * | w, w′  | w, wBefore | d + 1, weights and bias; those before the last decay   |
 * | λ t₀ B | gains    | d + 1, in single precision                               |
 * | e      | excess   | d + 1, Σ (t − t_B) (h_j/λ − 1)                           |
 * | t_B    | tB       | t at the last update of B                                |
 *
 * so 1/B_j = λ (t₀ + t_B + e_j), and e_j changes only where the row of a secant has an entry. What steps read is B itself,
 * for whose units and precision see `RowAccess`.
 *
 * Bordes, Bottou, Gallinari: SGD-QN: Careful quasi-Newton stochastic gradient descent. JMLR 10 (2009) 1737-1754, in the
 * form of its erratum: Bordes, Bottou, Gallinari, Chang, Smith, JMLR 11 (2010) 2229-2240. What the erratum corrects: the
 * secant is taken at a row that did not make the step, and curvatures are summed rather than their inverses (see
 * `sgd-qn-2009.ts`). Differs from it: the lower clip is 0.1 λ, as in the authors' program, since λ loses on all sets
 * tried; t, t_B and B run on over the ends of passes; 1 − skip λ B_j is kept from turning negative; implicit steps, with
 * x·B x in the place of ‖x‖².
 */
import type { RowMemory, StepLoss } from "@curvature/linalg";
import { boolean, float64, stateOf, whole } from "@curvature/optim-core/state";
import type { LearnerSettings, RowLearner, TrainingRows } from "../learner.js";
import { type BiasRole, biasRole, firstParameters } from "./bias.js";
import { stepLoss, steppedMemory, steppedRows } from "./stepped.js";

/** Clips of h, in units of λ. */
const MIN_CURVATURE = 0.1;
const MAX_CURVATURE = 100;

/** What steps read and write, wherever it lies. */
interface Weights {
  readonly w: Float64Array;
  readonly gains: Float32Array;
  /** Where both lie, if native loops reach them. */
  readonly memory?: RowMemory;
}

export class SgdQn implements RowLearner {
  readonly state;
  private readonly settings: LearnerSettings;
  private readonly role: BiasRole;
  private readonly gains: Float32Array;
  private readonly nativeLoss: StepLoss | undefined;
  /** Another one after every change, so that only the memory of the last one is known to hold what is so now. */
  private token = {};

  constructor(settings: LearnerSettings) {
    const { columns, skip } = settings;
    this.settings = settings;
    this.nativeLoss = stepLoss(settings);
    this.role = biasRole(settings);
    this.gains = new Float32Array(columns + 1).fill(1);
    this.state = stateOf(
      {
        w: float64(firstParameters(settings)),
        wBefore: float64(new Float64Array(columns + 1)),
        excess: float64(new Float64Array(columns + 1)),
        t: whole(),
        tB: whole(),
        countdown: whole(skip, { from: 1, to: skip }),
        isSecantDue: boolean(),
        secants: whole(),
      },
      (fields) => (Number(fields.get("tB")) > Number(fields.get("t")) ? "with tB at most t" : undefined),
    );
  }

  get seen(): number {
    return this.state.t;
  }

  get evaluations(): number {
    return this.state.t + this.state.secants;
  }

  visit(rows: TrainingRows, from: number, to: number): void {
    const memory = steppedMemory(rows, this.settings.skip);
    if (memory === undefined || this.nativeLoss === undefined) {
      this.visitWith(rows, { w: this.state.w, gains: this.gains }, from, to);
      this.token = {};
      return;
    }
    const { w, B: gains } = memory;
    const { lambda, t0, step } = this.settings;
    const unit = 1 / (lambda * t0);
    const { entry } = this.role;
    const steps = { loss: this.nativeLoss, isImplicit: step === "implicit", unit, entry };
    const { state } = this;
    const { tB } = state;
    if (memory.owner !== this.token) {
      w.set(state.w);
      gains.set(this.gains);
      memory.excess.set(state.excess);
    }
    memory.owner = undefined;
    this.visitWith(rows, { w, gains, memory }, from, to, (start, end) =>
      steppedRows(memory, rows, start, end, (first, last) => memory.scaledSteps(first, last, steps)),
    );
    state.w.set(w);
    if (state.tB !== tB) this.gains.set(gains);
    this.token = {};
    memory.owner = this.token;
  }

  /** Visits rows with these weights and gains; `plainSteps`, if any, makes the steps up to the next secant or decay. */
  private visitWith(
    rows: TrainingRows,
    weights: Weights,
    from: number,
    to: number,
    plainSteps?: (from: number, to: number) => void,
  ): void {
    const { access, targets, importances, order } = rows;
    const { state } = this;
    const { w, gains } = weights;
    const { loss, lambda, t0, columns: d, step, skip } = this.settings;
    const { entry } = this.role;
    const unit = 1 / (lambda * t0);
    const before = state.t - from;
    let decayAt = from + state.countdown - 1;
    let due = state.isSecantDue ? from : decayAt; // the next row that is more than a step
    for (let k = from; k < to; k++) {
      if (plainSteps !== undefined && k < due) {
        const end = Math.min(due, to);
        plainSteps(k, end);
        if (end === to) break;
        k = end;
      }
      const i = order === undefined ? k : order[k];
      const y = targets[i];
      const c = importances === undefined ? 1 : importances[i];
      const s = access.dot(i, w) + w[d];
      if (k === due) {
        if (state.isSecantDue) this.learnCurvature(rows, weights, i, s, before + k + 1);
        if (k === decayAt) {
          this.decay(weights);
          decayAt += skip;
        }
        due = state.isSecantDue ? k + 1 : decayAt;
      }
      let slope = loss.slope(s, y);
      // A row at rest is so under implicit steps, too, and needs no norm.
      if (step === "implicit" && slope !== 0)
        slope = loss.implicitSlope(s, y, c * unit * (access.scaledSquaredNorm(i, gains) + entry * gains[d]));
      if (slope !== 0) {
        const e = -c * unit * slope;
        access.addScaledTo(i, e, gains, w);
        w[d] += e * entry * gains[d];
      }
    }
    state.t += to - from;
    state.countdown = decayAt - to + 1;
  }

  /** 1/B ← 1/B + (t − t_B) h from the slopes of row i, the t-th, at w (score s) and at w′. */
  private learnCurvature(
    { access, targets, importances }: TrainingRows,
    weights: Weights,
    i: number,
    s: number,
    t: number,
  ): void {
    const { w, memory } = weights;
    const { state } = this;
    const { wBefore, excess } = state;
    const { loss, lambda, columns: d } = this.settings;
    const y = targets[i];
    const c = importances === undefined ? 1 : importances[i];
    const slopes = c * (loss.slope(s, y) - loss.slope(access.dot(i, wBefore) + wBefore[d], y));
    state.secants++;
    state.isSecantDue = false;
    if (slopes === 0) return;
    const rowsSince = t - state.tB;
    const learn = (j: number, x: number): void => {
      const change = slopes * x;
      if (change === 0) return;
      const pull = lambda * (w[j] - wBefore[j]);
      const curvature = pull === 0 ? MAX_CURVATURE : 1 + change / pull;
      const h = Math.max(MIN_CURVATURE, Math.min(MAX_CURVATURE, curvature));
      excess[j] += rowsSince * (h - 1);
      if (memory !== undefined) memory.excess[j] = excess[j];
    };
    access.forEachEntry(i, learn);
    learn(d, this.role.entry);
    state.tB = t;
    this.renewGains(weights);
  }

  private renewGains({ gains, memory }: Weights): void {
    const { excess, tB } = this.state;
    const { t0 } = this.settings;
    const common = t0 + tB;
    if (memory !== undefined) {
      memory.renewGains(t0, common);
      return;
    }
    const usual = t0 / common; // of the many that no secant's row has had
    for (let j = 0; j < gains.length; j++) {
      const e = excess[j];
      gains[j] = e === 0 ? usual : t0 / (common + e);
    }
  }

  private decay({ w, gains, memory }: Weights): void {
    const { state } = this;
    const { wBefore } = state;
    const { skip, t0 } = this.settings;
    const { decayed } = this.role;
    const share = skip / t0;
    state.isSecantDue = true;
    if (memory !== undefined) {
      wBefore.set(w);
      memory.decayScaled(decayed, share);
      return;
    }
    for (let j = 0; j < decayed; j++) {
      const weight = w[j];
      const factor = 1 - share * gains[j];
      wBefore[j] = weight;
      w[j] = weight * Math.max(0, factor);
    }
    for (let j = decayed; j < w.length; j++) wBefore[j] = w[j];
  }

  parameters(): Float64Array {
    return this.state.w.subarray(0, this.role.dimension);
  }

  renew(): void {
    this.token = {};
    this.renewGains({ w: this.state.w, gains: this.gains });
  }
}
