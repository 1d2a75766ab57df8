/** What the stochastic solvers promise beside the conformance suite. */
import {
  type Bias,
  type LinearLoss,
  linearLoss,
  linearLossNames,
  linearObjective,
  primalCost,
} from "@curvature/objectives/linear";
import { Lbfgs, maxIterations, runSync } from "@curvature/optim-core";
import {
  createStochasticSolver,
  type StochasticDetails,
  type StochasticSolver,
  stochasticOptions,
  stochasticSolverNames,
} from "@curvature/optim-sgdqn";
import { describe, expect, test } from "vitest";
import { smallProblem } from "./problems.js";

type Step = ReturnType<StochasticSolver["step"]>;

/** All steps up to the outcome. */
function toTheEnd(solver: StochasticSolver): readonly Step[] {
  const steps = [solver.step()];
  while (steps[steps.length - 1].outcome === undefined) steps.push(solver.step());
  return steps;
}
const lastOf = (steps: readonly Step[]): Step => steps[steps.length - 1];

function optimum(problem: ReturnType<typeof smallProblem>): number {
  const objective = linearObjective(problem);
  const solver = new Lbfgs(objective, new Float64Array(objective.dimension));
  return runSync(solver, { stop: maxIterations(300) }).value ?? Number.NaN;
}

const smooth = linearLossNames.filter((name) => name !== "hinge");
const quick = stochasticSolverNames.filter((solver) => solver !== "olbfgs");

describe.each(quick)("%s", (solver) => {
  test.each(smooth)("comes near the optimum of %s with each kind of bias", { tags: ["full"] }, (lossName) => {
    for (const bias of ["none", "regularized", "free"] satisfies Bias[]) {
      const problem = smallProblem({ lossName, bias });
      const found = createStochasticSolver(problem, { solver, maxPasses: 60 });
      toTheEnd(found);
      // Rates that fall as 1/t: after 24,000 rows a few per cent of P(0) − P* are left at most.
      const least = optimum(problem);
      const excess = primalCost(problem, found.best.x) - least;
      const start = primalCost(problem, new Float64Array(found.dimension)) - least;
      expect(excess).toBeGreaterThan(-1e-9);
      expect(excess / start).toBeLessThan(0.03);
    }
  });

  test("an importance of 2 is the row twice, one of 0 is no row", () => {
    const problem = smallProblem({ n: 3, d: 6 });
    const weighted = { ...problem, importances: Float64Array.of(0, 2, 0) };
    const options = { solver, shuffle: false, t0: 1e6, skip: 1000, step: "explicit", maxPasses: 1 } as const;
    const single = createStochasticSolver({ ...problem, importances: Float64Array.of(0, 1, 0) }, options);
    const double = createStochasticSolver(weighted, options);
    toTheEnd(single);
    toTheEnd(double);
    const [once, twice] = [single.last.x, double.last.x];
    expect(once.some((entry) => entry !== 0)).toBe(true);
    once.forEach((entry, j) => {
      expect(Math.abs(twice[j] - 2 * entry)).toBeLessThanOrEqual(1e-5 * Math.abs(entry)); // decay of order 1/t0
    });
  });
});

test("naive and scaled SGD make the same steps, in every storage", () => {
  const problem = smallProblem({ bias: "free" });
  const { rows } = problem;
  if (!("values" in rows)) throw new Error("sparse rows have values");
  const data = new Float64Array(rows.rows * rows.columns);
  for (let i = 0; i < rows.rows; i++)
    for (let k = rows.rowPointers[i]; k < rows.rowPointers[i + 1]; k++)
      data[i * rows.columns + rows.columnIndices[k]] = rows.values[k];
  const dense = { rows: rows.rows, columns: rows.columns, data };
  const points = (["sgd", "naive-sgd"] as const).flatMap((name) =>
    [rows, dense].map((stored) => {
      const solver = createStochasticSolver({ ...problem, rows: stored }, { solver: name, maxPasses: 3 });
      toTheEnd(solver);
      return solver.last.x;
    }),
  );
  for (const point of points)
    point.forEach((entry, j) => {
      expect(Math.abs(entry - points[0][j])).toBeLessThanOrEqual(1e-11);
    });
});

