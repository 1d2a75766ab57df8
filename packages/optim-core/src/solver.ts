/**
 * A solver is plain state and a step. It holds no timers, no console and no files; `run` drives it.
 */
import type { Status } from "./status.js";

/** What one iteration tells the stopping rules, the history and the user. Counters run from the start. */
export interface Iteration<Details = unknown> {
  /** 1 for the first step. */
  readonly index: number;
  /** f at the solver's current point, in the problem's natural sign; undefined where the method does not know it. */
  readonly value: number | undefined;
  /** ‖∇f‖₂ at the current point. */
  readonly gradientNorm: number | undefined;
  /** The accepted step length α (1 is the full step of the method). */
  readonly stepLength: number | undefined;
  /** Evaluations so far of the value, with or without gradient. */
  readonly evaluations: number;
  /** Those of them that computed a gradient too. */
  readonly gradientEvaluations: number;
  /** Evaluations so far that only measured (test error, full sums): never part of `evaluations` and `passes`. */
  readonly monitoringEvaluations: number;
  /** Evaluations of subfunctions (or rows) so far, in units of as many as the sum has. */
  readonly passes: number;
  /** What the step did, in the solver's words: "iteration", "factorization", "pass" … */
  readonly phase: string;
  /** Plain data: it goes into histories and checkpoints. */
  readonly details: Details;
  /** Set when the solver ends by itself; `run` stops then. */
  readonly outcome: Outcome | undefined;
}

/** What the solvers of sums say of an iteration: SFO, and incremental Gauss-Newton, whose subfunctions are residual blocks. */
export interface SumDetails {
  /** The subfunctions evaluated in this step; of residual blocks, of which steps evaluate up to all, none is listed. */
  readonly subfunctions: readonly number[];
  /** Those in the model. */
  readonly activeSubfunctions: number;
  /** K; of residual blocks the number of parameters. */
  readonly subspaceDimension: number;
  /** η */
  readonly stepScale: number;
  /** The decrease of the model that the step is to bring. */
  readonly predictedDecrease: number;
  /** Whether the step before was taken back; of residual blocks, whether all of them begin anew, as a group was in doubt. */
  readonly hasFailed: boolean;
  /** The sum of all subfunctions' latest values, once all were evaluated: an estimate of F. */
  readonly estimate: number | undefined;
  readonly restarts: number;
}

/** Why a solver ended by itself. */
export interface Outcome {
  readonly status: Extract<
    Status,
    "converged" | "max-iterations" | "max-evaluations" | "stalled" | "diverged" | "failed"
  >;
  /** A sentence for people. */
  readonly message: string;
  /** The test that ended it, where it was a number beside a limit. */
  readonly test?: EndingTest | undefined;
}

/** The test that ended a solver or a run, in numbers. */
export interface EndingTest {
  /** What was measured: "expected decrease", "gradient norm", "evaluations" … */
  readonly name: string;
  readonly value: number;
  readonly limit: number;
}

/** A point with its value (undefined where it was not measured). */
export interface Point {
  readonly x: Float64Array;
  readonly value: number | undefined;
}

/** A plain, versioned, structured-cloneable picture of a solver's state, random state included. */
export interface Snapshot {
  /** The solver's name, so that no other solver takes it. */
  readonly solver: string;
  readonly version: number;
  /** Numbers, strings, booleans, null, typed arrays, and arrays and objects of these. */
  readonly state: SnapshotValue;
}

export type SnapshotValue =
  | number
  | string
  | boolean
  | null
  | Float64Array
  | Float32Array
  | Int32Array
  | Uint32Array
  | Uint8Array
  | readonly SnapshotValue[]
  | { readonly [key: string]: SnapshotValue };

export interface Solver<Details = unknown> {
  /** The solver's name in options and reports: "sd", "lbfgs" … */
  readonly name: string;
  readonly dimension: number;
  /** Names problem and data in checkpoints; a checkpoint of another fingerprint is refused. */
  readonly fingerprint: string;
  /** The solver's options as used, for the result. */
  readonly options?: object;
  /**
   * Advances by one iteration. A promise only if an evaluation was one. Never throws for numerical trouble; what
   * an evaluation throws goes through, and the same step can then be made again. After an iteration with an outcome further steps only repeat it.
   */
  step(): Iteration<Details> | Promise<Iteration<Details>>;
  /**
   * Evaluations and passes that are allowed in all, from the start: a solver that has this makes none beyond, also within a step,
   * which then ends with the best that it has found. `run` calls it, as its stopping rules say.
   */
  limitWork?(evaluations: number, passes: number): void;
  /** The best point by the solver's own rule: a measured value, or a feasible bound. Not a copy. */
  readonly best: Point;
  /** The current point. Not a copy. */
  readonly last: Point;
  /**
   * Of a solver whose state is elsewhere (on a GPU): brings here what `save` copies. `run` waits for it before each checkpoint.
   */
  sync?(): Promise<void>;
  /** A copy of the whole state. */
  save(): Snapshot;
  /** Goes on from a snapshot bit for bit. @throws CurvatureError ERR_SNAPSHOT, and is then as it was before */
  restore(snapshot: Snapshot): void;
}

/** One whose steps are done at once, since its evaluations are. */
export interface SynchronousSolver<Details = unknown> extends Solver<Details> {
  step(): Iteration<Details>;
}

/**
 * The solver under a fingerprint that names more than its problem: going on from a checkpoint under other options would not
 * end where the uninterrupted run does.
 *
 * @param fingerprint - called when the fingerprint is asked for, which hashes data
 */
export function withFingerprint<Details>(
  solver: Solver<Details>,
  fingerprint: () => string,
): Solver<Details> {
  const { name, dimension, options } = solver;
  return {
    name,
    dimension,
    ...(options === undefined ? {} : { options }),
    get fingerprint() {
      return fingerprint();
    },
    get best() {
      return solver.best;
    },
    get last() {
      return solver.last;
    },
    limitWork: (evaluations, passes) => solver.limitWork?.(evaluations, passes),
    step: () => solver.step(),
    ...(solver.sync === undefined ? {} : { sync: () => solver.sync?.() ?? Promise.resolve() }),
    save: () => solver.save(),
    restore: (snapshot) => solver.restore(snapshot),
  };
}

/** One evaluation that a solver of sums asks for. */
export interface Question {
  readonly index: number;
  /** Belongs to the solver; valid until the answer is told. */
  readonly point: Float64Array;
  readonly ticket: number;
}

/**
 * A solver of a sum that does not evaluate by itself: the driver asks, evaluates anywhere and in any order, and
 * tells. A step is as many of these as it needs.
 */
export interface AskTellSolver<Details = unknown> extends Omit<Solver<Details>, "step"> {
  /**
   * The evaluations that can be made now and were not handed out before, at most `limit` of them (default: as many
   * as there are); empty while the solver waits for answers. Questions without an answer are no part of a
   * snapshot: after `restore` they are asked anew, in the same order.
   */
  ask(limit?: number): readonly Question[];
  /**
   * Takes an answer, in any order; returns the iteration if that completed one. The gradient belongs to the
   * caller, who writes into it again afterwards.
   */
  tell(ticket: number, value: number, gradient: Float64Array): Iteration<Details> | undefined;
}

/** The counters of a solver that computes the gradient with every value. @param passes - over the sum, where it is one */
export const jointEvaluations = (
  evaluations: number,
  passes = evaluations,
): Pick<Iteration, "evaluations" | "gradientEvaluations" | "monitoringEvaluations" | "passes"> => ({
  evaluations,
  gradientEvaluations: evaluations,
  monitoringEvaluations: 0,
  passes,
});
