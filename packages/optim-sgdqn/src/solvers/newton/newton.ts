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
 * | g      | `parts`      | as w                                      |
 * | Λ      | `line`       | λ, and 0 for a free bias                  |
 * |        | `parts`      | Λ in the systems, see `dampFreeBias`      |
 *
 * A step of the solver is as much of an iteration as some 15 ms allow: see `work.ts`.
 *
 * A line search in place of the trust region of LIBLINEAR's Newton (Lin, Weng, Keerthi: Trust region Newton method for
 * large-scale logistic regression. JMLR 9 (2008) 627-650): with cached margins an exact minimum along s costs less
 * than one product with X, and no step is ever thrown away. For losses with kinks in l′ this is a semismooth Newton
 * method with the generalised Hessian; exact line searches keep it going down from everywhere.
 */
import {
  badOption,
  dot,
  nonNegative,
  norm2,
  type OptionsOf,
  oneOf,
  optionTable,
  positiveOrInfinity,
} from "@curvature/linalg";
import {
  checkLinearProblem,
  fingerprintOfLinear,
  type LinearProblem,
  parameterCount,
  rowAccess,
} from "@curvature/objectives/linear";
import type { Iteration, Outcome, Point, Solver } from "@curvature/optim-core";
import {
  DeclaredSolver,
  float64,
  maybe,
  number,
  outcome,
  part,
  stateOf,
  whole,
  word,
} from "@curvature/optim-core/state";
import type { LinearDetails } from "../../details.js";
import type { SharedRows } from "../../multiclass/shared-rows.js";
import { standing } from "../../standing.js";
import { firstPoint, sharedEntries } from "../start.js";
import { endAfter, endAlong, endAt, passesUsedUp, relativeGap, tooLarge } from "./ending.js";
import { ExplicitHessian, sharedGram } from "./explicit-hessian.js";
import { backtrack, Line, StepLength } from "./line-search.js";
import { DiagonalPreconditioner, SampledPreconditioner } from "./preconditioner.js";
import { rowSweeps } from "./sweeps/row-sweeps.js";
import { chooseMethod, type NewtonMethod, type NewtonSystem, rowPrices, type SystemParts } from "./system.js";
import { TruncatedSystem } from "./truncated-system.js";
import { RowCursor, WORK_PER_STEP, Work } from "./work.js";

export const newtonOptions = optionTable({
  /** (P − P*)/P at which it ends as converged, by the Newton decrement. */
  tolerance: nonNegative.default(1e-3),
  /** Passes at most: reads of n rows for a gradient, a product with the Hessian or its entries. */
  maxPasses: positiveOrInfinity("a number of passes").default(1000),
  /** How the systems are solved (see `chooseMethod`); "auto": by the shape of the rows. */
  method: oneOf("auto", "explicit", "sampled", "diagonal").default("auto"),
  ...sharedEntries,
});
export type NewtonOptions = OptionsOf<typeof newtonOptions>;

const stages = ["margins", "gradient", "system", "line", "search"] as const;

/** Iterations after which the margins are computed anew, so that rounding does not pile up in them. */
const REFRESH = 10;
const WHERE = "Newton";

export class Newton extends DeclaredSolver implements Solver<LinearDetails> {
  readonly name = "newton";
  readonly dimension: number;
  readonly options;
  readonly state;
  private readonly problem: LinearProblem;
  private readonly n: number;
  private readonly line: Line;
  private readonly length = new StepLength();
  private readonly work = new Work();
  private readonly cursor: RowCursor;
  private readonly parts: SystemParts;
  private readonly system: NewtonSystem;
  /** h before the step. */
  private readonly hBefore: Float64Array;
  private hash: string | undefined;

