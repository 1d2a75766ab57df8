/**
 * Nonlinear least squares by a trust region: the Levenberg-Marquardt method as MINPACK has it.
 *
 * Problem    min F(x) = ½ Σ r_i(x)²,  l ≤ x ≤ u;  with a loss, ½ C² Σ ρ((r_i/C)²) by weighted rows (`loss.ts`)
 * Model      ½‖r + J p‖² within ‖D p‖ ≤ Δ,   D_j the largest length of J's column j so far         (Moré, section 6)
 * Step       p(λ) = −(JᵀJ + λ D²)⁻¹ Jᵀ r by QR, of a sparse J by Cholesky (`sparse-model.ts`);  λ = 0, or such that ‖D p‖ = Δ to within a tenth   (sections 3, 5)
 * Bounds     columns of parameters at a bound that −Jᵀr leads out of are left out; where p leaves the box the parameters that
 *            do are put on their bounds and the others solved for again, and the projected steepest step stands in where that
 *            lowers the model by less than a tenth of what this one does
 * Ratio      ρ = (F(x) − F(x + p)) / (F(x) − model);  ρ ≥ 10⁻⁴ accepts                              (section 7)
 * Radius     ρ ≤ ¼: Δ ← μ Δ with ⅒ ≤ μ ≤ ½;  ρ ≥ ¾ or λ = 0: Δ ← 2 ‖D p‖                            (section 4)
 * End        cos φ = ‖Q₁ᵀr‖ / ‖r‖, r's angle with the space that J spans, at most 10⁻⁸, or so small that the decrease ½‖Q₁ᵀr‖² that
 *            is left is lost in rounding (Bates, Watts 1981); until 10⁻⁸ undamped steps go on that lower cos φ, though F cannot tell.
 *            Before that is said J by differences is a central one, and a given one is compared with r on both sides of x
 *
 * | symbol | variable       | shape                            |
 * |--------|----------------|----------------------------------|
 * | x, r   | x, r           | n, m                             |
 * | J      | jacobian       | m × n, as its form keeps it      |
 * | D      | D              | n                                |
 * | Δ, λ   | radius, lambda |                                  |
 * | u      | u              | p in the model's order and units |
 *
 * Moré: The Levenberg-Marquardt algorithm: implementation and theory. In: Numerical Analysis, Lecture Notes in Mathematics 630
 * (1978) 105-116. Bates, Watts: A relative offset orthogonality convergence criterion for nonlinear least squares.
 * Technometrics 23 (1981) 179-183. Differs from MINPACK: the bounds; the test by the angle with the whole space in the place
 * of tests by single columns, by small steps and by small decreases, and Newton's look where that stays open; a first Δ of ‖D x‖
 * and not of a hundred times that.
 */
import { dot, maxAbs, norm2 } from "@curvature/linalg";
import { fingerprintOf } from "../hash.js";
import { clearOf, noiseOf } from "../line-search/noise.js";
import type { EndingTest, Iteration, Outcome, Point, Solver } from "../solver.js";
import type { Box } from "../solvers/box.js";
import { differenceStep, newtonStep, shiftOf } from "../solvers/newton-look.js";
import { boolean, DeclaredSolver, float64, number, outcome, part, stateOf, whole } from "../state.js";
import type { Linearization, StepModel } from "./linear-model.js";
import { type Loss, lossOf, weigh } from "./loss.js";
import { areFinite, type Residuals, Spent } from "./residual-function.js";

/** Of cos φ. */
const ANGLE = 1e-8;
/** ρ from which on a step is accepted. */
const ACCEPTED = 1e-4;
/** cos φ at which a minimum is reached, if nothing gets any nearer: x is as many standard errors from it, times √(m − n). */
const REACHED = 1e-6;
/** cos φ below which Jacobians by differences are central ones. */
const NEAR = 1e-5;
/** What a step that F says nothing of must make of cos φ, and how many of them there are in all. */
const FLATTER = 0.9;
const MOST_QUIET = 30;
/** How much higher F may seem after such a step: small differences of large numbers may have lost so many digits. */
const ROUNDED = 1e-9;
/** A given Jacobian is compared with differences over steps of such a part of x, and is wrong if they differ by such a part. */
const CHECK_STEP = 2 ** -17;
const CHECK_SHARE = 0.01;
const CHECK_NOISE = 1e-9;
/** Parameters up to which a Hessian by differences is affordable. */
const MOST_LOOKED_AT = 50;
const MOST_WITHOUT_JACOBIAN = 10;
/** As a part of the largest so far: a column of J that is no longer has lost its parameter's influence. */
const FAINT = 1e-10;
/** Of the first point: a parameter that is so much larger, and still grows, runs off. */
const AWAY = 1e10;

