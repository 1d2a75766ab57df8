/** What a user can ask of a linear model, and of a fit. */
import {
  atLeast,
  between,
  CurvatureError,
  either,
  finite,
  flag,
  integerFrom,
  nearestName,
  nonNegative,
  nonNegativeOrInfinity,
  type OptionsOf,
  object,
  oneOf,
  option,
  optionName,
  optionTable,
  positive,
  positiveOrInfinity,
  type ScalingMethod,
  type SettingsOf,
  shown,
} from "@curvature/linalg";
import { facadeEntries } from "@curvature/optim-core";
import type { LinearDetails } from "../details.js";
import { lambdaEntries, lambdaSelection } from "../path/lambdas.js";
import { linearSolverNames } from "../solver-names.js";
import { areLabels, type Label } from "./labels.js";

export type ClassificationLoss = "hinge" | "squared-hinge" | "smoothed-hinge" | "logistic" | "modified-huber";

export type RegressionLoss = "squared-error" | "huber";

/**
 * How columns (or rows) are brought to one size before training; the same is done to every row that is scored. "auto" is
 * "standard" for dense rows, and for sparse ones of up to 2000 columns "deviation", or "rms" without a free bias; beyond it is
 * "none". In streams the first rows decide.
 */
export type FeatureScaling = "auto" | "none" | ScalingMethod;

const modelEntries = {
  /**
   * Width h of the smoothed hinge, δ of the Huber loss in the target's unit; the other losses have none. "auto": 1 for the hinge,
   * and for Huber 1.345 standard deviations of the noise, which is estimated robustly from the residuals of rows left out; in
   * streams of the first targets.
   */
  lossWidth: either(positive, oneOf("auto")).default("auto"),
  solver: oneOf(...linearSolverNames).default("auto"),
  /**
   * λ of λ/2 ‖w‖² + mean loss, on the scaled features. "auto": by approximate leave-one-out over a path of values (see
   * `chooseLambda`); of text (sparse, more than 2000 columns), and of more than 1000 rows and columns, by 5 folds; of text R²/n for the
   * losses of margins, R² the mean of ‖x‖² after scaling; R²/10,000 of the first rows in streams, whose n is not known.
   */
  lambda: either(positive, oneOf("auto")).default("auto"),
  /** What `lambda: "auto"` tries, in any order. Left out: 10, 3.16, 1 … 1e-5, or what folds go through (see `chooseLambda`). */
  lambdas: lambdaEntries.lambdas,
  /**
   * The constant term: part of ‖w‖² ("regularized"), not part of it ("free"), or none. "auto": "free"; "regularized" for the
   * solver dcd, which knows no free one; "none" for the losses of margins, and for stochastic solvers, on sparse rows with more than 2000 columns.
   */
  bias: oneOf("auto", "none", "regularized", "free").default("auto"),
  /** "standard" takes dense rows only. */
  scale: oneOf("auto", "none", "max-abs", "standard", "unit-rows", "rms", "deviation").default("auto"),
  /**
   * (P − P*)/P at which training ends. Left out: 1e-3. The solvers that visit rows one by one do not know it, and have none
   * if it is left out: with one they end when P changes by no more, relatively, in two passes on end.
   */
  tolerance: nonNegative,
  /**
   * For "auto": whether to end at `tolerance`, or as soon as the error on new rows is expected to be that of the
   * optimum. Left out: "objective".
   */
  accuracy: oneOf("objective", "error"),
  /**
   * t₀ of the learning rate for solvers that have one; "search": the best of 10⁰ … 10¹⁰ on a tenth of the
   * rows, where that ends below the start. Left out: c R²/λ, c the bound of the loss's curvature.
   */
  t0: either(atLeast(1), oneOf("search")),
  /** Passes over the rows at most. Left out: 1000, and 10 for the solvers that visit rows one by one. */
  maxPasses: positiveOrInfinity("a number of passes"),
  /**
   * Time limit of the optimisation, of which one iteration is always made, and as much for each fit of the search by
   * `lambda: "auto"` (whose λ then depends on the machine where the limit is short) and of the calibration by
   * `probabilities`. Left out: none.
   */
  maxSeconds: nonNegativeOrInfinity("a number of seconds"),
  seed: integerFrom(0).default(0),
  /** Whether the rows are put in a random order, for solvers that visit them one by one. */
  shuffle: flag.default(true),
  /**
   * Share of the rows held out: training ends once three passes have not bettered the error on them, and the best
   * parameters are kept. Left out: no rows.
   */
  validationShare: between(0, 0.9),
};

type ClassWeights = "balanced" | Readonly<Record<string, number>>;

const isWeights = (value: unknown): value is ClassWeights =>
  value === "balanced" ||
  (typeof value === "object" &&
    value !== null &&
    Object.values(value).every((each) => positive.accepts(each)));

/** "spam=3,ham=1" */
const weightsIn = (text: string): object =>
  Object.fromEntries(
    text.split(",").map((part) => {
      const [, name, weight] = /^(.+)=(.+)$/.exec(part) ?? [];
      return [name ?? part, positive.read(weight ?? "")];
    }),
  );

/** Words that are all numbers are meant as numbers. */
function labelsIn(words: readonly string[]): readonly unknown[] {
  const numbers = words.map(finite.read);
  return numbers.every(finite.accepts) ? numbers : words;
}

