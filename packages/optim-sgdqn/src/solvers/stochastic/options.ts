/**
 * What a user can ask of the stochastic solvers.
 */
import {
  anything,
  badOption,
  between,
  checkOptions,
  either,
  flag,
  integerFrom,
  nonNegative,
  numberThat,
  oneOf,
  optional,
  positive,
} from "@curvature/linalg";
import { type LinearProblem, parameterCount } from "@curvature/objectives/linear";
import { type StochasticSolverName, stochasticSolverNames } from "../../learners/create-learner.js";

export interface StochasticOptions {
  /** Default "sgdqn". */
  readonly solver?: StochasticSolverName;
  /** Passes over the rows (whole ones: a started pass is ended). Default 10. */
  readonly maxPasses?: number;
  /**
   * Offset t₀ ≥ 1 of the learning rate 1/(λ (t + t₀)); for averaged SGD 1/(λ t₀) is the first rate. "auto": max(2, c R²/λ),
   * without a search; "search": the best of 10⁰ … 10¹⁰ by one pass each over a tenth of the rows. Default "auto".
   */
  readonly t0?: number | "auto" | "search";
  /** Rows between two decays, for svmsgd2, sgdqn and sgdqn-2009. Default 16 over the share of stored entries. */
  readonly skip?: number;
  /**
   * Whether a slope is taken before its step (explicit) or after it (implicit, which cannot run away). "auto": explicit
   * with t0 "search", and for more than 2000 columns where no ‖x‖² is above twice the mean; else implicit. olbfgs makes
   * explicit steps always. Default "auto".
   */
  readonly step?: "auto" | "explicit" | "implicit";
  /** Passes before averaging begins, for asgd. Default 0.1. */
  readonly averageStart?: number;
  /** Pairs of the quasi-Newton matrix, for olbfgs, at most 10,000. Default 10. */
  readonly memory?: number;
  /** Whether the rows are visited in one random order (the same in every pass), or as they lie. Default true. */
  readonly shuffle?: boolean;
  /** Of that order. Default 0. */
  readonly seed?: number;
  /**
   * Ends with `converged` once |P_k − P_{k−1}| ≤ tolerance · P_{k−1} in two passes on end; P is measured after every pass
   * then, which costs about half a pass. Default: not measured.
   */
  readonly tolerance?: number;
  /**
   * Share of the rows held out, the last ones of the order. The solver ends once three passes on end have not bettered
   * the error on them (for regression the mean loss), and its best point is the one of the least. Default 0.
   */
  readonly validationShare?: number;
  /** First parameters, of length `parameterCount(problem)`. Default 0. */
  readonly initial?: Float64Array;
}

export interface StochasticSettings {
  readonly solver: StochasticSolverName;
  readonly maxPasses: number;
  readonly t0: number | "auto" | "search";
  readonly skip: number | undefined;
  readonly step: "auto" | "explicit" | "implicit";
  readonly averageStart: number;
  readonly memory: number;
  readonly shuffle: boolean;
  readonly seed: number;
  readonly tolerance: number | undefined;
  readonly validationShare: number;
  readonly initial: Float64Array | undefined;
}

/** Undefined is what depends on the data, or off. */
export const stochasticDefaults: StochasticSettings = Object.freeze({
  solver: "sgdqn",
  maxPasses: 10,
  t0: "auto",
  skip: undefined,
  step: "auto",
  averageStart: 0.1,
  memory: 10,
  shuffle: true,
  seed: 0,
  tolerance: undefined,
  validationShare: 0,
  initial: undefined,
});

const fromOne = numberThat("a finite number of at least 1", (v) => Number.isFinite(v) && v >= 1, [0.5]);

/** @throws CurvatureError ERR_OPTION */
export function stochasticSettings(
  problem: LinearProblem,
  options: StochasticOptions | undefined,
): StochasticSettings {
  const where = "createStochasticSolver";
  const settings = checkOptions<StochasticSettings>(where, options, stochasticDefaults, {
    solver: oneOf(...stochasticSolverNames),
    maxPasses: positive,
    t0: either(fromOne, oneOf("auto", "search")),
    skip: optional(integerFrom(1)),
    step: oneOf("auto", "explicit", "implicit"),
    averageStart: nonNegative,
    memory: integerFrom(1, 10_000),
    shuffle: flag,
    seed: integerFrom(0),
    tolerance: optional(nonNegative),
    validationShare: between(0, 0.9),
    initial: anything,
  });
  const { initial } = settings;
  const dimension = parameterCount(problem);
  if (initial === undefined) return settings;
  if (!(initial instanceof Float64Array && initial.length === dimension && initial.every(Number.isFinite)))
    throw badOption(where, "initial", `a Float64Array of ${dimension} finite numbers`, initial);
  return { ...settings, initial: initial.slice() };
}
