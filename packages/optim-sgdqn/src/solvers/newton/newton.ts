/**
 * Newton's method for linear models with a smooth loss.
 *
 * Problem    P(w) = ½ wᵀΛw + Σᵢ cᵢ l(xᵢ·w, yᵢ), with a last entry 1 in xᵢ for a bias
 * Iteration  aᵢ = cᵢ l′(zᵢ, yᵢ),  hᵢ = cᵢ l″(zᵢ, yᵢ),   z = X w
 *            g = Λw + Xᵀa
 *            H s = −g,  H = Λ + Xᵀ diag(h) X              exactly, or by conjugate gradients to a tenth
 *            t = argmin P(w + t s)                        on the margins z + t q,  q = X s
 *            w ← w + t s,  z ← z + t q
 * End        max(−½ g·s, P(w) − P(w + t s)) ≤ tolerance · P(w):  half the squared Newton decrement is P − P* of the
 *            quadratic model (within some 15 % of the true one once below 1 %), and what the step gained is a lower bound
 *            of P − P*, which guards against a model that was too optimistic. The step just made lands far below.
 *
 * | symbol | variable     | shape                                     |
 * |--------|--------------|-------------------------------------------|
 * | w, s   | `line`       | parameters: d, and 1 more with a bias     |
 * | z, q   | `line`       | n: margins, and their change along s      |
 * | a, h   | `line`       | n: slopes and curvatures, over n          |
 * | g      | `g`          | as w                                      |
 * | Λ      | `line`       | λ, and 0 for a free bias                  |
 * |        | `damping`    | Λ in the systems, see `dampFreeBias`      |
 *
 * A line search in place of the trust region of LIBLINEAR's Newton (Lin, Weng, Keerthi: Trust region Newton method for
 * large-scale logistic regression. JMLR 9 (2008) 627-650): with cached margins an exact minimum along s costs less
 * than one product with X, and no step is ever thrown away. For losses with kinks in l′ this is a semismooth Newton
 * method with the generalised Hessian; exact line searches keep it going down from everywhere.
 */
import { CurvatureError, dot, norm2, shown } from "@curvature/linalg";
import { fingerprintOfLinear, type LinearProblem, parameterCount } from "@curvature/objectives/linear";
import {
  checkPoint,
  type Iteration,
  type Outcome,
  openSnapshot,
  type Point,
  type Snapshot,
  type Solver,
} from "@curvature/optim-core";
import type { LinearDetails } from "../../details.js";
import { standing } from "../../pass-limit.js";
import { createSystem } from "./create-system.js";
import { Line } from "./line.js";
import type { NewtonSystem } from "./newton-system.js";
import { checkNewton, type NewtonOptions, type NewtonSettings } from "./options.js";
import { changeOf } from "./preconditioner.js";
import { readLength, StepLength } from "./step-length.js";
import { rowSweeps } from "./sweeps/row-sweeps.js";
import type { RowSweeps } from "./sweeps/sweeps.js";
import { RowCursor, WORK_PER_STEP, Work } from "./work.js";

const stages = ["margins", "gradient", "system", "line", "search"] as const;
type Stage = (typeof stages)[number];

const WHERE = "Newton";
const VERSION = 2;
const SUFFICIENT_DECREASE = 1e-4;
const MOST_HALVINGS = 40;
/** Below this part of P, a change of P is lost in its rounding. */
const ROUNDING = 1e-13;
/** The part of the curvature that may change in the last step, of many rows: there crossings of kinks average out. */
const MOST_CHANGE = 0.3;
/** Of fewer rows it is less in proportion: of a few dozen none may cross. */
const MANY_ROWS = 2000;
/** Iterations after which the margins are computed anew, so that rounding does not pile up in them. */
const REFRESH = 10;

