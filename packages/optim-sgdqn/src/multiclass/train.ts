/** One-versus-rest training in one call. */
import { badOption, callable, type DenseMatrix } from "@curvature/linalg";
import type { LinearProblem } from "@curvature/objectives/linear";
import {
  maxIterations,
  type RunOptions,
  type RunResult,
  run,
  type Solver,
  type Status,
} from "@curvature/optim-core";
import type { LinearDetails } from "../details.js";
import type { CreateLinearSolver, WarmStart } from "./create-solver.js";
import { type OneVersusRestDetails, OneVersusRestSolver } from "./one-versus-rest.js";
import { binaryProblems, checkMulticlass, type MulticlassProblem } from "./problem.js";
import { SharedRows } from "./shared-rows.js";

/** How training went for one class against the rest. */
export interface ClassResult {
  /** P_k; undefined where it was not measured, or is NaN by a loss of the caller's own (then `result.usable` is false). */
  readonly value: number | undefined;
  /** As its solver's last iteration has it; undefined if that had none, or NaN. */
  readonly gap: number | undefined;
  readonly certificate: LinearDetails["certificate"];
  readonly t0: number | undefined;
  readonly passes: number;
  /** Its solver's outcome; the run's status where that ended first. */
  readonly status: Status;
  readonly message: string;
}

export interface OneVersusRestResult {
  /** K x d, or K x (d + 1) with a bias: row k holds w_k (and b_k). */
  readonly parameters: DenseMatrix;
  /** K of them. */
  readonly classes: readonly ClassResult[];
  readonly result: RunResult<OneVersusRestDetails>;
}

/**
 * The solver of all classes at once, for who wants to drive it himself.
 *
 * @param starts - one for each class, handed to `createSolver`; default none
 * @throws CurvatureError as `checkLinearProblem`; ERR_OPTION, ERR_SHAPE or ERR_ARGUMENT for labels and classes; what
 *   `createSolver` throws
 */
export function oneVersusRestSolver(
  problem: MulticlassProblem,
  createSolver: CreateLinearSolver,
  starts?: readonly (WarmStart | undefined)[],
): OneVersusRestSolver {
  checkMulticlass(problem, "one-versus-rest");
  const rule = callable<CreateLinearSolver>();
  if (!rule.accepts(createSolver))
    throw badOption("one-versus-rest", "createSolver", rule.expected, createSolver);
  const parts = solversOf(binaryProblems(problem), createSolver, starts);
  return new OneVersusRestSolver(parts, problem.labels);
}

/** A solver for each of some problems on the same rows. @param shared - made before from these rows */
export function solversOf(
  problems: readonly LinearProblem[],
  createSolver: CreateLinearSolver,
  starts?: readonly (WarmStart | undefined)[],
  shared = new SharedRows(problems[0], "one-versus-rest"),
): Solver<LinearDetails>[] {
  return problems.map((problem, classIndex) =>
    createSolver(problem, { shared, classIndex, start: starts?.[classIndex] }),
  );
}

/**
 * Trains K binary models, one class against the rest each. Of several scores the largest decides, the lower class
 * where they are equal (`largestScore`).
 *
 * @param options - of the run. Without `stop` it ends when all solvers have ended by themselves.
 * @throws CurvatureError (the promise rejects) as `oneVersusRestSolver` and `run`
 */
export async function trainOneVersusRest(
  problem: MulticlassProblem,
  createSolver: CreateLinearSolver,
  options?: RunOptions<OneVersusRestDetails>,
): Promise<OneVersusRestResult> {
  const solver = oneVersusRestSolver(problem, createSolver);
  const result = await run(solver, { stop: maxIterations(Number.POSITIVE_INFINITY), ...options });
  return oneVersusRestResult(solver, problem.classes, result);
}

/** The run of a `OneVersusRestSolver`, class by class. */
function oneVersusRestResult(
  solver: OneVersusRestSolver,
  classes: number,
  result: RunResult<OneVersusRestDetails>,
): OneVersusRestResult {
  return {
    parameters: { rows: classes, columns: result.x.length / classes, data: result.x },
    classes: solver.classes.map(({ iteration, value }) => ({
      value: unlessNaN(value),
      gap: unlessNaN(iteration?.details.gap),
      certificate: iteration?.details.certificate,
      t0: iteration?.details.t0,
      passes: iteration?.passes ?? 0,
      status: iteration?.outcome?.status ?? result.status,
      message: iteration?.outcome?.message ?? result.message,
    })),
    result,
  };
}

const unlessNaN = (value: number | undefined): number | undefined =>
  Number.isNaN(value) ? undefined : value;
