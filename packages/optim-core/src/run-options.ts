/**
 * The options of `run`, `iterate` and `runSync`.
 */
import {
  callable,
  either,
  flag,
  havingMethod,
  instance,
  integerFrom,
  nonNegativeOrInfinity,
  type OptionsOf,
  option,
  optionTable,
} from "@curvature/linalg";
import type { Iteration } from "./solver.js";
import type { RunContext, StoppingRule } from "./stopping.js";

export const checkpointOptions = optionTable({
  /**
   * Takes a checkpoint: bytes to keep as they are. It is called when one is due and once more at the end, however
   * the run ends (also when a loop over `iterate` is left). What it throws or rejects with ends the run and goes
   * to the caller.
   */
  write: callable<(bytes: Uint8Array) => void | Promise<void>>(),
  /** Seconds between checkpoints. Left out: 30, or Infinity where `everyIterations` is given. */
  everySeconds: nonNegativeOrInfinity("a number of seconds"),
  /** Iterations between checkpoints. */
  everyIterations: nonNegativeOrInfinity("a number of iterations").default(Number.POSITIVE_INFINITY),
});

/** Where a run puts its checkpoints. */
export type CheckpointOptions = OptionsOf<typeof checkpointOptions> & {
  readonly write: (bytes: Uint8Array) => void | Promise<void>;
};

const abortSignal = option(
  "an AbortSignal",
  (value): value is AbortSignal =>
    typeof value === "object" && value !== null && typeof Reflect.get(value, "aborted") === "boolean",
);

/** The options of a run whose iterations have these details, to be spread into a table. */
export const runEntries = <Details>() => ({
  /**
   * Called with every iteration after the rules have judged it; returning `false` ends the run with the status
   * `aborted`, anything else goes on. A promise is waited for, unless the signal is aborted. What it throws goes to the caller of the run; solver and
   * history are then as after any iteration, and a last checkpoint has been written.
   */
  onIteration: callable<(iteration: Iteration<Details>, context: RunContext) => unknown>(),
  /**
   * Ends the run with the status `aborted` between two iterations. A promise of `onIteration` is not waited for any longer, an
   * evaluation in flight is; give it the same signal if it may take long: one that rejects with the signal's reason ends the run as `aborted`, too.
   */
  signal: abortSignal,
  /** Milliseconds after which the event loop gets its turn; 0 after every iteration, Infinity never. */
  yieldEvery: nonNegativeOrInfinity("a number of milliseconds").default(16),
  /** Where checkpoints go: `{ write, everySeconds, everyIterations }`. */
  checkpoint: havingMethod<CheckpointOptions>("write", "an object { write, … }"),
  /** A checkpoint to go on from; the solver given is then brought to its state. */
  resume: instance<Uint8Array>("a checkpoint (Uint8Array)", Uint8Array),
  /** Whether to keep the iterations in the result, or how many of the last ones. */
  history: either(flag, integerFrom(0)).default(false),
});

export const runTable = <Details>() =>
  optionTable({
    /** A rule, or several of which any ends the run. Left out, or none of several: `maxIterations(10000)`. */
    stop: option(
      "a stopping rule, or a list of them",
      (value): value is StoppingRule | readonly StoppingRule[] => typeof value === "object" && value !== null,
    ),
    ...runEntries<Details>(),
  });

export const runOptions = runTable<unknown>();
export type RunOptions<Details = unknown> = OptionsOf<ReturnType<typeof runTable<Details>>>;
