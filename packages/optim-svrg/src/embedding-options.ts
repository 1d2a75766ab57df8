/**
 * What a user can ask of `ordinalEmbedding`: one flat object, its frozen defaults, and the rules that guard them.
 */
import {
  anything,
  badOption,
  callback,
  checkOptions,
  either,
  integerFrom,
  type MatrixLike,
  nonNegative,
  object,
  oneOf,
  optional,
  positive,
  type Rule,
  type Rules,
} from "@curvature/linalg";
import { type OrdinalLossName, ordinalLossNames } from "@curvature/objectives/ordinal";
import type { RunOptions } from "@curvature/optim-core";
import type { DegenerateAnswers, GivenAnswers } from "./answers/given-answers.js";
import { type OrdinalSolverName, ordinalSolverNames } from "./solver-names.js";

/**
 * Our recipe (`auto`), one of the solvers of `createOrdinalSolver` (the paper's method and its rivals), or descent over
 * Gram matrices (`gram`).
 */
export type OrdinalEmbeddingSolver = "auto" | OrdinalSolverName | "gram";

/** What `ordinalEmbedding` says about an iteration, whatever the solver. */
export interface OrdinalEmbeddingDetails {
  /** Which start the iteration belongs to, from 0. */
  readonly start: number;
  /** "path": fits to a part of the answers, to find the ridge; "fit": the fit to all of them. */
  readonly stage: "path" | "fit";
  /** λ at this iteration. */
  readonly ridge: number;
  /** What this stage minimises; the iteration's `value` is F on all answers, and unknown in the stage "path". */
  readonly objective: number | undefined;
  /** The error on `test`, where that is given: known where the value is, and at least once a pass. */
  readonly testError: number | undefined;
}

export interface OrdinalEmbeddingOptions {
  /** p, the dimensions of the map. Default 2. */
  readonly dimensions?: number;
  /** Default "soe", the safest in measurements over seven sets; "gnmds" where many answers are simply wrong. */
  readonly loss?: OrdinalLossName;
  /** μ of "ckl", in the unit of squared distances. Default 0.05. */
  readonly mu?: number;
  /** α of "tste". Default max(dimensions − 1, 1). */
  readonly alpha?: number;
  /** Default "auto". */
  readonly solver?: OrdinalEmbeddingSolver;
  /**
   * λ ≥ 0 of (λ/2n) ‖X‖². Default "auto": for the solver "auto" chosen by the loss on answers held out (0 for "gnmds"),
   * 0 for the others.
   */
  readonly ridge?: "auto" | number;
  /** The share of answers held out while λ is chosen; afterwards all of them count. Default 0.1. */
  readonly validation?: number;
  /** How many starts, the first as `initialization` says, the others random; the best of them is kept. Default 1. */
  readonly restarts?: number;
  /**
   * Where the map starts: eigenvectors of the answers, small noise, or a map of one's own, n × p. Default "auto":
   * spectral for fewer than 1000 objects, else random.
   */
  readonly initialization?: "auto" | "spectral" | "random" | MatrixLike;
  /** The number of objects. Default: that of the answers, or their largest number and 1. */
  readonly objects?: number;
  /** Weights ≥ 0 of the answers. Default: those of the answers, or all 1. */
  readonly weights?: ArrayLike<number>;
  /** Default "error". */
  readonly degenerate?: DegenerateAnswers;
  /** Answers to measure the error with: at the end, and about once a pass on the way. */
  readonly test?: GivenAnswers;
  /** Default 0. */
  readonly seed?: number;
  /** Passes over the answers, of all starts together. Default: as its rules say for "auto", 300 for each start else. */
  readonly maxPasses?: number;
  /** Default: none. */
  readonly maxIterations?: number;
  /** Time limit of the optimisation. Default none. */
  readonly maxSeconds?: number;
  /** A minimisation ends when F and X both change by no more than this, relatively, in one iteration. Default 1e-6; 0 is off. */
  readonly tolerance?: number;
  readonly signal?: RunOptions["signal"];
  readonly onIteration?: RunOptions<OrdinalEmbeddingDetails>["onIteration"];
  /** Milliseconds after which the event loop gets its turn. Default 16. */
  readonly yieldEvery?: RunOptions["yieldEvery"];
  readonly checkpoint?: RunOptions["checkpoint"];
  /** A checkpoint of a run with the same answers and options, to go on from, bit for bit. */
  readonly resume?: RunOptions["resume"];
  /** Whether to keep the iterations in the result, or how many of the last ones. Default false. */
  readonly history?: RunOptions["history"];
}

