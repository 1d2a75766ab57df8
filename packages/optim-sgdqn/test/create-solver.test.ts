import { type LinearProblem, linearLoss } from "@curvature/objectives/linear";
import { maxIterations, runSync } from "@curvature/optim-core";
import { solverConformance } from "@curvature/optim-core/conformance";
import { describe, expect, test } from "vitest";
import { createLinearSolver, type LinearSolverOptions } from "../src/create-solver.js";
import { LinearLbfgs } from "../src/solvers/linear-lbfgs.js";
import { noisyHalves } from "./helpers/rows.js";

const { rows, targets } = noisyHalves(300, 5);
const problem: LinearProblem = {
  rows,
  targets,
  loss: linearLoss("squared-hinge"),
  lambda: 0.01,
  bias: "none",
};
const bytesInUse = (): number => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
const names = [
  "auto",
  "sgd",
  "svmsgd2",
  "sgdqn",
  "sgdqn-2009",
  "asgd",
  "olbfgs",
  "dcd",
  "newton",
  "lbfgs",
] as const;

describe("createLinearSolver", () => {
  test.each(names)("makes %s, which ends by itself near the optimum", (solver) => {
    const made = createLinearSolver(problem, { solver, seed: 3, shuffle: true });
    const { x, status } = runSync(made, { stop: maxIterations(5000) });
    expect(made.name).toBe(solver);
    expect(["converged", "max-iterations"]).toContain(status);
    const best = runSync(createLinearSolver(problem, { solver: "newton", tolerance: 1e-10 }), {
      stop: maxIterations(5000),
    });
    x.forEach((w, j) => void expect(Math.abs(w - best.x[j])).toBeLessThan(0.2));
  });

  test("chooses by default", () => {
    expect(createLinearSolver(problem).name).toBe("auto");
  });

  const bad: readonly [string, unknown][] = [
    ["an unknown solver", { solver: "adam" }],
    ["a seed of -1, also where nothing is drawn", { solver: "newton", seed: -1 }],
    ["t0 for newton", { solver: "newton", t0: 5 }],
    ["an initial point for dcd", { solver: "dcd", initial: new Float64Array(5) }],
    ["dual variables for newton", { solver: "newton", initialDual: new Float64Array(300) }],
    ["accuracy for lbfgs", { solver: "lbfgs", accuracy: "error" }],
    ["a misspelt option", { tolerence: 1e-3 }],
    ["options that are none", null],
    ["a number for options", 3],
  ];
  test.each(bad)("refuses %s", (_, options) => {
    const given: LinearSolverOptions = JSON.parse(JSON.stringify(options));
    expect(() => createLinearSolver(problem, given)).toThrowError(
      expect.objectContaining({ name: "CurvatureError", code: "ERR_OPTION" }),
    );
  });

  test("takes undefined for left out", () => {
    const { options } = createLinearSolver(problem, {
      solver: "newton",
      shared: undefined,
      initial: undefined,
    });
    expect(options).toEqual({ tolerance: 1e-3, maxPasses: 1000, method: "auto" });
  });
});

describe("lbfgs conforms", () => {
  const checks = solverConformance({
    name: "lbfgs",
    create: (seed) =>
      new LinearLbfgs(problem, { tolerance: 1e-10, initial: new Float64Array(5).fill(0.1 * seed) }),
    longSteps: 100,
    hasFaults: false,
    bytesInUse,
  });
  for (const { name, check } of checks) test(name, check);

  test("its gap is a bound", () => {
    const { history } = runSync(new LinearLbfgs(problem, { tolerance: 1e-9 }), {
      stop: maxIterations(500),
      history: true,
    });
    const optimum = runSync(createLinearSolver(problem, { solver: "newton", tolerance: 1e-14 }), {
      stop: maxIterations(500),
    }).value;
    for (const { value = Number.NaN, details } of history)
      expect(details.gap ?? Number.NaN).toBeGreaterThanOrEqual(
        (value - (optimum ?? Number.NaN)) / value - 1e-12,
      );
  });

  test("refuses the hinge", () => {
    expect(() => new LinearLbfgs({ ...problem, loss: linearLoss("hinge") })).toThrowError(
      expect.objectContaining({ code: "ERR_OPTION" }),
    );
  });
});
