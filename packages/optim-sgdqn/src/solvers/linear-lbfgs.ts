/**
 * L-BFGS on the whole risk, preconditioned by its diagonal.
 *
 *   H₀ = γ D⁻¹,  D = Λ + diag(Σᵢ cᵢ l″ᵢ xᵢ∘xᵢ)/n at the first point
 *   end: the duality gap at most tolerance · P. At the slopes it is about ‖∇P‖²/(2 λ), tight within a factor of 2 to 4 for text,
 *   and 30 to 5000 times too large for few columns: there Newton's method knows more, and is faster. It takes three reads of
 *   the rows (`certify`), made once ‖∇P‖²/(2 λ) is small enough; with a free bias, where that is no bound, from 1000 times the
 *   tolerance on, whenever it has fallen to a quarter.
 *
 * Nocedal, Wright: Numerical Optimization, 2nd ed. (2006), Algorithm 7.5; here `Lbfgs` of optim-core.
 */
import { badOption, nonNegative, type OptionsOf, optionTable, positiveOrInfinity } from "@curvature/linalg";
import {
  checkLinearProblem,
  fingerprintOfLinear,
  type LinearProblem,
  linearObjective,
  parameterCount,
} from "@curvature/objectives/linear";
import { type Iteration, Lbfgs, type Outcome, type Point, type Solver } from "@curvature/optim-core";
import { DeclaredSolver, float64, inner, number, stateOf, whole } from "@curvature/optim-core/state";
import { capitalized, endedIteration, type LinearDetails } from "../details.js";
import { standing } from "../standing.js";
import { CERTIFY_READS, certify } from "./newton/certificate.js";
import { lossSweep, shares } from "./newton/loss-sweep.js";
import { rowSweeps } from "./newton/sweeps/row-sweeps.js";
import { firstPoint, sharedEntries } from "./start.js";

export const linearLbfgsOptions = optionTable({
  /** (P − D)/P at which it ends as converged. */
  tolerance: nonNegative.default(1e-3),
  /** Evaluations of P and its gradient at most, one pass each. */
  maxPasses: positiveOrInfinity("a number of passes").default(1000),
  ...sharedEntries,
});
export type LinearLbfgsOptions = OptionsOf<typeof linearLbfgsOptions>;

/** Of the tolerance: ‖∇P‖²/(2 λ P) from which the bound with a free bias is taken. */
const NEAR = 1000;
const WHERE = "LinearLbfgs";

export class LinearLbfgs extends DeclaredSolver implements Solver<LinearDetails> {
  readonly name = "lbfgs";
  readonly dimension: number;
  readonly options;
  readonly state;
  private readonly problem: LinearProblem;
  private readonly inner: Lbfgs;
  private hash: string | undefined;

  /**
   * @param problem - with any loss but the hinge, which has no gradient at its kink
   * @throws CurvatureError as `checkLinearProblem`; ERR_OPTION for an option or the hinge; ERR_SHAPE or ERR_NON_FINITE
   *   for `initial`
   */
  constructor(problem: LinearProblem, options?: LinearLbfgsOptions) {
    super();
    const { initial, shared, ...settings } = linearLbfgsOptions.resolve(WHERE, options);
    if (shared === undefined) checkLinearProblem(problem, WHERE);
    else shared.check(problem, WHERE);
    if (problem.loss.name === "hinge")
      throw badOption(WHERE, "loss", 'a smooth loss (for the hinge take solver "dcd")', problem.loss.name);
    this.options = Object.freeze(settings);
    this.problem = problem;
    this.dimension = parameterCount(problem);
    const { dimension } = this;
    const start = initial ? firstPoint(WHERE, "initial", initial, dimension) : new Float64Array(dimension);
    const D = hessianDiagonal(problem, start);
    this.inner = new Lbfgs(linearObjective(problem), start, {
      inverseHessian: (v, out) => {
        for (let j = 0; j < v.length; j++) out[j] = v[j] / D[j];
      },
    });
    this.state = stateOf({
      D: float64(D),
      /** ‖∇P‖²/(2 λ P) when the bound was last taken, and the reads of rows for it. */
      checkedAt: number(Number.POSITIVE_INFINITY),
      monitoring: whole(),
      /** The last iteration, once that ended the run. */
      final: endedIteration(),
      inner: inner(this.inner),
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
    const { final } = this.state;
    if (final !== undefined) return final;
    const made = this.inner.step();
    const isLast = made.outcome !== undefined || made.passes >= this.options.maxPasses;
    const gap = this.gapOf(made, isLast);
    const ended: Iteration<LinearDetails> = {
      ...made,
      monitoringEvaluations: made.monitoringEvaluations + this.state.monitoring,
      details: { gap, certificate: gap === undefined ? undefined : "duality-gap", t0: undefined },
      outcome: this.judge(gap, made),
    };
    if (ended.outcome !== undefined) this.state.final = ended;
    return ended;
  }

  private gapOf(
    { gradientNorm = Number.NaN, value = Number.NaN }: Iteration,
    isLast: boolean,
  ): number | undefined {
    const { state, problem, options } = this;
    const estimate = gradientNorm === 0 ? 0 : (gradientNorm * gradientNorm) / (2 * problem.lambda * value);
    const isFree = problem.bias === "free";
    const isDue = isFree
      ? estimate <= NEAR * options.tolerance && estimate <= state.checkedAt / 4
      : estimate <= options.tolerance;
    if (!(isDue || isLast)) return isFree || Number.isNaN(estimate) ? undefined : estimate;
    state.checkedAt = estimate;
    state.monitoring += CERTIFY_READS * problem.rows.rows;
    const certified = certify(problem, this.inner.last.x).gap;
    return Number.isNaN(certified) ? undefined : certified;
  }

  /** What the inner solver calls converged is no bound. */
  private judge(gap: number | undefined, { outcome, passes }: Iteration): Outcome | undefined {
    const { tolerance, maxPasses } = this.options;
    const words = `the duality gap is ${gap?.toPrecision(3) ?? "not known"} of P`;
    if (gap !== undefined && gap <= tolerance)
      return { status: "converged", message: `${capitalized(words)}, at most ${tolerance}.` };
    if (outcome !== undefined)
      return outcome.status === "converged"
        ? { status: "stalled", message: `${outcome.message} ${capitalized(words)}.` }
        : outcome;
    if (passes < maxPasses) return undefined;
    return { status: "max-iterations", message: `The limit of ${maxPasses} passes is reached: ${words}.` };
  }

  protected override restored(): void {
    const { final } = this.state;
    const reached = { passes: final?.passes ?? 0, gap: final?.details.gap };
    if (standing(final?.outcome, reached, this.options) === undefined) this.state.final = undefined;
  }
}

function hessianDiagonal(problem: LinearProblem, w: Float64Array): Float64Array {
  const { rows, targets, loss, lambda, bias } = problem;
  const n = rows.rows;
  const sweeps = rowSweeps(rows, bias);
  const z = new Float64Array(n);
  const h = new Float64Array(n);
  sweeps.multiply(w, z, 0, n);
  lossSweep(loss, targets, shares(problem)).measure(z, new Float64Array(n), 0, new Float64Array(n), h);
  // λ also for a free bias: no entry may be 0
  const D = new Float64Array(w.length).fill(lambda);
  sweeps.addSquares(h, D, 0, n);
  return D;
}