/** The options as used. */
export interface OrdinalEmbeddingSettings {
  readonly dimensions: number;
  readonly loss: OrdinalLossName;
  readonly mu: number;
  readonly alpha: number | undefined;
  readonly solver: OrdinalEmbeddingSolver;
  readonly ridge: "auto" | number;
  readonly validation: number;
  readonly restarts: number;
  readonly initialization: "auto" | "spectral" | "random" | MatrixLike;
  readonly objects: number | undefined;
  readonly weights: ArrayLike<number> | undefined;
  readonly degenerate: DegenerateAnswers;
  readonly test: GivenAnswers | undefined;
  readonly seed: number;
  readonly maxPasses: number | undefined;
  readonly maxIterations: number | undefined;
  readonly maxSeconds: number | undefined;
  readonly tolerance: number;
}

type Door = OrdinalEmbeddingSettings & {
  readonly [K in "signal" | "onIteration" | "yieldEvery" | "checkpoint" | "resume" | "history"]:
    | OrdinalEmbeddingOptions[K]
    | undefined;
};

/** Undefined is what depends on the answers or on other options: see `OrdinalEmbeddingOptions`. */
export const ordinalEmbeddingDefaults: Door = Object.freeze({
  dimensions: 2,
  loss: "soe",
  mu: 0.05,
  alpha: undefined,
  solver: "auto",
  ridge: "auto",
  validation: 0.1,
  restarts: 1,
  initialization: "auto",
  objects: undefined,
  weights: undefined,
  degenerate: "error",
  test: undefined,
  seed: 0,
  maxPasses: undefined,
  maxIterations: undefined,
  maxSeconds: undefined,
  tolerance: 1e-6,
  signal: undefined,
  onIteration: undefined,
  yieldEvery: undefined,
  checkpoint: undefined,
  resume: undefined,
  history: undefined,
});

const objectFor = (expected: string): Rule => ({
  expected,
  accepts: (value) => typeof value === "object" && value !== null,
});
const aShare: Rule = {
  expected: "a number above 0 and at most 0.5",
  accepts: (value) => typeof value === "number" && value > 0 && value <= 0.5,
};

const rules: Rules<Door> = {
  dimensions: integerFrom(1),
  loss: oneOf(...ordinalLossNames),
  mu: positive,
  alpha: optional(positive),
  solver: oneOf("auto", ...ordinalSolverNames, "gram"),
  ridge: either(oneOf("auto"), nonNegative),
  validation: aShare,
  restarts: integerFrom(1),
  initialization: either(oneOf("auto", "spectral", "random"), object("a map")),
  objects: optional(integerFrom(1)),
  weights: anything,
  degenerate: oneOf("error", "drop", "keep"),
  test: anything,
  seed: integerFrom(0),
  maxPasses: optional(positive),
  maxIterations: optional(integerFrom(1)),
  maxSeconds: optional(nonNegative),
  tolerance: nonNegative,
  signal: anything,
  onIteration: optional(callback),
  yieldEvery: anything,
  checkpoint: optional(objectFor("an object with a function write")),
  resume: anything,
  history: anything,
};

/** @throws CurvatureError ERR_OPTION */
export function embeddingSettings(
  where: string,
  options: OrdinalEmbeddingOptions | undefined,
): OrdinalEmbeddingSettings {
  const { signal, onIteration, yieldEvery, checkpoint, resume, history, ...settings } = checkOptions<Door>(
    where,
    options,
    ordinalEmbeddingDefaults,
    rules,
  );
  return settings;
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
