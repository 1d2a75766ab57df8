/** An objective whose gradient lacks entries has no minimum that anybody could find, and must not seem to have one. */
import {
  asObjective,
  ConjugateGradient,
  createSumSolver,
  GradientDescent,
  HessianFree,
  Lbfgs,
  Lbfgsb,
  type Objective,
  run,
  runSync,
  type Solver,
  type SumOfFunctions,
  sumSolverMethods,
} from "@curvature/optim-core";
import { describe, expect, test } from "vitest";

const start = Float64Array.of(1, 2, 3);

/** Entries of ∇ Σ (x_j − 5)² that each of them writes. */
const written: Readonly<Record<string, readonly number[]>> = { none: [], "all but one": [0, 2] };

const solvers: Readonly<Record<string, (f: Objective) => Solver>> = {
  "gradient descent": (f) => new GradientDescent(f, start),
  "conjugate gradients": (f) => new ConjugateGradient(f, start),
  "L-BFGS": (f) => new Lbfgs(f, start),
  "L-BFGS-B": (f) => new Lbfgsb(f, start, { lower: 0 }),
  "Hessian-free": (f) => new HessianFree(f, start),
};

describe.each(Object.entries(written))("%s of the entries", (_, entries) => {
  const evaluate = (x: Float64Array, gradient?: Float64Array): number => {
    if (gradient !== undefined) for (const j of entries) gradient[j] = 2 * (x[j] - 5);
    return x.reduce((sum, entry) => sum + (entry - 5) ** 2, 0);
  };
  const sum: SumOfFunctions = { dimension: 3, count: 4, evaluate: (_, x, gradient) => evaluate(x, gradient) };

  test.each(Object.entries(solvers))("%s", (_, make) => {
    for (const objective of [{ dimension: 3, evaluate }, asObjective(sum)]) {
      const { status, message } = runSync(make(objective));
      expect(status).toBe("diverged");
      expect(message).toContain("write every entry of the gradient");
    }
  });

  test.each(Object.keys(sumSolverMethods))("%s", async (method) => {
    const { status, message } = await run(createSumSolver(method, sum, start));
    expect(status).toBe("diverged");
    expect(message).toContain("write every entry of the gradient");
  });
});

test("an entry that one subfunction leaves out does not take the number of the one before", () => {
  const sum: SumOfFunctions = {
    dimension: 2,
    count: 2,
    evaluate: (i, x, gradient) => {
      if (gradient !== undefined) gradient[i] = 2 * x[i];
      return x[i] ** 2;
    },
  };
  const gradient = new Float64Array(2);
  asObjective(sum).evaluate(Float64Array.of(1, 2), gradient);
  expect([...gradient]).toEqual([Number.NaN, Number.NaN]);
});
