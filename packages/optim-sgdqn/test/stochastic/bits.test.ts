/** The bits of whole runs, which are to be the same on every engine. */
import { bitsOf } from "@curvature/optim-core/conformance";
import { createStochasticSolver, stochasticSolverNames } from "@curvature/optim-sgdqn";
import { expect, test } from "vitest";
import { smallProblem } from "./problems.js";

const bits: Readonly<Record<(typeof stochasticSolverNames)[number], string>> = {
  sgd: "ab362a67da2618ea0e5a073cc03a82fe",
  "naive-sgd": "4c807a2abc6c3b9e08d2a6bc6e104ff5",
  svmsgd2: "f24f90dbf11da33a3732f75782efba4b",
  sgdqn: "5a63cb820334aebadc13ab1347871ba5",
  "sgdqn-2009": "f1d5067509a82a11946fe1f8e884fdbe",
  asgd: "faafecff5a10a9e284f1a18b5932ac74",
  olbfgs: "8d5c4887d247cc78a395670acd03c27b",
};

test.each(stochasticSolverNames)("%s, three passes with the logistic loss, the search included", (solver) => {
  const problem = smallProblem({ lossName: "logistic", bias: "free", n: 150 });
  const running = createStochasticSolver(problem, { solver, t0: "search", step: "implicit", maxPasses: 3 });
  const numbers: number[] = [];
  for (let isRunning = true; isRunning; ) {
    const { index, evaluations, monitoringEvaluations, details, outcome } = running.step();
    numbers.push(index, evaluations, monitoringEvaluations, details.t0 ?? Number.NaN, ...running.last.x);
    isRunning = outcome === undefined;
  }
  expect(bitsOf([...numbers, ...running.best.x])).toBe(bits[solver]);
});
