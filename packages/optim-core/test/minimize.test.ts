/** `minimize`: what it takes, what it gives, and how it ends. */
import { exp } from "@curvature/linalg";
import { type MinimizeOptions, minimize, minimizeOptions } from "@curvature/optim-core";
import { describe, expect, test } from "vitest";
import { rosenbrock, rosenbrockStart } from "./problems.js";

const valley = ([a, b]: readonly number[]): number => (1 - a) ** 2 + 100 * (b - a * a) ** 2;
const slopes = ([a, b]: readonly number[]): number[] => [
  -2 * (1 - a) - 400 * a * (b - a * a),
  200 * (b - a * a),
];
const START = [-1.2, 1];

const counting = <A extends readonly unknown[], R>(f: (...given: A) => R) => {
  const counted = Object.assign(
    (...given: A): R => {
      counted.calls++;
      return f(...given);
    },
    { calls: 0 },
  );
  return counted;
};

describe("what f may be", () => {
  const forms: Readonly<Record<string, () => Promise<Awaited<ReturnType<typeof minimize>>>>> = {
    "a function": () => minimize(valley, START),
    "a function with a gradient beside it": () => minimize(valley, START, { gradient: slopes }),
    "value and gradient in one": () => minimize((x) => ({ value: valley(x), gradient: slopes(x) }), START),
    "an objective": () => minimize(rosenbrock(2), START),
    "a promise": () => minimize(async (x) => valley(x), START),
    "a promise with a gradient": () =>
      minimize(async (x) => valley(x), START, { gradient: async (x) => slopes(x) }),
    "at times a promise": () => {
      let calls = 0;
      return minimize((x) => (++calls % 5 === 0 ? Promise.resolve(valley(x)) : valley(x)), START);
    },
  };
  for (const [name, run] of Object.entries(forms))
    test(name, async () => {
      const { status, x, value, parameters, warnings } = await run();
      expect(status).toBe("converged");
      expect(Math.hypot(x[0] - 1, x[1] - 1)).toBeLessThan(1e-6);
      expect(value).toBeLessThan(1e-14);
      expect(parameters).toEqual(Array.from(x));
      expect(warnings).toEqual([]);
    });

  test("a promise changes nothing but the time", async () => {
    const now = await minimize(valley, START);
    const later = await minimize(async (x) => valley(x), START);
    expect(later.x).toEqual(now.x);
    expect(later.evaluations).toBe(now.evaluations);
    expect(later.iterations).toBe(now.iterations);
  });

  test("every call is counted", async () => {
    const f = counting(valley);
    const gradient = counting(slopes);
    const alone = await minimize(f, START);
    expect(alone.evaluations).toBe(f.calls);
    expect(alone.gradientEvaluations).toBe(0);
    expect(alone.gradientSource).toBe("differences");
    f.calls = 0;
    const given = await minimize(f, START, { gradient });
    expect([given.evaluations, given.gradientEvaluations]).toEqual([f.calls, gradient.calls]);
    const later = counting(async (x: readonly number[]) => valley(x));
    expect((await minimize(later, START)).evaluations).toBe(later.calls);
  });

  test("what f does with its point is its own affair, unless it is an objective", async () => {
    const sorting = (x: number[]) => {
      const value = valley(x);
      x.fill(7);
      return value;
    };
    expect((await minimize(sorting, START)).status).toBe("converged");
    const writing = { dimension: 2, evaluate: (x: Float64Array) => (x[0] += 1) };
    await expect(minimize(writing, START)).rejects.toThrow("written into its point");
  });
});

