/**
 * SAG, the stochastic average gradient: a step along the mean of the latest gradients of all subfunctions.
 *
 *   q at random;  y_q ← ∇f_q(x);  x ← x − 1/(L n) Σ y_q over the n subfunctions seen so far
 *
 * | symbol | option    | unit                                                                    |
 * |--------|-----------|-------------------------------------------------------------------------|
 * | L      | lipschitz | the Lipschitz constant of the gradient of one subfunction               |
 *
 * Schmidt, Le Roux, Bach: Minimizing finite sums with the stochastic average gradient. Math. Program. 162 (2017)
 * 83-112, Algorithm 1, with the division by n of section 4.1. Converges linearly for strongly convex F and a step of 1/(16 L);
 * the 1/L here is what its authors advise in practice (section 4.5), and where no L is given it is estimated as there (4.6): each
 * step then takes two evaluations, now and then more, and the division is by N from the first step on, as in Algorithm 1, since the
 * subfunctions that are not seen yet may be steeper. Memory N M numbers.
 */
import {
  CurvatureError,
  integerFrom,
  type OptionsOf,
  optionTable,
  positive,
  type SettingsOf,
} from "@curvature/linalg";
import type { SumOfFunctions } from "../problem.js";
import { float64, part, stateOf, uint8 } from "../state.js";
import { IncrementalSolver } from "./incremental.js";
import { LipschitzEstimate } from "./lipschitz-estimate.js";

export const sagOptions = optionTable({
  /** L; the step is 1/L on the mean gradient. Left out, it is estimated. */
  lipschitz: positive,
  /** Of the draws. */
  seed: integerFrom(0).default(0),
});
export type SagOptions = OptionsOf<typeof sagOptions>;

export class Sag extends IncrementalSolver {
  readonly name = "sag";
  readonly options: SettingsOf<typeof sagOptions>;
  protected readonly advice = "Give a larger lipschitz.";
  readonly state = stateOf({
    ...this.commonState(),
    /** Row q is y_q. */
    table: float64(tableOf(this.N, this.dimension)),
    total: float64(new Float64Array(this.dimension)),
    isSeen: uint8(new Uint8Array(this.N), { from: 0, to: 1 }),
    lipschitz: part(new LipschitzEstimate(1, this.N)),
  });
  /** n */
  private seen = 0;

  /**
   * @param x - the first point; copied
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE; ERR_MEMORY where the table of N M
   *   numbers does not fit
   */
  constructor(sum: SumOfFunctions, x: Float64Array, options?: SagOptions) {
    const settings = sagOptions.resolve("Sag", options);
    super("Sag", sum, x, "replacement", settings.seed);
    this.options = settings;
  }

  protected override get estimate(): LipschitzEstimate | undefined {
    return this.options.lipschitz === undefined ? this.state.lipschitz : undefined;
  }

  protected move(q: number, gradient: Float64Array, _t: number, next: Float64Array): void {
    const { table, total, isSeen, x } = this.state;
    this.seen += 1 - isSeen[q];
    isSeen[q] = 1;
    const { lipschitz } = this.options;
    const step = lipschitz === undefined ? this.state.lipschitz.step / this.N : 1 / (lipschitz * this.seen);
    for (let i = 0, at = q * x.length; i < x.length; i++, at++) {
      total[i] += gradient[i] - table[at];
      table[at] = gradient[i];
      next[i] = x[i] - step * total[i];
    }
  }

  protected override restored(): void {
    super.restored();
    this.seen = this.state.isSeen.reduce((count, flag) => count + flag, 0);
  }
}

function tableOf(N: number, M: number): Float64Array {
  try {
    return new Float64Array(N * M);
  } catch (cause) {
    throw new CurvatureError(
      "ERR_MEMORY",
      `a table of ${N} gradients of ${M} numbers does not fit into memory. Give fewer, larger subfunctions, or use a method without a table.`,
      { where: "Sag", path: "table", cause },
    );
  }
}