export interface LeastSquaresDetails {
  /** Δ and λ of the last trial. */
  readonly radius: number;
  readonly lambda: number;
  /** Points tried in this iteration. */
  readonly trials: number;
  /** cos φ of the angle between r and the space that J spans, at the point reached; undefined if J is not known there. */
  readonly cosine: number | undefined;
  /** Parameters that were free to move. */
  readonly free: number;
  /**
   * What the step was solved by: `qr`; of a sparse Jacobian `cholesky`, or where that cannot be trusted `qr` for a small one and
   * `shifted-cholesky`, with 10⁻¹⁰ added to the diagonal, for a large one. Undefined if J is not known.
   */
  readonly factorization: StepModel["factorization"] | undefined;
}

export interface LevenbergMarquardtSettings {
  readonly box: Box;
  readonly loss: Loss;
  readonly lossScale: number;
  /** The relative error of the residuals. */
  readonly valueNoise: number;
}

export class LevenbergMarquardt extends DeclaredSolver implements Solver<LeastSquaresDetails> {
  readonly name = "levenberg-marquardt";
  readonly options = {};
  readonly dimension: number;
  readonly fingerprint: string;
  readonly state;
  /** Of x, as soon as J is known there. */
  private model: StepModel | undefined;
  private weighted: Linearization;
  private gradient: Float64Array;
  /** ‖J_j‖ */
  private lengths: Float64Array;
  /** max |x_j| ‖J_j‖: what the parameters make of r. */
  private reach = 0;
  private trials = 0;

  /**
   * @param start - within the box
   * @param r - finite residuals there
   */
  constructor(
    readonly residuals: Residuals,
    start: Float64Array,
    r: Float64Array,
    private readonly settings: LevenbergMarquardtSettings,
    fingerprint: string | undefined,
  ) {
    super();
    const [m, n] = [r.length, start.length];
    const { box, loss, lossScale, valueNoise } = settings;
    this.dimension = n;
    this.fingerprint = fingerprintOf(
      fingerprint ?? "least squares",
      ...[n, m, loss, lossScale, valueNoise],
      ...[box.lower, box.upper],
      ...residuals.form.names,
    );
    this.weighted = { jacobian: new Float64Array(residuals.form.count), residuals: r };
    this.gradient = new Float64Array(n);
    this.lengths = new Float64Array(n);
    const value = this.lossAt(r);
    this.state = stateOf({
      x: float64(start),
      r: float64(r),
      jacobian: float64(new Float64Array(residuals.form.count)),
      D: float64(new Float64Array(n)),
      /** max |x_j| so far */
      typical: float64(start.map(Math.abs)),
      startSize: number(norm2(start)),
      value: number(value),
      /** F at the first point, above which no run ends. */
      startValue: number(value),
      radius: number(),
      lambda: number(0),
      hasJacobian: boolean(false),
      /** Whether Jacobians by differences are central ones from now on, and whether this one is, or was given. */
      isCentral: boolean(false),
      isExact: boolean(false),
      quiet: whole(),
      cosine: number(),
      index: whole(),
      residuals: part(residuals),
      outcome: outcome(),
    });
  }

  /** Monotone descent, within rounding. */
  get best() {
    const { x, value } = this.state;
    return { x, value };
  }
  get last(): Point {
    return this.best;
  }

  /** r at x, J where it is known, and how exact that is. */
  get linearization() {
    const { r, jacobian, hasJacobian } = this.state;
    return { residuals: r, jacobian: hasJacobian ? jacobian : undefined, error: this.jacobianError };
  }

  limitWork(evaluations: number): void {
    this.residuals.limit = evaluations;
  }

  async step(): Promise<Iteration<LeastSquaresDetails>> {
    const { state } = this;
    this.trials = 0;
    if (state.outcome !== undefined) return this.iteration(undefined);
    let stepLength: number | undefined;
    try {
      await this.linearize();
      const { model } = this;
      if (state.outcome === undefined && model !== undefined)
        stepLength = this.isReached(model) ? await this.searchFlatter(model) : await this.search(model);
      await this.linearize();
    } catch (error) {
      if (!(error instanceof Spent)) throw error; // else the rule of the run that set the limit ends it
    }
    state.index++;
    return this.iteration(stepLength);
  }