  /**
   * @param problem - with any loss but the hinge, whose curvature is 0
   * @throws CurvatureError as `checkLinearProblem`; ERR_OPTION for an option or the hinge; ERR_SHAPE or ERR_NON_FINITE
   *   for `initial`
   */
  constructor(problem: LinearProblem, options?: NewtonOptions) {
    super();
    const { initial, shared, ...settings } = newtonOptions.resolve(WHERE, options);
    if (shared === undefined) checkLinearProblem(problem, WHERE);
    else shared.check(problem, WHERE);
    if (problem.loss.name === "hinge")
      throw badOption(
        WHERE,
        "loss",
        'a loss with curvature (for the hinge take solver "dcd", or loss "smoothed-hinge")',
        problem.loss.name,
      );
    this.options = Object.freeze(settings);
    this.problem = problem;
    this.dimension = parameterCount(problem);
    this.n = problem.rows.rows;
    this.line = new Line(problem, this.dimension);
    if (initial !== undefined) this.line.w.set(firstPoint(WHERE, "initial", initial, this.dimension));
    const g = new Float64Array(this.dimension);
    this.hBefore = new Float64Array(this.n);
    this.parts = {
      sweeps: rowSweeps(problem.rows, problem.bias),
      rows: this.n,
      diagonal: this.line.diagonal.slice(),
      h: this.line.h,
      g,
    };
    const { system, price } = createSystem(problem, settings.method, this.parts, shared);
    this.system = system;
    this.cursor = new RowCursor(this.n, price);
    this.state = stateOf({
      stage: word("margins", stages),
      cursor: part(this.cursor),
      work: part(this.work),
      /** Steps, of which an iteration takes some. */
      index: whole(),
      iterations: whole(),
      evaluations: whole(),
      gradients: whole(),
      /** P(w), once it was measured. */
      value: maybe(number()),
      gradientNorm: maybe(number()),
      gap: maybe(number()),
      outcome: outcome(),
      /** That of the options, to tell after a resume whether it is a smaller one now. */
      tolerance: number(settings.tolerance),
      line: part(this.line),
      g: float64(g),
      /** g·s */
      slope: number(0),
      length: part(this.length),
      system: part(this.system),
    });
  }

  /** Costs a read of all rows the first time. */
  get fingerprint(): string {
    this.hash ??= fingerprintOfLinear(this.problem);
    return this.hash;
  }

  /** P falls in every iteration: the current point is the best one. */
  get best(): Point {
    return { x: this.line.w, value: this.state.value };
  }

  get last(): Point {
    return this.best;
  }

  step(): Iteration<LinearDetails> {
    const { state, work } = this;
    let phase = "iteration";
    if (state.outcome === undefined) {
      state.index++;
      work.left = WORK_PER_STEP;
      phase = "";
      while (state.outcome === undefined && work.left > 0) {
        phase = this.phase;
        if (!this.advance()) continue;
        phase = "iteration";
        break;
      }
    }
    return this.iteration(phase);
  }

  private get phase(): string {
    const { stage } = this.state;
    if (stage === "system") return this.system.phase;
    return stage === "margins" || stage === "gradient" ? stage : "line search";
  }

  /** Works at the current stage while work is left. @returns whether that completed an iteration */
  private advance(): boolean {
    const { line, work } = this;
    switch (this.state.stage) {
      case "margins":
        if (this.multiply(line.w, line.z)) this.measureStart();
        return false;
      case "gradient":
        if (this.sumGradient()) this.startSystem();
        return false;
      case "system":
        if (this.system.advance(work, line.s)) this.useDirection();
        return false;
      case "line":
        if (this.multiply(line.s, line.q)) this.startSearch();
        return false;
      case "search":
        return this.search();
    }
  }

  /** out ← X v */
  private multiply(v: Float64Array, out: Float64Array): boolean {
    return this.cursor.sweep(this.work, (from, to) => {
      this.parts.sweeps.multiply(v, out, from, to);
      this.work.rowVisits += to - from;
    });
  }

  /** P, a and h at margins z that were computed anew. */
  private measureStart(): void {
    const { state } = this;
    const value = this.measure(0);
    if (!Number.isFinite(value)) {
      state.outcome = tooLarge(`P is ${value} at the first point`);
      return;
    }
    state.value = Math.min(value, state.value ?? value); // computed anew, it may differ by rounding
    this.startGradient();
  }

  private measure(t: number): number {
    this.state.evaluations++;
    this.work.left -= 4 * this.n;
    return this.line.measure(t);
  }

  private startGradient(): void {
    const { state, line } = this;
    const { g } = this.parts;
    for (let j = 0; j < g.length; j++) g[j] = line.diagonal[j] * line.w[j];
    state.stage = "gradient";
  }

  private sumGradient(): boolean {
    const { sweeps, g } = this.parts;
    return this.cursor.sweep(this.work, (from, to) => {
      sweeps.addTransposed(this.line.a, g, from, to);
      this.work.rowVisits += to - from;
    });
  }

  private startSystem(): void {
    const { line, n, system, state, problem } = this;
    const { g, diagonal } = this.parts;
    state.gradientNorm = norm2(g);
    state.gradients++;
    const ending = endAt(state.value, state.gradientNorm);
    if (ending !== undefined) {
      this.end(ending);
      return;
    }
    this.work.left -= 2 * n;
    if (problem.bias === "free") dampFreeBias(diagonal, line.h, problem.lambda);
    system.start(this.options.tolerance * (state.value ?? 0));
    state.stage = "system";
  }

  /** Ends before a step was made. */
  private end(outcome: Outcome): void {
    if (outcome.status === "converged") this.state.gap = 0;
    this.state.outcome = outcome;
  }

