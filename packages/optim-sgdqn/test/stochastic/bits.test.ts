/** The bits of whole runs, which are to be the same on every engine. */
import { bitsOf } from "@curvature/optim-core/conformance";
import { createStochasticSolver, stochasticSolverNames } from "@curvature/optim-sgdqn";
import { expect, test } from "vitest";
import { smallProblem } from "./problems.js";

const bits: Readonly<Record<(typeof stochasticSolverNames)[number], string>> = {
  sgd: "318ec9d3f06be8dbb00121f60b6ce81e",
  "naive-sgd": "39af470e8e5176b47271004c7d1ebed2",
  svmsgd2: "007aab6d2b1d67b4f493ea0878b02302",
  sgdqn: "930ad4d4aab4c8f967cc5190a758af36",
  "sgdqn-2009": "87f874962645c085ad2a677edec329a6",
  asgd: "186c9d46aa193788aeb97c05677f2824",
  olbfgs: "a727c3e2982638eea4867b683ca3ef81",
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
