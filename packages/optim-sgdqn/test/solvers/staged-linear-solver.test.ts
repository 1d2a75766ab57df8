import {
  type LinearLossName,
  type LinearProblem,
  linearLoss,
  primalCost,
} from "@curvature/objectives/linear";
import { maxIterations, runSync } from "@curvature/optim-core";
import { solverConformance } from "@curvature/optim-core/conformance";
import { describe, expect, test } from "vitest";
import { Newton } from "../../src/solvers/newton/newton.js";
import { sampledProblem } from "../../src/solvers/sampled-problem.js";
import { type StagedLinearOptions, StagedLinearSolver } from "../../src/solvers/staged-linear-solver.js";
import { noisyHalves, sparseOf } from "../helpers/rows.js";

const forever = maxIterations(Number.POSITIVE_INFINITY);
const bytesInUse = (): number => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;

function problemOf(
  name: LinearLossName,
  { n = 400, d = 6, bias = "none", density = 1, lambda = 0.01 }: ProblemOptions = {},
): LinearProblem {
  const { rows, targets, scores } = noisyHalves(n, d, { density });
  const loss = linearLoss(name);
  return {
    rows: density < 0.25 ? sparseOf(rows) : rows,
    targets: loss.task === "regression" ? scores : targets,
    loss,
    lambda,
    bias,
  };
}

type ProblemOptions = Partial<Pick<LinearProblem, "bias" | "lambda">> & {
  readonly n?: number;
  readonly d?: number;
  readonly density?: number;
};

const wide = { n: 150, d: 2001, density: 0.01 };
const solve = (problem: LinearProblem, options: StagedLinearOptions = {}) =>
  runSync(new StagedLinearSolver(problem, options), { stop: forever, history: true });

describe("conforms", () => {
  const cases: Readonly<Record<string, (seed: number) => StagedLinearSolver>> = {
    "sample and Newton": (seed) =>
      new StagedLinearSolver(problemOf("logistic", { n: 2000 }), { seed, tolerance: 1e-6 }),
    Newton: () => new StagedLinearSolver(problemOf("squared-hinge", { bias: "free" }), { tolerance: 1e-10 }),
    "dual coordinate descent": (seed) =>
      new StagedLinearSolver(problemOf("hinge", wide), { seed, tolerance: 1e-5 }),
  };
  for (const [name, create] of Object.entries(cases)) {
    const checks = solverConformance({
      name,
      create,
      createTiny: (seed) => new StagedLinearSolver(problemOf("logistic", { d: 1 }), { seed }),
      longSteps: 20,
      // a sample has no value, and is followed by what has
      sense: name.includes("sample") ? "none" : "minimize",
      hasFaults: false,
      bytesInUse,
    });
    for (const { name: what, check } of checks) test(`${name}: ${what}`, { tags: ["full"] }, check);
  }
});

