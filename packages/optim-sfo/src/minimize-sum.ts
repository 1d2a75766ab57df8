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
import { measureSum } from "./measure.js";
import { MeasuredSolver } from "./measured-solver.js";
import { type MinimizeSumOptions, sortOptions, stoppingRules } from "./minimize-options.js";
import { isRepeatable } from "./repeatable.js";
import { Sfo, type SfoDetails } from "./sfo.js";

/** A sum with a point to start from. */
export interface SumProblem extends SumOfFunctions {
  readonly initial?: Float64Array | undefined;
}

export interface MinimizeSumResult extends RunResult<SfoDetails> {
  /** What a user should know of the run: subfunctions that do not repeat themselves, a result that could not be measured. */
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
 *   status `failed`
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
  const x = options.initial ?? problem.initial;
  if (x === undefined)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `minimizeSum: there is no first point. Give options.initial, or problem.initial, a Float64Array of length ${problem.dimension}.`,
      { path: "initial" },
    );
  checkPoint("minimizeSum", x, problem.dimension);
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
  const sfo = new Sfo(shape, x, settings);
  const measure = (point: Float64Array) => measureSum(problem, point, concurrency);
  const every =
    own.measureEvery ?? (own.targetValue > Number.NEGATIVE_INFINITY ? 1 : Number.POSITIVE_INFINITY);
  const driven = driveSum(sfo, problem, { concurrency });
  const solver = new MeasuredSolver(driven, sfo, problem.count, every, measure);
  const warnings: string[] = [];
  if (!(await isRepeatable(problem, x)))
    warnings.push(
      "Subfunction 0 gives other values or gradients when it is evaluated again at the same point. Its noise will mislead the models: draw random numbers once, before the run.",
    );
  const result = await run(solver, { ...runOptions, stop: stoppingRules(own) });
  const isWanted = own.finalize && result.status !== "aborted" && result.status !== "failed";
  const measured = isWanted ? await measurePoints(sfo, x, result, measure, warnings) : 0;
  const { value } = sfo.best;
  const isNowhereFinite = isWanted && measured === MEASURED_AT_THE_END && value === undefined;
  return {
    ...result,
    ...(isNowhereFinite && nowhereFinite),
    x: sfo.best.x.slice(),
    value,
    usable: result.usable && !isNowhereFinite,
    monitoringEvaluations: result.monitoringEvaluations + measured * problem.count,
    warnings,
    subspaceBytes: sfo.subspaceBytes,
    options: { ...result.options, ...own, concurrency },
  };
}

/** The last two points and the first. */
const MEASURED_AT_THE_END = 3;
const nowhereFinite = {
  status: "diverged",
  message:
    "F is not finite at any point at which it was measured, the first one among them. Start where all subfunctions are finite.",
} as const;

/** F at the points where the run ended and began. @returns how many were measured */
async function measurePoints(
  sfo: Sfo,
  start: Float64Array,
  { last }: RunResult<SfoDetails>,
  measure: (x: Float64Array) => number | Promise<number>,
  warnings: string[],
): Promise<number> {
  let measured = 0;
  try {
    for (const point of [last, sfo.lastAccepted.slice(), start]) {
      sfo.measure(point, await measure(point));
      measured++;
    }
  } catch (error) {
    warnings.push(
      `The result could not be measured: ${error instanceof Error ? error.message : shown(error)}`,
    );
  }
  return measured;
}
