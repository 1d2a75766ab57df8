/**
 * One task for a sequence of λ, from large to small: each begins where the last ended, which is near its own optimum,
 * so that the path costs less than its fits one by one. A large λ is the easy problem. Ten values from 1 to 3e-5 by
 * dual coordinate descent to a gap of 1e-3 took 1385 passes one by one and 207 along the path on spam, 86 and 31 on a9a
 * (hinge), 24 and 19 on 20 newsgroups.
 *
 * Friedman, Hastie, Tibshirani: Regularization paths for generalized linear models via coordinate descent. J. Stat.
 * Softw. 33 (2010), section 2.5, for the warm starts.
 */
import { callable, type OptionsOf, optionTable } from "@curvature/linalg";
import { runOptions, throwIfAborted } from "@curvature/optim-core";
import type { CreateLinearSolver, WarmStart } from "../multiclass/create-solver.js";
import { meanSquaredNorm } from "./default-lambda.js";
import { lambdaEntries, lambdasOf } from "./lambdas.js";
import { fitTask, type LinearTask, neededSolver, sharedRowsOf, type TrainedTask } from "./task.js";

export const lambdaPathOptions = optionTable({
  /** Makes the solver of each fit; it should take `start` from the context where there is one. Always needed. */
  createSolver: callable<CreateLinearSolver>(),
  ...lambdaEntries,
  /** Called with each fit, largest λ first. */
  onFit: callable<(fit: TrainedTask) => void>(),
  /** Ends the path between two fits, and the fit that is made: the promise rejects with its reason. */
  signal: runOptions.entries.signal,
});
export type LambdaPathOptions = OptionsOf<typeof lambdaPathOptions> & {
  readonly createSolver: CreateLinearSolver;
};

/**
 * @returns a fit for each λ, the largest first
 * @throws CurvatureError (the promise rejects) ERR_OPTION; as `checkLinearProblem` for the task; whatever ends a run as
 *   `failed`; the signal's reason
 */
export async function lambdaPath(
  task: LinearTask,
  options: LambdaPathOptions,
): Promise<readonly TrainedTask[]> {
  const where = "lambdaPath";
  const settings = lambdaPathOptions.resolve(where, options);
  const { onFit, signal } = settings;
  const createSolver = neededSolver(where, settings.createSolver);
  const shared = sharedRowsOf({ ...task, lambda: 1 }, where);
  const lambdas = lambdasOf(where, settings, () => largestLambda(task, where));
  const fits: TrainedTask[] = [];
  let starts: readonly WarmStart[] | undefined;
  for (const lambda of lambdas) {
    throwIfAborted(signal);
    const fit = await fitTask(task, lambda, shared, createSolver, starts, { signal });
    starts = fit.starts;
    fits.push(fit.trained);
    onFit?.(fit.trained);
  }
  return fits;
}

/** R²/10, where a path begins: with it ‖w‖ is near 0 and the fit still better than none. 0.1 for empty rows. */
export function largestLambda(task: LinearTask, where: string): number {
  const meanSquare = meanSquaredNorm(task.rows, where);
  return 0.1 * (meanSquare > 0 ? meanSquare : 1);
}
