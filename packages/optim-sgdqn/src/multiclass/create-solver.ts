/**
 * How training over several problems asks for a solver of one of them.
 */
import { CurvatureError, shown } from "@curvature/linalg";
import type { LinearProblem } from "@curvature/objectives/linear";
import type { Solver } from "@curvature/optim-core";
import type { LinearDetails } from "../details.js";
import type { SharedRows } from "./shared-rows.js";

/** Where a solver may start: at the end of another on the same rows with another λ. */
export interface WarmStart {
  readonly parameters: Float64Array;
  /** The dual variables, if that solver had any; see `DualCoordinateDescent.dual`. */
  readonly dual: Float64Array | undefined;
}

export interface SolverContext {
  /** The same object for all problems on the same rows: a key for what can be made once for all of them. */
  readonly shared: SharedRows;
  /** The class that is set against the rest; 0 where there is one problem only. */
  readonly classIndex: number;
  readonly start: WarmStart | undefined;
}

/** Makes a solver that ends by itself. What it does not need of the context it ignores. */
export type CreateLinearSolver = (problem: LinearProblem, context: SolverContext) => Solver<LinearDetails>;

/** Where `solver` stands, for the next one. Copies. @throws CurvatureError ERR_ARGUMENT for what is no solver */
export function warmStartFrom(solver: Solver<LinearDetails>): WarmStart {
  if (!(typeof solver === "object" && solver !== null && solver.best?.x instanceof Float64Array))
    throw new CurvatureError("ERR_ARGUMENT", `warmStartFrom takes a solver; received ${shown(solver)}.`, {
      path: "solver",
      received: solver,
    });
  const dual = "dual" in solver && solver.dual instanceof Float64Array ? solver.dual.slice() : undefined;
  return { parameters: solver.best.x.slice(), dual };
}
