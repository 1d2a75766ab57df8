/**
 * What a user can ask of a linear model: flat objects, their frozen defaults, and the rules that guard them.
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
  oneOf,
  optional,
  positive,
  type Rules,
  type ScalingMethod,
} from "@curvature/linalg";
import type { Bias } from "@curvature/objectives/linear";

/** The algorithms; "auto" chooses by the loss and by the shape of the data. */
export type LinearSolverName =
  | "auto"
  | "sgd"
  | "svmsgd2"
  | "sgdqn"
  | "sgdqn-2009"
  | "asgd"
  | "olbfgs"
  | "dcd"
  | "newton"
  | "lbfgs";

export type ClassificationLoss = "hinge" | "squared-hinge" | "smoothed-hinge" | "logistic" | "modified-huber";

export type RegressionLoss = "squared-error" | "huber";

/** A class as the user names it; the labels of one model are all numbers or all strings. */
export type Label = number | string;

/**
 * How columns (or rows) are brought to one size before training; the same is done to every row that is scored. "auto",
 * where one column is more than 10 times as large as the median of them (and there are at most 2000, and λ is no number,
 * which belongs to the rows as they are), is "standard" for dense and "rms" for sparse rows; it is "none" everywhere else
 * and in streams.
 */
export type FeatureScaling = "auto" | "none" | ScalingMethod;

interface LinearModelOptions {
  /** Width h of the smoothed hinge, δ of the Huber loss; the other losses have none. Default 1. */
  readonly lossWidth?: number;
  /** Default "auto". */
  readonly solver?: LinearSolverName;
  /**
   * λ of λ/2 ‖w‖² + mean loss. "default" is R²/n, R² the mean of ‖x‖² after scaling; "auto" tries a path of values
   * on rows held out and keeps the best. Default "default"; in streams, whose n is not known, that is R²/10,000 of the
   * first rows.
   */
  readonly lambda?: number | "default" | "auto";
  /**
   * The constant term: part of ‖w‖² ("regularized"), not part of it ("free"), or none. Default "auto": for
   * classifiers "regularized" up to 2000 features and "none" beyond, for regressors "free".
   */
  readonly bias?: Bias | "auto";
  /** Default "auto". "rms" and "standard" help where columns differ in size; "standard" takes dense rows only. */
  readonly scale?: FeatureScaling;
  /**
   * (P − P*)/P at which training ends. Default 1e-3. The solvers that visit rows one by one cannot tell it, and have none
   * by default: with one they end when P changes by no more, relatively, in two passes on end.
   */
  readonly tolerance?: number | undefined;
  /**
   * For "auto": whether to end at `tolerance`, or as soon as the error on new rows is expected to be that of the
   * optimum. Default "objective".
   */
  readonly accuracy?: "objective" | "error" | undefined;
  /**
   * t₀ of the learning rate, at least 1, for solvers that have one. Default c R²/λ, c the bound of the loss's curvature;
   * "search": the best of 10⁰ … 10¹⁰ on a tenth of the rows.
   */
  readonly t0?: number | "search" | undefined;
  /** Passes over the rows at most. Default 1000, and 10 for the solvers that visit rows one by one. */
  readonly maxPasses?: number | undefined;
  /**
   * Time limit of the optimisation, and as much for each fit of the search by `lambda: "auto"` (whose λ then depends on the
   * machine where the limit is short) and of the calibration by `probabilities`. Default none.
   */
  readonly maxSeconds?: number | undefined;
  /** Default 0. */
  readonly seed?: number;
  /** Whether the rows are put in a random order, for solvers that visit them one by one. Default true. */
  readonly shuffle?: boolean;
  /**
   * Share of the rows held out: training ends once three passes have not bettered the error on them, and the best
   * parameters are kept. Default 0: no rows. With `lambda: "auto"` the share that chooses λ, by default 0.2.
   */
  readonly validationShare?: number | undefined;
}

export interface LinearClassifierOptions extends LinearModelOptions {
  /** Default "squared-hinge". */
  readonly loss?: ClassificationLoss;
  /**
   * The classes, where the labels at hand may not hold all of them (streams, `partialFit`), or to refuse labels that
   * are none. Default: those of the labels.
   */
  readonly classes?: readonly Label[] | undefined;
  /**
   * What an error in a row of a class costs: by class (classes left out: 1), or "balanced": n / (K nₖ). Default 1 for
   * all.
   */
  readonly classWeights?: "balanced" | Readonly<Record<string, number>> | undefined;
  /**
   * Whether `fit` also learns, from scores on held-out rows (5 folds, so 5 more fits), how scores become
   * probabilities. Not needed for the logistic loss, which has them. Default false.
   */
  readonly probabilities?: boolean;
}

