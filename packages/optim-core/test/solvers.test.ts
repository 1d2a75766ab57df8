import {
  ConjugateGradient,
  GradientDescent,
  gradientNormBelow,
  HessianFree,
  Lbfgs,
  Lbfgsb,
  maxIterations,
  maxPasses,
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
  test("says so where squares of the gradient are no numbers any more", () => {
    const steep: Objective = {
      dimension: 1,
      evaluate(x, gradient) {
        gradient?.set([2e200 * (x[0] - 3)]);
        return 1e200 * (x[0] - 3) ** 2;
      },
    };
    const { status, message } = runSync(make(steep, ones(1)));
    expect(status).toBe("stalled");
    expect(message).toMatch(/^Squares of the gradient, whose norm is 4.00e\+200, leave the range of numbers/);
  });

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
  expect(() => other.restore(snapshot)).toThrowError(
    "memory.capacity must be 4, as here (make the solver with the same memory); received 3",
  );
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

test("Hessian-free takes a negative curvature for no convergence", () => {
  const objective = {
    dimension: 1,
    evaluate: (x: Float64Array, gradient?: Float64Array): number => {
      if (gradient !== undefined) gradient[0] = x[0] ** 3 - 20 * x[0];
      return x[0] ** 4 / 4 - 10 * x[0] ** 2;
    },
  };
  const solver = new HessianFree(objective, Float64Array.of(0.1));
  runSync(solver, { stop: maxIterations(200) });
  expect(Math.abs(solver.best.x[0])).toBeCloseTo(Math.sqrt(20), 4);
});

describe("a number of passes", () => {
  const solvers: typeof makers = {
    ...makers,
    "L-BFGS-B": (f, x) => new Lbfgsb(f, x, { lower: -3 }),
    "Hessian-free": (f, x) => new HessianFree(f, x),
    "Hessian-free, by differences": ({ dimension, evaluate }, x) =>
      new HessianFree({ dimension, evaluate }, x),
  };
  for (const [name, make] of Object.entries(solvers))
    test(`is a limit within the steps of ${name}, and all of it serves`, () => {
      const passes = (limit: number): { passes: number; value: number | undefined } => {
        const result = runSync(make(rosenbrock(6), rosenbrockStart(6)), { stop: maxPasses(limit) });
        expect(result.status).toBe("max-iterations");
        return result;
      };
      for (let limit = 1; limit <= 25; limit++) expect(passes(limit).passes).toBe(limit);
      expect(passes(7.5).passes).toBe(8);
      expect(passes(25).value).toBeLessThan((passes(1).value ?? 0) / 4);
    });
});
