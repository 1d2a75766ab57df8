/**
 * Probabilities from scores: the scores of rows that had no part in their model's fit, from five fits on four fifths of
 * the rows each, and a sigmoid for each model through them.
 */
import { selectRows } from "@curvature/linalg";
import type { LinearProblem } from "@curvature/objectives/linear";
import { maxIterations, run, throwIfAborted } from "@curvature/optim-core";
import { type FittedModel, Scorer } from "../fit/fitted.js";
import { folds, partsOf } from "../fit/holdout.js";
import { scaledRows } from "../fit/rows.js";
import { solverFor } from "../fit/solver-for.js";
import { lossOf, type Task } from "../fit/task.js";
import { fitSigmoid, type Sigmoid } from "./sigmoid.js";

const FOLDS = 5;

/**
 * @param fitted - scaling, λ and bias of the whole fit, which the folds' fits share
 * @param ofRows - row weights; those of classes do not count, since they change what is frequent
 */
export async function calibrate(
  { rows, targets, importances, places, settings }: Task,
  fitted: FittedModel,
  ofRows: Float64Array | undefined,
  signal: AbortSignal | undefined,
): Promise<readonly Sigmoid[]> {
  const { scaling, lambda, bias } = fitted;
  const n = rows.rows;
  const scaled = scaling === undefined ? rows : scaledRows(scaling, rows);
  const heldOutScores = targets.map(() => new Float64Array(n));
  const whole = targets.map(
    (y): LinearProblem => ({ rows: scaled, targets: y, loss: lossOf(settings), lambda, bias, importances }),
  );
  for (const { training, heldOut } of folds(n, places, FOLDS, settings.seed)) {
    const { x } = await run(solverFor(partsOf(whole, training), settings), {
      stop: maxIterations(Number.POSITIVE_INFINITY), // the solver ends by itself
      ...(signal === undefined ? {} : { signal }),
    });
    throwIfAborted(signal);
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
