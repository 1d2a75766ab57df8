/**
 * The façade: a sum of functions in, a measured minimum out.
 */
import {
  CurvatureError,
  checkArgument,
  flag,
  instance,
  integerFrom,
  numberThat,
  type OptionsOf,
  option,
  optionName,
  optionTable,
  positiveOrInfinity,
  type SettingsOf,
  shown,
  type Warning,
} from "@curvature/linalg";
import {
  checkPoint,
  FacadeRun,
  type FacadeSteps,
  facade,
  facadeEntries,
  fingerprintOf,
  maxPasses,
  type RunResult,
  type SumOfFunctions,
  targetValue,
  throwIfAborted,
} from "@curvature/optim-core";
import type { MeasuredSfo } from "./measuring.js";
import { sfoOptions } from "./options.js";
import type { SfoDetails } from "./sfo.js";

/** A sum with a point to start from. */
export interface SumProblem extends SumOfFunctions {
  readonly initial?: Float64Array | undefined;
}

type Phase = "trial" | "measurement";

export const minimizeSumOptions = optionTable({
  ...sfoOptions.entries,
  /** The first point, M numbers. Left out: the problem's. */
  initial: instance<Float64Array>("a Float64Array", Float64Array),
  /** Evaluations by the solver, as a multiple of N; those that measure the result come on top. */
  maxPasses: positiveOrInfinity("a number of passes").default(20),
  /** Ends the run once F is measured at or below it, every `measureEvery` passes. */
  targetValue: numberThat("a number", (value) => !Number.isNaN(value), []).default(Number.NEGATIVE_INFINITY),
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
  ...facadeEntries<SfoDetails, Phase>(),
});
export type MinimizeSumOptions = OptionsOf<typeof minimizeSumOptions>;

/** Codes of what `warnings` may say. */
export type MinimizeSumWarningCode =
  /** Subfunction 0 gave another value or gradient when it was evaluated again. */
  | "not-repeatable"
  /** Subfunction 0 threw when it was tried before the run. */
  | "trial-failed"
  /** F could not be measured at a point of the result. */
  | "measurement-failed"
  /** The signal was aborted before F was measured at all points of the result. */
  | "measurement-aborted"
  /** F was measured nowhere. */
  | "value-unknown"
  /** The basis of the subspace has outgrown WebAssembly's memory. */
  | "basis-outgrown";

/** The options as used, without functions and data. */
type ReportedOptions = Omit<
  SettingsOf<typeof minimizeSumOptions>,
  "initial" | "signal" | "onIteration" | "onPhase" | "checkpoint" | "resume"
> & { readonly solver: "sfo" };

export interface MinimizeSumResult extends RunResult<SfoDetails> {
  /** What a user should know of the run although there is a result: see `MinimizeSumWarningCode`. */
  readonly warnings: readonly Warning[];
  /** Bytes of the basis of the subspace, the most that there were: 8 M (4 M) for each column. */
  readonly subspaceBytes: number;
  /** Seconds that it took to try the first subfunction, to minimise, and to measure F at the end. */
  readonly phases: Readonly<Record<Phase | "optimization", number>>;
  readonly options: ReportedOptions & Readonly<Record<string, unknown>>;
}

/**
 * Minimises F(x) = f_0(x) + … + f_{N−1}(x). Without tuning: there is no step size to choose.
 *
 * Every f_i must be deterministic (no fresh noise from call to call). N of 25 to 100 works best; data of D rows are split
 * into about √D / 10 minibatches by `splitIntoMinibatches`. Memory 8 M (3N + 3) bytes at most, time 4 M K for each
 * evaluation beside the evaluation itself, K ≤ 3N + 3.
 *
 * The returned `x` is the best of the points at which F was measured, and `value` is F there; the evaluations that this
 * takes are counted in `monitoringEvaluations`, not in `evaluations` and `passes`.
 *
 * @throws CurvatureError (the promise rejects) ERR_OPTION; ERR_ARGUMENT, ERR_SHAPE or ERR_NON_FINITE for the problem and its
 *   first point; ERR_CHECKPOINT or ERR_SNAPSHOT for `resume`. What a subfunction throws ends the run with the status `failed`.
 *   ERR_ARGUMENT for subfunction 0 if it writes into x, or leaves entries of its gradient unwritten; another one that writes
 *   into x ends the run as `failed`
 */
