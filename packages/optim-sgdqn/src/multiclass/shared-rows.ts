/**
 * What several problems over the same rows share: the classes of one-versus-rest training, the values of a λ path.
 */
import { badOption, positive } from "@curvature/linalg";
import { checkLinearProblem, type LinearProblem, type Rows } from "@curvature/objectives/linear";

/**
 * Rows that were checked once, for solvers that take them as the option `shared` and then do not check them again.
 * What else a solver can share (a Hessian, say) it keeps under this object in a WeakMap of its own.
 */
export class SharedRows {
  readonly rows: Rows;
  private norms: Float64Array | undefined;

  /**
   * @param problem - any one of the problems; the others differ in valid targets, in λ, or in the loss
   * @throws CurvatureError as `checkLinearProblem`
   */
  constructor(problem: LinearProblem, where = "SharedRows") {
    checkLinearProblem(problem, where);
    this.rows = problem.rows;
  }

  /**
   * That a problem is one of these rows, with a λ; targets, loss and importances are the caller's matter.
   *
   * @throws CurvatureError ERR_OPTION
   */
  check(problem: LinearProblem, where: string): void {
    if (problem?.rows !== this.rows)
      throw badOption(where, "shared", "the SharedRows of the problem's own rows", problem?.rows);
    if (!positive.accepts(problem.lambda))
      throw badOption(where, "lambda", positive.expected, problem.lambda);
  }

  /** ‖xᵢ‖² as far as they are known, −1 for the others: who computes one writes it here. Length n. */
  get squaredNorms(): Float64Array {
    this.norms ??= new Float64Array(this.rows.rows).fill(-1);
    return this.norms;
  }
}