describe("the plan", () => {
  const stages = (problem: LinearProblem, options: StagedLinearOptions = {}) =>
    new StagedLinearSolver(problem, options).plan.stages;

  test("is by loss and size", () => {
    expect(stages(problemOf("squared-hinge"))).toEqual(["sample", "newton"]);
    expect(stages(problemOf("squared-hinge", { n: 319 }))).toEqual(["newton"]);
    expect(stages(problemOf("squared-error", { n: 373, bias: "free" }))).toEqual(["newton"]);
    expect(stages(problemOf("logistic"))).toEqual(["sample", "newton"]);
    expect(stages(problemOf("hinge"))).toEqual(["dcd"]);
    expect(stages(problemOf("hinge", { bias: "free" }))).toEqual(["newton"]);
    expect(stages(problemOf("squared-hinge", wide))).toEqual(["dcd"]);
    expect(stages(problemOf("squared-hinge", { ...wide, bias: "free" }))).toEqual(["newton"]);
    expect(stages(problemOf("logistic", wide))).toEqual(["newton"]);
    expect(stages(problemOf("logistic", wide), { accuracy: "error" })).toEqual(["svmsgd2"]);
  });

  test("begins at a given point", () => {
    expect(stages(problemOf("logistic"), { initial: new Float64Array(6) })).toEqual(["newton"]);
  });

  test("is reported by the phases, and counters go on from stage to stage", () => {
    const problem = problemOf("logistic");
    const { history } = solve(problem);
    expect(new Set(history.map(({ phase }) => phase))).toEqual(new Set(["sample", "newton"]));
    const ofSample = history.filter(({ phase }) => phase === "sample");
    for (const { value, gradientNorm, details } of ofSample)
      expect([value, gradientNorm, details.gap]).toEqual([undefined, undefined, undefined]);
    // 48 of 400 rows: what is read there counts by its part
    const alone = runSync(new Newton(sampledProblem(problem, 48, 0), { tolerance: 0.1 }), { stop: forever });
    expect(ofSample.at(-1)?.passes).toBeCloseTo((48 / 400) * alone.passes, 12);
    for (const [k, { index, passes }] of history.entries()) {
      expect(index).toBe(k + 1);
      expect(passes).toBeGreaterThanOrEqual(history[Math.max(0, k - 1)].passes);
    }
    expect(history.at(-1)?.passes).toBeGreaterThan(2);
  });
});

describe("the optimum", () => {
  for (const name of ["squared-hinge", "smoothed-hinge", "logistic", "modified-huber", "huber"] as const)
    for (const shape of [{}, wide])
      for (const bias of ["none", "regularized", "free"] as const)
        test(`of the ${name} loss in ${"d" in shape ? "many" : "few"} columns, bias ${bias}, within the tolerance`, {
          tags: ["full"],
        }, () => {
          const problem = problemOf(name, { ...shape, bias });
          const exact = runSync(new Newton(problem, { tolerance: 1e-13 }), { stop: forever });
          const { x, status } = solve(problem, { tolerance: 1e-4 });
          expect(status).toBe("converged");
          expect(primalCost(problem, x)).toBeLessThanOrEqual((exact.value ?? Number.NaN) * (1 + 1e-4));
        });

  test('is left for later with accuracy "error"', () => {
    const { status, passes, history } = solve(problemOf("squared-hinge", wide), { accuracy: "error" });
    expect([status, passes]).toEqual(["max-iterations", 5]);
    expect(history.at(-1)?.details.gap).toBeUndefined();
  });

  test("is reached from a sample that knows nothing of the largest row", () => {
    const { rows, targets } = noisyHalves(1000, 4);
    rows.data[0] = 1e8;
    const problem: LinearProblem = {
      rows,
      targets,
      loss: linearLoss("logistic"),
      lambda: 1e-3,
      bias: "none",
    };
    const drawn = sampledProblem(problem, 63, 0).rows;
    expect("data" in drawn && Math.max(...drawn.data)).toBeLessThan(10);
    const exact = runSync(new Newton(problem, { tolerance: 1e-12, method: "explicit" }), { stop: forever });
    const { value = Number.NaN, status } = solve(problem, { tolerance: 1e-4 });
    expect(status).toBe("converged");
    expect(value).toBeLessThanOrEqual((exact.value ?? Number.NaN) * (1 + 1e-4));
  });
});

describe("refuses", () => {
  const problem = problemOf("logistic");
  test.each([
    [
      "an unknown accuracy",
      () => new StagedLinearSolver(problem, JSON.parse('{ "accuracy": "best" }')),
      "ERR_OPTION",
    ],
    ["an unknown option", () => new StagedLinearSolver(problem, JSON.parse('{ "t0": 1 }')), "ERR_OPTION"],
    ["λ = 0", () => new StagedLinearSolver({ ...problem, lambda: 0 }), "ERR_OPTION"],
    [
      "a first point of another length",
      () => new StagedLinearSolver(problem, { initial: new Float64Array(3) }),
      "ERR_SHAPE",
    ],
  ])("%s", (_, make, code) => {
    expect(make).toThrowError(expect.objectContaining({ name: "CurvatureError", code }));
  });
});
