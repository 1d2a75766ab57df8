import { gradientNormBelow, Lbfgsb, maxIterations, type Objective, runSync } from "@curvature/optim-core";
import { solverConformance } from "@curvature/optim-core/conformance";
import { describe, expect, test } from "vitest";
import { NEGATIVE_INFINITY, POSITIVE_INFINITY, solve } from "./lbfgsb-problems.js";
import { distance, faulty, quadratic, rosenbrock, rosenbrockStart } from "./problems.js";

const bytesInUse = (): number => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;

describe("L-BFGS-B", () => {
  test("stays in the box, falls in every iteration and measures by the projected gradient", () => {
    const [lower, upper] = [-1.3, 0.7];
    const objective = rosenbrock(12);
    const solver = new Lbfgsb(objective, new Float64Array(12).fill(9), { lower, upper });
    expect(solver.last.x.every((xi) => xi === upper)).toBe(true);
    let before = Number.POSITIVE_INFINITY;
    const g = new Float64Array(12);
    runSync(solver, {
      stop: maxIterations(40),
      onIteration: ({ value = Number.NaN, gradientNorm, details, outcome }) => {
        const { x } = solver.last;
        expect(objective.evaluate(x, g)).toBe(value);
        if (outcome === undefined) expect(value).toBeLessThan(before);
        const steps = x.map((xi, i) => xi - Math.min(Math.max(xi - g[i], lower), upper));
        expect(gradientNorm).toBeCloseTo(Math.sqrt(steps.reduce((s, d) => s + d * d, 0)), 10);
        expect(x.every((xi) => xi >= lower && xi <= upper)).toBe(true);
        expect(details.free).toBe(
          x.filter((xi, i) => !((xi === lower && g[i] >= 0) || (xi === upper && g[i] <= 0))).length,
        );
        before = value;
      },
    });
  });

  test("coordinates with equal bounds are fixed; without bounds it is L-BFGS on Rosenbrock", () => {
    const fixed = Float64Array.of(-5, 2, 2, -5);
    const { x } = solve(quadratic(4, 10), [7, 7, 7, 7], { lower: fixed, upper: Float64Array.of(9, 2, 2, 9) });
    expect(distance(x, [0, 2, 2, 3])).toBeLessThan(1e-8);
    const open = { lower: NEGATIVE_INFINITY, upper: POSITIVE_INFINITY };
    expect(distance(solve(rosenbrock(2), [-1.2, 1], open).x, [1, 1])).toBeLessThan(1e-7);
  });

  test("an optimum in a corner is reached exactly", () => {
    const { x, status, iterations } = solve(quadratic(6, 3), [0.5, 0.5, 0.5, 0.5, 0.5, 0.5], {
      lower: 0.25,
      upper: 0.75,
    });
    expect(status).toBe("converged");
    expect(Array.from(x)).toEqual([0.25, 0.75, 0.75, 0.75, 0.75, 0.75]);
    expect(iterations).toBeLessThan(6);
  });

  test("walls where the function is not finite are backed off from", () => {
    const barrier: Objective = {
      dimension: 1,
      evaluate(x, g) {
        g?.fill(-1 + 1 / (3 - x[0]));
        return x[0] < 3 ? -x[0] - Math.log(3 - x[0]) : Number.NaN;
      },
    };
    expect(solve(barrier, [-40], { lower: -50 }).x[0]).toBeCloseTo(2, 8);
  });

  test("a start that is not finite diverges, a wrong gradient stalls with a hint", () => {
    const poisoned = runSync(new Lbfgsb(faulty(rosenbrock(2), 1, Number.NaN), rosenbrockStart(2)));
    expect(poisoned).toMatchObject({ status: "diverged", usable: false });
    const wrong: Objective = {
      dimension: 2,
      evaluate(x, g) {
        const value = quadratic(2, 3).evaluate(x, g);
        if (g !== undefined) for (let i = 0; i < 2; i++) g[i] = -g[i];
        return value;
      },
    };
    const { status, message } = runSync(new Lbfgsb(wrong, Float64Array.of(5, 5)));
    expect(status).toBe("stalled");
    expect(message).toContain("checkGradient");
  });

  test("does not claim an optimum where a sum overflows, and finds it from the shortest first step", () => {
    const short = solve(quadratic(2, 10), [5, 5], { lower: NEGATIVE_INFINITY, initialStep: 1e-300 });
    expect(distance(short.x, [0, 1])).toBeLessThan(1e-9);
    const steep: Objective = {
      dimension: 3,
      evaluate: (_, g) => {
        g?.fill(1e308);
        return 1;
      },
    };
    expect(solve(steep, [5, 5, 5], {}).status).toBe("stalled");
  });

  test.each([1e-305, 1e-200, 1e-160, 1e160, 1e200, 1e290])(
    "times %d a function has the minimiser that it has, and the same steps",
    (factor) => {
      const scaled = (by: number): Objective => ({
        dimension: 12,
        evaluate(x, g) {
          const value = by * rosenbrock(12).evaluate(x, g);
          if (g !== undefined) for (let i = 0; i < 12; i++) g[i] *= by;
          return value;
        },
      });
      const run = (by: number, tolerance: number) =>
        solve(scaled(by), Array.from(rosenbrockStart(12)), { lower: -1.5, upper: 0.9 }, tolerance);
      const plain = run(1, 1e-9);
      // a large gradient's projection is as long as the box, until the value is right to its rounding
      const tolerance = factor < 1 ? 1e-6 * factor : 1e-9;
      const { x, value = Number.NaN, status, iterations } = run(factor, tolerance);
      expect(status).toBe("converged");
      expect(iterations).toBeGreaterThan(5);
      expect(distance(x, plain.x)).toBeLessThan(1e-5);
      expect(value / factor / (plain.value ?? Number.NaN)).toBeCloseTo(1, 8);
    },
  );

  test("in another unit, too, a snapshot goes on, and steps have the lengths that the options have", () => {
    const tiny: Objective = {
      dimension: 3,
      evaluate(x, g) {
        const value = 1e-250 * quadratic(3, 5).evaluate(x, g);
        if (g !== undefined) for (let i = 0; i < 3; i++) g[i] *= 1e-250;
        return value;
      },
    };
    const make = () => new Lbfgsb(tiny, Float64Array.of(7, 8, 9), { initialStep: 1e249 });
    const whole = make();
    expect(whole.step().stepLength).toBe(1e249);
    const resumed = make();
    resumed.restore(structuredClone(whole.save()));
    for (let k = 0; k < 4; k++) expect(resumed.step()).toEqual(whole.step());
    expect(resumed.best).toEqual(whole.best);
  });

  test("measures a gradient that is lost beside x", () => {
    const flat: Objective = {
      dimension: 1,
      evaluate: (x, g) => {
        if (g !== undefined) g[0] = 1e-20;
        return x[0] === 5 ? 1 : Number.NaN;
      },
    };
    const { gradientNorm } = new Lbfgsb(flat, Float64Array.of(5)).step();
    expect(gradientNorm).toBe(1e-20);
  });

  test("after the objective has changed, refresh goes on with the new one", () => {
    let shift = 0;
    const moving: Objective = {
      dimension: 3,
      evaluate(x, g) {
        const value = quadratic(3, 5).evaluate(
          x.map((xi) => xi - shift),
          g,
        );
        return value;
      },
    };
    const solver = new Lbfgsb(moving, Float64Array.of(4, 4, 4));
    const stop = [gradientNormBelow(1e-9), maxIterations(100)];
    runSync(solver, { stop });
    expect(distance(solver.last.x, [0, 1, 2])).toBeLessThan(1e-8);
    shift = 2;
    solver.refresh();
    runSync(solver, { stop });
    expect(distance(solver.last.x, [2, 3, 4])).toBeLessThan(1e-8);
  });

  test("initialStep is the first trial", () => {
    const far = new Float64Array(3).fill(50);
    const { stepLength } = new Lbfgsb(quadratic(3, 1), far, { initialStep: 0.125 }).step();
    expect(stepLength).toBe(0.125);
  });

  test("bad options are named", () => {
    const make = (options: object) => () =>
      Reflect.construct(Lbfgsb, [rosenbrock(2), rosenbrockStart(2), options]);
    const code = (code: string) => expect.objectContaining({ name: "CurvatureError", code });
    expect(make({ lower: 1, upper: 0 })).toThrowError(/coordinate 0 .* 1 and 0/);
    expect(make({ lower: Float64Array.of(0, 1) })).not.toThrow();
    expect(make({ lower: [0, 0], upper: [0, 1] })).not.toThrow();
    for (const lower of [
      Number.NaN,
      "0",
      null,
      ["0", 0],
      [0, Number.NaN],
      Float64Array.of(0, Number.NaN),
      POSITIVE_INFINITY,
    ])
      expect(make({ lower })).toThrowError(code("ERR_OPTION"));
    expect(make({ upper: NEGATIVE_INFINITY, lower: NEGATIVE_INFINITY })).toThrowError(code("ERR_OPTION"));
    expect(make({ upper: Float64Array.of(1) })).toThrowError(code("ERR_SHAPE"));
    expect(make({ memory: 0 })).toThrowError("Lbfgsb: memory must be a whole number from 1 to 10000");
    expect(make({ initialStep: 0 })).toThrowError(code("ERR_OPTION"));
  });
});

describe("L-BFGS-B conforms", () => {
  const checks = solverConformance({
    name: "lbfgsb",
    create: (_, faults) =>
      new Lbfgsb(faults.objective(rosenbrock(20)), rosenbrockStart(20), {
        lower: -1.5,
        upper: 0.9,
        memory: 5,
      }),
    createTiny: () => new Lbfgsb(quadratic(1, 3), Float64Array.of(5), { lower: 2 }),
    bits: "88c12df3db7b2b58ba0e5dce89ce1ccb",
    bytesInUse,
  });
  for (const { name, check } of checks) test(name, check);
});