  /** J at x and what follows from it: D, the model, whether this is the end. */
  private async linearize(): Promise<void> {
    const { state, residuals } = this;
    if (state.hasJacobian || state.outcome !== undefined) return;
    state.jacobian.set(await this.jacobianAt(state.x, state.r));
    state.hasJacobian = true;
    state.isExact = residuals.isGiven || state.isCentral;
    const model = this.look();
    if (Number.isNaN(state.radius))
      state.radius = norm2(state.x.map((xj, j) => xj * state.D[j])) || model.scaledLength(model.newton());
    state.cosine = this.cosineOf(model);
    if (state.cosine <= ANGLE) await this.end(model);
    else if (state.cosine <= NEAR) state.isCentral = true;
  }

  private jacobianAt(x: Float64Array, r: Float64Array): Promise<Float64Array> {
    const { typical, D, isCentral } = this.state;
    const scale = x.reduce((most, xj, j) => Math.max(most, Math.abs(xj) * D[j]), norm2(r));
    return this.residuals.jacobianAt(x, r, typical, scale, isCentral);
  }

  /** Trials from x until one lowers F. @returns ‖D p‖ / ‖D p(0)‖ */
  private async search(model: StepModel): Promise<number | undefined> {
    const { state } = this;
    const whole = model.scaledLength(model.newton());
    for (;;) {
      const { p, length, predicted, isWhole } = this.trustRegionStep(model);
      const x = this.projected(state.x, p);
      if (!(predicted > this.noise) || x.every((entry, j) => entry === state.x[j])) break;
      const r = await this.residuals.at(x);
      this.trials++;
      const value = areFinite(r) ? this.lossAt(r) : Number.POSITIVE_INFINITY;
      const ratio = (state.value - value) / predicted;
      this.resize(ratio, length, dot(this.gradient, p), isWhole, value);
      if (ratio >= ACCEPTED) {
        this.accept(x, r, value);
        return length / whole;
      }
    }
    await this.end(model);
    return undefined;
  }

  /** Where F says no more: an undamped step, taken if it turns r further from the space that J spans. */
  private async searchFlatter(model: StepModel): Promise<number | undefined> {
    const { state } = this;
    if (!state.isExact) {
      await this.end(model);
      return undefined;
    }
    state.radius = Number.POSITIVE_INFINITY;
    const { p } = this.trustRegionStep(model);
    const x = this.projected(state.x, p);
    if (state.quiet++ < MOST_QUIET) {
      const r = await this.residuals.at(x);
      this.trials++;
      const value = areFinite(r) ? this.lossAt(r) : Number.POSITIVE_INFINITY;
      const most = Math.min(state.value + Math.max(ROUNDED * state.value, this.noise), state.startValue);
      if (value <= most) {
        const before = { ...state, x: state.x.slice(), r: state.r.slice(), jacobian: state.jacobian.slice() };
        this.accept(x, r, value);
        await this.linearize();
        if (state.outcome !== undefined || state.cosine < FLATTER * before.cosine) return 1;
        for (const name of ["x", "r", "jacobian"] as const) state[name].set(before[name]);
        state.value = before.value;
        state.cosine = before.cosine;
        state.hasJacobian = true;
        this.look();
      }
    }
    if (state.outcome === undefined) await this.end(this.model ?? model);
    return undefined;
  }

  /** p within Δ and the box; ‖D p‖, the decrease of the model, and whether p is an undamped step. */
  private trustRegionStep(model: StepModel) {
    const { state } = this;
    const p = new Float64Array(this.dimension);
    const { u, lambda } = dampedStep(model, state.radius, state.lambda);
    state.lambda = lambda;
    model.write(u, p);
    const crossing = this.crossing(p, Array.from(model.order));
    if (crossing.length === 0) {
      const length = model.scaledLength(u);
      const along = this.along(p);
      return {
        ...{ p, length, isWhole: lambda === 0 },
        predicted: 0.5 * dot(along, along) + lambda * length * length,
      };
    }
    this.solveWithin(model, crossing, p);
    const steepest = this.projectedGradient(model);
    const best = this.decrease(p) >= 0.1 * this.decrease(steepest) ? p : steepest;
    const length = norm2(best.map((pj, j) => pj * state.D[j]));
    return { p: best, length, predicted: this.decrease(best), isWhole: false };
  }

