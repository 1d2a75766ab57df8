/** The options of the solver; those of the façade are these and more (`minimize-sum.ts`). */
import {
  between,
  flag,
  integerFrom,
  nonNegative,
  type OptionsOf,
  oneOf,
  optionTable,
  positive,
  type SettingsOf,
} from "@curvature/linalg";

export const sfoOptions = optionTable({
  /** L, pairs of steps and gradient changes kept of each subfunction. */
  memory: integerFrom(1, 10_000).default(10),
  /** The first subfunctions' Hessian, as a multiple of the identity. */
  initialHessian: between(1e-100, 1e100).default(1e5),
  /** Subfunctions that are active from the start, at most N; the others join as they are needed. */
  initialActive: integerFrom(1).default(2),
  /** 1/γ, the largest condition number of a subfunction's Hessian. */
  maxHessianRatio: positive.default(1e8),
  /** α, the gradients' noise in units of the mean gradient at which the active set grows. */
  maxGradientNoise: nonNegative.default(1),
  /** The longest step, in units of the mean step so far. */
  maxStepLengthRatio: positive.default(10),
  /** The shortest step, in units of max(1, ‖x‖), so that gradient differences can be measured. */
  minStepLength: between(0, 1).default(1e-8),
  /**
   * Which subfunction is evaluated next: the one whose latest evaluation is farthest away in the metric of H ("distance",
   * eq. 15) or of its own Hessian ("single"), a fair coin between these two ("both"), at random, or one after the other.
   */
  selection: oneOf("both", "distance", "single", "random", "cyclic").default("both"),
  /** How a pair changes a Hessian: "bfgs" (eq. 12) or the symmetric "rank-one". */
  update: oneOf("bfgs", "rank-one").default("bfgs"),
  /** Of the subspace's basis P; "float32" halves its memory. */
  precision: oneOf("float64", "float32").default("float64"),
  /** Subfunctions evaluated at one point for each step; with more than 1 they can be evaluated side by side. */
  batch: integerFrom(1).default(1),
  /** Ends as converged once ½ qᵀH⁻¹q, the decrease that the model predicts, is at most this part of 1 + |F|. */
  tolerance: nonNegative.default(1e-12),
  /** Nothing at random: the lowest index wherever a choice is open. */
  deterministic: flag.default(false),
  /** Restarts after divergence before giving up with status `diverged`. */
  maxRestarts: integerFrom(0).default(3),
  /** Seed of all choices. */
  seed: integerFrom(0).default(0),
});
export type SfoOptions = OptionsOf<typeof sfoOptions>;
export type SfoSettings = SettingsOf<typeof sfoOptions>;