export interface LinearRegressorOptions extends LinearModelOptions {
  /** Default "squared-error". */
  readonly loss?: RegressionLoss;
}

/** What depends on the solver or on other options where it is not given. */
type Open = "tolerance" | "accuracy" | "t0" | "maxPasses" | "maxSeconds" | "validationShare";

type Shared = {
  readonly [K in Exclude<keyof LinearModelOptions, Open>]-?: NonNullable<LinearModelOptions[K]>;
} & { readonly [K in Open]: LinearModelOptions[K] | undefined };

export type LinearClassifierSettings = Shared & {
  readonly loss: ClassificationLoss;
  readonly classes: readonly Label[] | undefined;
  readonly classWeights: LinearClassifierOptions["classWeights"] | undefined;
  readonly probabilities: boolean;
};

export type LinearRegressorSettings = Shared & { readonly loss: RegressionLoss };

const sharedDefaults = {
  lossWidth: 1,
  solver: "auto",
  lambda: "default",
  bias: "auto",
  scale: "auto",
  tolerance: undefined,
  accuracy: undefined,
  t0: undefined,
  maxPasses: undefined,
  maxSeconds: undefined,
  seed: 0,
  shuffle: true,
  validationShare: undefined,
} as const;

/** Undefined is what depends on the data or on the solver: see `LinearClassifierOptions`. */
export const linearClassifierDefaults: LinearClassifierSettings = Object.freeze({
  ...sharedDefaults,
  loss: "squared-hinge",
  classes: undefined,
  classWeights: undefined,
  probabilities: false,
});

/** Undefined is what depends on the data or on the solver: see `LinearRegressorOptions`. */
export const linearRegressorDefaults: LinearRegressorSettings = Object.freeze({
  ...sharedDefaults,
  loss: "squared-error",
});

const sharedRules: Rules<Shared> = {
  lossWidth: positive,
  solver: oneOf("auto", "sgd", "svmsgd2", "sgdqn", "sgdqn-2009", "asgd", "olbfgs", "dcd", "newton", "lbfgs"),
  lambda: either(positive, oneOf("default", "auto")),
  bias: oneOf("auto", "none", "regularized", "free"),
  scale: oneOf("auto", "none", "max-abs", "standard", "unit-rows", "rms"),
  tolerance: optional(nonNegative),
  accuracy: optional(oneOf("objective", "error")),
  t0: optional(either(positive, oneOf("search"))),
  maxPasses: optional(positive),
  maxSeconds: optional(nonNegative),
  seed: integerFrom(0),
  shuffle: flag,
  validationShare: optional(between(0, 0.9)),
};

/** @throws CurvatureError ERR_OPTION */
export function classifierSettings(options: LinearClassifierOptions | undefined): LinearClassifierSettings {
  const where = "LinearClassifier";
  const settings = checkOptions<LinearClassifierSettings>(where, options, linearClassifierDefaults, {
    ...sharedRules,
    loss: oneOf("hinge", "squared-hinge", "smoothed-hinge", "logistic", "modified-huber"),
    classes: anything,
    classWeights: anything,
    probabilities: flag,
  });
  const { classWeights } = settings;
  if (classWeights !== undefined && classWeights !== "balanced") {
    if (typeof classWeights !== "object" || classWeights === null)
      throw badOption(where, "classWeights", '"balanced" or an object of weights by class', classWeights);
    for (const [name, weight] of Object.entries(classWeights))
      if (!positive.accepts(weight))
        throw badOption(where, `classWeights of ${JSON.stringify(name)}`, positive.expected, weight);
  }
  return settings;
}

/** @throws CurvatureError ERR_OPTION */
export function regressorSettings(options: LinearRegressorOptions | undefined): LinearRegressorSettings {
  return checkOptions<LinearRegressorSettings>("LinearRegressor", options, linearRegressorDefaults, {
    ...sharedRules,
    loss: oneOf("squared-error", "huber"),
  });
}