export class Newton implements Solver<LinearDetails> {
  readonly name = "newton";
  readonly dimension: number;
  readonly options: NewtonSettings;
  private readonly problem: LinearProblem;
  private readonly n: number;
  private readonly sweeps: RowSweeps;
  private readonly system: NewtonSystem;
  /** Λ of the systems. */
  private readonly damping: Float64Array;
  private readonly cursor: RowCursor;
  private readonly work = new Work();
  private readonly line: Line;
  private readonly length = new StepLength();
  private readonly g: Float64Array;
  /** h before the step. */
  private readonly hBefore: Float64Array;
  private stage: Stage = "margins";
  private index = 0;
  private iterations = 0;
  private evaluations = 0;
  private gradients = 0;
  /** P(w), once it was measured. */
  private value: number | undefined;
  private gradientNorm: number | undefined;
  private gap: number | undefined;
  /** g·s */
  private slope = 0;
  private outcome: Outcome | undefined;
  private hash: string | undefined;

  /**
   * @param problem - with any loss but the hinge, whose curvature is 0
   * @throws CurvatureError as `checkLinearProblem`; ERR_OPTION for an option or the hinge; ERR_SHAPE or ERR_NON_FINITE
   *   for `initial`
   */
  constructor(problem: LinearProblem, options?: NewtonOptions) {
    const { initial, shared, ...settings } = checkNewton(WHERE, problem, options);
    this.options = Object.freeze(settings);
    this.problem = problem;
    this.n = problem.rows.rows;
    this.dimension = parameterCount(problem);
    this.line = new Line(problem, this.dimension);
    this.damping = this.line.diagonal.slice();
    this.sweeps = rowSweeps(problem.rows, problem.bias);
    const { system, price } = createSystem(problem, settings.method, this.sweeps, this.damping, shared);
    this.system = system;
    this.cursor = new RowCursor(this.n, price);
    this.g = new Float64Array(this.dimension);
    this.hBefore = new Float64Array(this.n);
    if (initial === undefined) return;
    checkPoint(WHERE, initial, this.dimension);
    this.line.w.set(initial);
  }

  /** Costs a read of all rows the first time. */
  get fingerprint(): string {
    this.hash ??= fingerprintOfLinear(this.problem);
    return this.hash;
  }

  /** P falls in every iteration: the current point is the best one. */
  get best(): Point {
    return { x: this.line.w, value: this.value };
  }

  get last(): Point {
    return this.best;
  }

  step(): Iteration<LinearDetails> {
    if (this.outcome !== undefined) return this.iteration("iteration");
    const { work } = this;
    this.index++;
    work.left = WORK_PER_STEP;
    let phase = "";
    while (this.outcome === undefined && work.left > 0) {
      phase = this.phase;
      if (this.advance()) {
        phase = "iteration";
        break;
      }
    }
    return this.iteration(phase);
  }

  private get phase(): string {
    if (this.stage === "system") return this.system.phase;
    return this.stage === "margins" || this.stage === "gradient" ? this.stage : "line search";
  }

  /** Works at the current stage while work is left. @returns whether that completed an iteration */
  private advance(): boolean {
    switch (this.stage) {
      case "margins":
        if (this.multiply(this.line.w, this.line.z)) this.measureStart();
        return false;
      case "gradient":
        if (this.sumGradient()) this.useGradient();
        return false;
      case "system":
        if (this.system.advance(this.work, this.line.s)) this.useDirection();
        return false;
      case "line":
        if (this.multiply(this.line.s, this.line.q)) this.startSearch();
        return false;
      case "search":
        return this.search();
    }
  }

  /** out ← X v */
  private multiply(v: Float64Array, out: Float64Array): boolean {
    return this.cursor.sweep(this.work, (from, to) => {
      this.sweeps.multiply(v, out, from, to);
      this.work.rowVisits += to - from;
    });
  }

  /** P, a and h at margins z that were computed anew. */
  private measureStart(): void {
    const value = this.measure(0);
    if (!Number.isFinite(value)) {
      this.outcome = tooLarge(`P is ${value} at the first point`);
      return;
    }
    this.value = Math.min(value, this.value ?? value); // computed anew, it may differ by rounding
    this.startGradient();
  }