describe("methods", () => {
  test("auto chooses by bounds, gradient, Hessian and size", async () => {
    const methodOf = async (n: number, options: MinimizeOptions<number[]>, isExact = false) => {
      const problem = rosenbrock(n);
      const start = Array.from(rosenbrockStart(n));
      const f = (x: readonly number[]) => problem.evaluate(Float64Array.from(x));
      return (await minimize(isExact ? problem : f, start, { maxIterations: 1, ...options })).method;
    };
    const gradient = (x: readonly number[]) => {
      const out = new Float64Array(x.length);
      rosenbrock(x.length).evaluate(Float64Array.from(x), out);
      return out;
    };
    expect(await methodOf(2, {})).toBe("bfgs");
    expect(await methodOf(201, {})).toBe("lbfgs");
    expect(await methodOf(2, { gradient })).toBe("lbfgs");
    expect(await methodOf(2, { bounds: { lower: -9 } }, true)).toBe("lbfgsb");
    expect(await methodOf(2, {}, true)).toBe("trust-newton");
    expect(await methodOf(201, {}, true)).toBe("lbfgs");
    expect(await methodOf(2, { method: "cg" })).toBe("cg");
  });

  test.each(["bfgs", "cg", "hessian-free", "lbfgs", "lbfgsb", "trust-newton"] as const)(
    "%s reaches the minimum by differences",
    async (method) => {
      const { value, x, options } = await minimize(valley, START, { method });
      expect(value).toBeLessThan(1e-10);
      expect(x[0]).toBeCloseTo(1, 4);
      expect(options["solver"]).toBe(method);
    },
  );

  test("a Hessian saves iterations", async () => {
    const hessianVector = ([a, b]: readonly number[], [u, v]: readonly number[]) => [
      (1200 * a * a - 400 * b + 2) * u - 400 * a * v,
      -400 * a * u + 200 * v,
    ];
    const newton = await minimize(valley, START, { gradient: slopes, hessianVector });
    const without = await minimize(valley, START, { gradient: slopes });
    expect(newton.method).toBe("trust-newton");
    expect(newton.status).toBe("converged");
    expect(newton.evaluations).toBeLessThan(without.evaluations);
  });
});

describe("gradients by differences", () => {
  const bowl = ([a, b]: readonly number[]) => exp(a - 2) - a + (b + 3) ** 2 + 0.1 * (a - 2) ** 2 * b * b;

  test.each([1e-8, 1e-4, 1, 1e4, 1e8])("x in units of %d", async (unit) => {
    const { status, x } = await minimize((x) => bowl(x.map((xi) => xi / unit)), [0, 0]);
    expect(status).toBe("converged");
    expect(x[0] / unit).toBeCloseTo(2, 6);
    expect(x[1] / unit).toBeCloseTo(-3, 6);
  });

  test.each([1e-200, 1e-12, 1e12, 1e200])("values in units of %d", async (unit) => {
    const { status, x } = await minimize((x) => unit * bowl(x), [0, 0]);
    expect(status).toBe("converged");
    expect(x[0]).toBeCloseTo(2, 6);
    expect(x[1]).toBeCloseTo(-3, 6);
  });

  test("variables of very different units", async () => {
    const { status, x } = await minimize(([a, b]) => bowl([a * 1e6, b / 1e5]), [1e-6, 1e5]);
    expect(status).toBe("converged");
    expect(x[0] * 1e6).toBeCloseTo(2, 5);
    expect(x[1] / 1e5).toBeCloseTo(-3, 5);
  });

  test("they stay within the bounds, also where they leave no room", async () => {
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    const f = (x: readonly number[]): number => {
      least = Math.min(least, ...x);
      most = Math.max(most, ...x);
      return (x[0] + 5) ** 2 + (x[1] - 5) ** 2 + (x[2] - 0.3) ** 2 + x[3] ** 2 + x[4];
    };
    const bounds = { lower: [0, 0, 0, 0.5, 0.2], upper: [1, 1, 1, 0.5, 0.2 + 1e-15] };
    const { status, x, method } = await minimize(f, [0.5, 0.5, 0.5, 0.5, 0.2], { bounds });
    expect(method).toBe("lbfgsb");
    expect(status).toBe("converged");
    expect(least).toBeGreaterThanOrEqual(0);
    expect(most).toBeLessThanOrEqual(1);
    expect(Array.from(x, (xi) => Math.round(1e6 * xi) / 1e6)).toEqual([0, 1, 0.3, 0.5, 0.2]);
  });

  test("a wall where f is no number is kept away from", async () => {
    const { status, x } = await minimize(([a, b]) => a - Math.sqrt(a) + (b - 1) ** 2, [1e-9, 0]);
    expect(status).toBe("converged");
    expect(x[0]).toBeCloseTo(0.25, 6);
  });

  test("noise is estimated, and the run ends by it", async () => {
    const single = ([a, b]: readonly number[]) => Math.fround(10 + Math.fround(bowl([a, b])));
    const exact = await minimize(bowl, [0, 0]);
    const { status, x, valueNoise, evaluations } = await minimize(single, [0, 0]);
    expect(status).toBe("converged");
    expect(valueNoise).toBeGreaterThan(1e-9);
    expect(valueNoise).toBeLessThan(1e-6);
    expect(exact.valueNoise).toBe(Number.EPSILON);
    expect(Math.hypot(x[0] - 2, x[1] + 3)).toBeLessThan(1e-2);
    expect(evaluations).toBeLessThan(500);
  });

  test("noise that is known needs no estimate", async () => {
    const f = counting(bowl);
    await minimize(f, [0, 0], { valueNoise: 1e-6, maxIterations: 1 });
    expect((await minimize(bowl, [0, 0], { valueNoise: 1e-6 })).valueNoise).toBe(1e-6);
  });

  test("many differences are warned of", async () => {
    const { warnings } = await minimize(
      (x) => x.reduce((sum, xi) => sum + (xi - 1) ** 2, 0),
      new Float64Array(600),
      { maxEvaluations: 1500 },
    );
    expect(warnings.map(({ code }) => code)).toEqual(["many-differences"]);
  });

  test("a limit of evaluations holds", async () => {
    for (let limit = 13; limit < 200; limit += 9) {
      const f = counting(valley);
      const { status, value = Number.NaN, evaluations } = await minimize(f, START, { maxEvaluations: limit });
      expect(f.calls).toBeLessThanOrEqual(limit);
      expect(evaluations).toBe(f.calls);
      expect(status).toBe("max-evaluations");
      expect(value).toBeLessThanOrEqual(valley(START));
    }
  });
});

