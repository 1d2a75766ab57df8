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
import { describe, expect, test, vi } from "vitest";
import { distance, faulty, quadratic, rosenbrock, rosenbrockStart } from "./problems.js";

const makers: Readonly<Record<string, (f: Objective, x: Float64Array) => Solver>> = {
  "gradient descent": (f, x) => new GradientDescent(f, x),
  "conjugate gradients": (f, x) => new ConjugateGradient(f, x),
  "L-BFGS": (f, x) => new Lbfgs(f, x),
  "L-BFGS, weak Wolfe": (f, x) => new Lbfgs(f, x, { lineSearch: "weak-wolfe" }),
  "L-BFGS, Armijo": (f, x) => new Lbfgs(f, x, { lineSearch: "armijo" }),
};
const ones = (n: number): Float64Array => new Float64Array(n).fill(1);
const optimum = (n: number): Float64Array => Float64Array.from({ length: n }, (_, i) => i);

describe.each(Object.entries(makers))("%s", (_, make) => {
  test("finds Rosenbrock's minimum", () => {
    const result = runSync(make(rosenbrock(2), rosenbrockStart(2)), {
      stop: [gradientNormBelow(1e-10), maxIterations(50_000)],
    });
    expect(result.status).toBe("converged");
    expect(distance(result.x, ones(2))).toBeLessThan(1e-9);
  });

  test("finds a quadratic's minimum", () => {
    const result = runSync(make(quadratic(30, 1000), new Float64Array(30).fill(-7)), {
      stop: [gradientNormBelow(1e-8), maxIterations(50_000)],
    });
    expect(result.status).toBe("converged");
    expect(distance(result.x, optimum(30))).toBeLessThan(1e-7);
  });

  test("falls in every iteration and is where it says it is", () => {
    const objective = rosenbrock(10);
    const solver = make(objective, rosenbrockStart(10));
    let before = Number.POSITIVE_INFINITY;
    const gradient = new Float64Array(10);
    runSync(solver, {
      stop: maxIterations(60),
      onIteration: ({ value = Number.NaN, gradientNorm }) => {
        expect(value).toBeLessThan(before);
        expect(objective.evaluate(solver.last.x, gradient)).toBe(value);
        expect(gradientNorm).toBeCloseTo(distance(gradient, new Float64Array(10)), 6);
        before = value;
      },
    });
  });

  test("without a rule it ends where rounding ends it, and calls that converged", () => {
    const shifted: Objective = { dimension: 8, evaluate: (x, g) => 1e3 + quadratic(8, 10).evaluate(x, g) };
    const result = runSync(make(shifted, new Float64Array(8).fill(20)));
    expect(result).toMatchObject({ status: "converged", usable: true });
    expect(result.message).toMatch(/rounding|gradient is zero/);
    expect(distance(result.x, optimum(8))).toBeLessThan(1e-5);
  });

  test("a wrong gradient stalls it, with a hint", () => {
    const wrong: Objective = {
      dimension: 2,
      evaluate(x, g) {
        const value = rosenbrock(2).evaluate(x, g);
        if (g !== undefined) for (let i = 0; i < 2; i++) g[i] = -g[i];
        return value;
      },
    };
    const result = runSync(make(wrong, rosenbrockStart(2)));
    expect(result.status).toBe("stalled");
    expect(result.message).toContain("checkGradient");
    expect(result.x).toEqual(rosenbrockStart(2));
  });

  test("a start at the minimum is the end", () => {
    const result = runSync(make(rosenbrock(4), ones(4)));
    expect(result).toMatchObject({ status: "converged", iterations: 1, evaluations: 1, value: 0 });
  });

  test("a start where the value is not finite diverges; nothing is usable", () => {
    const result = runSync(make(faulty(rosenbrock(2), 1, Number.NaN), rosenbrockStart(2)));
    expect(result).toMatchObject({ status: "diverged", usable: false, value: undefined });
    expect(result.message).toContain("At the first point the value is NaN");
  });

  test("walls where the function is not finite are backed off from", () => {
    const barrier: Objective = {
      dimension: 2,
      evaluate(x, g) {
        const room = 3 - x[0] - x[1];
        if (g !== undefined) g.set([x[0] - 3 + 1 / room, x[1] - 3 + 1 / room]);
        return room > 0 ? 0.5 * ((x[0] - 3) ** 2 + (x[1] - 3) ** 2) - Math.log(room) : Number.NaN;
      },
    };
    const result = runSync(make(barrier, Float64Array.of(-50, -40)), {
      stop: [gradientNormBelow(1e-9), maxIterations(500)],
    });
    const optimal = (9 - Math.sqrt(17)) / 4; // x = y: x − 3 + 1/(3 − 2x) = 0
    expect(result.status).toBe("converged");
    expect(distance(result.x, [optimal, optimal])).toBeLessThan(1e-7);
  });

  test("a function without a lower bound ends, finite", () => {
    const slope: Objective = {
      dimension: 1,
      evaluate(x, g) {
        if (g !== undefined) g[0] = -1;
        return -x[0];
      },
    };
    const result = runSync(make(slope, Float64Array.of(0)), { stop: maxIterations(5000) });
    expect(result.usable).toBe(true);
    expect(result.value).toBeLessThan(-1e3);
  });
});

