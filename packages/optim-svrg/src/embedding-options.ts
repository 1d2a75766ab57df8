/**
 * What a user can ask of `ordinalEmbedding`: one flat object, its frozen defaults, and the rules that guard them.
 */
import type { MatrixLike } from "@curvature/linalg";
import type { OrdinalLossName } from "@curvature/objectives/ordinal";
import type { RunOptions } from "@curvature/optim-core";
import type { DegenerateAnswers, GivenAnswers } from "./answers/given-answers.js";

/**
 * Our recipe (`auto`), the paper's method (`svrg-sbb`), SVRG with a fixed step, and its rivals: SGD, gradient descent,
 * L-BFGS, and projected descent on the Gram matrix.
 */
export type OrdinalEmbeddingSolver = "auto" | "svrg-sbb" | "svrg" | "sgd" | "gd" | "lbfgs" | "gram";

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
  /** The error on `test`, where that is given. */
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
  /** Answers to measure the error with: at the end, and after every iteration. */
  readonly test?: GivenAnswers;
  /** Default 0. */
  readonly seed?: number;
  /** Passes over the answers. Default: no limit for "auto", which ends by its rules; 150 for the others. */
  readonly maxPasses?: number;
  /** Default: no limit for "auto", 10,000 for the others. */
  readonly maxIterations?: number;
  /** Time limit of the optimisation. Default none. */
  readonly maxSeconds?: number;
  /** Stops when F and X both change by no more than this, relatively, in one iteration. Default 1e-6; 0 is off. */
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
