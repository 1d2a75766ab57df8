/** The work of `leastSquares`: the first residuals, Levenberg-Marquardt, and how well the data determine what it found. */
import {
  CurvatureError,
  type DenseMatrix,
  type SparseMatrix,
  shown,
  type Warning,
  zeros,
} from "@curvature/linalg";
import type { FacadeSteps } from "../facade.js";
import { FacadeRun } from "../facade-run.js";
import type { RunResult } from "../result.js";
import { boxOf } from "../solvers/box.js";
import { pointOf } from "../solvers/start.js";
import { maxEvaluations, maxIterations } from "../stopping.js";
import { JoinedBlocks } from "./joined-blocks.js";
import { type LeastSquaresDetails, LevenbergMarquardt } from "./levenberg-marquardt.js";
import { lossOf } from "./loss.js";
import type { LeastSquaresPhase, LeastSquaresSettings } from "./options.js";
import { isResidualBlocks, type ResidualBlocks } from "./residual-blocks.js";
import { checkFirst, type LeastSquaresProblem, Residuals } from "./residual-function.js";
import { SparseForm } from "./sparse-form.js";
import { type FitStatistics, statisticsOf } from "./statistics.js";

/** Codes of what `warnings` may say. */
export type LeastSquaresWarningCode =
  /** The data do not determine some of the parameters: see `undetermined`. */
  | "rank-deficient"
  /** Parameters are on a bound, and have no standard error. */
  | "at-a-bound"
  /** No more residuals than parameters: there is no estimate of the noise. */
  | "no-degrees-of-freedom"
  /** The run did not converge, so that standard errors are not those of a minimum. */
  | "not-converged"
  /** The run ended before the Jacobian at x was known: there are no standard errors. */
  | "no-jacobian"
  /** The first point was moved into the bounds. */
  | "start-moved";

export interface LeastSquaresResult extends RunResult<LeastSquaresDetails>, FitStatistics {
  /** ½ Σ r², or with a loss ½ C² Σ ρ((r/C)²). */
  readonly value: number;
  /** r at x, m numbers. */
  readonly residuals: Float64Array;
  /** J at x, m × n, sparse where it was given so or by a pattern; undefined if the run ended before it was known. */
  readonly jacobian: DenseMatrix | SparseMatrix | undefined;
  readonly warnings: readonly Warning[];
  /** Seconds that the first residuals, the optimisation and the statistics took. */
  readonly phases: Readonly<Record<LeastSquaresPhase | "optimization", number>>;
}

export async function* fitted(
  problem: LeastSquaresProblem | ResidualBlocks,
  given: ArrayLike<number>,
  settings: LeastSquaresSettings,
): FacadeSteps<LeastSquaresDetails, LeastSquaresResult> {
  const { loss, lossScale, valueNoise, level } = settings;
  const n = checkLength(given);
  const start = pointOf("leastSquares", given, n);
  const box = boxOf("leastSquares", settings, n);
  const run = new FacadeRun<LeastSquaresDetails, LeastSquaresPhase>(settings);
  const moved = start.findIndex((xj, j) => xj < box.lower[j] || xj > box.upper[j]);
  for (let j = 0; j < n; j++) start[j] = Math.min(Math.max(start[j], box.lower[j]), box.upper[j]);
  if (moved >= 0)
    run.warn(
      "start-moved",
      `The start lies outside the bounds; parameter ${moved} (counted from 0) begins at ${start[moved]}.`,
    );

  const whole = isResidualBlocks(problem) ? wholeOf(problem, n) : problem;
  const residuals = new Residuals(whole, box, valueNoise);
  const first = await run.phase("start", async () => {
    const r = await residuals.at(start);
    checkFirst(r, lossOf(r, loss, lossScale));
    await residuals.prepare(start, r.length);
    return r;
  });
  const m = first.length;
  const solver = new LevenbergMarquardt(
    residuals,
    start,
    first,
    { box, loss, lossScale, valueNoise },
    problem.fingerprint,
  );
  const result = yield* run.optimize(solver, [
    maxIterations(settings.maxIterations),
    maxEvaluations(settings.maxEvaluations),
  ]);

  const { residuals: r, jacobian, error } = solver.linearization;
  const statistics = await run.phase("statistics", () =>
    jacobian === undefined
      ? unknownStatistics(m, n, residuals.form instanceof SparseForm && !residuals.form.isSmall)
      : statisticsOf(residuals.form, {
          x: result.x,
          residuals: r,
          jacobian,
          error,
          box,
          loss,
          lossScale,
          level,
        }),
  );
  warnOf(run, result, statistics, jacobian === undefined);
  const { signal, onIteration, onPhase, checkpoint, resume, lower, upper, ...plain } = settings;
  return {
    ...result,
    ...statistics,
    value: solver.best.value,
    residuals: r.slice(),
    jacobian: jacobian && residuals.form.matrix(jacobian),
    warnings: run.warnings,
    phases: run.phases("start", "optimization", "statistics"),
    options: { ...plain, ...box, ...result.options },
  };
}