describe("parameters", () => {
  const target = {
    w: [
      [1, 2],
      [3, 4],
    ],
    b: -1,
    deep: { v: Float64Array.of(5, 6) },
  };
  type Blocks = { w: number[][]; b: number; deep: { v: Float64Array } };
  const zero: Blocks = {
    w: [
      [0, 0],
      [0, 0],
    ],
    b: 0,
    deep: { v: new Float64Array(2) },
  };
  const distance = ({ w, b, deep }: Blocks): number =>
    w.flat().reduce((sum, wi, i) => sum + (wi - target.w.flat()[i]) ** 2, 0) +
    (b - target.b) ** 2 +
    deep.v.reduce((sum, vi, i) => sum + (vi - target.deep.v[i]) ** 2, 0);

  test("go in and out as blocks, trees and numbers", async () => {
    const { parameters, x } = await minimize(distance, zero);
    expect(parameters.w.flat().map(Math.round)).toEqual([1, 2, 3, 4]);
    expect(parameters.b).toBeCloseTo(-1, 6);
    expect(parameters.deep.v).toBeInstanceOf(Float64Array);
    expect(x).toHaveLength(7);
    const one = await minimize((x) => (x - 3) ** 2, 0);
    expect(one.parameters).toBeCloseTo(3, 6);
    const typed = await minimize((x) => (x[0] - 3) ** 2, Float32Array.of(1));
    expect(typed.parameters).toBeInstanceOf(Float32Array);
  });

  test("gradients and bounds are arranged alike", async () => {
    const { w, b, deep } = target;
    const gradient = (at: Blocks) => ({
      w: at.w.map((row, i) => row.map((wi, j) => 2 * (wi - w[i][j]))),
      b: 2 * (at.b - b),
      deep: { v: Array.from(at.deep.v, (vi, i) => 2 * (vi - deep.v[i])) },
    });
    const { parameters } = await minimize(distance, zero, {
      gradient,
      bounds: { upper: { w: 2.5, deep: { v: [9, 5.5] } } },
    });
    expect(parameters.w.flat().map((wi) => Math.round(10 * wi) / 10)).toEqual([1, 2, 2.5, 2.5]);
    expect(parameters.deep.v[1]).toBeCloseTo(5.5, 6);
  });

  test("of another arrangement are refused by name", async () => {
    const wrong: readonly [unknown, string][] = [
      [{ w: [[1, 2]], b: 0, deep: { v: [1, 2] } }, "gradient(x).w must be an array of length 2"],
      [
        {
          w: [
            [1, 2],
            [3, 4],
          ],
          b: [0, 0],
          deep: { v: [1, 2] },
        },
        "gradient(x).b must be a number",
      ],
      [
        {
          w: [
            [1, 2],
            [3, 4],
          ],
          b: 0,
          deep: { v: [1] },
        },
        "gradient(x).deep.v must be an array of length 2",
      ],
      [
        {
          w: [
            [1, 2],
            [3, 4],
          ],
          b: 0,
          deep: { v: [1, 2] },
          c: 1,
        },
        "gradient(x) must be an object { w, b, deep }",
      ],
      [undefined, "gradient(x) must be an object { w, b, deep }"],
    ];
    for (const [gradient, words] of wrong) {
      const result = Reflect.apply(minimize, undefined, [distance, zero, { gradient: () => gradient }]);
      const { status, message } = await result;
      expect([status, message]).toEqual(["failed", expect.stringContaining(words)]);
    }
    for (const start of [[], {}, "1", [1, "2"], { a: null }, undefined])
      await expect(Reflect.apply(minimize, undefined, [valley, start])).rejects.toThrow(/start/);
    await expect(minimize(valley, [1, Number.NaN])).rejects.toMatchObject({
      code: "ERR_NON_FINITE",
      path: "start[1]",
    });
  });
});

