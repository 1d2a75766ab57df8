/**
 * Probabilities from scores: the scores of rows that had no part in their model's fit, from five fits on four fifths of
 * the rows each, and a sigmoid for each model through them.
 */
import { CurvatureError, selectRows } from "@curvature/linalg";
import type { LinearProblem } from "@curvature/objectives/linear";
import { type RunResult, run as runOf, timeLimit } from "@curvature/optim-core";
import { type FittedModel, Scorer } from "../fit/fitted.js";
import { folds, partsOf } from "../fit/holdout.js";
import { scaledRows } from "../fit/rows.js";
import { solverFor } from "../fit/solver-for.js";
import { lossOf, type Task } from "../fit/task.js";
import type { LinearRun } from "../fit/train.js";
import { fitSigmoid, type Sigmoid } from "./sigmoid.js";

const FOLDS = 5;

/**
 * The sigmoids, one for each model; undefined where they were not learned, and why is then a warning of the run's: the model is
 * good without them. Each fit has the time that the whole fit had, so that it comes as far.
 *
 * @param fitted - scaling, λ and bias of the whole fit, which the folds' fits share
 * @param ofRows - row weights; those of classes do not count, since they change what is frequent
 * @param result - of the whole fit
 */
export async function calibrate(
  task: Task,
  fitted: FittedModel,
  ofRows: Float64Array | undefined,
  run: LinearRun,
  { status, message }: Pick<RunResult, "status" | "message">,
  signal: AbortSignal | undefined,
): Promise<readonly Sigmoid[] | undefined> {
  const refuse = (why: string): undefined => {
    run.warn("uncalibrated", `Probabilities were not learned: ${why}`);
  };
  if (status === "aborted") return refuse(message);
  try {
    return await run.phase("calibration", () => sigmoidsOf(task, fitted, ofRows, signal));
  } catch (error) {
    if (error instanceof CurvatureError) return refuse(error.message);
    if (signal?.aborted === true) return refuse("The signal was aborted.");
    throw error;
  }
}

/** @throws CurvatureError where a fit comes to nothing; the signal's reason */
async function sigmoidsOf(
  { rows, targets, importances, classOfRow, settings }: Task,
  fitted: FittedModel,
  ofRows: Float64Array | undefined,
  signal: AbortSignal | undefined,
): Promise<readonly Sigmoid[]> {
  const { scaling, lambda, bias } = fitted;
  const n = rows.rows;
  const scaled = scaling === undefined ? rows : scaledRows(scaling, rows);
  const heldOutScores = targets.map(() => new Float64Array(n));
  const whole = targets.map(
    (y): LinearProblem => ({
      rows: scaled,
      targets: y,
      loss: lossOf(settings, fitted.lossWidth),
      lambda,
      bias,
      importances,
    }),
  );
  for (const { training, heldOut } of folds(n, classOfRow, FOLDS, settings.seed)) {
    const { x, status, usable, message } = await runOf(solverFor(partsOf(whole, training), settings), {
      stop: timeLimit(settings.maxSeconds ?? Number.POSITIVE_INFINITY), // the solver ends by itself
      signal,
    });
    if (status === "aborted") throw new CurvatureError("ERR_NO_CONVERGENCE", message);
    if (status === "failed" || !usable)
      throw new CurvatureError("ERR_NO_CONVERGENCE", `a fit on a part of the rows is not usable. ${message}`);
    const scores = new Scorer({ ...fitted, scaling: undefined, parameters: x }).scores(
      selectRows(scaled, heldOut),
    );
    for (let h = 0; h < heldOut.length; h++)
      for (let k = 0; k < targets.length; k++)
        heldOutScores[k][heldOut[h]] = scores.data[h * targets.length + k];
  }
  return targets.map((y, k) =>
    fitSigmoid(
      heldOutScores[k],
      Uint8Array.from(y, (sign) => (sign > 0 ? 1 : 0)),
      ofRows,
    ),
  );
}
