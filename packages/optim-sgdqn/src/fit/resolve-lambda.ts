/** λ as the user asked for it. */
import type { LinearProblem } from "@curvature/objectives/linear";
import { createLinearSolver } from "../create-solver.js";
import { stochasticSolverNames } from "../learners/create-learner.js";
import type { CreateLinearSolver } from "../multiclass/create-solver.js";
import { chooseLambda, type LambdaChoice } from "../path/choose-lambda.js";
import { defaultLambda } from "../path/default-lambda.js";
import type { LinearTask } from "../path/task.js";
import type { LinearSettings } from "./options.js";
import { solverOptions } from "./solver-for.js";
import type { Task } from "./task.js";

/** Enough to compare one λ with another. */
const PATH_TOLERANCE = 1e-2;
/** Of one fit: where the dual descends slowly, its error has long settled. */
const PATH_PASSES = 50;
const DEFAULT_SHARE = 0.2;

/**
 * @param problems - the models' problems on the scaled rows; their λ is of no account
 * @throws CurvatureError (the promise rejects) ERR_OPTION for "auto" with fewer than 2 rows; the signal's reason
 */
export async function resolveLambda(
  problems: readonly LinearProblem[],
  { settings, classOfRow }: Task,
  signal: AbortSignal | undefined,
): Promise<LambdaChoice> {
  const { lambda, seed, validationShare, maxSeconds } = settings;
  const [problem] = problems;
  if (typeof lambda === "number") return { lambda, tried: [] };
  if (lambda === "default") return { lambda: defaultLambda(problem.rows), tried: [] };
  const task: LinearTask =
    problems.length === 1 || classOfRow === undefined
      ? problem
      : { ...problem, labels: classOfRow, classes: problems.length };
  const share = validationShare === undefined || validationShare === 0 ? DEFAULT_SHARE : validationShare;
  return chooseLambda(task, {
    createSolver: pathSolver(settings),
    share,
    seed,
    signal,
    maxSeconds,
  });
}

/** Solvers that go on from the last λ where that is a start for them. */
function pathSolver(settings: LinearSettings): CreateLinearSolver {
  const { solver } = settings;
  const isStochastic = stochasticSolverNames.some((name) => name === solver);
  const asked = solverOptions(settings);
  return (problem, { shared, start }) => {
    const options = { ...asked, shared };
    if (isStochastic) return createLinearSolver(problem, options);
    const warm = solver === "dcd" ? { initialDual: start?.dual } : { initial: start?.parameters };
    const maxPasses = Math.min(settings.maxPasses ?? PATH_PASSES, PATH_PASSES);
    return createLinearSolver(problem, { ...options, ...warm, tolerance: PATH_TOLERANCE, maxPasses });
  };
}
