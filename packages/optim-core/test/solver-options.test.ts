/** Options of the classic solvers change what they say. */
import {
  ConjugateGradient,
  GradientDescent,
  gradientNormBelow,
  Lbfgs,
  type LbfgsOptions,
  maxIterations,
  type Objective,
  runSync,
  type Solver,
} from "@curvature/optim-core";
import { describe, expect, test } from "vitest";
import { quadratic, rosenbrock, rosenbrockStart } from "./problems.js";

describe("options change what they say", () => {
  const steps = (solver: Solver, limit: number) =>
    runSync(solver, { stop: maxIterations(limit), history: true }).history.map(
      ({ stepLength = 0 }) => stepLength,
    );
  const bowl = quadratic(3, 4);
  const away = new Float64Array(3).fill(9);

  test("gradient descent: initialStep, growth, shrink, sufficientDecrease", () => {
    expect(steps(new GradientDescent(bowl, away, { initialStep: 0.01 }), 3)).toEqual([0.01, 0.02, 0.04]);
    expect(steps(new GradientDescent(bowl, away, { initialStep: 0.01, growth: 1 }), 2)).toEqual([0.01, 0.01]);
    expect(steps(new GradientDescent(bowl, away, { initialStep: 8, shrink: 0.1 }), 1)[0]).toBeCloseTo(
      0.08,
      12,
    );
    const patient = { initialStep: 0.45, sufficientDecrease: 1e-4 };
    expect(steps(new GradientDescent(bowl, away, patient), 1)).toEqual([0.45]);
    expect(steps(new GradientDescent(bowl, away, { ...patient, sufficientDecrease: 0.45 }), 1)).toEqual([
      0.225,
    ]);
    const [first] = steps(new GradientDescent(bowl, away), 1); // gradient (9, 16, 28)
    expect(first).toBe(1 / 53);
  });

  test("conjugate gradients: curvature makes searches exacter, restartEvery makes them steepest descent", () => {
    const slopes = (curvature: number) => {
      const solver = new ConjugateGradient(rosenbrock(2), rosenbrockStart(2), { curvature });
      return runSync(solver, { stop: maxIterations(20) }).evaluations;
    };
    expect(slopes(0.001)).toBeGreaterThan(slopes(0.4));
    const restarts = (restartEvery: number) => {
      const solver = new ConjugateGradient(quadratic(6, 50), new Float64Array(6), { restartEvery });
      const { history } = runSync(solver, { stop: maxIterations(12), history: true });
      return history.map(({ details }) => (details.restarted ? 1 : 0));
    };
    expect(restarts(1)).toEqual(new Array(12).fill(1));
    expect(restarts(4)).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
  });

  test("conjugate gradients end on a quadratic of n variables after about n exact steps", () => {
    const solver = new ConjugateGradient(quadratic(8, 100), new Float64Array(8), { curvature: 0.001 });
    const result = runSync(solver, { stop: [gradientNormBelow(1e-6), maxIterations(1000)] });
    expect(result.iterations).toBeLessThanOrEqual(16);
  });

  test("L-BFGS: the first step", () => {
    const steep: Objective = {
      dimension: 1,
      evaluate(x, g) {
        if (g !== undefined) g[0] = 2e6 * x[0];
        return 1e6 * x[0] * x[0];
      },
    };
    const trials = (options: LbfgsOptions) => {
      const solver = new Lbfgs(steep, Float64Array.of(1), options);
      return solver.step().details.trials;
    };
    expect(trials({ firstStep: "scaled", lineSearch: "armijo" })).toBe(1);
    expect(trials({ firstStep: "unit", lineSearch: "armijo" })).toBeGreaterThan(15);
  });

  test("L-BFGS: each line search keeps what it promises", () => {
    const accepted = (lineSearch: "strong-wolfe" | "weak-wolfe" | "armijo") => {
      const solver = new Lbfgs(rosenbrock(2), rosenbrockStart(2), { lineSearch, curvature: 0.1 });
      return runSync(solver, { stop: maxIterations(15) }).evaluations;
    };
    expect(accepted("strong-wolfe")).toBeGreaterThan(accepted("weak-wolfe"));
    expect(accepted("weak-wolfe")).toBeGreaterThan(accepted("armijo"));
  });

  test("L-BFGS: with the exact inverse Hessian it is Newton's method", () => {
    const hard = quadratic(10, 1e6);
    const solver = new Lbfgs(hard, new Float64Array(10), {
      inverseHessian: (v, out) => {
        for (let i = 0; i < 10; i++) out[i] = v[i] / 1e6 ** (i / 9);
      },
    });
    const result = runSync(solver, { stop: [gradientNormBelow(1e-8), maxIterations(10)] });
    expect(result).toMatchObject({ status: "converged", evaluations: 2 });
  });

  test("L-BFGS: an inverse Hessian that points uphill is left for the gradient, and its pairs are kept", () => {
    let factor = 0.1;
    const solver = new Lbfgs(quadratic(8, 4), new Float64Array(8), {
      inverseHessian: (v, out) => {
        for (let i = 0; i < v.length; i++) out[i] = factor * v[i];
      },
    });
    for (let k = 0; k < 3; k++) expect(solver.step().details.restarted).toBe(false);
    factor = -100;
    const turned = solver.step();
    expect(turned.details).toMatchObject({ restarted: true });
    expect(turned.details.slope).toBeLessThan(0);
    expect(solver.save().state).toMatchObject({ memory: { count: 4 } });
    factor = 0.1;
    expect(runSync(solver, { stop: maxIterations(60) }).value).toBeLessThan(1e-6);
  });

  test("bad ones are named", () => {
    expect(() => new Lbfgs(bowl, away, { memory: 0 })).toThrowError(
      "Lbfgs: memory must be a whole number from 1 to 10000",
    );
    expect(() => Reflect.construct(Lbfgs, [bowl, away, { linesearch: 1 }])).toThrowError(
      'Did you mean "lineSearch"?',
    );
    expect(() => new GradientDescent(bowl, away, { growth: 0.5 })).toThrowError(
      "growth must be a number from 1 to 10",
    );
    expect(() => new ConjugateGradient(bowl, away, { curvature: 0.9 })).toThrowError("curvature must be");
  });

  test("bad problems and points are named", () => {
    expect(() => new Lbfgs(bowl, new Float64Array(2))).toThrowError(
      "Lbfgs: the first point must be a Float64Array of length 3; received a Float64Array of length 2.",
    );
    expect(new Lbfgs(bowl, [1, 2, 3]).last.x).toEqual(Float64Array.of(1, 2, 3));
    expect(new Lbfgs(bowl, Float32Array.of(1, 2, 3)).last.x).toEqual(Float64Array.of(1, 2, 3));
    expect(() => Reflect.construct(Lbfgs, [bowl, [1, "2", 3]])).toThrowError("received an array of length 3");
    expect(() => new Lbfgs(bowl, Float64Array.of(0, Number.NaN, 0))).toThrowError(
      "the first point has NaN at 1",
    );
    expect(() => Reflect.construct(Lbfgs, [{ dimension: 2 }, away])).toThrowError(
      "a function evaluate(x, gradient)",
    );
    expect(() => new Lbfgs({ ...bowl, dimension: 0 }, new Float64Array(0))).toThrowError(
      "dimension of at least 1",
    );
  });
});