  /** Parameters that p takes out of the box are put on their bounds, the others solved for again, until all stay in it. */
  private solveWithin(model: StepModel, crossing: readonly number[], p: Float64Array): void {
    const { state, weighted } = this;
    const { lower, upper } = this.settings.box;
    const fixed = new Set<number>();
    let left = Array.from(model.order).sort((a, b) => a - b);
    for (let found = crossing; found.length > 0; found = this.crossing(p, left)) {
      for (const j of found) {
        p[j] = (p[j] < 0 ? lower[j] : upper[j]) - state.x[j];
        fixed.add(j);
      }
      left = left.filter((j) => !fixed.has(j));
      for (const j of left) p[j] = 0;
      if (left.length === 0) return;
      const along = this.along(p);
      const residuals = weighted.residuals.map((ri, i) => ri + along[i]);
      const rest = this.residuals.form.model(
        weighted.jacobian,
        residuals,
        Int32Array.from(left),
        state.D,
        this.jacobianError,
      );
      rest.write(dampedStep(rest, state.radius, state.lambda).u, p);
    }
  }

  /** P(x − t D⁻² g) − x, t the minimiser of the model along it, then halved until a part of the decrease is there. */
  private projectedGradient(model: StepModel): Float64Array {
    const { state, gradient } = this;
    const { D, x } = state;
    const down = new Float64Array(this.dimension);
    for (const j of model.order) down[j] = D[j] === 0 ? 0 : -gradient[j] / D[j] / D[j];
    const along = this.along(down);
    const most = state.radius / norm2(down.map((dj, j) => dj * D[j]));
    let t = Math.min(-dot(down, gradient) / dot(along, along), most);
    for (let halvings = 0; halvings < 60; halvings++, t /= 2) {
      const there = this.projected(
        x,
        down.map((dj) => t * dj),
      );
      const s = there.map((entry, j) => entry - x[j]);
      if (this.decrease(s) >= -0.1 * dot(gradient, s)) return s;
    }
    return new Float64Array(this.dimension);
  }

  /** Δ and λ after a trial: by the parabola through F, its slope and F at the trial where that is too high (Moré, section 4). */
  private resize(ratio: number, length: number, slope: number, isWhole: boolean, value: number): void {
    const { state } = this;
    if (!(ratio > 0.25)) {
      const fall = state.value - value;
      const least = fall >= 0 ? 0.5 : (0.5 * slope) / (slope + fall);
      const mu = value >= 100 * state.value || !(least >= 0.1) ? 0.1 : least;
      state.radius = mu * Math.min(state.radius, 10 * length);
      state.lambda /= mu;
    } else if (isWhole || ratio >= 0.75) {
      state.radius = isWhole ? 2 * length : Math.max(state.radius, 2 * length); // the box may have cut it short
      state.lambda /= 2;
    }
  }

  private accept(x: Float64Array, r: Float64Array, value: number): void {
    const { state } = this;
    const moved = norm2(x.map((entry, j) => entry - state.x[j]));
    state.x.set(x);
    state.r.set(r);
    state.value = value;
    state.hasJacobian = false;
    for (const [j, entry] of x.entries()) state.typical[j] = Math.max(state.typical[j], Math.abs(entry));
    const size = norm2(x);
    if (size > AWAY * Math.max(state.startSize, 1) && moved > 0.1 * size)
      state.outcome = runsOff(x, size, AWAY * Math.max(state.startSize, 1));
  }

  /** The run ends here; with a Jacobian by one-sided differences, only if a central one says so, too. */
  private async end(model: StepModel): Promise<void> {
    const { state } = this;
    if (state.isExact || state.value === 0) {
      const wrong = state.value > 0 && this.residuals.isClaimed ? await this.wrongJacobian() : undefined;
      const found = wrong ?? this.outcomeAt(model);
      const isOpen = wrong === undefined && found.status === "stalled" && this.faintOf(model) === undefined;
      state.outcome = isOpen ? await this.newtonLook(model, found) : found;
      return;
    }
    state.isCentral = true;
    state.hasJacobian = false;
    state.radius = Math.max(state.radius, model.scaledLength(model.newton()));
    await this.linearize();
  }

