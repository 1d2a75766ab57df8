/**
 * The options of the solver.
 */
import {
  between,
  checkOptions,
  flag,
  integerFrom,
  nonNegative,
  oneOf,
  type Precision,
  positive,
} from "@curvature/linalg";
import type { SecantUpdate } from "./model/history-hessian.js";
import type { SelectionRule } from "./selection.js";

export interface SfoOptions {
  /** L, pairs of steps and gradient changes kept of each subfunction, at most 10,000. Default 10. */
  readonly memory?: number;
  /** The first subfunctions' Hessian, as a multiple of the identity, from 1e-100 to 1e100. Default 1e5. */
  readonly initialHessian?: number;
  /** Subfunctions that are active from the start; the others join as they are needed. Default 2, at most N. */
  readonly initialActive?: number;
  /** 1/γ, the largest condition number of a subfunction's Hessian. Default 1e8. */
  readonly maxHessianRatio?: number;
  /** α, the gradients' noise in units of the mean gradient at which the active set grows. Default 1. */
  readonly maxGradientNoise?: number;
  /** The longest step, in units of the mean step so far. Default 10. */
  readonly maxStepLengthRatio?: number;
  /** The shortest step, in units of max(1, ‖x‖), so that gradient differences can be measured; at most 1. Default 1e-8. */
  readonly minStepLength?: number;
  /**
   * Which subfunction is evaluated next: the one whose latest evaluation is farthest away in the metric of H
   * ("distance", eq. 15) or of its own Hessian ("single"), a fair coin between these two ("both"), at random, or one
   * after the other. Default "both".
   */
  readonly selection?: SelectionRule;
  /** How a pair changes a Hessian: "bfgs" (eq. 12) or the symmetric "rank-one". Default "bfgs". */
  readonly update?: SecantUpdate;
  /** Of the subspace's basis P; "float32" halves its memory. Default "float64". */
  readonly precision?: Precision;
  /** Subfunctions evaluated at one point for each step; with more than 1 they can be evaluated side by side. Default 1. */
  readonly batch?: number;
  /** Ends as converged once ½ qᵀH⁻¹q, the decrease that the model predicts, is at most this part of 1 + |F|. Default 1e-12. */
  readonly tolerance?: number;
  /** Nothing at random: the lowest index wherever a choice is open. Default false. */
  readonly deterministic?: boolean;
  /** Restarts after divergence before giving up with status `diverged`. Default 3. */
  readonly maxRestarts?: number;
  /** Seed of all choices. Default 0. */
  readonly seed?: number;
}

export type SfoSettings = Required<SfoOptions>;

export const sfoDefaults: SfoSettings = Object.freeze({
  memory: 10,
  initialHessian: 1e5,
  initialActive: 2,
  maxHessianRatio: 1e8,
  maxGradientNoise: 1,
  maxStepLengthRatio: 10,
  minStepLength: 1e-8,
  selection: "both",
  update: "bfgs",
  precision: "float64",
  batch: 1,
  tolerance: 1e-12,
  deterministic: false,
  maxRestarts: 3,
  seed: 0,
});

/** @throws CurvatureError ERR_OPTION */
export function checkSfoOptions(where: string, options: SfoOptions | undefined): SfoSettings {
  return checkOptions(where, options, sfoDefaults, {
    memory: integerFrom(1, 10_000),
    initialHessian: between(1e-100, 1e100),
    initialActive: integerFrom(1),
    maxHessianRatio: positive,
    maxGradientNoise: nonNegative,
    maxStepLengthRatio: positive,
    minStepLength: between(0, 1),
    selection: oneOf("both", "distance", "single", "random", "cyclic"),
    update: oneOf("bfgs", "rank-one"),
    precision: oneOf("float64", "float32"),
    batch: integerFrom(1),
    tolerance: nonNegative,
    deterministic: flag,
    maxRestarts: integerFrom(0),
    seed: integerFrom(0),
  });
}