describe("with a condition number of 1e6", () => {
  const value = (solver: Solver) => runSync(solver, { stop: maxIterations(20_000) }).value;
  const hard = quadratic(30, 1e6);
  const start = new Float64Array(30);

  test("conjugate gradients and L-BFGS reach the minimum, gradient descent does not", () => {
    expect(value(new ConjugateGradient(hard, start))).toBeLessThan(1e-12);
    expect(value(new Lbfgs(hard, start))).toBeLessThan(1e-12);
    expect(value(new GradientDescent(hard, start))).toBeGreaterThan(1e-3);
  });

  test("more memory needs fewer iterations", () => {
    const iterations = (memory: number) =>
      runSync(new Lbfgs(hard, start, { memory }), { stop: [gradientNormBelow(1e-6), maxIterations(50_000)] })
        .iterations;
    expect(iterations(30)).toBeLessThan(0.7 * iterations(10));
    expect(iterations(10)).toBeLessThan(0.7 * iterations(2));
  });
});

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

  test("L-BFGS: an inverse Hessian that points uphill is left for the gradient, and its pairs are forgotten", () => {
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
    expect(solver.save().state).toMatchObject({ method: { count: 1 } });
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
    expect(() => Reflect.construct(Lbfgs, [bowl, [1, 2, 3]])).toThrowError("received an array of length 3");
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

test.each(Object.entries(makers))("%s: a step makes no array", (_, make) => {
  const solver = make(rosenbrock(50), rosenbrockStart(50));
  for (let k = 0; k < 20; k++) void solver.step();
  let made = 0;
  const original = globalThis.Float64Array;
  const methods = ["slice", "map", "subarray", "filter"] as const;
  globalThis.Float64Array = new Proxy(original, {
    construct: (target, args) => {
      made++;
      return Reflect.construct(target, args);
    },
  });
  const spies = methods.map((method) => vi.spyOn(original.prototype, method));
  try {
    for (let k = 0; k < 20; k++) void solver.step();
    expect(made).toBe(0);
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
    solver.save();
    expect(spies[0]).toHaveBeenCalled(); // the net does hold something
  } finally {
    globalThis.Float64Array = original;
    vi.restoreAllMocks();
  }
});

test("an L-BFGS snapshot asks for the same memory", () => {
  const snapshot = new Lbfgs(rosenbrock(2), rosenbrockStart(2), { memory: 3 }).save();
  const other = new Lbfgs(rosenbrock(2), rosenbrockStart(2), { memory: 4 });
  expect(() => other.restore(snapshot)).toThrowError("is of an L-BFGS with memory 3, this one has 4");
});

test("an evaluation that throws leaves the solver fit to go on", () => {
  const expected = runSync(new Lbfgs(rosenbrock(6), rosenbrockStart(6)), { stop: maxIterations(30) });
  for (const call of [1, 4, 11]) {
    const solver = new Lbfgs(faulty(rosenbrock(6), call, new Error("once")), rosenbrockStart(6));
    expect(runSync(solver).status).toBe("failed");
    expect(runSync(solver, { stop: maxIterations(30) })).toMatchObject({ x: expected.x, iterations: 30 });
  }
});

describe("a function's scale", () => {
  const times = (factor: number, f: Objective): Objective => ({
    dimension: f.dimension,
    evaluate(x, gradient) {
      const value = f.evaluate(x, gradient);
      if (gradient !== undefined) for (let i = 0; i < gradient.length; i++) gradient[i] *= factor;
      return factor * value;
    },
  });
  const solvers = {
    gd: (f: Objective) => new GradientDescent(f, Float64Array.of(3, 3)),
    cg: (f: Objective) => new ConjugateGradient(f, Float64Array.of(3, 3)),
    lbfgs: (f: Objective) => new Lbfgs(f, Float64Array.of(3, 3)),
    armijo: (f: Objective) => new Lbfgs(f, Float64Array.of(3, 3), { lineSearch: "armijo" }),
  };
  for (const [name, make] of Object.entries(solvers))
    for (const factor of [1e-25, 1e25])
      test(`${name} does not take the first point for the end at ${factor}`, () => {
        const f = times(factor, quadratic(2, 4));
        const result = runSync(make(f), { stop: maxIterations(200) });
        expect(result.value).toBeLessThan(1e-12 * factor);
      });
});

test("a step that threw can be made again, and conjugate gradients keep their direction", () => {
  const whole = new ConjugateGradient(rosenbrock(4), rosenbrockStart(4));
  for (let k = 0; k < 12; k++) whole.step();
  for (let call = 1; call < 30; call++) {
    let calls = 0;
    const f = rosenbrock(4);
    const breaking: Objective = {
      dimension: 4,
      evaluate(x, gradient) {
        if (++calls === call) throw new Error("broken");
        return f.evaluate(x, gradient);
      },
    };
    const solver = new ConjugateGradient(breaking, rosenbrockStart(4));
    for (let k = 0; k < 12; k++) {
      try {
        solver.step();
      } catch {
        solver.step();
      }
    }
    expect(solver.last).toEqual(whole.last);
  }
});
