/** L-BFGS-B finds minima that are known, or known by their conditions. */
import { fillNormal, gram, RandomGenerator, zeros } from "@curvature/linalg";
import type { Objective } from "@curvature/optim-core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NEGATIVE_INFINITY, POSITIVE_INFINITY, solve } from "./lbfgsb-problems.js";
import { distance, rosenbrock, rosenbrockStart } from "./problems.js";

/** Values of up to 1e3 are rounded by 1e-13, in which a decrease g²/2h is lost for g below 1e-6 √h, curvatures h up to 100. */
const FLAT = 1e-5;

interface Known {
  readonly name: string;
  readonly value: (x: Float64Array, g: Float64Array) => number;
  readonly start: readonly number[];
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  readonly optimum: number;
  readonly at: readonly number[];
}

const a = Math.sqrt(598 / 1200);

/** Hock, Schittkowski: Test examples for nonlinear programming codes (1981), by their numbers. */
const known: readonly Known[] = [
  {
    name: "HS1",
    value: (x, g) => rosenbrock(2).evaluate(x, g),
    start: [-2, 1],
    lower: [NEGATIVE_INFINITY, -1.5],
    upper: [POSITIVE_INFINITY, POSITIVE_INFINITY],
    optimum: 0,
    at: [1, 1],
  },
  {
    name: "HS2, from the right: from (-2, 1) descent ends in its other minimum",
    value: (x, g) => rosenbrock(2).evaluate(x, g),
    start: [2, 1],
    lower: [NEGATIVE_INFINITY, 1.5],
    upper: [POSITIVE_INFINITY, POSITIVE_INFINITY],
    optimum: 0.0504261879,
    at: [2 * a * Math.cos(Math.acos(1 / (400 * a ** 3)) / 3), 1.5],
  },
  {
    name: "HS3",
    value: (x, g) => {
      g.set([-2e-5 * (x[1] - x[0]), 1 + 2e-5 * (x[1] - x[0])]);
      return x[1] + 1e-5 * (x[1] - x[0]) ** 2;
    },
    start: [10, 1],
    lower: [NEGATIVE_INFINITY, 0],
    upper: [POSITIVE_INFINITY, POSITIVE_INFINITY],
    optimum: 0,
    at: [0, 0],
  },
  {
    name: "HS4",
    value: (x, g) => {
      g.set([(x[0] + 1) ** 2, 1]);
      return (x[0] + 1) ** 3 / 3 + x[1];
    },
    start: [1.125, 0.125],
    lower: [1, 0],
    upper: [POSITIVE_INFINITY, POSITIVE_INFINITY],
    optimum: 8 / 3,
    at: [1, 0],
  },
  {
    name: "HS5",
    value: (x, g) => {
      const cosine = Math.cos(x[0] + x[1]);
      g.set([cosine + 2 * (x[0] - x[1]) - 1.5, cosine - 2 * (x[0] - x[1]) + 2.5]);
      return Math.sin(x[0] + x[1]) + (x[0] - x[1]) ** 2 - 1.5 * x[0] + 2.5 * x[1] + 1;
    },
    start: [0, 0],
    lower: [-1.5, -3],
    upper: [4, 3],
    optimum: -Math.sqrt(3) / 2 - Math.PI / 3,
    at: [0.5 - Math.PI / 3, -0.5 - Math.PI / 3],
  },
  {
    name: "HS38",
    value: (x, g) => {
      const [b, c] = [x[1] - x[0] ** 2, x[3] - x[2] ** 2];
      g.set([
        -400 * x[0] * b - 2 * (1 - x[0]),
        200 * b + 20.2 * (x[1] - 1) + 19.8 * (x[3] - 1),
        -360 * x[2] * c - 2 * (1 - x[2]),
        180 * c + 20.2 * (x[3] - 1) + 19.8 * (x[1] - 1),
      ]);
      return (
        100 * b ** 2 +
        (1 - x[0]) ** 2 +
        90 * c ** 2 +
        (1 - x[2]) ** 2 +
        10.1 * ((x[1] - 1) ** 2 + (x[3] - 1) ** 2) +
        19.8 * (x[1] - 1) * (x[3] - 1)
      );
    },
    start: [-3, -1, -3, -1],
    lower: [-10, -10, -10, -10],
    upper: [10, 10, 10, 10],
    optimum: 0,
    at: [1, 1, 1, 1],
  },
  {
    name: "HS45, its start beyond the bounds",
    value: (x, g) => {
      const product = x.reduce((p, xi) => p * xi, 1);
      for (let i = 0; i < 5; i++) g[i] = -product / x[i] / 120;
      return 2 - product / 120;
    },
    start: [2, 2, 2, 2, 2],
    lower: [0, 0, 0, 0, 0],
    upper: [1, 2, 3, 4, 5],
    optimum: 1,
    at: [1, 2, 3, 4, 5],
  },
  {
    name: "HS110",
    value: (x, g) => {
      const power = x.reduce((p, xi) => p * xi, 1) ** 0.2;
      let value = -power;
      for (let i = 0; i < 10; i++) {
        const [low, high] = [Math.log(x[i] - 2), Math.log(10 - x[i])];
        value += low ** 2 + high ** 2;
        g[i] = (2 * low) / (x[i] - 2) - (2 * high) / (10 - x[i]) - (0.2 * power) / x[i];
      }
      return value;
    },
    start: new Array(10).fill(9),
    lower: new Array(10).fill(2.001),
    upper: new Array(10).fill(9.999),
    optimum: -45.77846971,
    at: new Array(10).fill(9.35026583),
  },
];

