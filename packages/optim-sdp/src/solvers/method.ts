/**
 * A solver of one NOMAD problem, as the layers see it: besides its steps, the best feasible point and its graph.
 */
import type { Components, DenseMatrix } from "@curvature/linalg";
import type { Point, SynchronousSolver } from "@curvature/optim-core";
import { checkMemory } from "../arguments.js";
import { smallestUpper } from "../bounds/upper.js";
import { componentsOf } from "../geometry/components.js";
import { DenseSolution, FactoredSolution, type Solution } from "../geometry/solution.js";
import type { NomadSettings } from "../nomad-options.js";
import type { NomadProblem } from "../problem.js";
import type { Steps } from "../steps.js";
import { Admm } from "./admm.js";
import { BurerMonteiro } from "./burer-monteiro.js";
import { type Closed, type MethodDetails, onlyPoint } from "./closed.js";
import { DualIteration } from "./dual/dual-iteration.js";
import { Multipliers } from "./multipliers.js";
import { PrimalDual, primalDualBytes } from "./primal-dual.js";

interface EndingSolver extends SynchronousSolver<MethodDetails> {
  /** Whether it has come to an end, and makes no more steps. */
  readonly isOver: boolean;
}

export interface Method {
  readonly solver: EndingSolver;
  /** The best feasible point: the solver's own arrays, not copies. */
  solution(): Solution;
  /** Of the graph of Q by this threshold, from the point whose zeros are the most exact. */
  components(threshold: number): Components;
  /** An upper bound from the multiplier as it is now, by all eigenvalues of an n × n matrix; the solver may make a step for it. */
  upperNow(): Steps<number>;
}

export type MakeMethod = (problem: NomadProblem, tolerance: number) => Method;

export type MethodOptions = Pick<NomadSettings, "solver" | "seed" | "certify">;

/** The method of this name; where only one point is feasible, that. */
export function methodNamed({ solver, seed, certify }: MethodOptions): MakeMethod {
  return (problem, tolerance) => {
    const only = onlyPoint(problem);
    if (only !== undefined) return closedMethod(only);
    switch (solver) {
      case "auto":
        return primalDualMethod(problem, tolerance, seed, certify);
      case "cg":
        return conditionalGradientMethod(problem, tolerance, seed);
      case "admm":
        return admmMethod(problem, tolerance);
      case "bm":
        return burerMonteiroMethod(problem, tolerance, seed, certify);
    }
  };
}

function admmMethod(problem: NomadProblem, tolerance: number): Method {
  const { n } = problem.gram;
  const solver = new Admm(problem, { tolerance });
  return {
    solver,
    solution: () => new DenseSolution(square(solver.best, n)),
    components: (threshold) => componentsOf(solver.nonnegativePoint(), threshold),
    upperNow: () => smallestUpper(problem, solver.multiplier()),
  };
}

function conditionalGradientMethod(problem: NomadProblem, tolerance: number, seed: number): Method {
  const { n } = problem.gram;
  const solver = new Multipliers(problem, { tolerance, seed });
  const solution = (): Solution => new DenseSolution(square(solver.best, n));
  return {
    solver,
    solution,
    components: (threshold) => solution().components(threshold),
    upperNow: () => smallestUpper(problem, solver.multiplier()),
  };
}

function burerMonteiroMethod(
  problem: NomadProblem,
  tolerance: number,
  seed: number,
  certify: NomadSettings["certify"],
): Method {
  if (certify === true) checkCertificateMemory(problem); // not after all of the run
  const solver = new BurerMonteiro(problem, { tolerance: Math.max(tolerance, MIN_TOLERANCE), seed });
  const solution = (): Solution => new FactoredSolution(solver.lowerPoint);
  return {
    solver,
    solution,
    components: (threshold) => solution().components(threshold),
    *upperNow() {
      checkCertificateMemory(problem);
      const dual = new DualIteration(problem, seed);
      dual.guess(solver.lowerPoint, solver.multipliers);
      const data = Float64Array.from(dual.multiplier(), (s) => s * dual.unit);
      return yield* smallestUpper(problem, { rows: problem.gram.n, columns: problem.gram.n, data });
    },
  };
}

/** @throws CurvatureError ERR_MEMORY where a certificate takes more than is allowed */
function checkCertificateMemory({ gram: { n, memoryLimit }, clusters }: NomadProblem): void {
  checkMemory("nomad", `a certificate for ${n} points`, primalDualBytes(n, clusters), memoryLimit);
}

function primalDualMethod(
  problem: NomadProblem,
  tolerance: number,
  seed: number,
  certify: NomadSettings["certify"],
): Method {
  const solver = new PrimalDual(problem, { tolerance, seed, certify });
  const solution = (): Solution => new FactoredSolution(solver.bestPoint);
  return {
    solver,
    solution,
    components: (threshold) => {
      const Z = solver.nonnegativePoint();
      return Z === undefined ? solution().components(threshold) : componentsOf(Z, threshold);
    },
    *upperNow() {
      yield* solver.certifying();
      return solver.step().details.upper;
    },
  };
}

export function closedMethod(solver: Closed): Method {
  return {
    solver,
    solution: () => solver.solution,
    components: (threshold) => solver.solution.components(threshold),
    // biome-ignore lint/correctness/useYield: known at once
    *upperNow() {
      return solver.upper;
    },
  };
}

/** The stopping test of Burer-Monteiro needs one above 0. */
const MIN_TOLERANCE = 1e-6;

const square = ({ x }: Point, n: number): DenseMatrix => ({ rows: n, columns: n, data: x });
