/**
 * A solver of one NOMAD problem, as the layers see it: besides its steps, the best feasible point and its graph.
 */
import type { Components, DenseMatrix } from "@curvature/linalg";
import type { Iteration, Point, Solver } from "@curvature/optim-core";
import { componentsOf } from "../geometry/components.js";
import { DenseSolution, type Solution } from "../geometry/solution.js";
import type { Bounds } from "../nomad-result.js";
import { isClosed, type NomadProblem } from "../problem.js";
import { Admm } from "./admm.js";
import { Closed } from "./closed.js";
import { Multipliers } from "./multipliers.js";

/** Evaluates nothing of a user's, so that no step waits. */
export interface ImmediateSolver<Details> extends Omit<Solver<Details>, "step"> {
  step(): Iteration<Details>;
}

export interface MethodDetails extends Bounds {
  /** Of X − E, X the solver's own point before its repair. */
  readonly rank?: number;
}

export interface Method {
  readonly solver: ImmediateSolver<MethodDetails>;
  /** The best feasible point: the solver's own arrays, not copies. */
  solution(): Solution;
  /** Of the graph of Q, from the point whose zeros are the most exact. */
  components(): Components;
}

export type MakeMethod = (problem: NomadProblem, tolerance: number) => Method;

/** Entries of a repaired point below this share of the largest may be the repair's. */
const REPAIRED = 1e-2;
/** Of a nonnegative copy, whose zeros are exact. */
const EXACT = 1e-3;

/** The method of this name; where only one point is feasible, that. */
export function methodNamed(name: "auto" | "cg" | "admm" | "bm", seed: number): MakeMethod {
  return (problem, tolerance) => {
    if (isClosed(problem)) return closedMethod(problem);
    switch (name) {
      case "cg":
        return conditionalGradientMethod(problem, tolerance, seed);
      default:
        return admmMethod(problem, tolerance);
    }
  };
}

function admmMethod(problem: NomadProblem, tolerance: number): Method {
  const { n } = problem.gram;
  const solver = new Admm(problem, { tolerance });
  return {
    solver,
    solution: () => new DenseSolution(square(solver.best, n)),
    components: () => componentsOf(solver.nonnegativePoint(), EXACT),
  };
}

function conditionalGradientMethod(problem: NomadProblem, tolerance: number, seed: number): Method {
  const { n } = problem.gram;
  const solver = new Multipliers(problem, { tolerance, seed });
  const solution = (): Solution => new DenseSolution(square(solver.best, n));
  return { solver, solution, components: () => solution().components(REPAIRED) };
}

function closedMethod(problem: NomadProblem): Method {
  const solver = new Closed(problem);
  return {
    solver,
    solution: () => solver.solution,
    components: () => solver.solution.components(EXACT),
  };
}

const square = ({ x }: Point, n: number): DenseMatrix => ({ rows: n, columns: n, data: x });
