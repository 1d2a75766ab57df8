// @module-tag full
/** P after 1, 2, 5 and 10 passes as an independent program in C++ recorded it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type LinearProblem, linearLoss, primalCost } from "@curvature/objectives/linear";
import {
  createStochasticSolver,
  type StochasticOptions,
  stochasticSolverNames,
} from "@curvature/optim-sgdqn";
import { describe, expect, test } from "vitest";
import { fixture } from "../helpers/rows.js";

const reference: Readonly<Record<"a9a" | "spam", Recorded>> = JSON.parse(
  readFileSync(join(import.meta.dirname, "../fixtures/linear/reference-stochastic.json"), "utf8"),
);

interface Recorded {
  readonly lambda: number;
  readonly skip: number;
  readonly t0: number;
  readonly asgdRate: number;
  readonly optimum: number;
  readonly costs: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/**
 * The record is of single precision, ours of double: what remains is rounding. 0.005 % holds for all but oLBFGS, whose
 * pairs of small differences single precision spoils (0.03 %).
 */
const tolerance = (solver: string): number => (solver === "olbfgs" ? 3e-4 : 5e-5);

const cases = (["a9a", "spam"] as const).flatMap((set) => {
  const { t0, asgdRate, lambda, skip } = reference[set];
  const common = { skip, step: "explicit", shuffle: false } as const;
  return stochasticSolverNames.flatMap(
    (solver): { set: typeof set; row: string; options: StochasticOptions }[] =>
      solver === "asgd"
        ? [
            {
              set,
              row: "asgd from pass 2",
              options: { ...common, solver, t0: 1 / (lambda * asgdRate), averageStart: 1 },
            },
            { set, row: "asgd from 0.1 passes", options: { ...common, solver, t0: 1 / (lambda * asgdRate) } },
          ]
        : [{ set, row: solver, options: { ...common, solver, t0 } }],
  );
});

function problemOf(set: "a9a" | "spam"): LinearProblem {
  const { lambda } = reference[set];
  const { rows, labels } = fixture(set, "train");
  return { rows, targets: labels, loss: linearLoss("squared-hinge"), lambda, bias: "none" };
}

describe.each(["a9a", "spam"] as const)("%s", (set) => {
  const problem = problemOf(set);

  test.each(cases.filter((one) => one.set === set))("$row", ({ row, options }) => {
    const recorded = reference[set].costs[row];
    const last = row === "olbfgs" ? 2 : 10;
    const solver = createStochasticSolver(problem, { ...options, maxPasses: last });
    for (let pass = 1; pass <= last; pass++) {
      while (solver.step().phase !== "pass");
      if (!(pass in recorded)) continue;
      const cost = primalCost(problem, solver.best.x);
      expect(Math.abs(cost / recorded[pass] - 1), `pass ${pass}: ${cost}`).toBeLessThan(tolerance(row));
    }
  });

  test("the default skip is the recorded one", () => {
    const solver = createStochasticSolver(problem);
    expect(solver.save().state).toMatchObject({ skip: reference[set].skip });
  });

  test.each(["svmsgd2", "sgdqn-2009", "sgdqn"] as const)("the search finds the recorded t0: %s", (solver) => {
    const searching = createStochasticSolver(problem, {
      solver,
      t0: "search",
      step: "explicit",
      shuffle: false,
    });
    let iteration = searching.step();
    while (iteration.phase === "t0-search") iteration = searching.step();
    expect(iteration.details.t0).toBe(reference[set].t0);
    // 11 candidates, each a pass over a tenth and a look at it
    const tenth = Math.ceil(problem.rows.rows / 10);
    expect(iteration.monitoringEvaluations).toBeGreaterThanOrEqual(22 * tenth);
    expect(iteration.passes).toBeLessThan(1.02);
  });
});

/**
 * The gap (P − P*)/P* after 20 passes of the default solver, an average of three orders 0.9 and 0.4 %; twice that is
 * allowed.
 */
test.each([
  ["a9a", 0.008],
  ["spam", 0.018],
] as const)("SGD-QN with all defaults comes near the optimum: %s", (set, gap) => {
  const problem = problemOf(set);
  const solver = createStochasticSolver(problem, { maxPasses: 20 });
  let iteration = solver.step();
  while (iteration.outcome === undefined) iteration = solver.step();
  expect(iteration.details).toMatchObject({ restarts: 0, gap: undefined });
  expect(primalCost(problem, solver.best.x) / reference[set].optimum - 1).toBeLessThan(gap);
});
