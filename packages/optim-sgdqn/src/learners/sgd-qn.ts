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
 * does not have shows h_j = λ; one whose weight did not change, the upper clip. A row whose slope did not change tells
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
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import type { LearnerSettings, RowLearner, TrainingRows } from "../learner.js";
import { type BiasRole, biasRole, firstParameters } from "./bias.js";
import { stepLoss, steppedMemory, steppedRows } from "./stepped.js";

/** Clips of h, in units of λ. */
const LEAST = 0.1;
const MOST = 100;

/** What steps read and write, wherever it lies. */
interface State {
  readonly w: Float64Array;
  readonly gains: Float32Array;
  /** Where both lie, if native loops reach them. */
  readonly memory?: RowMemory;
}

export class SgdQn implements RowLearner {
  private readonly settings: LearnerSettings;
  private readonly role: BiasRole;
  private readonly w: Float64Array;
  private readonly wBefore: Float64Array;
  private readonly excess: Float64Array;
  private readonly gains: Float32Array;
  private t = 0;
  private tB = 0;
  private countdown: number;
  private isSecantDue = false;
  private secants = 0;
  private readonly nativeLoss: StepLoss | undefined;
  /** Another one after every change, so that only the memory of the last one is known to hold what is so now. */
  private state = {};

  constructor(settings: LearnerSettings) {
    const { columns, skip } = settings;
    this.settings = settings;
    this.nativeLoss = stepLoss(settings);
    this.role = biasRole(settings);
    this.w = firstParameters(settings);
    this.wBefore = new Float64Array(columns + 1);
    this.excess = new Float64Array(columns + 1);
    this.gains = new Float32Array(columns + 1).fill(1);
    this.countdown = skip;
  }

  get seen(): number {
    return this.t;
  }

  get evaluations(): number {
    return this.t + this.secants;
  }

  visit(rows: TrainingRows, from: number, to: number): void {
    const memory = steppedMemory(rows, this.settings.skip);
    if (memory === undefined || this.nativeLoss === undefined) {
      this.visitWith(rows, { w: this.w, gains: this.gains }, from, to);
      this.state = {};
      return;
    }
    const { w, B: gains } = memory;
    const { lambda, t0, step } = this.settings;
    const unit = 1 / (lambda * t0);
    const { entry } = this.role;
    const steps = { loss: this.nativeLoss, isImplicit: step === "implicit", unit, entry };
    const { tB } = this;
    if (memory.owner !== this.state) {
      w.set(this.w);
      gains.set(this.gains);
      memory.excess.set(this.excess);
    }
    memory.owner = undefined;
    this.visitWith(rows, { w, gains, memory }, from, to, (start, end) =>
      steppedRows(memory, rows, start, end, (first, last) => memory.scaledSteps(first, last, steps)),
    );
    this.w.set(w);
    if (this.tB !== tB) this.gains.set(gains);
    this.state = {};
    memory.owner = this.state;
  }

  /** Visits rows with these weights and gains; `plainSteps`, where given, makes the steps up to the next secant or decay. */
  private visitWith(
    rows: TrainingRows,
    state: State,
    from: number,
    to: number,
    plainSteps?: (from: number, to: number) => void,
  ): void {
    const { access, targets, importances, order } = rows;
    const { w, gains } = state;
    const { loss, lambda, t0, columns: d, step, skip } = this.settings;
    const { entry } = this.role;
    const unit = 1 / (lambda * t0);
    const before = this.t - from;
    let decayAt = from + this.countdown - 1;
    let due = this.isSecantDue ? from : decayAt; // the next row that is more than a step
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
        if (this.isSecantDue) this.learnCurvature(rows, state, i, s, before + k + 1);
        if (k === decayAt) {
          this.decay(state);
          decayAt += skip;
        }
        due = this.isSecantDue ? k + 1 : decayAt;
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
    this.t += to - from;
    this.countdown = decayAt - to + 1;
  }

  /** 1/B ← 1/B + (t − t_B) h from the slopes of row i, the t-th, at w (score s) and at w′. */
  private learnCurvature(
    { access, targets, importances }: TrainingRows,
    state: State,
    i: number,
    s: number,
    t: number,
  ): void {
    const { w } = state;
    const { wBefore, excess } = this;
    const { loss, lambda, columns: d } = this.settings;
    const y = targets[i];
    const c = importances === undefined ? 1 : importances[i];
    const slopes = c * (loss.slope(s, y) - loss.slope(access.dot(i, wBefore) + wBefore[d], y));
    this.secants++;
    this.isSecantDue = false;
    if (slopes === 0) return;
    const rowsSince = t - this.tB;
    const learn = (j: number, x: number): void => {
      const change = slopes * x;
      if (change === 0) return;
      const pull = lambda * (w[j] - wBefore[j]);
      const h = pull === 0 ? MOST : Math.max(LEAST, Math.min(MOST, 1 + change / pull));
      excess[j] += rowsSince * (h - 1);
      if (state.memory !== undefined) state.memory.excess[j] = excess[j];
    };
    access.forEachEntry(i, learn);
    learn(d, this.role.entry);
    this.tB = t;
    this.renewGains(state);
  }

  private renewGains({ gains, memory }: State): void {
    const { excess, tB } = this;
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

  private decay({ w, gains, memory }: State): void {
    const { wBefore } = this;
    const { skip, t0 } = this.settings;
    const { decayed } = this.role;
    const share = skip / t0;
    this.isSecantDue = true;
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
    return this.w.subarray(0, this.role.dimension);
  }

  save(): { readonly [key: string]: SnapshotValue } {
    const { t, tB, countdown, isSecantDue, secants } = this;
    return {
      w: this.w.slice(),
      wBefore: this.wBefore.slice(),
      excess: this.excess.slice(),
      t,
      tB,
      countdown,
      isSecantDue,
      secants,
    };
  }

  restore(state: SnapshotReader): void {
    const { length } = this.w;
    const [w, wBefore, excess] = [
      state.float64("w", length),
      state.float64("wBefore", length),
      state.float64("excess", length),
    ];
    const [t, secants, isSecantDue] = [
      state.integer("t"),
      state.integer("secants"),
      state.flag("isSecantDue"),
    ];
    const [tB, countdown] = [state.integer("tB", 0, t), state.integer("countdown", 1, this.settings.skip)];
    this.w.set(w);
    this.wBefore.set(wBefore);
    this.excess.set(excess);
    [this.t, this.secants, this.tB, this.countdown] = [t, secants, tB, countdown];
    this.isSecantDue = isSecantDue;
    this.state = {};
    this.renewGains({ w: this.w, gains: this.gains });
  }
}
