/**
 * The options of `run`, `iterate` and `runSync`.
 */
import {
  anything,
  badOption,
  callback,
  checkOptions,
  either,
  flag,
  integerFrom,
  optional,
  type Rule,
} from "@curvature/linalg";
import type { Iteration } from "./solver.js";
import { anyOf, checkRule, maxIterations, type RunContext, type StoppingRule } from "./stopping.js";

/** Where a run puts its checkpoints. */
export interface CheckpointOptions {
  /**
   * Takes a checkpoint: bytes to keep as they are. It is called when one is due and once more at the end, however
   * the run ends (also when a loop over `iterate` is left). What it throws or rejects with ends the run and goes
   * to the caller.
   */
  readonly write: (bytes: Uint8Array) => void | Promise<void>;
  /** Seconds between checkpoints. Default 30, unless `everyIterations` is given. */
  readonly everySeconds?: number;
  /** Iterations between checkpoints. Default Infinity. */
  readonly everyIterations?: number;
}

export interface RunOptions<Details = unknown> {
  /** A rule, or several of which any ends the run. Default, also for none of several: `maxIterations(10000)`. */
  readonly stop?: StoppingRule | readonly StoppingRule[];
  /**
   * Hears of every iteration after the rules have judged it; returning `false` ends the run with the status
   * `aborted`, anything else goes on. A promise is waited for. What it throws goes to the caller of the run; solver and history are then
   * as after any iteration, and a last checkpoint has been written.
   */
  readonly onIteration?: (iteration: Iteration<Details>, context: RunContext) => unknown;
  /**
   * Ends the run with the status `aborted` between two iterations. An evaluation in flight is waited for; give it
   * the same signal if it may take long.
   */
  readonly signal?: AbortSignal;
  /** Milliseconds after which the event loop gets its turn. Default 16; 0 after every iteration, Infinity never. */
  readonly yieldEvery?: number;
  readonly checkpoint?: CheckpointOptions;
  /** A checkpoint to go on from; the solver given is then brought to its state. */
  readonly resume?: Uint8Array;
  /** Whether to keep the iterations in the result, or how many of the last ones. Default false. */
  readonly history?: boolean | number;
}

/** The options as a run uses them. */
export interface RunSettings<Details> {
  readonly stop: StoppingRule;
  readonly onIteration: RunOptions<Details>["onIteration"] | undefined;
  readonly signal: AbortSignal | undefined;
  readonly yieldEvery: number;
  readonly checkpoint: Required<CheckpointOptions> | undefined;
  readonly resume: Uint8Array | undefined;
  readonly history: boolean | number;
}

export const runDefaults = Object.freeze({ maxIterations: 10_000, yieldEvery: 16, history: false });

const fromZero = (unit: string): Rule => ({
  expected: `${unit} of at least 0, or Infinity`,
  accepts: (value) => typeof value === "number" && value >= 0,
});

const runRules = {
  stop: anything,
  onIteration: optional(callback),
  signal: optional({ expected: "an AbortSignal", accepts: isSignal }),
  yieldEvery: fromZero("a number of milliseconds"),
  checkpoint: anything,
  resume: optional({
    expected: "a checkpoint (Uint8Array)",
    accepts: (value) => value instanceof Uint8Array,
  }),
  history: either(flag, integerFrom(0)),
};

const checkpointRules = {
  write: callback,
  everySeconds: fromZero("a number of seconds"),
  everyIterations: fromZero("a number of iterations"),
};

/** @throws CurvatureError ERR_OPTION */
export function checkRunOptions<Details>(
  where: string,
  options: RunOptions<Details> | undefined,
): RunSettings<Details> {
  const given = checkOptions<Door<Details>>(where, options, noOptions, runRules);
  return {
    ...given,
    stop: asRule(where, given.stop),
    checkpoint: checkpointSettings(where, given.checkpoint),
  };
}

/** What comes in at the door: the options, each there or undefined. */
interface Door<Details> extends Omit<RunSettings<Details>, "stop" | "checkpoint"> {
  readonly stop: RunOptions["stop"] | undefined;
  readonly checkpoint: CheckpointOptions | undefined;
}

const noOptions = Object.freeze({
  stop: undefined,
  onIteration: undefined,
  signal: undefined,
  yieldEvery: runDefaults.yieldEvery,
  checkpoint: undefined,
  resume: undefined,
  history: runDefaults.history,
});

function asRule(where: string, stop: RunOptions["stop"] | undefined): StoppingRule {
  if (stop === undefined || (isList(stop) && stop.length === 0))
    return maxIterations(runDefaults.maxIterations);
  if (isList(stop)) return anyOf(...stop);
  checkRule(stop, where);
  return stop;
}

const isList = (stop: StoppingRule | readonly StoppingRule[]): stop is readonly StoppingRule[] =>
  Array.isArray(stop);

function checkpointSettings(
  where: string,
  given: CheckpointOptions | undefined,
): Required<CheckpointOptions> | undefined {
  if (given === undefined) return undefined;
  if (typeof given !== "object" || given === null)
    throw badOption(where, "checkpoint", "an object { write, … } (or left out)", given);
  const write = checkpointRules.write.accepts(given.write) ? given.write : undefined;
  if (write === undefined) throw badOption(`${where}, checkpoint`, "write", callback.expected, given.write);
  const everyIterations = given.everyIterations ?? Number.POSITIVE_INFINITY;
  const everySeconds =
    given.everySeconds ?? (given.everyIterations === undefined ? 30 : Number.POSITIVE_INFINITY);
  return checkOptions(
    `${where}, checkpoint`,
    given,
    { write, everySeconds, everyIterations },
    checkpointRules,
  );
}

function isSignal(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && "aborted" in value && typeof value.aborted === "boolean"
  );
}
