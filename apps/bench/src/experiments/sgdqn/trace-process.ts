/** One solver of `traces.ts` in its own process: a turn is the next pass, and tells the weights after it and the seconds so far. */
import type { LinearProblem } from "@curvature/objectives/linear";
import type { Solver } from "@curvature/optim-core";
import { createLinearSolver, createStochasticSolver, type LinearDetails } from "@curvature/optim-sgdqn";
import { takeTurns } from "../../contestants/own-process.ts";
import { cpuSeconds } from "../../processor.ts";
import { linearSet } from "./sets.ts";
import { type Contestant, problemOf, type TraceTask, type Weighed } from "./traces.ts";

/** Stochastic solvers go on for as many passes as they are asked for, the others until they are at 1e-12. */
const start = ({ options, isBatch }: Contestant, problem: LinearProblem): Solver<LinearDetails> =>
  isBatch
    ? createLinearSolver(problem, { tolerance: 1e-12, ...options })
    : createStochasticSolver(problem, { maxPasses: Number.MAX_SAFE_INTEGER, ...options });

takeTurns(async ({ folder, set, loss, contestant }: TraceTask) => {
  const problem = problemOf(await linearSet(folder, set), loss);
  const advance = (solver: Solver<LinearDetails>, passes: number): boolean => {
    for (let done = 0; done < passes; ) {
      const iteration = solver.step();
      if ("then" in iteration) throw new Error("linear models evaluate at once");
      done = iteration.passes + 1e-9;
      if (iteration.outcome !== undefined) return true;
    }
    return false;
  };
  advance(start(contestant, problem), 1);
  const began = cpuSeconds();
  const solver = start(contestant, problem);
  let seconds = cpuSeconds() - began;
  let isEnded = false;
  return (pass: number): Weighed => {
    const before = cpuSeconds();
    isEnded = isEnded || advance(solver, pass);
    seconds += cpuSeconds() - before;
    return { seconds, weights: solver.last.x, isEnded };
  };
});
