/** The bits of whole runs, which are to be the same on every engine. */
import { stateBits } from "@curvature/optim-core/conformance";
import { createStochasticSolver, stochasticSolverNames } from "@curvature/optim-sgdqn";
import { expect, test } from "vitest";
import { smallProblem } from "./problems.js";

const bits: Readonly<Record<(typeof stochasticSolverNames)[number], string>> = {
  sgd: "d785cb1a51b461aba06a9467e6694135",
  "naive-sgd": "3d71be70cf4dfc564e2773da5a48a3a1",
  svmsgd2: "7f4722cb810a045847b76feb8f005549",
  sgdqn: "0e1a7079cf7275e5a255ea69e4733ba9",
  "sgdqn-2009": "f5a8d9a7da207dfc75799b22bbdeb288",
  asgd: "b6ada2393d01a93e58e1c5b8149e3d10",
  olbfgs: "8d7534030e30a0c860ecebac5edd8e06",
};

test.each(stochasticSolverNames)("%s, three passes with the logistic loss, the search included", (solver) => {
  const problem = smallProblem({ lossName: "logistic", bias: "free", n: 150 });
  const running = createStochasticSolver(problem, { solver, t0: "search", step: "implicit", maxPasses: 3 });
  while (running.step().outcome === undefined);
  expect(stateBits(running)).toBe(bits[solver]);
});
