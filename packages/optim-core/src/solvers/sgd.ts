import { CurvatureError } from "@curvature/linalg";
import { driveSum } from "../drive-sum.js";
import type { SumOfFunctions } from "../problem.js";
import type { AskTellSolver, Iteration, Question, Snapshot, Solver } from "../solver.js";
import { checkSum } from "../sum.js";
import { type SgdDetails, type SgdOptions, SgdState } from "./sgd-state.js";
import { SparseSgd, type SparseSum } from "./sparse-sgd.js";

/**
 * SGD that asks for the terms' gradients; `driveSum` evaluates them. A step is a batch.
 */
export class Sgd extends SgdState implements AskTellSolver<SgdDetails> {
  private readonly gradient: Float64Array;
  private asked = 0;
  private readonly isAnswered: Uint8Array;
  private answers = 0;

  /**
   * @param x - the first point; copied
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE; ERR_MEMORY for more than 2²⁷ subfunctions in
   *   random order
   */
  constructor(sum: SumOfFunctions, x: Float64Array, options?: SgdOptions) {
    super("Sgd", sum, x, options);
    this.gradient = new Float64Array(sum.dimension);
    this.isAnswered = new Uint8Array(this.batch.length);
  }

  ask(limit = Number.POSITIVE_INFINITY): readonly Question[] {
    if (this.outcome !== undefined) return [{ index: 0, point: this.x, ticket: 0 }];
    if (this.size === 0) this.drawBatch(0);
    const questions: Question[] = [];
    for (; this.asked < this.size && questions.length < limit; this.asked++)
      questions.push({ index: this.batch[this.asked], point: this.x, ticket: this.asked });
    return questions;
  }

  tell(ticket: number, _value: number, gradient: Float64Array): Iteration<SgdDetails> | undefined {
    if (this.outcome !== undefined) return this.iteration();
    if (!(ticket >= 0 && ticket < this.asked) || this.isAnswered[ticket] === 1)
      throw new CurvatureError("ERR_ARGUMENT", `Sgd: no question waits with the ticket ${ticket}.`, {
        path: "ticket",
        received: ticket,
      });
    const sum = this.gradient;
    for (let i = 0; i < sum.length; i++) sum[i] += gradient[i];
    this.isAnswered[ticket] = 1;
    this.answers++;
    if (this.answers < this.size) return undefined;
    if (this.canMove()) this.count(this.size);
    else this.diverge();
    this.forgetAnswers();
    return this.iteration();
  }

  /** Makes the step unless it leads out of the finite numbers. */
  private canMove(): boolean {
    const { x, gradient, stepLength } = this;
    for (let i = 0; i < x.length; i++) if (!Number.isFinite(x[i] - stepLength * gradient[i])) return false;
    for (let i = 0; i < x.length; i++) x[i] -= stepLength * gradient[i];
    return true;
  }

  private forgetAnswers(): void {
    this.gradient.fill(0);
    this.isAnswered.fill(0);
    this.asked = 0;
    this.answers = 0;
  }

  override restore(snapshot: Snapshot): void {
    super.restore(snapshot);
    this.forgetAnswers();
  }
}

/**
 * SGD on any sum: at the cost of the touched coordinates where the terms are sparse, else by dense gradients, which
 * may be promises.
 *
 * @param x - the first point; copied
 * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE; ERR_MEMORY for more than 2²⁷ subfunctions in
 *   random order
 */
export function sgd(sum: SumOfFunctions, x: Float64Array, options?: SgdOptions): Solver<SgdDetails> {
  checkSum("sgd", sum);
  return isSparse(sum) ? new SparseSgd(sum, x, options) : driveSum(new Sgd(sum, x, options), sum);
}

function isSparse(sum: SumOfFunctions): sum is SparseSum {
  return typeof sum.evaluateSparse === "function";
}
