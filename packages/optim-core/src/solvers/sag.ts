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
 * the 1/L here is what its authors advise in practice (section 4.5). Memory N M numbers.
 */
import { CurvatureError, checkOptions, integerFrom, positive } from "@curvature/linalg";
import type { SumOfFunctions } from "../problem.js";
import type { SnapshotReader } from "../snapshot.js";
import type { SnapshotValue } from "../solver.js";
import { IncrementalSolver } from "./incremental-state.js";

export interface SagOptions {
  /** L > 0; the step is 1/L on the mean gradient. Default 1. */
  readonly lipschitz?: number;
  /** Default 0. */
  readonly seed?: number;
}

export const sagDefaults: Required<SagOptions> = Object.freeze({ lipschitz: 1, seed: 0 });

export class Sag extends IncrementalSolver {
  readonly name = "sag";
  readonly options: Required<SagOptions>;
  protected readonly advice = "Give a larger lipschitz.";
  /** Row q is y_q. */
  private readonly table: Float64Array;
  private readonly total: Float64Array;
  private readonly isSeen: Uint8Array;
  private seen = 0;

  /**
   * @param x - the first point; copied
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE; ERR_MEMORY where the table of N M
   *   numbers does not fit
   */
  constructor(sum: SumOfFunctions, x: Float64Array, options?: SagOptions) {
    const settings = checkOptions("Sag", options, sagDefaults, { lipschitz: positive, seed: integerFrom(0) });
    super("Sag", sum, x, "replacement", settings.seed);
    this.options = settings;
    this.table = tableOf(this.N, x.length);
    this.total = new Float64Array(x.length);
    this.isSeen = new Uint8Array(this.N);
  }

  protected move(q: number, gradient: Float64Array, _t: number, next: Float64Array): void {
    const { table, total, isSeen, x } = this;
    this.seen += 1 - isSeen[q];
    isSeen[q] = 1;
    const step = 1 / (this.options.lipschitz * this.seen);
    for (let i = 0, at = q * x.length; i < x.length; i++, at++) {
      total[i] += gradient[i] - table[at];
      table[at] = gradient[i];
      next[i] = x[i] - step * total[i];
    }
  }

  protected saveMethod(): { readonly [key: string]: SnapshotValue } {
    return { table: this.table.slice(), total: this.total.slice(), isSeen: this.isSeen.slice() };
  }

  protected openMethod(state: SnapshotReader): () => void {
    const table = state.float64("table", this.table.length);
    const total = state.float64("total", this.dimension);
    const isSeen = state.uint8("isSeen", this.N);
    return () => {
      this.table.set(table);
      this.total.set(total);
      this.isSeen.set(isSeen);
      this.seen = isSeen.reduce((count, flag) => count + flag, 0);
    };
  }
}

function tableOf(N: number, M: number): Float64Array {
  try {
    return new Float64Array(N * M);
  } catch (cause) {
    throw new CurvatureError(
      "ERR_MEMORY",
      `Sag: a table of ${N} gradients of ${M} numbers does not fit into memory. Give fewer, larger subfunctions, or use a method without a table.`,
      { path: "table", cause },
    );
  }
}
