/** Above 50 variables an end is judged by products with the Hessian: what is a minimum is called one, and what is none is not. */
import {
  ConjugateGradient,
  GradientDescent,
  Lbfgs,
  Lbfgsb,
  maxEvaluations,
  type Objective,
  runSync,
  type Solver,
} from "@curvature/optim-core";
import { describe, expect, test } from "vitest";
import { rosenbrock, rosenbrockStart } from "./problems.js";

/** Powell's singular function side by side, and 1; the Hessian at the minimum 1 has rank n/2. */
const powell = (dimension: number): Objective => ({
  dimension,
  evaluate(x, gradient) {
    let value = 1;
    for (let i = 0; i < dimension; i += 4) {
      const [a, b] = [x[i] + 10 * x[i + 1], x[i + 2] - x[i + 3]];
      const [c, d] = [x[i + 1] - 2 * x[i + 2], x[i] - x[i + 3]];
      value += a * a + 5 * b * b + c ** 4 + 10 * d ** 4;
      const [u, v] = [4 * c ** 3, 40 * d ** 3];
      gradient?.set([2 * a + v, 20 * a + u, 10 * b - 2 * u, -10 * b - v], i);
    }
    return value;
  },
});
const powellStart = (dimension: number): Float64Array =>
  Float64Array.from({ length: dimension }, (_, i) => [3, -1, 0, 1][i % 4]);

const lifted = (dimension: number): Objective => {
  const { evaluate } = rosenbrock(dimension);
  return { dimension, evaluate: (x, gradient) => 1 + evaluate(x, gradient) };
};

const makers: readonly (readonly [string, (f: Objective, x: Float64Array) => Solver])[] = [
  ["L-BFGS", (f: Objective, x: Float64Array) => new Lbfgs(f, x)],
  ["conjugate gradients", (f: Objective, x: Float64Array) => new ConjugateGradient(f, x)],
  ["L-BFGS-B", (f: Objective, x: Float64Array) => new Lbfgsb(f, x)],
  ["L-BFGS-B in a box", (f: Objective, x: Float64Array) => new Lbfgsb(f, x, { lower: -10, upper: 10 })],
];

describe.each(makers)("%s", (_, make) => {
  test.each([100, 400])("a minimum with a singular Hessian and %i variables is called one", (n) => {
    const { status, value } = runSync(make(powell(n), powellStart(n)), { stop: maxEvaluations(2000) });
    expect(status).toBe("converged");
    expect(value).toBeLessThan(1 + 1e-9);
  });

  test("Rosenbrock's function of 100 variables, and 1, ends converged at its minimum", () => {
    const {
      status,
      value,
      test: ending,
    } = runSync(make(lifted(100), rosenbrockStart(100)), {
      stop: maxEvaluations(5000),
    });
    expect(status).toBe("converged");
    expect(value).toBeLessThan(1 + 1e-12);
    expect(ending?.value).toBeLessThanOrEqual(ending?.limit ?? 0);
  });
});

test("a flat direction among 200 steep ones, which no pair has seen, is found before an end is spoken of", () => {
  // The start is the minimum but for the flat coordinates, where steps of the scale of the others lower F by nothing to speak of.
  const n = 200;
  const flat = 1e-10;
  const bowl: Objective = {
    dimension: n,
    evaluate(x, gradient) {
      let value = 1;
      for (let i = 0; i < n; i++) {
        const c = i % 50 === 0 ? flat : 1 + (i % 7);
        value += 0.5 * c * (x[i] - 100) ** 2;
        if (gradient !== undefined) gradient[i] = c * (x[i] - 100);
      }
      return value;
    },
  };
  const start = Float64Array.from({ length: n }, (_, i) => (i % 50 === 0 ? -900 : 100 + Math.sin(i)));
  for (const make of [Lbfgs, ConjugateGradient, GradientDescent, Lbfgsb]) {
    const solver: Solver = new make(bowl, start);
    const { status, value } = runSync(solver, { stop: maxEvaluations(3000) });
    expect(status).toBe("converged");
    expect(value).toBeLessThan(1 + 1e-8);
  }
});

test("on the face of a box, too: every third of 300 variables is held, and some are flat", () => {
  const n = 300;
  const weight = (i: number): number => (i % 50 === 1 ? 1e-10 : 1 + (i % 7));
  const bowl: Objective = {
    dimension: n,
    evaluate(x, gradient) {
      let value = 1;
      for (let i = 0; i < n; i++) {
        value += 0.5 * weight(i) * (x[i] - 100) ** 2;
        if (gradient !== undefined) gradient[i] = weight(i) * (x[i] - 100);
      }
      return value;
    },
  };
  const upper = Float64Array.from({ length: n }, (_, i) => (i % 3 === 0 ? 99.9 : 1000));
  const start = Float64Array.from({ length: n }, (_, i) =>
    i % 3 === 0 ? 99.9 : i % 50 === 1 ? -900 : 100 + Math.sin(i),
  );
  let least = 1;
  for (let i = 0; i < n; i += 3) least += 0.5 * weight(i) * 0.1 ** 2;
  const { status, value, x } = runSync(new Lbfgsb(bowl, start, { upper }), { stop: maxEvaluations(3000) });
  expect(status).toBe("converged");
  expect((value ?? Number.NaN) / least).toBeLessThan(1 + 1e-12);
  expect(x[3]).toBe(99.9);
});
