/**
 * Learning row by row: what all stochastic solvers of linear models have in common, with or without an end of the
 * rows. A learner owns the parameters w and its own state; the number of rows that it has seen is its only clock, so
 * that passes over a data set, batches of a stream and calls of `partialFit` continue each other.
 *
 * For row i with target y and importance c a learner makes a step against c ∂l/∂s xᵢ, s = w·xᵢ + b, of a length that
 * falls with the number of rows seen, t:
 *
 *   explicit    the slope is taken at the score before the step
 *   implicit    at the score after it: no step goes beyond what the row asks for, so none explodes
 *
 * The implicit form is Bertsekas's incremental proximal step (Math. Programming 129, 2011) on the loss alone.
 */
import type { RowMemory } from "@curvature/linalg";
import type { Bias, LinearLoss, RowAccess } from "@curvature/objectives/linear";
import type { Stateful } from "@curvature/optim-core/state";

/** Rows to learn from. */
export interface TrainingRows {
  readonly access: RowAccess;
  /** y, one for each row. */
  readonly targets: Float64Array;
  /** c, one for each row; all 1 without. */
  readonly importances: Float64Array | undefined;
  /** The row at position k is order[k]; as they lie without. */
  readonly order: Int32Array | undefined;
  /** ‖xᵢ‖² of each row, where that was computed before; implicit steps compute it without. */
  readonly squaredNorms: Float64Array | undefined;
  /** Where these rows lie, in this order and with their squared norms known, if native loops reach them there. */
  readonly memory?: RowMemory | undefined;
}

export interface RowLearner extends Stateful {
  /** Rows seen so far, t. */
  readonly seen: number;
  /** Slopes computed so far: one for each row, and those of secants. */
  readonly evaluations: number;
  /** Learns from the rows at positions `from` up to, not including, `to`. */
  visit(rows: TrainingRows, from: number, to: number): void;
  /**
   * The parameters to predict with (for averaged methods the averages): d, and the bias after them if the model has
   * one. Belongs to the learner and is valid until the next visit.
   */
  parameters(): Float64Array;
  /** Computes what follows from the state, after that was restored. */
  renew?(): void;
}

/** What a learner is made for. All is fixed for its life. */
export interface LearnerSettings {
  readonly loss: LinearLoss;
  /** λ > 0 */
  readonly lambda: number;
  /** d */
  readonly columns: number;
  readonly bias: Bias;
  /** The share of the weights' learning rate that a free bias gets. */
  readonly biasGain: number;
  /** Offset of the learning rate 1/(λ (t + t₀)), at least 1. */
  readonly t0: number;
  /** Rows between two decays, at least 1. */
  readonly skip: number;
  readonly step: "explicit" | "implicit";
  /** Rows seen before averaging begins, for averaged methods. */
  readonly averageStart: number;
  /** Pairs of the quasi-Newton matrix, for oLBFGS. */
  readonly memory: number;
  /** First parameters; 0 without. Copied. */
  readonly initial: Float64Array | undefined;
}