  private outcomeAt(model: StepModel): Outcome {
    const { state, noise, residuals } = this;
    const { cosine, value, x } = state;
    const test: EndingTest = { name: "cosine of residuals and Jacobian", value: cosine, limit: ANGLE };
    const expected: EndingTest = { name: "expected decrease", value: model.expected, limit: clearOf(noise) };
    if (value === 0)
      return {
        status: "converged",
        message: "All residuals are zero.",
        test: { name: "value", value, limit: 0 },
      };
    const faint = this.faintOf(model);
    if (faint !== undefined)
      return {
        status: "stalled",
        message: `Parameter ${faint} (counted from 0) had an influence on the residuals and has lost it at ${x[faint]}: this is a plateau. Start nearer, or set lower and upper.`,
        test,
      };
    if (cosine <= ANGLE)
      return {
        status: "converged",
        message: `The residuals are at right angles to all that the parameters can change: the cosine is ${shortly(cosine)}, at most ${ANGLE}.`,
        test,
      };
    if (model.expected <= clearOf(noise))
      return {
        status: "converged",
        message: `The decrease still expected, ${shortly(model.expected)}, is at most ${shortly(clearOf(noise))}, a hundred times the rounding of the value ${value}.`,
        test: expected,
      };
    if (cosine <= REACHED)
      return {
        status: "converged",
        message: `The residuals are at right angles to all that the parameters can change: the cosine is ${shortly(cosine)}, at most ${REACHED}, and rounding leaves no smaller one.`,
        test: { ...test, limit: REACHED },
      };
    return {
      status: "stalled",
      message: `No lower value than ${value} was found, although a decrease of ${shortly(model.expected)} was to be expected. ${residuals.isGiven ? "The jacobian is wrong, or the" : "The"} residuals have a kink or a jump here, or are less exact than their valueNoise.`,
      test: expected,
    };
  }

  /**
   * Newton's step by a Hessian of differences (`newton-look.ts`): where J loses its rank and r does not vanish, the model knows too
   * little of F to say that this is a minimum.
   *
   * @returns undefined where the step lowers F and is taken; `otherwise` where it does not, although it should
   */
  private async newtonLook(model: StepModel, otherwise: Outcome): Promise<Outcome | undefined> {
    const { state, residuals } = this;
    const free = model.order.toSorted();
    const n = free.length;
    if (n > (residuals.isGiven ? MOST_LOOKED_AT : MOST_WITHOUT_JACOBIAN)) return otherwise;
    const H = new Float64Array(n * n);
    const largest = maxAbs(state.x);
    const tau = differenceStep(this.settings.valueNoise);
    for (const [k, j] of free.entries()) {
      const shift = shiftOf(state.x[j], largest, tau);
      const there = state.x.slice();
      there[j] += state.x[j] + shift <= this.settings.box.upper[j] ? shift : -shift;
      const r = await residuals.at(there);
      if (!areFinite(r)) return otherwise;
      const gradient = this.gradientOf(this.weightedRows(await this.jacobianAt(there, r), r));
      for (const [l, i] of free.entries())
        H[k * n + l] = (gradient[i] - this.gradient[i]) / (there[j] - state.x[j]);
    }
    const step = new Float64Array(n);
    const downhill = step.map((_, k) => this.gradient[free[k]]);
    const expected = newtonStep(H, downhill, largest || 1, step);
    const limit = clearOf(this.noise);
    if (expected <= limit)
      return {
        status: "converged",
        message: `The decrease still expected, ${shortly(expected)} by a Hessian of differences, is at most ${shortly(limit)}, a hundred times the rounding of the value ${state.value}.`,
        test: { name: "expected decrease", value: expected, limit },
      };
    const p = new Float64Array(this.dimension);
    for (const [k, j] of free.entries()) p[j] = step[k];
    const x = this.projected(state.x, p);
    const r = await residuals.at(x);
    const value = areFinite(r) ? this.lossAt(r) : Number.POSITIVE_INFINITY;
    if (!(value < state.value - this.noise)) return otherwise;
    state.radius = norm2(p.map((pj, j) => pj * state.D[j]));
    this.accept(x, r, value);
    return state.outcome;
  }