export const minimizeSum = facade(async function* (
  problem: SumProblem,
  options?: MinimizeSumOptions,
): FacadeSteps<SfoDetails, MinimizeSumResult> {
  const settings = minimizeSumOptions.resolve("minimizeSum", options);
  const { signal, targetValue: target, batch, finalize, seed } = settings;
  checkArgument("minimizeSum", "problem", sumProblem, problem);
  const { dimension, count } = problem;
  const x = firstPoint(settings.initial ?? problem.initial, dimension);
  const run = new FacadeRun<SfoDetails, Phase>(settings);

  const concurrency = settings.concurrency ?? batch;
  const isTargeted = target > Number.NEGATIVE_INFINITY;
  const every = settings.measureEvery ?? (isTargeted ? 1 : Number.POSITIVE_INFINITY);
  const fingerprint = fingerprintOf(problem.fingerprint ?? "sum", dimension, count, x, seed);
  const sum = { dimension, count, fingerprint, evaluate: problem.evaluate.bind(problem) };
  const { MeasuredSfo } = await import("./measuring.js");
  const solver = new MeasuredSfo(sum, x, sfoOptions.part(settings), concurrency, every);
  const { sfo } = solver;
  const doubts = await run.phase("trial", () => untilAborted(solver.tryFirst(x), signal));
  throwIfAborted(signal);
  if (doubts !== undefined) run.warn(...doubts);

  const rules = [...(isTargeted ? [targetValue(target)] : []), maxPasses(settings.maxPasses)];
  const result = yield* run.optimize(solver, rules);

  const isWanted = finalize && result.status !== "aborted";
  const points = [result.last, sfo.lastAccepted.slice(), x];
  const measured = isWanted ? await measurePoints(solver, points, signal, run) : 0;
  if (sfo.subspaceHasOutgrown) run.warn("basis-outgrown", outgrown(sfo.subspaceBytes));
  const { value } = sfo.best;
  const isNowhereFinite = measured === points.length && value === undefined && result.status !== "failed";
  if (isWanted && measured < points.length && value === undefined)
    run.warn(
      "value-unknown",
      "F was measured nowhere: the returned point is the last one, its value is not known.",
    );
  return {
    ...result,
    ...(isNowhereFinite && nowhereFinite),
    x: sfo.best.x.slice(),
    value,
    usable: value === undefined ? result.usable && !isNowhereFinite : Number.isFinite(value),
    monitoringEvaluations: result.monitoringEvaluations + measured * count,
    warnings: run.warnings,
    subspaceBytes: sfo.subspaceBytes,
    phases: run.phases("trial", "optimization", "measurement"),
    options: { ...result.options, ...reported(settings), concurrency },
  };
});

function reported(settings: SettingsOf<typeof minimizeSumOptions>): ReportedOptions {
  const { initial, signal, onIteration, onPhase, checkpoint, resume, ...plain } = settings;
  return { ...plain, solver: "sfo" };
}

const outgrown = (bytes: number): string =>
  `The basis of the subspace, ${(bytes / 2 ** 30).toPrecision(3)} GiB in the end, has outgrown WebAssembly's memory: TypeScript took over, with the same bits and in more time. Fewer subfunctions or ${optionName("precision", "float32")} take less.`;

const nowhereFinite = {
  status: "diverged",
  message:
    "F is not finite at any point at which it was measured, the first one among them. Start where all subfunctions are finite.",
} as const;

const sumProblem = option(
  "an object { dimension, count, evaluate }: two whole numbers of at least 1, and a function (index, x, gradient?) that returns a number",
  (value): value is SumProblem => {
    if (typeof value !== "object" || value === null) return false;
    const sizes: readonly unknown[] = [Reflect.get(value, "dimension"), Reflect.get(value, "count")];
    return (
      sizes.every((size) => Number.isSafeInteger(size) && Number(size) >= 1) &&
      typeof Reflect.get(value, "evaluate") === "function"
    );
  },
  [null, {}, { dimension: 2, count: 0, evaluate: Number }, { dimension: 2, count: 3 }],
);

/** A copy: the caller's array is his again while the solver is loaded. @throws CurvatureError */
function firstPoint(x: Float64Array | undefined, dimension: number): Float64Array {
  if (x === undefined)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `there is no first point. Give ${optionName("initial")}, or the problem an initial point, a Float64Array of length ${dimension}.`,
      { where: "minimizeSum", path: "initial" },
    );
  checkPoint("minimizeSum", x, dimension);
  return x.slice();
}

/** F at points, as far as that is possible. @returns at how many it was measured */
async function measurePoints(
  solver: MeasuredSfo,
  points: readonly Float64Array[],
  signal: AbortSignal | undefined,
  run: FacadeRun<SfoDetails, Phase>,
): Promise<number> {
  let measured = 0;
  const warned = new Set<string>();
  const measureAll = async (): Promise<void> => {
    for (const point of points) {
      try {
        const value = await untilAborted(solver.measure(point), signal);
        if (value === undefined) return;
        solver.sfo.measure(point, value);
        measured++;
      } catch (error) {
        warned.add(
          `The result could not be measured: ${error instanceof Error ? error.message : shown(error)}`,
        );
      }
    }
  };
  try {
    await run.phase("measurement", measureAll);
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  }
  for (const sentence of warned) run.warn("measurement-failed", sentence);
  if (signal?.aborted === true && measured < points.length)
    run.warn("measurement-aborted", "The result was not measured to the end: the signal was aborted.");
  return measured;
}

/**
 * Waits for a promise that may never settle.
 *
 * @returns what it comes to, or undefined as soon as the signal is aborted; then nobody waits for it any more
 */
async function untilAborted<T>(
  work: T | Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  if (!(work instanceof Promise) || !(signal instanceof AbortSignal)) return work;
  let stop = (): void => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop);
  });
  work.catch(() => undefined); // its rejection may come after the signal
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
