/**
 * The rows of a problem in the order in which a stochastic solver visits them: first those that it learns from, then
 * those held out.
 */
import { permutation, RandomGenerator } from "@curvature/linalg";
import { type LinearProblem, rowAccess } from "@curvature/objectives/linear";
import type { TrainingRows } from "../../learner.js";
import { firstBias } from "../../learning-rate.js";
import { arrangedRows, memoryOf } from "./arranged-rows.js";

export class Sample {
  readonly rows: TrainingRows;
  /** Rows to learn from: positions 0 … training − 1. */
  readonly training: number;
  /** All rows; those from `training` on are held out. */
  readonly count: number;
  private readonly problem: LinearProblem;

  constructor(
    problem: LinearProblem,
    { shuffle, validationShare }: { readonly shuffle: boolean; readonly validationShare: number },
    seed: number,
  ) {
    const { rows, targets, importances } = problem;
    this.problem = problem;
    this.count = rows.rows;
    this.training = this.count - Math.floor(validationShare * this.count);
    const order = shuffle ? permutation(new RandomGenerator(seed), this.count) : undefined;
    const arranged = order === undefined ? undefined : arrangedRows(rows, order);
    const access = rowAccess(arranged ?? rows);
    const squaredNorms = Float64Array.from({ length: this.count }, (_, i) => access.squaredNorm(i));
    this.rows =
      order === undefined || arranged === undefined
        ? { access, targets, importances, order, squaredNorms }
        : {
            access,
            targets: Float64Array.from(order, (i) => targets[i]),
            importances: importances && Float64Array.from(order, (i) => importances[i]),
            order: undefined,
            squaredNorms,
            memory: memoryOf(arranged),
          };
  }

  /** λ/2 ‖w‖² and the mean of c_i l_i over the rows at positions 0 … count − 1. */
  cost(w: Float64Array, count: number): number {
    const { loss, lambda, bias } = this.problem;
    const decayed = this.rows.access.columns + (bias === "regularized" ? 1 : 0);
    let squares = 0;
    for (let j = 0; j < decayed; j++) squares += w[j] * w[j];
    const sum = this.sum(w, 0, count, (s, y) => loss.value(s, y));
    return 0.5 * lambda * squares + sum / count;
  }

  /** P at w = 0 and this bias over the rows at positions 0 … count − 1, of which none is looked at. */
  costOfConstant(b: number, count: number): number {
    const { lambda, bias, loss } = this.problem;
    const { targets, importances, order } = this.rows;
    let sum = 0;
    for (let k = 0; k < count; k++) {
      const i = order === undefined ? k : order[k];
      sum += (importances === undefined ? 1 : importances[i]) * loss.value(b, targets[i]);
    }
    return (bias === "regularized" ? 0.5 * lambda * b * b : 0) + sum / count;
  }

  /** Where the bias begins, of the rows to learn from. */
  firstBias(): number {
    const { targets, importances, order } = this.rows;
    const learned = (values: Float64Array): Float64Array =>
      order === undefined
        ? values.subarray(0, this.training)
        : Float64Array.from(order.subarray(0, this.training), (i) => values[i]);
    return firstBias(
      this.problem.loss,
      this.problem.bias,
      learned(targets),
      importances && learned(importances),
    );
  }

  /**
   * Over the rows held out: for classification the share with a score on the wrong side of 0 (0 itself is taken for −1),
   * for regression the mean loss; rows count by their importance.
   */
  validationError(w: Float64Array): number {
    const { loss } = this.problem;
    const { training, count } = this;
    const wrong = (s: number, y: number): number => (s > 0 === y > 0 ? 0 : 1);
    const error = loss.task === "classification" ? wrong : loss.value;
    const total = this.sum(w, training, count, () => 1);
    return total === 0 ? 0 : this.sum(w, training, count, error) / total;
  }

  /** Σ c_i term(s_i, y_i) over the rows at positions from … to − 1. */
  private sum(w: Float64Array, from: number, to: number, term: (s: number, y: number) => number): number {
    const { access, targets, importances, order } = this.rows;
    const b = this.problem.bias === "none" ? 0 : w[access.columns];
    let sum = 0;
    for (let k = from; k < to; k++) {
      const i = order === undefined ? k : order[k];
      const value = term(access.dot(i, w) + b, targets[i]);
      sum += importances === undefined ? value : importances[i] * value;
    }
    return sum;
  }
}