export const linearClassifierOptions = optionTable({
  ...modelEntries,
  /**
   * The logistic loss has probabilities. Of several classes the solvers auto and newton make one softmax problem with it, but of text
   * and of more than 2·10⁷ rows times classes; everything else is one problem for each class against the rest.
   */
  loss: oneOf("hinge", "squared-hinge", "smoothed-hinge", "logistic", "modified-huber").default("logistic"),
  /**
   * The classes, where the labels at hand may not hold all of them (streams, `partialFit`), or to refuse labels that
   * are none. Left out: those of the labels.
   */
  classes: option(
    "a list of at least two classes, no two the same: numbers, strings or booleans",
    (value): value is readonly Label[] =>
      areLabels(value) && value.length >= 2 && new Set(value).size === value.length,
    (text) => labelsIn(text.split(",").map((part) => part.trim())),
  ),
  /** By what `lambda: "auto"` chooses: see `chooseLambda`. */
  select: lambdaSelection,
  /**
   * What an error in a row of a class costs: by class (classes left out: 1), or "balanced": n / (K nₖ). Left out: 1 for
   * all.
   */
  classWeights: option('"balanced" or finite numbers above 0 by class', isWeights, (text) =>
    text.includes("=") ? weightsIn(text) : text,
  ),
  /**
   * Whether `fit` also learns, from scores on held-out rows (5 folds, so 5 more fits), how scores become
   * probabilities. Not needed for the logistic loss, which has them.
   */
  probabilities: flag.default(false),
});

export const linearRegressorOptions = optionTable({
  ...modelEntries,
  loss: oneOf("squared-error", "huber").default("squared-error"),
});

/** `L` is named, or the type of any label: a list of classes alone would make it the type of just these. */
type WithClasses<T, L> = Omit<T, "classes"> & { readonly classes?: readonly NoInfer<L>[] | undefined };

export type LinearClassifierOptions<L extends Label = Label> = WithClasses<
  OptionsOf<typeof linearClassifierOptions>,
  L
>;
export type LinearRegressorOptions = OptionsOf<typeof linearRegressorOptions>;
export type LinearClassifierSettings = SettingsOf<typeof linearClassifierOptions>;
export type LinearRegressorSettings = SettingsOf<typeof linearRegressorOptions>;
export type LinearSettings = LinearClassifierSettings | LinearRegressorSettings;

/** The parts of a fit. */
export type LinearFitPhase = "preparation" | "lambda" | "optimization" | "calibration";

const { signal, onIteration, onPhase, yieldEvery, checkpoint, history, resume } = facadeEntries<
  LinearDetails,
  LinearFitPhase
>();

/** The options of `fit`; its time limit is the model's, as all that says what is trained. */
export const linearFitOptions = optionTable({
  /** By row, at least 0: what an error in it costs, relative to the others. Left out: 1 for all. */
  sampleWeights: object<ArrayLike<number>>("an array of numbers"),
  signal,
  onIteration,
  onPhase,
  yieldEvery,
  checkpoint,
  /**
   * A checkpoint of a fit with the same data and options, to go on from: to the end of the uninterrupted fit, bit for
   * bit. Limits and tolerance may be others.
   */
  resume,
  history,
});
export type LinearFitOptions = OptionsOf<typeof linearFitOptions>;
export type LinearFitSettings = SettingsOf<typeof linearFitOptions>;

/** @throws CurvatureError ERR_OPTION */
export function classifierSettings(options: object | undefined): LinearClassifierSettings {
  checkHome("LinearClassifier", options, linearClassifierOptions.entries, linearFitOptions.entries, "fit");
  return linearClassifierOptions.resolve("LinearClassifier", options);
}

/** @throws CurvatureError ERR_OPTION */
export function regressorSettings(options: object | undefined): LinearRegressorSettings {
  checkHome("LinearRegressor", options, linearRegressorOptions.entries, linearFitOptions.entries, "fit");
  return linearRegressorOptions.resolve("LinearRegressor", options);
}

/** @throws CurvatureError ERR_OPTION */
export function fitSettings(
  where: string,
  options: LinearFitOptions | undefined,
  { entries }: { readonly entries: object },
): LinearFitSettings {
  const [model] = where.split(".");
  checkHome(where, options, linearFitOptions.entries, entries, `new ${model}`);
  return linearFitOptions.resolve(where, options);
}

/**
 * The options of a model and those of a fit are easily taken for each other.
 *
 * @param home - of the others
 * @throws CurvatureError ERR_OPTION for an option that is among the others, or nearest to one of them
 */
function checkHome(
  where: string,
  options: object | undefined,
  own: object,
  others: object,
  home: string,
): void {
  const known = [...Object.keys(own), ...Object.keys(others)];
  for (const name of Object.keys(options ?? {})) {
    if (Object.hasOwn(own, name)) continue;
    const nearest = nearestName(name, known);
    if (nearest === undefined || Object.hasOwn(own, nearest)) continue;
    const sentence =
      name === nearest
        ? `${optionName(name)} is an option of ${home}. Give it there.`
        : `unknown option ${shown(name)}. Did you mean "${nearest}", an option of ${home}?`;
    throw new CurvatureError("ERR_OPTION", `${sentence}`, { where, path: name, received: name });
  }
}
