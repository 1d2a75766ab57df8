import { checkGradient, checkHessianVector, type Objective } from "@curvature/optim-core";
import { describe, expect, test } from "vitest";
import { problems as others, type SquaresProblem } from "../../../apps/bench/data/optimizers/mgh.mjs";
import { problems as curves } from "../../../apps/bench/data/optimizers/nist.mjs";
import { quadratic, rosenbrock, rosenbrockStart } from "./problems.js";

const seeds = Array.from({ length: 20 }, (_, seed) => seed);
const linear: Objective = {
  dimension: 3,
  evaluate(x, g) {
    g?.set([1, -2, 3]);
    return x[0] - 2 * x[1] + 3 * x[2] + 5;
  },
  hessianVector: (_x, _v, out) => void out.fill(0),
};
/** Σ x³ at 0: gradient and curvature vanish there. */
const cubic: Objective = {
  dimension: 2,
  evaluate(x, g) {
    if (g !== undefined) for (let i = 0; i < 2; i++) g[i] = 3 * x[i] ** 2;
    return x[0] ** 3 + x[1] ** 3;
  },
};

describe("right derivatives pass", () => {
  test.each(seeds)("Rosenbrock, seed %i", (seed) => {
    for (const x of [rosenbrockStart(12), new Float64Array(12).fill(1), new Float64Array(12).fill(30)]) {
      const gradient = checkGradient(rosenbrock(12), x, { seed });
      expect(gradient.isCorrect).toBe(true);
      expect(gradient.slope).toBeGreaterThan(1.9);
      expect(gradient.slope).toBeLessThan(2.1);
      const hessian = checkHessianVector(rosenbrock(12), x, { seed });
      expect(hessian.isCorrect).toBe(true);
      expect(hessian.slope).toBeGreaterThan(2.9);
      expect(hessian.slope).toBeLessThan(seed === 5 ? 4.1 : 3.1); // along this v the third derivative nearly vanishes
    }
  });

  test.each(seeds)("where there is no remainder but rounding, seed %i", (seed) => {
    const x = Float64Array.of(3, 1e5, -7);
    expect(checkGradient(linear, x, { seed })).toMatchObject({ isCorrect: true, slope: undefined });
    expect(checkHessianVector(linear, x, { seed })).toMatchObject({ isCorrect: true, slope: undefined });
    const bowl = checkHessianVector(quadratic(9, 1e4), new Float64Array(9).fill(3), { seed });
    expect(bowl).toMatchObject({ isCorrect: true, slope: undefined });
  });

  test("where gradient and curvature vanish", () => {
    expect(checkGradient(cubic, new Float64Array(2))).toMatchObject({ isCorrect: true });
  });

  test("under a value of 1e8 that drowns small steps, and at tiny and huge points", () => {
    const lifted: Objective = { dimension: 4, evaluate: (x, g) => 1e8 + rosenbrock(4).evaluate(x, g) };
    expect(checkGradient(lifted, rosenbrockStart(4)).isCorrect).toBe(true);
    expect(checkGradient(rosenbrock(4), new Float64Array(4).fill(1e-9)).isCorrect).toBe(true);
    expect(checkGradient(rosenbrock(4), new Float64Array(4).fill(1e6)).isCorrect).toBe(true);
  });
});

describe("wrong derivatives do not", () => {
  const spoilt = (coordinate: number, factor: number): Objective => ({
    ...rosenbrock(8),
    evaluate(x, g) {
      const value = rosenbrock(8).evaluate(x, g);
      if (g !== undefined) g[coordinate] *= factor;
      return value;
    },
    hessianVector(x, v, out) {
      rosenbrock(8).hessianVector?.(x, v, out);
      out[coordinate] *= factor;
    },
  });

  test.each(seeds)("one entry wrong by a ten-thousandth, seed %i", (seed) => {
    const coordinate = seed % 8;
    const gradient = checkGradient(spoilt(coordinate, 1.0001), rosenbrockStart(8), { seed });
    expect(gradient).toMatchObject({ isCorrect: false, worst: { coordinate } });
    expect(gradient.message).toContain(`is wrong: the Taylor remainder shows`);
    expect(gradient.worst.error).toBeCloseTo(1e-4, 6);
  });

  test.each(seeds)("a Hessian entry wrong by a thousandth, seed %i", (seed) => {
    const coordinate = seed % 8;
    const objective = { ...rosenbrock(8), hessianVector: spoilt(coordinate, 1.001).hessianVector };
    const report = checkHessianVector(Object.assign(rosenbrock(8), objective), rosenbrockStart(8), { seed });
    expect(report).toMatchObject({ isCorrect: false, worst: { coordinate } });
  });

  test("a gradient with the wrong sign shows the slope 1", () => {
    const negative: Objective = {
      dimension: 2,
      evaluate(x, g) {
        const value = rosenbrock(2).evaluate(x, g);
        if (g !== undefined) for (let i = 0; i < 2; i++) g[i] = -g[i];
        return value;
      },
    };
    expect(checkGradient(negative, rosenbrockStart(2)).slope).toBeCloseTo(1, 3);
  });

  test("a gradient that is added to the array", () => {
    const adding: Objective = {
      dimension: 1,
      evaluate(x, g) {
        if (g !== undefined) g[0] += 2 * x[0];
        return x[0] * x[0];
      },
    };
    expect(() => checkGradient(adding, Float64Array.of(1))).toThrowError(
      "entry 0 of the derivative is NaN. Every entry",
    );
  });

  test("another value without the gradient", () => {
    const two: Objective = {
      dimension: 1,
      evaluate: (x, g) => x[0] + (g?.fill(1) === undefined ? 0 : 1e-9),
    };
    const report = checkGradient(two, Float64Array.of(1));
    expect(report.isCorrect).toBe(false);
    expect(report.message).toContain("with a gradient and 1 without");
  });
});

