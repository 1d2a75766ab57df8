/** What a user can ask of `ordinalEmbedding`. */
import {
  badOption,
  either,
  integerFrom,
  integerOrInfinity,
  type MatrixLike,
  nonNegative,
  numberThat,
  type OptionsOf,
  object,
  oneOf,
  optionTable,
  positiveOrInfinity,
  type SettingsOf,
} from "@curvature/linalg";
import { type DifferenceLoss, ordinalLossNames, ordinalLossOptions } from "@curvature/objectives/ordinal";
import { facadeEntries } from "@curvature/optim-core";
import { type AnswersLike, answerEntries } from "./answers/read-answers.js";
import { ordinalSolverNames, solverEntries } from "./solver-names.js";

/** The phases before the optimisation. */
export type OrdinalPhase = "answers" | "initialization";

/** What `ordinalEmbedding` says about an iteration, whatever the solver. */
export interface OrdinalEmbeddingDetails {
  /** Which start the iteration belongs to, from 0. */
  readonly start: number;
  /**
   * "opening": whether all answers can be satisfied; "path": fits to a part of them, to find the ridge; "fit": the fit to
   * all of them.
   */
  readonly stage: "opening" | "path" | "fit";
  /** λ at this iteration. */
  readonly ridge: number;
  /** What this stage minimises; the iteration's `value` is that on all answers, and unknown in the stage "path". */
  readonly objective: number | undefined;
  /** The error on `test`, where that is given: known where the value is, and at least once a pass. */
  readonly testError: number | undefined;
}

/** What fits share, those of a bootstrap too. */
export const fitEntries = {
  /** p, the dimensions of the map; fewer than objects. */
  dimensions: integerFrom(1).default(2),
  /**
   * "soe" is the safest in measurements over seven sets; "gnmds" is for where many answers are simply wrong. One's own loss is
   * `{ value, derivative }`, functions of the difference of the two squared distances.
   */
  loss: either(
    oneOf(...ordinalLossNames),
    object<DifferenceLoss>("{ value, derivative }, functions of the difference of the squared distances"),
  ).default("soe"),
  /** μ of "ckl", in the unit of squared distances. */
  mu: ordinalLossOptions.entries.mu,
  /** α of "tste". Left out: max(dimensions − 1, 1). */
  alpha: ordinalLossOptions.entries.alpha,
  /**
   * Our recipe (`auto`), one of the solvers of `createOrdinalSolver` (the paper's method and its rivals), or descent over
   * Gram matrices (`gram`).
   */
  solver: oneOf("auto", ...ordinalSolverNames, "gram").default("auto"),
  /**
   * λ of (λ/2n) ‖X‖², in the unit of the loss: of one's own c times as large it is c times as large, too, for the same map.
   * "auto": for the solver "auto" chosen by the loss on answers held out, 0 for the others. It is 0, too, for "gnmds" and
   * where a map satisfies nearly all answers. F is larger with a ridge than without: give 0 for the least F. `ridge` of the
   * result says which it is.
   */
  ridge: either(oneOf("auto"), nonNegative).default("auto"),
  /** The share of answers held out while λ is chosen; afterwards all of them count. */
  validation: numberThat("a number above 0 and at most 0.5", (v) => v > 0 && v <= 0.5).default(0.1),
  /** How many starts, the first as `initialization` says, the others random; the best of them is kept. */
  restarts: integerFrom(1).default(1),
  /**
   * Where the map starts: eigenvectors of the answers, small noise, or a map of one's own, n × p. "auto": spectral for fewer
   * than 1000 objects, else random.
   */
  initialization: either(oneOf("auto", "spectral", "random"), object<MatrixLike>("a map")).default("auto"),
  ...answerEntries,
  seed: integerFrom(0).default(0),
  /** A minimisation ends when F and X both change by no more than this, relatively, in one iteration; 0 is off. */
  tolerance: nonNegative.default(1e-6),
};

export const ordinalEmbeddingOptions = optionTable({
  ...fitEntries,
  ...solverEntries,
  /** Answers to measure the error with: at the end, and about once a pass on the way. */
  test: object<AnswersLike>("answers"),
  /**
   * Passes over the answers, of all starts together. Left out: as its rules say for "auto", 300 for each start else. It is
   * kept within a line search, too, and exceeded by less than two evaluations of all answers: where it is no whole number
   * of them, and where "auto" has judged a map between two stages. "sgd" and the svrg solvers end the step under way, of at
   * most two passes. What is said of the map afterwards (`chance`, errors) is not counted.
   */
  maxPasses: positiveOrInfinity("a number of passes"),
  /** Left out: no limit. */
  maxIterations: integerOrInfinity(1),
  ...facadeEntries<OrdinalEmbeddingDetails, OrdinalPhase>(),
});
export type OrdinalEmbeddingOptions = OptionsOf<typeof ordinalEmbeddingOptions>;

/** The options as used. */
export type OrdinalEmbeddingSettings = SettingsOf<typeof ordinalEmbeddingOptions>;
export type OrdinalEmbeddingSolver = OrdinalEmbeddingSettings["solver"];

/**
 * The settings that are plain data, as they stand in a result; "given" stands for data, and a limit of Infinity is left
 * out.
 */
export type ReportedOrdinalOptions = ReturnType<typeof reportedOptions>;

export function reportedOptions(settings: OrdinalEmbeddingSettings) {
  const { signal, onIteration, onPhase, yieldEvery, checkpoint, resume, history, ...rest } = settings;
  const { initialization, weights, groups, test, maxSeconds, tolerance, loss, ...plain } = rest;
  return {
    ...plain,
    loss: typeof loss === "string" ? loss : (loss.name ?? "custom"),
    maxSeconds: Number.isFinite(maxSeconds) ? maxSeconds : undefined,
    tolerance,
    initialization: typeof initialization === "string" ? initialization : ("given" as const),
    weights: weights && ("given" as const),
    groups: groups && ("given" as const),
    test: test && ("given" as const),
  };
}

/** @throws CurvatureError ERR_OPTION for more dimensions than the objects can need */
export function checkDimensions(where: string, dimensions: number, objects: number): void {
  if (dimensions < objects) return;
  throw badOption(
    where,
    "dimensions",
    `at most ${objects - 1}, which hold any ${objects} objects`,
    dimensions,
  );
}
