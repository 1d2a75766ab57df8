/**
 * Newton's method for linear models with a smooth loss.
 *
 * Problem    P(w) = ½ wᵀΛw + Σᵢ cᵢ l(xᵢ·w, yᵢ), with a last entry 1 in xᵢ for a bias
 * Iteration  aᵢ = cᵢ l′(zᵢ, yᵢ),  hᵢ = cᵢ l″(zᵢ, yᵢ),   z = X w
 *            g = Λw + Xᵀa
 *            H s = −g,  H = Λ + Xᵀ diag(h) X              exactly, or by conjugate gradients to a tenth
 *            t = argmin P(w + t s)                        on the margins z + t q,  q = X s
 *            w ← w + t s,  z ← z + t q
 * End        by half the squared Newton decrement, −½ g·s, against tolerance · P(w); see `ending.ts`
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
import { dot, norm2 } from "@curvature/linalg";
import { type LinearProblem, parameterCount } from "@curvature/objectives/linear";
import type { Outcome, SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import { backtrack } from "./backtracking.js";
import { createSystem } from "./create-system.js";
import { dampFreeBias } from "./damping.js";
import { endAfter, endAlong, endAt, passesUsedUp, relativeGap, tooLarge } from "./ending.js";
import { Line } from "./line.js";
import type { NewtonSystem } from "./newton-system.js";
import type { NewtonOptions, NewtonSettings } from "./options.js";
import { Progress } from "./progress.js";
import { readLength, StepLength } from "./step-length.js";
import { rowSweeps } from "./sweeps/row-sweeps.js";
import type { RowSweeps } from "./sweeps/sweeps.js";
import { RowCursor, WORK_PER_STEP, Work } from "./work.js";

const stages = ["margins", "gradient", "system", "line", "search"] as const;
type Stage = (typeof stages)[number];

/** Iterations after which the margins are computed anew, so that rounding does not pile up in them. */
const REFRESH = 10;

export class NewtonIteration {
  readonly progress = new Progress();
  readonly line: Line;
  private readonly n: number;
  private readonly sweeps: RowSweeps;
  private readonly system: NewtonSystem;
  /** Λ of the systems. */
  private readonly damping: Float64Array;
  private readonly cursor: RowCursor;
  private readonly work = new Work();
  private readonly length = new StepLength();
  private readonly g: Float64Array;
  /** h before the step. */
  private readonly hBefore: Float64Array;
  private stage: Stage = "margins";
  /** g·s */
  private slope = 0;

  constructor(
    private readonly problem: LinearProblem,
    private readonly settings: NewtonSettings,
    shared: NewtonOptions["shared"],
  ) {
    const dimension = parameterCount(problem);
    this.n = problem.rows.rows;
    this.line = new Line(problem, dimension);
    this.damping = this.line.diagonal.slice();
    this.sweeps = rowSweeps(problem.rows, problem.bias);
    const { system, price } = createSystem(problem, settings.method, this.sweeps, this.damping, shared);
    this.system = system;
    this.cursor = new RowCursor(this.n, price);
    this.g = new Float64Array(dimension);
    this.hBefore = new Float64Array(this.n);
  }

  get passes(): number {
    return this.work.rowVisits / this.n;
  }

  /** t of the last step. */
  get stepLength(): number {
    return this.length.t;
  }

  /** As much as one step of the solver may take. @returns the last stage's name, "iteration" where one is complete */
  advance(): string {
    const { work, progress } = this;
    work.left = WORK_PER_STEP;
    let phase = "";
    while (progress.outcome === undefined && work.left > 0) {
      phase = this.phase;
      if (this.workAtStage()) return "iteration";
    }
    return phase;
  }

  private get phase(): string {
    if (this.stage === "system") return this.system.phase;
    return this.stage === "margins" || this.stage === "gradient" ? this.stage : "line search";
  }

  /** Works at the current stage while work is left. @returns whether that completed an iteration */
  private workAtStage(): boolean {
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
    const { progress } = this;
    const value = this.measure(0);
    if (!Number.isFinite(value)) {
      progress.outcome = tooLarge(`P is ${value} at the first point`);
      return;
    }
    progress.value = Math.min(value, progress.value ?? value); // computed anew, it may differ by rounding
    this.startGradient();
  }

  private measure(t: number): number {
    this.progress.evaluations++;
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
    const { g, line, n, system, progress, problem } = this;
    progress.gradientNorm = norm2(g);
    progress.gradients++;
    const ending = endAt(progress.value, progress.gradientNorm);
    if (ending !== undefined) {
      this.end(ending);
      return;
    }
    this.work.left -= 2 * n;
    if (problem.bias === "free") dampFreeBias(this.damping, line.h, problem.lambda);
    system.start(line.h, g, this.settings.tolerance * (progress.value ?? 0));
    this.stage = "system";
  }

  /** Ends before a step was made. */
  private end(outcome: Outcome): void {
    if (outcome.status === "converged") this.progress.gap = 0;
    this.progress.outcome = outcome;
  }

  private useDirection(): void {
    this.slope = dot(this.g, this.line.s);
    const ending = endAlong(this.slope);
    if (ending === undefined) this.stage = "line";
    else this.end(ending);
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
    const { line, length, slope, progress, hBefore } = this;
    const { tolerance, maxPasses } = this.settings;
    const { value: before = Number.POSITIVE_INFINITY } = progress;
    hBefore.set(line.h);
    const backtracked = backtrack((t) => this.measure(t), length.t, before, slope);
    const step = { ...backtracked, before, slope, isSolved: this.system.isSolved, hBefore, h: line.h };
    length.t = step.t;
    if (step.isLower) {
      line.move(step.t);
      progress.value = step.value;
    }
    progress.iterations++;
    const gap = relativeGap(step);
    progress.gap = gap;
    progress.outcome = endAfter(step, gap, tolerance, progress.iterations);
    if (progress.outcome === undefined && this.passes >= maxPasses)
      progress.outcome = passesUsedUp(maxPasses, gap, progress.iterations);
    this.stage = progress.iterations % REFRESH === 0 ? "margins" : "gradient";
    if (this.stage === "gradient") this.startGradient();
  }

  save(): { readonly [key: string]: SnapshotValue } {
    return {
      stage: this.stage,
      next: this.cursor.next,
      rowVisits: this.work.rowVisits,
      slope: this.slope,
      tolerance: this.settings.tolerance,
      ...this.progress.save(),
      line: this.line.save(),
      g: this.g.slice(),
      length: this.length.save(),
      system: this.system.save(),
    };
  }

  /** @throws CurvatureError ERR_SNAPSHOT, before anything is taken */
  restore(state: SnapshotReader): void {
    const stage = state.oneOf("stage", stages);
    const next = state.integer("next", 0, this.n);
    const rowVisits = state.integer("rowVisits");
    const slope = state.number("slope");
    const g = state.float64("g", this.g.length);
    const { maxPasses, tolerance } = this.settings;
    // Rounding may have ended it above its tolerance: at the same one it would come no further.
    const isSmaller = tolerance < state.number("tolerance");
    const asked = { maxPasses, tolerance: isSmaller ? tolerance : undefined };
    const takeProgress = this.progress.restoring(state, rowVisits / this.n, asked);
    const takeLine = this.line.restoring(state.object("line"));
    const length = readLength(state.object("length"));
    this.system.restore(state.object("system"), this.line.h, this.g);
    this.length.restore(length);
    this.stage = stage;
    this.cursor.next = next;
    this.work.rowVisits = rowVisits;
    this.slope = slope;
    this.g.set(g);
    takeProgress();
    takeLine();
  }
}