test("coordinates are sampled where there are many", () => {
  let evaluations = 0;
  const wide: Objective = {
    ...quadratic(500, 10),
    evaluate(x, g) {
      evaluations++;
      return quadratic(500, 10).evaluate(x, g);
    },
  };
  const count = (coordinates: number) => {
    evaluations = 0;
    expect(checkGradient(wide, new Float64Array(500), { coordinates }).isCorrect).toBe(true);
    return evaluations;
  };
  expect(count(20) - count(10)).toBe(40);
});

test("a value that is not finite, and a missing product, are named", () => {
  const nan: Objective = { dimension: 1, evaluate: (_, g) => (g?.fill(0) ?? [])[0] + Number.NaN };
  expect(() => checkGradient(nan, Float64Array.of(1))).toThrowError("at x the value is NaN");
  const { hessianVector: _, ...without } = rosenbrock(2);
  expect(() => checkHessianVector(without, rosenbrockStart(2))).toThrowError(
    "the objective has no hessianVector",
  );
});

test("a kink beside x is no error of the gradient at x, and does not hide one", () => {
  const hinge = (factor: number): Objective => ({
    dimension: 1,
    evaluate(x, gradient) {
      gradient?.set([factor * Math.sign(x[0])]);
      return Math.abs(x[0]);
    },
  });
  for (const at of [1e-3, 0.01, 0.05, 0.3, -0.02])
    for (let seed = 0; seed < 10; seed++) {
      expect(checkGradient(hinge(1), Float64Array.of(at), { seed }).isCorrect).toBe(true);
      expect(checkGradient(hinge(1.0001), Float64Array.of(at), { seed }).isCorrect).toBe(false);
    }
  expect(checkGradient(hinge(1), Float64Array.of(0)).isCorrect).toBe(false);
});

describe("values in single precision", () => {
  const { fround } = Math;
  /** Rosenbrock's function in four variables, every operation rounded to single precision. */
  const single = (spoil = 1): Objective => ({
    dimension: 4,
    evaluate(point, g) {
      const x = Float32Array.from(point);
      let value = 0;
      g?.fill(0);
      for (let i = 0; i < 3; i++) {
        const bend = fround(x[i + 1] - fround(x[i] * x[i]));
        const rest = fround(1 - x[i]);
        value = fround(value + fround(fround(100 * fround(bend * bend)) + fround(rest * rest)));
        if (g === undefined) continue;
        g[i] = fround(g[i] + fround(fround(fround(-400 * bend) * x[i]) - fround(2 * rest)));
        g[i + 1] = fround(g[i + 1] + fround(200 * bend));
      }
      if (g !== undefined) g[2] *= spoil;
      return value;
    },
  });
  const points = [rosenbrockStart(4), Float64Array.of(1.1, 1.2, 1.4, 2), new Float64Array(4).fill(30)];

  test.each(seeds)("with valueNoise a right gradient passes and a wrong one does not, seed %i", (seed) => {
    for (const x of points) {
      expect(checkGradient(single(), x, { seed, valueNoise: 2 ** -23 })).toMatchObject({ isCorrect: true });
      expect(checkGradient(single(1.05), x, { seed, valueNoise: 2 ** -23 }).isCorrect).toBe(false);
    }
    expect(checkGradient(single(), points[0], { seed }).isCorrect).toBe(false); // as if it were double
  });

  test("on the problems of NIST and of Moré, Garbow, Hillstrom, whose parameters are of very different sizes", () => {
    /** Σ r², every operation from the residuals on rounded to single precision. */
    const rounded = ({ n, m, residuals }: SquaresProblem, spoilt: number): Objective => ({
      dimension: n,
      evaluate(point, g) {
        const r = new Float64Array(m);
        const J = new Float64Array(m * n);
        residuals(Float64Array.from(Float32Array.from(point)), r, J);
        let value = 0;
        g?.fill(0);
        for (let i = 0; i < m; i++) {
          const ri = fround(r[i]);
          value = fround(value + fround(ri * ri));
          if (g !== undefined)
            for (let j = 0; j < n; j++) g[j] = fround(g[j] + fround(2 * fround(ri * fround(J[i * n + j]))));
        }
        if (g !== undefined && spoilt >= 0) g[spoilt] *= 1.05;
        return value;
      },
    });
    let tried = 0;
    let found = 0;
    for (const [name, problem] of [...Object.entries(curves), ...Object.entries(others)])
      for (const x of [problem.x0, problem.x1 ?? [], problem.x0.map((xi) => 1.1 * xi + 0.01)])
        for (let seed = 0; seed < 3 && x.length > 0; seed++) {
          const right = checkGradient(rounded(problem, -1), x, { seed, valueNoise: 2 ** -23 });
          expect(right.isCorrect, `${name}: ${right.message}`).toBe(true);
          const wrong = checkGradient(rounded(problem, seed % problem.n), x, { seed, valueNoise: 2 ** -23 });
          tried++;
          if (!wrong.isCorrect) found++;
        }
    expect(tried).toBe(261);
    expect(found / tried).toBeGreaterThan(0.9); // the others are too small beside what the value is rounded by
  });

  test("an objective that writes into its point, or returns no number, is named", () => {
    const writing: Objective = {
      dimension: 1,
      evaluate(x, g) {
        g?.set([2 * x[0]]);
        const value = x[0] * x[0];
        x[0] = 0;
        return value;
      },
    };
    expect(() => checkGradient(writing, [3])).toThrowError("written into its point");
    const silent = { dimension: 1, evaluate: (): unknown => undefined };
    expect(() => Reflect.apply(checkGradient, undefined, [silent, [3]])).toThrowError("must return a number");
  });
});
