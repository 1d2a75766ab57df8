/** The options of the solver, those of the façade, which are these and more, and what an iteration says. */
import {
  between,
  either,
  flag,
  integerFrom,
  nonNegative,
  numberThat,
  type OptionsOf,
  oneOf,
  option,
  optionTable,
  positive,
  positiveOrInfinity,
  type SettingsOf,
} from "@curvature/linalg";
import { facadeEntries, type SumDetails, validationEntry } from "@curvature/optim-core";

export const sfoOptions = optionTable({
  /** L, pairs of steps and gradient changes kept of each subfunction. */
  memory: integerFrom(1, 10_000).default(10),
  /**
   * The first subfunctions' Hessian, as a multiple of the identity. Left out: such that the first steps are about a thousandth
   * of ‖x‖, whatever the units of F and x.
   */
  initialHessian: between(1e-100, 1e100),
  /** Subfunctions that are active from the start, at most N; the others join as they are needed. */
  initialActive: integerFrom(1).default(2),
  /** 1/γ, the largest condition number of a subfunction's Hessian. */
  maxHessianRatio: positive.default(1e8),
  /** α, the gradients' noise in units of the mean gradient at which the active set grows. */
  maxGradientNoise: nonNegative.default(1),
  /** The longest step, in units of the mean step so far. */
  maxStepLengthRatio: positive.default(10),
  /** The shortest step, in units of ‖x‖, so that gradient differences can be measured. */
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
  /** Ends as converged once ½ qᵀH⁻¹q, the decrease that the model predicts, is at most this part of |F| and 10⁻⁴ of the decrease so far. */
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

/** What `minimizeSum` does beside minimising. */
export type SumPhase = "trial" | "measurement";

export const minimizeSumOptions = optionTable({
  ...sfoOptions.entries,
  /** The first point, M numbers. Left out: the problem's. */
  initial: option(
    "an array or a typed array of numbers",
    (value): value is ArrayLike<number> => Array.isArray(value) || ArrayBuffer.isView(value),
  ),
  /**
   * Sizes of the variables: M positive numbers, as typical values or the lengths of sensible steps; F is minimised as a function
   * of x over them (rounded down to powers of two). "auto" looks for them at the first point, by gradients and differences of
   * gradients, and keeps them where they differ by 1000 or more and five passes in them come lower than five without; not where
   * there is an `initialHessian`, or `maxPasses` is below 10; a checkpoint brings its own. It takes no more than a quarter of `maxSeconds`. The evaluations count as monitoring: 5, some 40 where gradients differ, 12 passes where these
   * differ, too. "none" leaves the variables as they are.
   */
  variableScales: either(
    oneOf("auto", "none"),
    option(
      "an array of positive numbers from 1e-150 to 1e150",
      (value): value is ArrayLike<number> =>
        (Array.isArray(value) || value instanceof Float64Array || value instanceof Float32Array) &&
        value.every((scale: unknown) => typeof scale === "number" && scale >= 1e-150 && scale <= 1e150),
    ),
  ).default("auto"),
  /** Evaluations by the solver, as a multiple of N; those that measure the result come on top. */
  maxPasses: positiveOrInfinity("a number of passes").default(20),
  /** Ends the run once F is measured at or below it, every `measureEvery` passes. */
  targetValue: numberThat("a number", (value) => !Number.isNaN(value)).default(Number.NEGATIVE_INFINITY),
  /** Passes between two measurements of F on the way, N evaluations each. Left out: 1 with a `targetValue`, else Infinity. */
  measureEvery: positiveOrInfinity("a number of passes"),
  /**
   * Evaluations under way at once, where subfunctions return promises. With more than `batch` the solver takes the
   * answers in the order of their arrival, and runs differ. Left out: `batch`.
   */
  concurrency: integerFrom(1),
  /**
   * Whether F is measured at the end, at the last two points and the best one so far, to return the best of them; 2
   * or 3 passes that count as monitoring. Without it the returned point is the last one, its value unknown.
   */
  finalize: flag.default(true),
  /**
   * Early stopping, `{ evaluate, patience, every, minDecrease, target }`: every so many passes `evaluate` gets x, and the point where it is
   * least is the result; `finalize` measures F there, and nowhere else. `targetValue` ends the run by F as without. See `validationOptions`.
   */
  validation: validationEntry(),
  ...facadeEntries<SumDetails, SumPhase>(),
});
export type MinimizeSumOptions = OptionsOf<typeof minimizeSumOptions>;
export type MinimizeSumSettings = SettingsOf<typeof minimizeSumOptions>;
