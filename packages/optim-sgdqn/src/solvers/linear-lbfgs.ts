/**
 * L-BFGS on the whole risk, preconditioned by its diagonal.
 *
 *   H₀ = γ D⁻¹,  D = Λ + diag(Σᵢ cᵢ l″ᵢ xᵢ∘xᵢ)/n at the first point
 *   end: ‖∇P‖²/(2 λ) ≤ tolerance · P, which bounds P − P* since P is λ-strongly convex. The bound is tight within a factor of
 *   2 to 4 for text, and 30 to 5000 times too large for few columns: there Newton's method tells more, and is faster.
 *
 * Nocedal, Wright: Numerical Optimization, 2nd ed. (2006), Algorithm 7.5; here `Lbfgs` of optim-core.
 */
import { anything, badOption, checkOptions, nonNegative, optional, positive } from "@curvature/linalg";
import {
  checkLinearProblem,
  fingerprintOfLinear,
  type LinearProblem,
  linearObjective,
  parameterCount,
} from "@curvature/objectives/linear";
import {
  checkPoint,
  type Iteration,
  Lbfgs,
  type Outcome,
  openSnapshot,
  type Point,
  type Snapshot,
  type Solver,
} from "@curvature/optim-core";
import type { LinearDetails } from "../details.js";
import { readIteration, savedIteration } from "../multiclass/saved-iteration.js";
import { type SharedRows, sharedRows } from "../multiclass/shared-rows.js";
import { standing } from "../standing.js";
import { innerSnapshot } from "./inner-snapshot.js";
import { lossSweep } from "./newton/loss-sweep.js";
import { rowSweeps } from "./newton/sweeps/row-sweeps.js";

export interface LinearLbfgsOptions {
  /** ‖∇P‖²/(2 λ P) at which it ends as converged. Not with a free bias, where it bounds nothing. Default 1e-3. */
  readonly tolerance?: number;
  /** Evaluations of P and its gradient at most, one pass each. Default 1000. */
  readonly maxPasses?: number;
  /** First parameters, of length `parameterCount(problem)`; copied. Default 0. */
  readonly initial?: Float64Array | undefined;
  /** The rows, checked before. Default: the problem is checked here. */
  readonly shared?: SharedRows | undefined;
}

interface Settings {
  readonly tolerance: number;
  readonly maxPasses: number;
}

export const linearLbfgsDefaults: Settings = Object.freeze({ tolerance: 1e-3, maxPasses: 1000 });

type AllOptions = Settings & Pick<LinearLbfgsOptions, "initial" | "shared">;
const allDefaults: AllOptions = { ...linearLbfgsDefaults, initial: undefined, shared: undefined };

const WHERE = "LinearLbfgs";
const VERSION = 1;

export class LinearLbfgs implements Solver<LinearDetails> {
  readonly name = "lbfgs";
  readonly dimension: number;
  readonly options: Settings;
  private readonly problem: LinearProblem;
  private readonly inner: Lbfgs;
  /** D */
  private readonly D: Float64Array;
  /** The last iteration, once that ended the run. */
  private final: Iteration<LinearDetails> | undefined;
  private hash: string | undefined;

  /**
   * @param problem - with any loss but the hinge, which has no gradient at its kink
   * @throws CurvatureError as `checkLinearProblem`; ERR_OPTION for an option or the hinge; ERR_SHAPE or ERR_NON_FINITE
   *   for `initial`
   */
  constructor(problem: LinearProblem, options?: LinearLbfgsOptions) {
    const { initial, shared, ...settings } = checkOptions<AllOptions>(WHERE, options, allDefaults, {
      tolerance: nonNegative,
      maxPasses: positive,
      initial: anything,
      shared: optional(sharedRows),
    });
    if (shared === undefined) checkLinearProblem(problem, WHERE);
    else shared.check(problem, WHERE);
    if (problem.loss.name === "hinge")
      throw badOption(WHERE, "loss", 'a smooth loss (for the hinge take solver "dcd")', problem.loss.name);
    this.options = Object.freeze(settings);
    this.problem = problem;
    this.dimension = parameterCount(problem);
    if (initial !== undefined) checkPoint(WHERE, initial, this.dimension);
    const start = initial ?? new Float64Array(this.dimension);
    const D = hessianDiagonal(problem, start);
    this.D = D;
    this.inner = new Lbfgs(linearObjective(problem), start, {
      inverseHessian: (v, out) => {
        for (let j = 0; j < v.length; j++) out[j] = v[j] / D[j];
      },
    });
  }