describe("L-BFGS-B finds what is known", () => {
  test.each(known)("$name", ({ value, start, lower, upper, optimum, at }) => {
    const result = solve(
      { dimension: start.length, evaluate: (x, g = new Float64Array(x.length)) => value(x, g) },
      start,
      { lower: Float64Array.from(lower), upper: Float64Array.from(upper) },
    );
    expect(result.status).toBe("converged");
    expect(Math.abs((result.value ?? Number.NaN) - optimum)).toBeLessThan(1e-8 * (1 + Math.abs(optimum)));
    expect(distance(result.x, at)).toBeLessThan(1e-4);
  });

  test("Rosenbrock in 50 variables below 0.5, which binds some and not all", () => {
    const { x, status } = solve(rosenbrock(50), Array.from(rosenbrockStart(50)), { lower: -2, upper: 0.5 });
    const g = new Float64Array(50);
    rosenbrock(50).evaluate(x, g);
    expect(status).toBe("converged");
    expect(x.filter((xi) => xi === 0.5).length).toBeGreaterThan(0);
    expect(x.filter((xi) => xi === 0.5).length).toBeLessThan(50);
    for (let i = 0; i < 50; i++) expect(x[i] === 0.5 ? Math.max(0, g[i]) : Math.abs(g[i])).toBeLessThan(FLAT);
  });
});

/** ½‖A x − b‖², A with more rows than columns. */
function leastSquares(rows: number, n: number, seed: number): Objective {
  const random = new RandomGenerator(seed);
  const A = zeros(rows, n);
  fillNormal(random, A.data);
  const H = gram(A).data;
  const f = new Float64Array(n);
  fillNormal(random, f);
  return {
    dimension: n,
    evaluate(x, g) {
      let value = 0;
      for (let i = 0; i < n; i++) {
        let product = 0;
        for (let j = 0; j < n; j++) product += H[i * n + j] * x[j];
        value += x[i] * (0.5 * product + rows * f[i]);
        if (g !== undefined) g[i] = product + rows * f[i];
      }
      return value;
    },
  };
}

test("nonnegative least squares: the conditions of Karush, Kuhn and Tucker hold, whatever the data", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e6 }), fc.integer({ min: 1, max: 25 }), (seed, n) => {
      const objective = leastSquares(2 * n + 5, n, seed);
      const { x, status } = solve(objective, new Array(n).fill(1), {}, 1e-8);
      const g = new Float64Array(n);
      objective.evaluate(x, g);
      expect(status).toBe("converged");
      for (let i = 0; i < n; i++) {
        expect(x[i]).toBeGreaterThanOrEqual(0);
        expect(Math.abs(Math.min(x[i], g[i]))).toBeLessThan(FLAT); // x ≥ 0, g ≥ 0, one of them 0
      }
    }),
    { numRuns: 60 },
  );
});