  private useDirection(): void {
    const { state } = this;
    state.slope = dot(this.parts.g, this.line.s);
    const ending = endAlong(state.slope);
    if (ending === undefined) state.stage = "line";
    else this.end(ending);
  }

  private startSearch(): void {
    this.length.start(this.state.slope);
    this.state.stage = "search";
  }

  /** One value of t. @returns whether the iteration is complete */
  private search(): boolean {
    const { length, line, work, n } = this;
    work.left -= 4 * n;
    if (!length.take(line.derivatives(length.state.t))) return false;
    this.finish();
    return true;
  }

  /** Takes the step if it lowers P, and says how far the solver is. */
  private finish(): void {
    const { line, length, state, hBefore } = this;
    const { tolerance, maxPasses } = this.options;
    const { value: before = Number.POSITIVE_INFINITY, slope } = state;
    hBefore.set(line.h);
    const backtracked = backtrack((t) => this.measure(t), length.state.t, before, slope);
    const step = { ...backtracked, before, slope, isSolved: this.system.isSolved, hBefore, h: line.h };
    length.state.t = step.t;
    if (step.isLower) {
      line.move(step.t);
      state.value = step.value;
    }
    state.iterations++;
    const gap = relativeGap(step);
    state.gap = gap;
    state.outcome = endAfter(step, gap, tolerance, state.iterations);
    if (state.outcome === undefined && this.passes >= maxPasses)
      state.outcome = passesUsedUp(maxPasses, gap, state.iterations);
    state.stage = state.iterations % REFRESH === 0 ? "margins" : "gradient";
    if (state.stage === "gradient") this.startGradient();
  }

  private get passes(): number {
    return this.work.rowVisits / this.n;
  }

  private iteration(phase: string): Iteration<LinearDetails> {
    const { index, value, gradientNorm, evaluations, gradients, gap, outcome } = this.state;
    return {
      index,
      value,
      gradientNorm,
      stepLength: phase === "iteration" ? this.length.state.t : undefined,
      evaluations,
      gradientEvaluations: gradients,
      monitoringEvaluations: 0,
      passes: this.passes,
      phase,
      details: { gap, certificate: gap === undefined ? undefined : "newton-decrement", t0: undefined },
      outcome,
    };
  }

  protected override restored(): void {
    const { state, options } = this;
    this.system.renew?.();
    // Rounding may have ended it above its tolerance: at the same one it would come no further.
    const tolerance = options.tolerance < state.tolerance ? options.tolerance : undefined;
    const asked = { maxPasses: options.maxPasses, tolerance };
    state.outcome = standing(state.outcome, { passes: this.passes, gap: state.gap }, asked);
    state.tolerance = options.tolerance;
  }
}

/**
 * The system in the form that suits the rows.
 *
 * @param shared - where classes of one problem share the matrix Σ xᵢ xᵢᵀ
 * @returns the system, and the multiplications per row of a product with the rows
 */
function createSystem(
  { rows, loss, importances, bias }: LinearProblem,
  asked: "auto" | NewtonMethod,
  parts: SystemParts,
  shared: SharedRows | undefined,
): { readonly system: NewtonSystem; readonly price: number } {
  const prices = rowPrices(rows);
  const { product: price, outerProduct } = prices;
  const { sweeps, diagonal } = parts;
  const method = asked === "auto" ? chooseMethod(rows, loss, prices) : asked;
  if (method === "explicit") {
    const isPlain =
      importances === undefined && (loss.name === "squared-hinge" || loss.name === "squared-error");
    const gram = shared !== undefined && isPlain ? sharedGram(shared, bias) : undefined;
    return { system: new ExplicitHessian(parts, outerProduct, gram), price };
  }
  const preconditioner =
    method === "sampled"
      ? new SampledPreconditioner(sweeps, rowAccess(rows), diagonal.length, diagonal, outerProduct)
      : new DiagonalPreconditioner(sweeps, rows.rows, diagonal, price);
  return { system: new TruncatedSystem(parts, preconditioner, price), price };
}

/**
 * Λ of Newton's systems, which is that of P but for a free bias: 0 in P, and in the systems
 *
 *   max(0, λ − Σᵢ hᵢ).
 *
 * Where (nearly) no row has curvature, nothing else would hold the bias back: it is then damped as the weights are.
 *
 * @param damping - Λ; the last entry is the bias's, and written
 */
function dampFreeBias(damping: Float64Array, h: Float64Array, lambda: number): void {
  let curvature = 0;
  for (let i = 0; i < h.length; i++) curvature += h[i];
  damping[damping.length - 1] = Math.max(0, lambda - curvature);
}