  /** Costs a read of all rows the first time. */
  get fingerprint(): string {
    this.hash ??= fingerprintOfLinear(this.problem);
    return this.hash;
  }

  get best(): Point {
    return this.inner.best;
  }

  get last(): Point {
    return this.inner.last;
  }

  step(): Iteration<LinearDetails> {
    if (this.final !== undefined) return this.final;
    const made = this.inner.step();
    const gap = this.gapOf(made);
    const certificate = gap === undefined ? undefined : "gradient-norm";
    const outcome = made.outcome ?? this.judge(gap, made.passes);
    const iteration: Iteration<LinearDetails> = {
      ...made,
      details: { gap, certificate, t0: undefined },
      outcome,
    };
    if (outcome !== undefined) this.final = iteration;
    return iteration;
  }

  private gapOf({ gradientNorm = Number.NaN, value = Number.NaN }: Iteration): number | undefined {
    if (this.problem.bias === "free") return undefined;
    if (gradientNorm === 0) return 0;
    const gap = (gradientNorm * gradientNorm) / (2 * this.problem.lambda * value);
    return Number.isNaN(gap) ? undefined : gap;
  }

  private judge(gap: number | undefined, passes: number): Outcome | undefined {
    const { tolerance, maxPasses } = this.options;
    const words = `‖∇P‖²/(2 λ) is ${gap?.toPrecision(3) ?? "no bound (the bias is free)"} of P`;
    if (gap !== undefined && gap <= tolerance)
      return { status: "converged", message: `${words}, at most ${tolerance}.` };
    if (passes < maxPasses) return undefined;
    return { status: "max-evaluations", message: `The limit of ${maxPasses} passes is reached: ${words}.` };
  }

  save(): Snapshot {
    const { D, final, inner } = this;
    const state = {
      D: D.slice(),
      final: final === undefined ? [] : [savedIteration(final)],
      inner: { ...inner.save() },
    };
    return { solver: this.name, version: VERSION, state };
  }

  restore(snapshot: Snapshot): void {
    const state = openSnapshot(snapshot, this.name, VERSION);
    const D = state.float64("D", this.dimension);
    const [final] = state.list("final").map((saved) => readIteration("Snapshot for lbfgs", saved));
    this.inner.restore(innerSnapshot(snapshot));
    this.D.set(D);
    const reached = { passes: final?.passes ?? 0, gap: final?.details.gap };
    this.final = standing(final?.outcome, reached, this.options) === undefined ? undefined : final;
  }
}

function hessianDiagonal(problem: LinearProblem, w: Float64Array): Float64Array {
  const { rows, targets, importances, loss, lambda, bias } = problem;
  const n = rows.rows;
  const c = new Float64Array(n).fill(1 / n);
  if (importances !== undefined) for (let i = 0; i < n; i++) c[i] = importances[i] / n;
  const sweeps = rowSweeps(rows, bias);
  const z = new Float64Array(n);
  const h = new Float64Array(n);
  sweeps.multiply(w, z, 0, n);
  lossSweep(loss, targets, c).measure(z, new Float64Array(n), 0, new Float64Array(n), h);
  // λ also for a free bias: no entry may be 0
  const D = new Float64Array(w.length).fill(lambda);
  sweeps.addSquares(h, D, 0, n);
  return D;
}