test("steps that run away begin again with a larger t0", () => {
  const problem = smallProblem({ size: 30, bias: "regularized" });
  const solver = createStochasticSolver(problem, { solver: "sgd", t0: 10, step: "explicit" });
  const steps = toTheEnd(solver);
  const restarts = steps.filter(({ phase }) => phase === "restart").length;
  expect(restarts).toBeGreaterThan(0);
  expect(lastOf(steps).details).toMatchObject({ restarts, t0: 10 * 10 ** restarts });
  expect(lastOf(steps).outcome?.status).toBe("max-iterations");
  expect(lastOf(steps).passes).toBe(10 + restarts);
  expect(primalCost(problem, solver.best.x)).toBeLessThan(primalCost(problem, new Float64Array(8)));
});

test("after ten restarts it ends as diverged, with a finite point", () => {
  const problem = smallProblem({ size: 1e12 });
  const solver = createStochasticSolver(problem, { solver: "svmsgd2", t0: 1, step: "explicit" });
  const steps = toTheEnd(solver);
  expect(lastOf(steps).outcome?.status).toBe("diverged");
  expect(lastOf(steps).outcome?.message).toContain("10 restarts");
  expect(steps).toHaveLength(11);
  expect(solver.best.x).toEqual(new Float64Array(7));
});

test("implicit steps do not run away, even there", () => {
  for (const solver of ["sgd", "svmsgd2", "asgd", "sgdqn"] as const) {
    const problem = smallProblem({ size: 1e6 });
    const found = createStochasticSolver(problem, { solver, t0: 1, step: "implicit" });
    expect(lastOf(toTheEnd(found)).details.restarts).toBe(0);
  }
});

test("a loss that breaks ends as diverged, not with NaN", () => {
  const broken: LinearLoss = { ...linearLoss("squared-hinge"), slope: () => Number.NaN };
  const problem = { ...smallProblem(), loss: { ...broken, implicitSlope: broken.slope } };
  const solver = createStochasticSolver(problem);
  expect(lastOf(toTheEnd(solver)).outcome?.status).toBe("diverged");
  expect(solver.best.x.every(Number.isFinite)).toBe(true);
});

test("the search for t0 is monitoring, takes the best candidate, and survives candidates that explode", () => {
  const problem = smallProblem({ n: 1000, size: 40 });
  const options = { solver: "sgd", shuffle: false } as const;
  const searching = createStochasticSolver(problem, { ...options, t0: "search" });
  const steps: Step[] = [];
  do steps.push(searching.step());
  while (lastOf(steps).phase === "t0-search");
  const search = steps.filter(({ phase }) => phase === "t0-search");
  expect(search).toHaveLength(11);
  expect(lastOf(search)).toMatchObject({ evaluations: 0, passes: 0, monitoringEvaluations: 11 * 200 });
  expect(searching.last.x.length).toBe(7);
  // by hand: the same trial passes, over the first 100 rows alone
  const { rows, targets } = problem;
  if (!("values" in rows)) throw new Error("sparse rows have values");
  const tenth = { ...problem, rows: { ...rows, rows: 100 }, targets: targets.slice(0, 100) };
  const costs = Array.from({ length: 11 }, (_, k) => {
    const trial = createStochasticSolver(tenth, { ...options, t0: 10 ** k, step: "explicit", maxPasses: 1 });
    return trial.step().phase === "restart" ? 1 / 0 : primalCost(tenth, trial.last.x);
  });
  expect(costs[0]).toBe(1 / 0);
  expect(lastOf(steps).details.t0).toBe(10 ** costs.indexOf(Math.min(...costs)));
});

test("early stopping keeps the point with the least validation error", () => {
  const problem = smallProblem({ n: 600, d: 30, lambda: 1e-4 });
  const solver = createStochasticSolver(problem, { validationShare: 0.4, maxPasses: 200, seed: 3 });
  const points: { readonly error: number; readonly x: Float64Array }[] = [];
  let iteration: Step;
  do {
    iteration = solver.step();
    points.push({ error: iteration.details.validationError ?? 1, x: solver.last.x.slice() });
  } while (iteration.outcome === undefined);
  expect(iteration.outcome.status).toBe("stalled"); // an error on held-out rows is no bound of P
  const least = Math.min(...points.map(({ error }) => error));
  const first = points.findIndex(({ error }) => error === least);
  expect(points).toHaveLength(first + 4);
  expect(solver.best.x).toEqual(points[first].x);
  expect(iteration.monitoringEvaluations).toBe(240 * points.length);
  expect(iteration.passes / points.length).toBeGreaterThan(1); // a pass is the 360 rows learnt from,
  expect(iteration.passes / points.length).toBeLessThan(1.03); // and a secant every 48 rows
});