  private measure(t: number): number {
    this.evaluations++;
    this.work.left -= 4 * this.n;
    return this.line.measure(t);
  }

  private startGradient(): void {
    const { g, line } = this;
    for (let j = 0; j < g.length; j++) g[j] = line.diagonal[j] * line.w[j];
    this.stage = "gradient";
  }

  private sumGradient(): boolean {
    return this.cursor.sweep(this.work, (from, to) => {
      this.sweeps.addTransposed(this.line.a, this.g, from, to);
      this.work.rowVisits += to - from;
    });
  }

  private useGradient(): void {
    const { g, line, n, system } = this;
    this.gradientNorm = norm2(g);
    this.gradients++;
    if (this.gradientNorm === 0 || this.value === 0) {
      this.gap = 0;
      this.outcome = { status: "converged", message: "P or its gradient is zero." };
    } else if (!Number.isFinite(this.gradientNorm)) {
      this.outcome = tooLarge(`the gradient norm is ${this.gradientNorm}`);
    } else {
      this.work.left -= 2 * n;
      this.dampFreeBias();
      system.start(line.h, g, this.options.tolerance * (this.value ?? 0));
      this.stage = "system";
    }
  }

  /** Where (nearly) no row has curvature, nothing would hold back a free bias: it is then damped as the weights are. */
  private dampFreeBias(): void {
    const { line, n, damping, problem } = this;
    if (problem.bias !== "free") return;
    let curvature = 0;
    for (let i = 0; i < n; i++) curvature += line.h[i];
    damping[damping.length - 1] = Math.max(0, problem.lambda - curvature);
  }

  private useDirection(): void {
    this.slope = dot(this.g, this.line.s);
    if (this.slope < 0 && Number.isFinite(this.slope)) this.stage = "line";
    else if (Math.abs(this.slope) < Number.MIN_VALUE / Number.EPSILON) {
      this.gap = 0;
      this.outcome = {
        status: "converged",
        message: "The decrease still expected is below the least number.",
      };
    } else this.outcome = tooLarge(`Newton's direction has the slope ${this.slope}`);
  }

  private startSearch(): void {
    this.length.start(this.slope);
    this.stage = "search";
  }

  /** One value of t. @returns whether the iteration is complete */
  private search(): boolean {
    const { length, line, work, n } = this;
    work.left -= 4 * n;
    if (!length.take(line.derivatives(length.t))) return false;
    this.finish();
    return true;
  }

  /** Takes the step if it lowers P, and says how far the solver is. */
  private finish(): void {
    const { line, slope, value: before = Number.POSITIVE_INFINITY } = this;
    let { t } = this.length;
    this.hBefore.set(line.h);
    let value = this.measure(t);
    for (let k = 0; !isDecrease(before, value, t * slope) && k < MOST_HALVINGS; k++) {
      if (Math.abs(t * slope) <= ROUNDING * before) break;
      t /= 2;
      value = this.measure(t);
    }
    this.length.t = t;
    this.iterations++;
    const isLower = isDecrease(before, value, t * slope);
    const gain = isLower ? before - value : 0;
    this.gap = Math.max(-0.5 * slope, gain) / before;
    if (isLower) {
      line.move(t);
      this.value = value;
    }
    this.judge(isLower, before);
    this.stage = this.iterations % REFRESH === 0 ? "margins" : "gradient";
    if (this.stage === "gradient") this.startGradient();
  }