  /** The residuals on both sides of x, by a short step of all parameters that moves r by as much for each: what J says of it. */
  private async wrongJacobian(): Promise<Outcome | undefined> {
    const { state, residuals } = this;
    const { x, typical, r, jacobian } = state;
    const { form } = residuals;
    const lengths = form.lengths(jacobian);
    const reach = x.map((xj, j) => CHECK_STEP * (Math.abs(xj) || typical[j] || 1));
    const effects = reach.map((h, j) => h * lengths[j]);
    const effect = Math.max(
      effects.reduce((least, e) => (e > 0 ? Math.min(least, e) : least), Infinity),
      1e-4 * maxAbs(effects),
    );
    const v = reach.map((h, j) => (j % 2 === 0 ? h : -h) * (effects[j] > effect ? effect / effects[j] : 1));
    const ahead = this.projected(x, v);
    const back = this.projected(
      x,
      v.map((vj) => -vj),
    );
    const step = ahead.map((entry, j) => entry - back[j]);
    const [after, before] = [await residuals.at(ahead), await residuals.at(back)];
    const found = after.map((entry, i) => entry - before[i]);
    const along = form.along(jacobian, step);
    const error = norm2(found.map((entry, i) => entry - along[i]));
    const size = Math.max(norm2(found), norm2(step.map((h, j) => h * lengths[j])));
    if (!(error > CHECK_SHARE * size + CHECK_NOISE * norm2(r))) return undefined;
    return {
      status: "stalled",
      message: `The ${residuals.isGiven ? "jacobian is not the derivative of the residuals" : "jacobianPattern lacks entries of the Jacobian"}: along a short step from the point reached the residuals change by ${shortly(norm2(found))}, and not as ${residuals.isGiven ? "it says" : "the differences by groups of its columns say"}, which is ${shortly(error)} beside that. Correct it, or leave it out.`,
      test: { name: "error of the jacobian", value: error / size, limit: CHECK_SHARE },
    };
  }

  /** A free parameter that has lost its influence on the way. */
  private faintOf(model: StepModel): number | undefined {
    const { D } = this.state;
    return Array.from(model.order).find((j) => this.lengths[j] < FAINT * D[j]);
  }

  /** What follows from x, r and J. */
  private look(): StepModel {
    const { state, settings } = this;
    const { box } = settings;
    this.weighted = this.weightedRows(state.jacobian.slice(), state.r);
    this.gradient = this.gradientOf(this.weighted);
    this.lengths = this.residuals.form.lengths(this.weighted.jacobian);
    const n = this.dimension;
    this.reach = 0;
    for (let j = 0; j < n; j++) {
      const length = this.lengths[j];
      state.D[j] = Math.max(state.D[j], length);
      this.reach = Math.max(this.reach, Math.abs(state.x[j]) * length);
    }
    const free = Int32Array.from(state.x.keys()).filter((j) => {
      const [xj, g] = [state.x[j], this.gradient[j]];
      return !(xj <= box.lower[j] && g >= 0) && !(xj >= box.upper[j] && g <= 0) && state.D[j] > 0;
    });
    const { jacobian, residuals } = this.weighted;
    this.model = this.residuals.form.model(jacobian, residuals, free, state.D, this.jacobianError);
    return this.model;
  }

  /** J and r as the loss weighs them. @param jacobian - its own */
  private weightedRows(jacobian: Float64Array, r: Float64Array): Linearization {
    const { loss, lossScale } = this.settings;
    const residuals = r.slice();
    if (loss !== "squared") this.residuals.form.scaleRows(jacobian, weigh(residuals, loss, lossScale));
    return { jacobian, residuals };
  }

  /** Jᵀ r */
  private gradientOf({ jacobian, residuals }: Linearization): Float64Array {
    return this.residuals.form.gradient(jacobian, residuals);
  }

  protected override restored(): void {
    if (this.state.hasJacobian) this.look();
  }

  private cosineOf(model: StepModel): number {
    return this.state.value === 0 ? 0 : Math.sqrt(model.expected / this.state.value);
  }

  private lossAt(r: Float64Array): number {
    return lossOf(r, this.settings.loss, this.settings.lossScale);
  }

  /** The relative error of J's columns. */
  private get jacobianError(): number {
    if (this.residuals.isGiven) return Number.EPSILON;
    return this.state.isExact ? this.residuals.centralError : this.residuals.forwardError;
  }