test("rows held out are not learnt from", () => {
  const problem = smallProblem({ n: 500 });
  const options = { validationShare: 0.5, shuffle: false, maxPasses: 2 };
  const flipped = problem.targets.map((y, i) => (i >= 250 ? -y : y));
  const [one, other] = [problem, { ...problem, targets: flipped }].map((given) => {
    const solver = createStochasticSolver(given, options);
    const { details } = lastOf(toTheEnd(solver));
    return { x: solver.last.x, details };
  });
  expect(one.x).toEqual(other.x);
  expect((one.details.validationError ?? 0) + (other.details.validationError ?? 0)).toBe(1);
});

test("with a tolerance it ends when P has come to rest, and its best is the least P", () => {
  const problem = smallProblem();
  const solver = createStochasticSolver(problem, { tolerance: 1e-3, maxPasses: 1000 });
  const passes = toTheEnd(solver);
  const values = passes.map(({ value }) => value ?? Number.NaN);
  expect(lastOf(passes).outcome?.status).toBe("stalled"); // at rest, and farther from P* than the tolerance:
  expect(lastOf(passes).details.gap).toBeGreaterThan(1e-3);
  const changes = values.slice(1).map((value, k) => Math.abs(value - values[k]) / values[k]);
  const still = changes.map((change) => change <= 1e-3);
  expect(still.findIndex((is, k) => is && still[k - 1])).toBe(still.length - 1);
  expect(solver.best.value).toBe(Math.min(...values));
  expect(solver.best.value).toBeCloseTo(primalCost(problem, solver.best.x), 12);
  // a look after every pass, one at P(0), and three reads for the bound
  expect(lastOf(passes).monitoringEvaluations).toBe(400 * (passes.length + 4));
});

test("a warm start goes on from its point", () => {
  const problem = smallProblem({ bias: "free" });
  const initial = Float64Array.from({ length: 8 }, (_, j) => j / 10);
  for (const solver of stochasticSolverNames) {
    const warm = createStochasticSolver(problem, { solver, initial });
    expect(warm.last.x).toEqual(initial);
    expect(warm.best.x).toEqual(initial);
  }
});

test.each([
  ["an unknown solver", { solver: "sgd-qn" }, 'solver must be one of "sgd"'],
  ["t0 below 1", { t0: 0.5 }, "t0 must be"],
  ["NaN for t0", { t0: Number.NaN }, "t0 must be"],
  ["a skip of 0", { skip: 0 }, "skip must be"],
  ["an unknown option", { passes: 3 }, 'unknown option "passes"'],
  ["a share of 1", { validationShare: 1 }, "validationShare must be"],
  ["a short start", { initial: new Float64Array(3) }, "initial must be an array of 7 numbers"],
  ["a start with NaN", { initial: new Float64Array(7).fill(Number.NaN) }, "initial has NaN at 0"],
  ["no passes", { maxPasses: 0 }, "maxPasses must be"],
  ["an array", [], "options must be an object"],
])("%s is refused", (_, options, words) => {
  expect(() => Reflect.apply(createStochasticSolver, undefined, [smallProblem(), options])).toThrowError(
    words,
  );
});

test("what is no problem is refused", () => {
  const problem = { ...smallProblem(), lambda: -1 };
  expect(() => createStochasticSolver(problem)).toThrowError(/lambda must be/);
});

test("the defaults are the options' defaults", () => {
  const { options } = createStochasticSolver(smallProblem());
  expect(options).toEqual(stochasticOptions.defaults);
  expect(Object.isFrozen(stochasticOptions.defaults)).toBe(true);
});

test("rows that are empty, importances that are all 0, and one row are no trouble", () => {
  const empty = {
    rows: 3,
    columns: 2,
    rowPointers: new Int32Array(4),
    columnIndices: new Int32Array(0),
    values: new Float64Array(0),
  };
  const targets = Float64Array.of(1, -1, 1);
  for (const solver of stochasticSolverNames) {
    for (const problem of [
      { ...smallProblem(), rows: empty, targets },
      { ...smallProblem(), importances: new Float64Array(400) },
      smallProblem({ n: 1, bias: "free" }),
    ]) {
      const found = createStochasticSolver(problem, { solver, validationShare: 0.3 });
      const details: StochasticDetails = lastOf(toTheEnd(found)).details;
      expect(found.best.x.every(Number.isFinite)).toBe(true);
      expect(details.restarts).toBe(0);
    }
  }
});