describe("several starts", () => {
  /** Himmelblau's function, four minima with the value 0. */
  const four = ([a, b]: readonly number[]) => (a * a + b - 11) ** 2 + (a + b * b - 7) ** 2;

  test("find the distinct minima", async () => {
    const { minima, value } = await minimize(four, [0, 0], { starts: 30, bounds: { lower: -5, upper: 5 } });
    expect(minima.filter((each) => each.value < 1e-8)).toHaveLength(4);
    expect(minima.reduce((sum, { count }) => sum + count, 0)).toBe(30);
    expect(value).toBe(minima[0].value);
  });

  test("the lowest end is the result, and a seed gives it again", async () => {
    const uneven = ([a, b]: readonly number[]) => four([a, b]) + 5 * (a + b);
    const alone = await minimize(uneven, [3, 2]);
    const options = { starts: 12, spread: 2, seed: 3 };
    const best = await minimize(uneven, [3, 2], options);
    expect(best.value).toBeLessThan(Number(alone.value) - 10);
    expect((await minimize(uneven, [3, 2], options)).x).toEqual(best.x);
    expect(best.evaluations).toBeGreaterThan(alone.evaluations);
    expect(best.minima[0].parameters).toEqual(best.parameters);
    for (const [k, { value }] of best.minima.entries())
      if (k > 0) expect(value).toBeGreaterThanOrEqual(best.minima[k - 1].value);
  });

  test("one from which f is no number does no harm", async () => {
    const f = ([a]: readonly number[]) => (a > 0 ? a - Math.sqrt(a) : Number.NaN);
    const { status, x, minima } = await minimize(f, [1], { starts: 8, spread: 3 });
    expect(status).toBe("converged");
    expect(x[0]).toBeCloseTo(0.25, 6);
    expect(minima).toHaveLength(1);
  });
});

