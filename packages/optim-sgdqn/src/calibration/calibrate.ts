/**
 * Probabilities from scores: the scores of rows that had no part in their model's fit, from five fits on four fifths of
 * the rows each, and a sigmoid for each model through them.
 */
import { selectRows } from "@curvature/linalg";
import type { LinearProblem } from "@curvature/objectives/linear";
import { run, timeLimit } from "@curvature/optim-core";
import { type FittedModel, Scorer } from "../fit/fitted.js";
import { folds, partsOf } from "../fit/holdout.js";
import { scaledRows } from "../fit/rows.js";
import { solverFor } from "../fit/solver-for.js";
import { lossOf, type Task } from "../fit/task.js";
import { fitSigmoid, type Sigmoid } from "./sigmoid.js";

const FOLDS = 5;

/** What became of it. Where there are no sigmoids a warning says why: the model is good without them. */
export interface Calibration {
  /** One for each model. */
  readonly sigmoids: readonly Sigmoid[] | undefined;
  readonly warnings: readonly string[];
}

export const uncalibrated = (why: string): Calibration => ({
  sigmoids: undefined,
  warnings: [`Probabilities were not learned: ${why}`],
});

/**
 * Each fit has the time that the whole fit had, so that it comes as far.
 *
 * @param fitted - scaling, λ and bias of the whole fit, which the folds' fits share
 * @param ofRows - row weights; those of classes do not count, since they change what is frequent
 */
export async function calibrate(
  { rows, targets, importances, places, settings }: Task,
  fitted: FittedModel,
  ofRows: Float64Array | undefined,
  signal: AbortSignal | undefined,
): Promise<Calibration> {
  const { scaling, lambda, bias } = fitted;
  const n = rows.rows;
  const scaled = scaling === undefined ? rows : scaledRows(scaling, rows);
  const heldOutScores = targets.map(() => new Float64Array(n));
  const whole = targets.map(
    (y): LinearProblem => ({ rows: scaled, targets: y, loss: lossOf(settings), lambda, bias, importances }),
  );
  for (const { training, heldOut } of folds(n, places, FOLDS, settings.seed)) {
    const { x, status, usable, message } = await run(solverFor(partsOf(whole, training), settings), {
      stop: timeLimit(settings.maxSeconds ?? Number.POSITIVE_INFINITY), // the solver ends by itself
      ...(signal === undefined ? {} : { signal }),
    });
    if (status === "aborted") return uncalibrated(message);
    if (status === "failed" || !usable)
      return uncalibrated(`a fit on a part of the rows is not usable. ${message}`);
    const scores = new Scorer({ ...fitted, scaling: undefined, parameters: x }).scores(
      selectRows(scaled, heldOut),
    );
    for (let h = 0; h < heldOut.length; h++)
      for (let k = 0; k < targets.length; k++)
        heldOutScores[k][heldOut[h]] = scores.data[h * targets.length + k];
  }
  const sigmoids = targets.map((y, k) =>
    fitSigmoid(
      heldOutScores[k],
      Uint8Array.from(y, (sign) => (sign > 0 ? 1 : 0)),
      ofRows,
    ),
  );
  return { sigmoids, warnings: [] };
}