function checkLength(start: unknown): number {
  const length: unknown =
    typeof start === "object" && start !== null ? Reflect.get(start, "length") : undefined;
  if (Number.isSafeInteger(length) && Number(length) >= 1) return Number(length);
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `start must be an array of at least one number, the parameters to begin with; received ${shown(start)}.`,
    { where: "leastSquares", path: "start", expected: "an array of numbers", received: start },
  );
}

/** @throws CurvatureError ERR_SHAPE for a start of another length */
function wholeOf(blocks: ResidualBlocks, n: number): LeastSquaresProblem {
  if (blocks.dimension === n) return new JoinedBlocks(blocks, 1).of();
  throw new CurvatureError(
    "ERR_SHAPE",
    `start has ${n} numbers; the blocks' dimension is ${blocks.dimension}. Give a number for each parameter.`,
    { where: "leastSquares", path: "start", expected: `${blocks.dimension} numbers`, received: n },
  );
}

function unknownStatistics(m: number, n: number, isLarge: boolean): FitStatistics {
  const covariance = isLarge ? undefined : zeros(n, n);
  for (let j = 0; covariance && j < n; j++) covariance.data[j * (n + 1)] = Number.POSITIVE_INFINITY;
  return {
    ...{ rank: 0, degreesOfFreedom: m, residualStandardDeviation: Number.POSITIVE_INFINITY, covariance },
    standardErrors: new Float64Array(n).fill(Number.POSITIVE_INFINITY),
    intervals: Array.from({ length: n }, () => [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const),
    ...{ active: [], undetermined: [] },
  };
}

function warnOf(
  run: FacadeRun<LeastSquaresDetails, LeastSquaresPhase>,
  { status }: RunResult,
  { rank, degreesOfFreedom, active, undetermined }: FitStatistics,
  isUnknown: boolean,
): void {
  if (isUnknown) {
    run.warn(
      "no-jacobian",
      "The run ended before the Jacobian was known at x: there are no standard errors.",
    );
    return;
  }
  const listed = (parameters: readonly number[]): string => {
    const more = parameters.length > 20 ? ` and ${parameters.length - 20} more` : "";
    return `${parameters.length === 1 ? "parameter" : "parameters"} ${parameters.slice(0, 20).join(", ")}${more} (counted from 0)`;
  };
  if (status !== "converged")
    run.warn("not-converged", "The run did not converge: the standard errors are not those of a minimum.");
  if (undetermined.length > 0)
    run.warn(
      "rank-deficient",
      `The data do not determine ${listed(undetermined)}: the Jacobian has rank ${rank}. Fix some of them by equal bounds, or take fewer.`,
    );
  if (active.length > 0)
    run.warn(
      "at-a-bound",
      `A bound holds ${listed(active)}, which have no standard errors; those of the others are as if they were fixed.`,
    );
  if (degreesOfFreedom === 0)
    run.warn(
      "no-degrees-of-freedom",
      `There are as many parameters as residuals, or more: nothing is left to estimate the noise by, so there are no standard errors.`,
    );
}
