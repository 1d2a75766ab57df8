/** The bits of whole runs, which are to be the same on every engine. */
import { bitsOf } from "@curvature/optim-core/conformance";
import { createStochasticSolver, stochasticSolverNames } from "@curvature/optim-sgdqn";
import { expect, test } from "vitest";
import { smallProblem } from "./problems.js";

const bits: Readonly<Record<(typeof stochasticSolverNames)[number], string>> = {
  sgd: "8920f5191c23406ee91c188c74e9db03",
  "naive-sgd": "988d0d8bf03eb48b3e58a5045aaa2d97",
  svmsgd2: "547d62ce7047209b67d5541a4e871ca4",
  sgdqn: "923b129ade2ab0234f08e25b991c9947",
  "sgdqn-2009": "ce4caf6820efe3455adb31cd927a7de8",
  asgd: "75e4de599b4f032bb439f33dfd44ab9b",
  olbfgs: "4e4a3ca3bd72cb4852ed469fce0d78b3",
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