  /** How far apart two equal values may be: rounding of F, and in r that of the numbers it is the small difference of. */
  private get noise(): number {
    const { value, startValue } = this.state;
    const { valueNoise } = this.settings;
    return noiseOf(valueNoise, value, startValue) + valueNoise * Math.sqrt(2 * value) * this.reach;
  }

  /** Whether F can tell no better point from this one. */
  private isReached(model: StepModel): boolean {
    return this.state.cosine <= REACHED || model.expected <= clearOf(this.noise);
  }

  /** J p */
  private along(p: Float64Array): Float64Array {
    return this.residuals.form.along(this.weighted.jacobian, p);
  }

  /** By how much p lowers the model. */
  private decrease(p: Float64Array): number {
    const along = this.along(p);
    return -dot(this.gradient, p) - 0.5 * dot(along, along);
  }

  /** Which of these parameters p takes out of the box. */
  private crossing(p: Float64Array, of: readonly number[]): readonly number[] {
    const { lower, upper } = this.settings.box;
    const { x } = this.state;
    return of.filter((j) => x[j] + p[j] < lower[j] || x[j] + p[j] > upper[j]);
  }

  /** P(x + p), on a bound where no more than rounding is between. */
  private projected(x: Float64Array, p: Float64Array): Float64Array {
    const { lower, upper } = this.settings.box;
    return x.map((xj, j) => {
      const there = xj + p[j];
      const rounding = Number.EPSILON * (Math.abs(xj) + Math.abs(there));
      if (p[j] < 0 && there - lower[j] <= rounding) return lower[j];
      if (p[j] > 0 && upper[j] - there <= rounding) return upper[j];
      return there;
    });
  }

  private iteration(stepLength: number | undefined): Iteration<LeastSquaresDetails> {
    const { state, model, gradient, residuals } = this;
    const { index, value, radius, lambda, cosine } = state;
    return {
      ...{ index, value, stepLength },
      gradientNorm:
        model && state.hasJacobian
          ? norm2(Float64Array.from(model.order.toSorted(), (j) => gradient[j]))
          : undefined,
      evaluations: residuals.evaluations,
      gradientEvaluations: residuals.jacobians,
      monitoringEvaluations: 0,
      passes: residuals.evaluations,
      phase: "iteration",
      details: {
        ...{ radius: radius || 0, lambda, trials: this.trials, free: model?.size ?? 0 },
        cosine: state.hasJacobian ? cosine : undefined,
        factorization: model?.factorization,
      },
      outcome: state.outcome,
    };
  }
}

/**
 * The u of a λ with ‖D p‖ = Δ to within a tenth, or of λ = 0 if that is no longer: Newton's iteration for 1/Δ − 1/‖D p(λ)‖, kept between
 * bounds (Moré, algorithm 5.5).
 */
function dampedStep(model: StepModel, radius: number, lambdaBefore: number) {
  const whole = model.newton();
  let over = model.scaledLength(whole) - radius;
  if (over <= 0.1 * radius || model.size === 0) return { u: whole, lambda: 0 };
  let lower = model.hasFullRank ? over / radius / model.slope(whole, 0) : 0;
  let upper = model.scaledGradient() / radius || Number.MIN_VALUE / Math.min(radius, 0.1);
  let lambda = Math.min(Math.max(lambdaBefore, lower), upper) || upper / (over + radius);
  for (let tries = 1; ; tries++) {
    if (lambda === 0) lambda = Math.max(Number.MIN_VALUE, 0.001 * upper);
    const u = model.step(lambda);
    const before = over;
    over = model.scaledLength(u) - radius;
    const isNear = Math.abs(over) <= 0.1 * radius || (lower === 0 && over <= before && before < 0);
    if (isNear || tries === 10) return { u, lambda };
    if (over > 0) lower = Math.max(lower, lambda);
    else upper = Math.min(upper, lambda);
    lambda = Math.max(lower, lambda + over / radius / model.slope(u, lambda));
  }
}

const runsOff = (x: Float64Array, size: number, limit: number): Outcome => ({
  status: "diverged",
  message: `The parameters run off while the value falls; the largest is ${shortly(maxAbs(x))}. The data do not determine them: set lower and upper, or take fewer.`,
  test: { name: "length of the parameters", value: size, limit },
});

const shortly = (value: number): string => value.toPrecision(3);