describe("what cannot be minimised", () => {
  test("bounds that cross, that are no numbers or that the method does not know", async () => {
    const refused = (options: MinimizeOptions<number[]>) => minimize(valley, START, options);
    await expect(refused({ bounds: { lower: 2, upper: 1 } })).rejects.toMatchObject({
      code: "ERR_OPTION",
      path: "lower[0]",
    });
    await expect(refused({ bounds: { lower: [0, Number.NaN] } })).rejects.toMatchObject({ path: "lower[1]" });
    await expect(refused({ bounds: { lower: [0] } })).rejects.toMatchObject({ path: "bounds.lower" });
    await expect(refused({ method: "bfgs", bounds: { lower: 0 } })).rejects.toMatchObject({ path: "method" });
    const box = { lower: 0.5, upper: 0.5 };
    const fixed = await refused({ bounds: box });
    expect([fixed.status, ...fixed.x]).toEqual(["converged", 0.5, 0.5]);
  });

  test("what f gives at the first point is no answer", async () => {
    for (const answer of [undefined, "1", null, [1], { value: 1 }, { value: "1", gradient: [] }])
      for (const given of [answer, Promise.resolve(answer)])
        await expect(Reflect.apply(minimize, undefined, [() => given, START])).rejects.toMatchObject({
          code: "ERR_ARGUMENT",
          path: "f",
        });
    const cause = new Error("no licence");
    const throwing = () => {
      throw cause;
    };
    await expect(minimize(throwing, START)).rejects.toBe(cause);
    await expect(minimize(() => Promise.reject(cause), START)).rejects.toBe(cause);
    await expect(Reflect.apply(minimize, undefined, [3, START])).rejects.toMatchObject({ path: "f" });
    await expect(minimize(rosenbrock(3), START)).rejects.toMatchObject({ path: "start" });
  });

  test("no number at the first point", async () => {
    const { status, usable } = await minimize(() => Number.NaN, START);
    expect([status, usable]).toEqual(["diverged", false]);
  });

  test("an answer that changes its kind, and an error on the way", async () => {
    for (const isLate of [false, true])
      for (const wrong of [undefined, new Error("broken")]) {
        let calls = 0;
        const f = (x: readonly number[]) => {
          if (++calls < 40) return isLate ? Promise.resolve(valley(x)) : valley(x);
          if (wrong instanceof Error) throw wrong;
          return wrong;
        };
        const result = await Reflect.apply(minimize, undefined, [f, START]);
        expect(result.status).toBe("failed");
        expect(result.usable).toBe(true);
        expect(result.message).toContain(wrong instanceof Error ? "broken" : "f must return a number");
      }
  });

  test("chance is named", async () => {
    let state = 1;
    const random = ([a, b]: readonly number[]) => {
      state = (state * 16807) % 2147483647;
      return (1 + 1e-4 * (state / 2147483647)) * (1 + a * a + b * b);
    };
    const { warnings, x, valueNoise } = await minimize(random, [3, 4]);
    expect(warnings.map(({ code }) => code)).toEqual(["not-repeatable"]);
    expect(valueNoise).toBeGreaterThan(1e-6);
    expect(Math.hypot(...x)).toBeLessThan(0.2);
  });

  test("a plain on which nothing shows is no minimum", async () => {
    const { status, message } = await minimize(([a]) => 1 + exp(-a * a), [1e3]);
    expect([status, message]).toEqual(["stalled", expect.stringContaining("the same along an axis")]);
  });

  test("no lower bound", async () => {
    const { status, message } = await minimize(([a, b]) => a + b, [0, 0]);
    expect(status).toBe("diverged");
    expect(message).toContain("unbounded below");
  });
});

test("the defaults", () => {
  expect(minimizeOptions.defaults).toMatchObject({ method: "auto", starts: 1, maxIterations: 10_000 });
});

test.each([[[[2, 1]]], [[[0, 1]]], [{}], [{ min: 0 }]])(
  "bounds %j of another form are refused",
  async (bounds) => {
    const options = { bounds } as object;
    await expect(minimize((x) => x[0] ** 2, [0], options)).rejects.toMatchObject({
      code: "ERR_OPTION",
      path: "bounds",
    });
  },
);
