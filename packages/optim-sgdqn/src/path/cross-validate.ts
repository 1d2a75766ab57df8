/**
 * k-fold cross-validation over a path of λ: every row is scored once for each λ, by the fit on the other folds.
 *
 * The best λ is that of the least error over all rows; of equal ones the larger λ, which is the simpler model.
 *
 * λ multiplies ‖w‖² beside a mean over rows, so that one λ is as strong on the part of a fold as on all rows.
 */
import {
  callable,
  type DenseMatrix,
  integerFrom,
  type OptionsOf,
  optionTable,
  RandomGenerator,
  zeros,
} from "@curvature/linalg";
import { runOptions, throwIfAborted } from "@curvature/optim-core";
import type { CreateLinearSolver, WarmStart } from "../multiclass/create-solver.js";
import { dealFolds } from "./folds.js";
import { largestLambda } from "./lambda-path.js";
import { lambdaEntries, lambdasOf } from "./lambdas.js";
import {
  classesOf,
  fitTask,
  type LinearTask,
  neededSolver,
  partOf,
  scoreOf,
  sharedRowsOf,
  type TrainedTask,
} from "./task.js";

export const crossValidationOptions = optionTable({
  /** Makes the solver of each fit; it should take `start` from the context where there is one. Always needed. */
  createSolver: callable<CreateLinearSolver>(),
  ...lambdaEntries,
  /** k, from 2 to the number of rows. */
  folds: integerFrom(2).default(5),
  /** Of the folds. */
  seed: integerFrom(0).default(0),
  /** Called with each fit and the fold (from 0) that it is to be scored on. */
  onFit: callable<(fit: TrainedTask, fold: number) => void>(),
  /** Ends it between two fits, and the fit that is made: the promise rejects with its reason. */
  signal: runOptions.entries.signal,
});
export type CrossValidationOptions = OptionsOf<typeof crossValidationOptions> & {
  readonly createSolver: CreateLinearSolver;
};

export interface CrossValidation {
  /** The largest first. */
  readonly lambdas: readonly number[];
  /** λ x fold: classification the share of rows in a wrong class, regression the mean of (s − y)². */
  readonly errors: DenseMatrix;
  /** λ x fold: the mean loss (summed over the classes). */
  readonly losses: DenseMatrix;
  /** By λ: over all rows. */
  readonly meanErrors: Float64Array;
  readonly meanLosses: Float64Array;
  /** The fold of each row. */
  readonly folds: Int32Array;
  /** The best λ. */
  readonly lambda: number;
  /** Trained with it on all rows. */
  readonly refit: TrainedTask;
}

/**
 * Folds are stratified: each has its share of every class, within one row. A class with fewer rows than folds is
 * missing in some of them; a class with one row is never trained where it is scored.
 *
 * @throws CurvatureError (the promise rejects) as `lambdaPath`; ERR_OPTION for more folds than rows
 */
export async function crossValidateLambda(
  task: LinearTask,
  options: CrossValidationOptions,
): Promise<CrossValidation> {
  const where = "crossValidateLambda";
  const settings = crossValidationOptions.resolve(where, options);
  const { onFit, signal, folds, seed } = settings;
  const createSolver = neededSolver(where, settings.createSolver);
  const shared = sharedRowsOf({ ...task, lambda: 1 }, where);
  const lambdas = lambdasOf(where, settings, () => largestLambda(task, where));
  const foldOf = dealFolds(task.rows.rows, folds, new RandomGenerator(seed), classesOf(task));
  const errors = zeros(lambdas.length, folds);
  const losses = zeros(lambdas.length, folds);
  const weights = new Float64Array(folds);
  for (let fold = 0; fold < folds; fold++) {
    const training = partOf(
      task,
      rowsWhere(foldOf, (f) => f !== fold),
    );
    const held = partOf(
      task,
      rowsWhere(foldOf, (f) => f === fold),
    );
    const rowsOfFold = sharedRowsOf({ ...training, lambda: 1 }, where);
    let starts: readonly WarmStart[] | undefined;
    for (const [l, lambda] of lambdas.entries()) {
      throwIfAborted(signal);
      const fit = await fitTask(training, lambda, rowsOfFold, createSolver, starts, { signal });
      starts = fit.starts;
      onFit?.(fit.trained, fold);
      const { error, loss, weight } = scoreOf(held, fit.trained.parameters);
      errors.data[l * folds + fold] = error;
      losses.data[l * folds + fold] = loss;
      weights[fold] = weight;
    }
  }
  const meanErrors = weightedMeans(errors, weights);
  const lambda = lambdas[firstLeast(meanErrors)];
  const refit = await fitTask(task, lambda, shared, createSolver, undefined, { signal });
  const meanLosses = weightedMeans(losses, weights);
  return { lambdas, errors, losses, meanErrors, meanLosses, folds: foldOf, lambda, refit: refit.trained };
}

function rowsWhere(foldOf: Int32Array, isWanted: (fold: number) => boolean): Int32Array {
  return Int32Array.from(Array.from(foldOf.keys()).filter((i) => isWanted(foldOf[i])));
}

/** By row of the matrix. */
function weightedMeans({ rows, columns, data }: DenseMatrix, weights: Float64Array): Float64Array {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return Float64Array.from({ length: rows }, (_, i) => {
    let sum = 0;
    for (let j = 0; j < columns; j++) if (weights[j] > 0) sum += weights[j] * data[i * columns + j];
    return total > 0 ? sum / total : 0;
  });
}

/** The index of the least, of equal ones the first. */
function firstLeast(values: Float64Array): number {
  let least = 0;
  for (let k = 1; k < values.length; k++) if (values[k] < values[least]) least = k;
  return least;
}
