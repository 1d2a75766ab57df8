/**
 * λ from one set of rows held out: down a path until the error on them has not become better for a while.
 *
 *   λ = R²/10, then each √10 smaller, each fit started at the last;   end after 4 of them without a better error
 *
 * 20 % are held out, 50,000 rows are used at most. 9 to 17 fits to a tolerance of 1e-2 cost about 3 to 6 single ones. One split is noisy:
 * where the error hardly depends on λ the choice may be off by a factor of 100. `crossValidateLambda` is steadier, and k
 * times dearer.
 */
import {
  badOption,
  callable,
  integerFrom,
  nonNegativeOrInfinity,
  type OptionsOf,
  optionTable,
  RandomGenerator,
  strictlyBetween,
} from "@curvature/linalg";
import { runOptions, throwIfAborted } from "@curvature/optim-core";
import type { CreateLinearSolver, WarmStart } from "../multiclass/create-solver.js";
import { split } from "./folds.js";
import { largestLambda } from "./lambda-path.js";
import { classesOf, fitTask, type LinearTask, neededSolver, partOf, scoreOf, sharedRowsOf } from "./task.js";

export const chooseLambdaOptions = optionTable({
  /** Makes the solver of each fit, from `start` where there is one; a tolerance of 1e-2 is enough. Always needed. */
  createSolver: callable<CreateLinearSolver>(),
  /** Of the rows held out. */
  share: strictlyBetween(0, 1).default(0.2),
  maxRows: integerFrom(2).default(50_000),
  /** Fits without a better error, after which it ends. */
  patience: integerFrom(1).default(4),
  /** Of each fit. */
  maxSeconds: nonNegativeOrInfinity("a number of seconds").default(Number.POSITIVE_INFINITY),
  /** Of the split. */
  seed: integerFrom(0).default(0),
  /** Ends it between two fits, and the fit that is made: the promise rejects with its reason. */
  signal: runOptions.entries.signal,
});
export type ChooseLambdaOptions = OptionsOf<typeof chooseLambdaOptions> & {
  readonly createSolver: CreateLinearSolver;
};

export interface LambdaChoice {
  readonly lambda: number;
  /** What was tried, the largest λ first, and the error and mean loss on the rows held out. */
  readonly tried: readonly { readonly lambda: number; readonly error: number; readonly loss: number }[];
}

const RATIO = Math.sqrt(10);
/** 15 powers of ten. */
const MAX_FITS = 30;

/**
 * Of equal errors the larger λ counts.
 *
 * @throws CurvatureError (the promise rejects) as `lambdaPath`; ERR_OPTION for fewer than 2 rows
 */
export async function chooseLambda(task: LinearTask, options: ChooseLambdaOptions): Promise<LambdaChoice> {
  const where = "chooseLambda";
  const settings = chooseLambdaOptions.resolve(where, options);
  const { share, maxRows, patience, maxSeconds, seed, signal } = settings;
  const createSolver = neededSolver(where, settings.createSolver);
  sharedRowsOf({ ...task, lambda: 1 }, where);
  if (task.rows.rows < 2)
    throw badOption(where, "rows", "at least 2, one of them to be held out", task.rows.rows);
  const { training, held } = split(
    task.rows.rows,
    share,
    new RandomGenerator(seed),
    classesOf(task),
    maxRows,
  );
  const part = partOf(task, training);
  const test = partOf(task, held);
  const shared = sharedRowsOf({ ...part, lambda: 1 }, where);
  const tried: { readonly lambda: number; readonly error: number; readonly loss: number }[] = [];
  let starts: readonly WarmStart[] | undefined;
  let best = { lambda: largestLambda(part, where), error: Number.POSITIVE_INFINITY, at: 0 };
  for (
    let { lambda } = best;
    lambda > 0 && tried.length < MAX_FITS && tried.length - best.at < patience + 1;
    lambda /= RATIO
  ) {
    throwIfAborted(signal);
    const fit = await fitTask(part, lambda, shared, createSolver, starts, { signal, maxSeconds });
    starts = fit.starts;
    const { error, loss } = scoreOf(test, fit.trained.parameters);
    if (error < best.error) best = { lambda, error, at: tried.length };
    tried.push({ lambda, error, loss });
  }
  return { lambda: best.lambda, tried };
}