  private judge(isLower: boolean, before: number): void {
    const { gap = Number.NaN, options } = this;
    const words = `half the squared Newton decrement was ${gap.toPrecision(3)} of P before the last of ${this.iterations} iterations`;
    // Rows that crossed kinks change the model: its gap counts only if most of the curvature is what it was.
    const mostChange = MOST_CHANGE * Math.min(1, this.n / MANY_ROWS);
    const isCertain = this.system.isSolved && (!isLower || changeOf(this.hBefore, this.line.h) <= mostChange);
    if (gap <= options.tolerance && isCertain)
      this.outcome = { status: "converged", message: `${words}, at most ${options.tolerance}.` };
    else if (!isLower && -this.slope * this.length.t <= ROUNDING * before)
      this.outcome = { status: "converged", message: `${words}, and no lower P is left within rounding.` };
    else if (!isLower)
      this.outcome = {
        status: "stalled",
        message: `${words}, yet no step along Newton's direction lowers P.`,
      };
    else if (this.passes >= options.maxPasses)
      this.outcome = {
        status: "max-evaluations",
        message: `The limit of ${options.maxPasses} passes is reached: ${words}.`,
      };
  }

  private get passes(): number {
    return this.work.rowVisits / this.n;
  }

  private iteration(phase: string): Iteration<LinearDetails> {
    return {
      index: this.index,
      value: this.value,
      gradientNorm: this.gradientNorm,
      stepLength: phase === "iteration" ? this.length.t : undefined,
      evaluations: this.evaluations,
      gradientEvaluations: this.gradients,
      monitoringEvaluations: 0,
      passes: this.passes,
      phase,
      details: {
        gap: this.gap,
        certificate: this.gap === undefined ? undefined : "newton-decrement",
        t0: undefined,
      },
      outcome: this.outcome,
    };
  }

  save(): Snapshot {
    const { work, cursor, stage, outcome } = this;
    return {
      solver: this.name,
      version: VERSION,
      state: {
        stage,
        next: cursor.next,
        rowVisits: work.rowVisits,
        index: this.index,
        iterations: this.iterations,
        evaluations: this.evaluations,
        gradients: this.gradients,
        value: this.value ?? null,
        gradientNorm: this.gradientNorm ?? null,
        gap: this.gap ?? null,
        slope: this.slope,
        outcome: outcome === undefined ? null : { ...outcome },
        line: this.line.save(),
        g: this.g.slice(),
        length: this.length.save(),
        system: this.system.save(),
      },
    };
  }

  restore(snapshot: Snapshot): void {
    const state = openSnapshot(snapshot, this.name, VERSION);
    const name = state.text("stage");
    const stage = stages.find((known) => known === name);
    if (stage === undefined)
      throw new CurvatureError(
        "ERR_SNAPSHOT",
        `Snapshot for ${this.name}: the stage ${shown(name)} is not one of ${stages.join(", ")}.`,
        { path: "stage", expected: stages.join(", "), received: name },
      );
    const next = state.integer("next", 0, this.n);
    const rowVisits = state.integer("rowVisits");
    const index = state.integer("index");
    const iterations = state.integer("iterations");
    const evaluations = state.integer("evaluations");
    const gradients = state.integer("gradients");
    const value = state.optionalNumber("value");
    const gradientNorm = state.optionalNumber("gradientNorm");
    const gap = state.optionalNumber("gap");
    const slope = state.number("slope");
    const outcome = state.outcome("outcome");
    const g = state.float64("g", this.dimension);
    const restoreLine = this.line.restoring(state.object("line"));
    const length = readLength(state.object("length"));
    this.system.restore(state.object("system"), this.line.h, this.g);
    this.length.restore(length);
    this.stage = stage;
    this.cursor.next = next;
    this.work.rowVisits = rowVisits;
    this.index = index;
    this.iterations = iterations;
    this.evaluations = evaluations;
    this.gradients = gradients;
    this.value = value;
    this.gradientNorm = gradientNorm;
    this.gap = gap;
    this.slope = slope;
    this.outcome = standing(outcome, this.passes, this.options.maxPasses);
    this.g.set(g);
    restoreLine();
  }
}

const isDecrease = (before: number, value: number, predicted: number): boolean =>
  value <= before + SUFFICIENT_DECREASE * predicted;

const tooLarge = (what: string): Outcome => ({
  status: "diverged",
  message: `${what}: the rows or the first point are too large for double precision. Scale the features.`,
});
