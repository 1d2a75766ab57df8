/**
 * The façade: a sum of functions in, a measured minimum out.
 */
import { CurvatureError, shown } from "@curvature/linalg";
import {
  checkPoint,
  driveSum,
  fingerprintOf,
  type RunResult,
  run,
  type SumOfFunctions,
} from "@curvature/optim-core";
import { checkProblem } from "./check-problem.js";
import type { SfoDetails } from "./details.js";
import { guardedSum } from "./guarded-sum.js";
import { measureSum } from "./measure.js";
import { MeasuredSolver } from "./measured-solver.js";
import { type MinimizeSumOptions, sortOptions, stoppingRules } from "./minimize-options.js";
import type { Sfo } from "./sfo.js";
import { untilAborted } from "./until-aborted.js";

/** A sum with a point to start from. */
export interface SumProblem extends SumOfFunctions {
  readonly initial?: Float64Array | undefined;
}

export interface MinimizeSumResult extends RunResult<SfoDetails> {
  /**
   * What a user should know of the run: subfunctions that do not repeat themselves, a result that could not be measured, a
   * subspace that has outgrown WebAssembly's memory.
   */
  readonly warnings: readonly string[];
  /** Bytes of the basis of the subspace, the most that there were: 8 M (4 M) for each column. */
  readonly subspaceBytes: number;
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
 * @throws CurvatureError (the promise rejects) ERR_ARGUMENT, ERR_SHAPE or ERR_NON_FINITE for the problem and its first
 *   point, ERR_OPTION, and ERR_CHECKPOINT or ERR_SNAPSHOT for `resume`. What a subfunction throws ends the run with the
 *   status `failed`. ERR_ARGUMENT for subfunction 0 if it writes into x, or leaves entries of
 *   its gradient unwritten; another one that writes into x ends the run as `failed`
 */
export async function minimizeSum(
  problem: SumProblem,
  options: MinimizeSumOptions = {},
): Promise<MinimizeSumResult> {
  checkProblem(problem);
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw new CurvatureError(
      "ERR_OPTION",
      `minimizeSum: options must be an object; received ${shown(options)}.`,
      { path: "minimizeSum", received: options },
    );
  const first = options.initial ?? problem.initial;
  if (first === undefined)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `minimizeSum: there is no first point. Give options.initial, or problem.initial, a Float64Array of length ${problem.dimension}.`,
      { path: "initial" },
    );
  checkPoint("minimizeSum", first, problem.dimension);
  const x = first.slice(); // the caller's array is his again while the solver is loaded
  const { solver: settings, own, run: runOptions } = sortOptions(options);
  const concurrency = own.concurrency ?? settings.batch;
  const shape = {
    dimension: problem.dimension,
    count: problem.count,
    fingerprint: fingerprintOf(
      problem.fingerprint ?? "sum",
      problem.dimension,
      problem.count,
      x,
      settings.seed,
    ),
  };
  const [{ Sfo }, { doubtsAbout }] = await Promise.all([import("./sfo.js"), import("./repeatable.js")]);
  const sfo = new Sfo(shape, x, settings);
  const sum = guardedSum(problem);
  const measure = (point: Float64Array) => measureSum(sum, point, concurrency);
  const every =
    own.measureEvery ?? (own.targetValue > Number.NEGATIVE_INFINITY ? 1 : Number.POSITIVE_INFINITY);
  const driven = driveSum(sfo, sum, { concurrency });
  const solver = new MeasuredSolver(driven, sfo, problem.count, every, measure);
  const warnings: string[] = [];
  const { signal } = runOptions;
  const doubts = await untilAborted(doubtsAbout(sum, x), signal);
  if (doubts !== undefined) warnings.push(doubts);
  const result = await run(solver, { ...runOptions, stop: stoppingRules(own) });
  const isWanted = own.finalize && result.status !== "aborted";
  const points = [result.last, sfo.lastAccepted.slice(), x];
  const measured = isWanted ? await measurePoints(sfo, points, measure, signal, warnings) : 0;
  if (sfo.subspaceHasOutgrown) warnings.push(outgrown(sfo.subspaceBytes));
  const { value } = sfo.best;
  const isNowhereFinite = measured === points.length && value === undefined && result.status !== "failed";
  if (isWanted && measured < points.length && value === undefined)
    warnings.push("F was measured nowhere: the returned point is the last one, its value is not known.");
  return {
    ...result,
    ...(isNowhereFinite && nowhereFinite),
    x: sfo.best.x.slice(),
    value,
    usable: value === undefined ? result.usable && !isNowhereFinite : Number.isFinite(value),
    monitoringEvaluations: result.monitoringEvaluations + measured * problem.count,
    warnings,
    subspaceBytes: sfo.subspaceBytes,
    options: { ...result.options, ...own, concurrency },
  };
}

const outgrown = (bytes: number): string =>
  `The basis of the subspace, ${(bytes / 2 ** 30).toPrecision(3)} GiB in the end, has outgrown WebAssembly's memory: TypeScript took over, with the same bits and in more time. Fewer subfunctions or precision float32 take less.`;

const nowhereFinite = {
  status: "diverged",
  message:
    "F is not finite at any point at which it was measured, the first one among them. Start where all subfunctions are finite.",
} as const;

/** F at points, as far as that is possible. @returns at how many it was measured */
async function measurePoints(
  sfo: Sfo,
  points: readonly Float64Array[],
  measure: (x: Float64Array) => number | Promise<number>,
  signal: AbortSignal | undefined,
  warnings: string[],
): Promise<number> {
  let measured = 0;
  for (const point of points) {
    try {
      const value = await untilAborted(measure(point), signal);
      if (value === undefined) {
        warnings.push("The result was not measured to the end: the signal was aborted.");
        return measured;
      }
      sfo.measure(point, value);
      measured++;
    } catch (error) {
      const reason = error instanceof Error ? error.message : shown(error);
      const sentence = `The result could not be measured: ${reason}`;
      if (!warnings.includes(sentence)) warnings.push(sentence);
    }
  }
  return measured;
}
