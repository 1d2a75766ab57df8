/** Nonlinear least squares: curves with known parameters, bounds, losses, endings, and what is refused. */
import { exp, normal, RandomGenerator } from "@curvature/linalg";
import { type LeastSquaresOptions, type LeastSquaresProblem, leastSquares } from "@curvature/optim-core";
import { facadeConformance } from "@curvature/optim-core/conformance";
import { describe, expect, test } from "vitest";
import { studentQuantile } from "../src/least-squares/student.js";

const times = Float64Array.from({ length: 12 }, (_, i) => 0.5 + i);

/** y = a (1 − e^{−b t}) with these observations. */
const saturating = (y: ArrayLike<number>): LeastSquaresProblem => ({
  residuals: ([a = 0, b = 0]) => times.map((t, i) => a * (1 - exp(-b * t)) - y[i]),
  jacobian: ([a = 0, b = 0]) => Array.from(times, (t) => [1 - exp(-b * t), a * t * exp(-b * t)]),
});
const curve = (a: number, b: number): Float64Array => times.map((t) => a * (1 - exp(-b * t)));
const noisy = (seed: number, sigma: number): Float64Array => {
  const random = new RandomGenerator(seed);
  return curve(5, 0.4).map((y) => y + sigma * normal(random));
};
/** Without its Jacobian. */
const plain = ({ residuals }: LeastSquaresProblem): LeastSquaresProblem => ({ residuals });

const rosenbrock: LeastSquaresProblem = {
  residuals: ([x = 0, y = 0]) => [10 * (y - x * x), 1 - x],
  jacobian: ([x = 0]) => [
    [-20 * x, 10],
    [-1, 0],
  ],
};

describe("façade", () => {
  const short = { maxIterations: 3 };
  const long = { maxIterations: 8 };
  const start = [-1.2, 1];
  const checks = facadeConformance({
    name: "leastSquares",
    call: (options) => Reflect.apply(leastSquares, undefined, [plain(rosenbrock), start, options]),
    iterate: (options) => Reflect.apply(leastSquares.iterate, undefined, [plain(rosenbrock), start, options]),
    callOnBadData: (options) =>
      Reflect.apply(leastSquares, undefined, [plain(rosenbrock), [Number.NaN, 0], options]),
    ...{ short, long, phases: ["start", "optimization", "statistics"] },
    limits: { maxIterations: "max-iterations", maxEvaluations: "max-evaluations" },
  });
  for (const { name, check } of checks) test(name, check);
});

describe("fits", () => {
  test.each([true, false])("exact data, Jacobian given: %s", async (isGiven) => {
    const problem = saturating(curve(5, 0.4));
    const result = await leastSquares(isGiven ? problem : plain(problem), [1, 1]);
    expect(result.status).toBe("converged");
    expect(result.x[0]).toBeCloseTo(5, 9);
    expect(result.x[1]).toBeCloseTo(0.4, 9);
    expect(result.degreesOfFreedom).toBe(10);
  });

  test("a linear model has the textbook's standard errors, in one step", async () => {
    const t = [0, 1, 2, 3, 4];
    const y = [1, 3.1, 4.9, 7.2, 8.8];
    const result = await leastSquares(([a = 0, b = 0]) => t.map((ti, i) => a + b * ti - y[i]), [0, 0]);
    // by hand: b = Σ(t − 2)(y − 5)/10, a = 5 − 2b, s² = RSS/3, se b = s/√10, se a = s √(1/5 + 4/10)
    const b = (-2 * (1 - 5) - (3.1 - 5) + (7.2 - 5) + 2 * (8.8 - 5)) / 10;
    const rss = t.reduce((sum, ti, i) => sum + (5 - 2 * b + b * ti - y[i]) ** 2, 0);
    const s = Math.sqrt(rss / 3);
    expect(result.x[1]).toBeCloseTo(b, 10);
    expect(result.residualStandardDeviation).toBeCloseTo(s, 10);
    expect(result.standardErrors[0]).toBeCloseTo(s * Math.sqrt(0.6), 9);
    expect(result.standardErrors[1]).toBeCloseTo(s / Math.sqrt(10), 9);
    // t with 3 degrees of freedom at 95 %: 3.182446305
    expect(result.intervals[1][1] - result.x[1]).toBeCloseTo((3.182446305 * s) / Math.sqrt(10), 8);
    expect(result.covariance?.data[1]).toBeCloseTo((-2 * (s * s)) / 10, 9);
  });

  test("residuals and a Jacobian that come later, sparse, or as arrays", async () => {
    const y = noisy(1, 0.05);
    const { residuals, jacobian } = saturating(y);
    const direct = await leastSquares({ residuals, jacobian }, [1, 1]);
    const later = await leastSquares(
      { residuals: async (x) => residuals(x), jacobian: async (x) => jacobian?.(x) ?? [] },
      [1, 1],
    );
    expect(later.x).toEqual(direct.x);
    const sparse = await leastSquares(
      {
        residuals: ([a = 0, b = 0]) => [a - 3, 2 * (b - 1), a + b],
        jacobian: () => ({
          ...{ rows: 3, columns: 2, rowPointers: Int32Array.of(0, 1, 2, 4) },
          ...{ columnIndices: Int32Array.of(0, 1, 0, 1), values: Float64Array.of(1, 2, 1, 1) },
        }),
      },
      [0, 0],
    );
    expect(sparse.status).toBe("converged");
    // normal equations: 2a + b = 3, a + 5b = 4
    expect(sparse.x[0]).toBeCloseTo(11 / 9, 12);
    expect(sparse.x[1]).toBeCloseTo(5 / 9, 12);
  });

  test.each([1e-120, 1e-9, 1e9, 1e120])("residuals in units of %s have the same path", async (unit) => {
    const y = noisy(2, 0.1);
    const { residuals } = saturating(y);
    const plainFit = await leastSquares({ residuals }, [1, 1]);
    const scaled = await leastSquares(
      async (x) => Float64Array.from(await residuals(x), (r) => unit * r),
      [1, 1],
    );
    expect(scaled.status).toBe("converged");
    expect(scaled.x[1]).toBeCloseTo(plainFit.x[1], 7);
    expect(scaled.standardErrors[1] / plainFit.standardErrors[1]).toBeCloseTo(1, 6);
  });

  test.each([1e-8, 1e8])("a parameter in units of %s", async (unit) => {
    const y = noisy(2, 0.1);
    const { residuals } = saturating(y);
    const plainFit = await leastSquares({ residuals }, [1, 1]);
    const scaled = await leastSquares(
      ({ 0: a = 0, 1: b = 0 }) => residuals(Float64Array.of(a, b / unit)),
      [1, unit],
    );
    expect(scaled.x[1] / unit).toBeCloseTo(plainFit.x[1], 7);
    expect(scaled.evaluations).toBeLessThan(2 * plainFit.evaluations);
  });
});

describe("bounds", () => {
  const y = noisy(3, 0.05);
  test("a bound that holds a parameter is named, and the others are fitted", async () => {
    const result = await leastSquares(saturating(y), [1, 0.1], { upper: [10, 0.3] });
    expect(result.status).toBe("converged");
    expect(result.x[1]).toBe(0.3);
    expect(result.active).toEqual([1]);
    expect(result.standardErrors[1]).toBe(Number.POSITIVE_INFINITY);
    expect(result.warnings.map(({ code }) => code)).toEqual(["at-a-bound"]);
    const alone = await leastSquares(([a = 0]) => saturating(y).residuals(Float64Array.of(a, 0.3)), [1]);
    expect(result.x[0]).toBeCloseTo(alone.x[0], 8);
    expect(result.standardErrors[0]).toBeCloseTo(alone.standardErrors[0], 7);
  });

  test("bounds that hold nothing change nothing; equal ones fix a parameter; a start outside is moved", async () => {
    const free = await leastSquares(saturating(y), [1, 1]);
    const wide = await leastSquares(saturating(y), [1, 1], { lower: 0, upper: 100 });
    expect(wide.x[0]).toBeCloseTo(free.x[0], 8);
    const fixed = await leastSquares(saturating(y), [1, 1], { lower: [0, 0.3], upper: [10, 0.3] });
    expect(fixed.x[1]).toBe(0.3);
    expect(fixed.warnings.map(({ code }) => code)).toEqual(["start-moved"]);
    expect(fixed.standardErrors[1]).toBe(0);
    expect(fixed.active).toEqual([]);
    const crossed = leastSquares(saturating(y), [1, 1], { lower: [0, 2], upper: [10, 1] });
    await expect(crossed).rejects.toMatchObject({ code: "ERR_OPTION", path: "lower[1]" });
  });

  test("all points that are looked at lie within", async () => {
    const [lower, upper] = [
      [0.5, 0.05],
      [4.5, 2],
    ];
    const outside: number[][] = [];
    const residuals = (x: Float64Array) => {
      if (x.some((xj, j) => xj < lower[j] || xj > upper[j])) outside.push([...x]);
      return saturating(y).residuals(x);
    };
    for (const start of [
      [0.5, 2],
      [4.5, 0.05],
      [4, 1],
      [0.5, 0.05],
    ]) {
      const result = await leastSquares(residuals, start, { lower, upper });
      expect(result.status).toBe("converged");
      expect(result.x[0]).toBe(4.5);
    }
    expect(outside).toEqual([]);
  });

  test("random linear problems in boxes end where no projected step goes down", async () => {
    const random = new RandomGenerator(7);
    for (let k = 0; k < 200; k++) {
      const [m, n] = [8, 4];
      const A = Array.from({ length: m }, () => Array.from({ length: n }, () => normal(random)));
      const c = Array.from({ length: m }, () => 3 * normal(random));
      const residuals = (x: Float64Array) =>
        A.map((row, i) => row.reduce((s, a, j) => s + a * x[j], 0) - c[i]);
      const lower = Array.from({ length: n }, () => -Math.abs(normal(random)));
      const upper = Array.from({ length: n }, () => Math.abs(normal(random)));
      const start = Array.from({ length: n }, (_, j) =>
        k % 3 === 0 ? lower[j] : k % 3 === 1 ? upper[j] : 0,
      );
      const { x, status, message } = await leastSquares({ residuals, jacobian: () => A }, start, {
        lower,
        upper,
      });
      expect(status, message).toBe("converged");
      const r = residuals(x);
      const size = Math.sqrt(r.reduce((s, ri) => s + ri * ri, 0));
      for (let j = 0; j < n; j++) {
        const g = r.reduce((s, ri, i) => s + ri * A[i][j], 0) / (size || 1);
        const step = Math.min(Math.max(x[j] - g, lower[j]), upper[j]) - x[j];
        expect(Math.abs(step)).toBeLessThan(1e-6);
      }
    }
  });
});

describe("losses", () => {
  const y = noisy(4, 0.02);
  y[3] += 4;
  y[8] -= 3;
  test.each(["soft-l1", "huber", "cauchy"] as const)("%s keeps to the good observations", async (loss) => {
    const robust = await leastSquares(saturating(y), [4, 0.5], { loss, lossScale: 0.05 });
    const squares = await leastSquares(saturating(y), [1, 1]);
    expect(robust.status).toBe("converged");
    expect(Math.abs(robust.x[0] - 5)).toBeLessThan(0.1);
    expect(Math.abs(squares.x[0] - 5)).toBeGreaterThan(0.2);
    expect(robust.standardErrors[0]).toBeGreaterThan(0);
    expect(robust.standardErrors[0]).toBeLessThan(squares.standardErrors[0]);
    // the gradient of F is 0: by central differences of F itself
    const { x } = robust;
    for (const j of [0, 1]) {
      const F = async (h: number) => {
        const there = x.slice();
        there[j] += h;
        return (
          await leastSquares(saturating(y), there, { loss, lossScale: 0.05, lower: there, upper: there })
        ).value;
      };
      const slope = ((await F(1e-5)) - (await F(-1e-5))) / 2e-5;
      expect(Math.abs(slope)).toBeLessThan(1e-7);
    }
  });

  test("with a large scale they are squares", async () => {
    const squares = await leastSquares(saturating(y), [1, 1]);
    const soft = await leastSquares(saturating(y), [1, 1], { loss: "soft-l1", lossScale: 1e6 });
    expect(soft.x[0]).toBeCloseTo(squares.x[0], 8);
    expect(soft.standardErrors[0]).toBeCloseTo(squares.standardErrors[0], 8);
    expect(soft.value).toBeCloseTo(squares.value, 8);
  });
});

describe("endings", () => {
  const run = (
    problem: LeastSquaresProblem | LeastSquaresProblem["residuals"],
    start: number[],
    options?: LeastSquaresOptions,
  ) => leastSquares(problem, start, options);

  test("a start at the minimum", async () => {
    const result = await run(rosenbrock, [1, 1]);
    expect(result).toMatchObject({ status: "converged", value: 0, iterations: 1 });
  });

  test("residuals that fall for ever take the parameter away: diverged", async () => {
    const result = await run(([x = 0]) => [1 / x], [1]);
    expect(result.status).toBe("diverged");
    expect(result.message).toContain("run off");
  });

  test("a plateau, where a parameter has lost its influence, is no minimum", async () => {
    const result = await run(
      {
        residuals: ([x = 0]) => [Math.max(11 - x, 1), 1],
        jacobian: ([x = 0]) => [[x < 10 ? -1 : 0], [0]],
      },
      [0],
    );
    expect(result.status).toBe("stalled");
    expect(result.message).toContain("plateau");
  });

  test.each([
    ["of the wrong sign", -1],
    ["a tenth of the derivative", 0.1],
    ["four times the derivative", 4],
  ])("a Jacobian %s is not called converged", async (_, factor) => {
    const { residuals, jacobian } = saturating(noisy(5, 0.1));
    const wrong: LeastSquaresProblem = {
      residuals,
      jacobian: async (x) =>
        Array.from(times, (t) => [1 - exp(-x[1] * t), factor * x[0] * t * exp(-x[1] * t)]),
    };
    const result = await run(wrong, [1, 1]);
    expect(jacobian).toBeDefined();
    expect(result.status).toBe("stalled");
    expect(result.message).toContain("acobian is not the derivative");
  });

  test("a kink that is no minimum is not called one, and one that is is reached", async () => {
    const result = await run(
      {
        residuals: ([x = 0]) => [1 + Math.abs(x - 1), 0],
        jacobian: ([x = 0]) => [[x < 1 ? -1 : 1], [0]],
      },
      [3],
    );
    expect(result.status).toBe("stalled");
    expect(Math.abs(result.x[0] - 1)).toBeLessThan(1e-3);
    const jump = await run(([x = 0]) => [x < 1 ? 5 - x : 10 + x, 0], [0]);
    expect(jump.status).toBe("stalled");
  });

  test("a wall of NaN is backed off from", async () => {
    const result = await run(([x = 0]) => [x > 2 ? Number.NaN : x - 1.9, 0.1 * x], [-30]);
    expect(result.status).toBe("converged");
    expect(result.x[0]).toBeCloseTo(1.9 / 1.01, 8);
  });

  test("noise in the residuals, with its size told", async () => {
    const y = noisy(6, 0.1);
    const single = ([a = 0, b = 0]: Float64Array) =>
      times.map((t, i) => Math.fround(Math.fround(a * (1 - exp(-b * t))) - y[i]));
    const result = await run(single, [1, 1], { valueNoise: 2 ** -23 });
    const exact = await run(saturating(y), [1, 1]);
    expect(result.status).toBe("converged");
    expect(result.x[0]).toBeCloseTo(exact.x[0], 4);
  });

  test("no run ends above its start, and none beyond its evaluations", async () => {
    const random = new RandomGenerator(11);
    for (let k = 0; k < 60; k++) {
      const start = [3 * normal(random), 3 * normal(random)];
      let calls = 0;
      const residuals = ([x = 0, y = 0]: Float64Array) => {
        calls++;
        return [10 * (y - x * x), 1 - x];
      };
      const [x, y] = start;
      const first = 50 * (y - x * x) ** 2 + 0.5 * (1 - x) ** 2;
      const most = 1 + (k % 20);
      const result = await leastSquares(residuals, start, { maxEvaluations: most });
      expect(result.value).toBeLessThanOrEqual(first * (1 + 1e-15));
      expect(calls).toBeLessThanOrEqual(most);
      expect(result.evaluations).toBe(calls);
      expect(["max-evaluations", "converged"]).toContain(result.status);
    }
  });
});

describe("what the data do not determine", () => {
  test("a sum of two parameters", async () => {
    const result = await leastSquares(
      ([a = 0, b = 0, c = 0]) => times.map((t) => a + b + c * t - (2 + 3 * t + (t % 2))),
      [0, 0, 0],
    );
    expect(result.status).toBe("converged");
    expect(result.rank).toBe(2);
    expect(result.undetermined).toEqual([0, 1]);
    expect(result.standardErrors[0]).toBe(Number.POSITIVE_INFINITY);
    expect(result.standardErrors[2]).toBeGreaterThan(0);
    expect(result.standardErrors[2]).toBeLessThan(1);
    expect(result.warnings.map(({ code }) => code)).toContain("rank-deficient");
  });

  test("more parameters than residuals", async () => {
    const result = await leastSquares(([a = 0, b = 0]) => [a + 2 * b - 3], [0, 0]);
    expect(result.status).toBe("converged");
    expect(result.x[0] + 2 * result.x[1]).toBeCloseTo(3, 10);
    expect(result.degreesOfFreedom).toBe(0);
    expect(result.residualStandardDeviation).toBe(Number.POSITIVE_INFINITY);
    expect(result.warnings.map(({ code }) => code)).toEqual(["rank-deficient", "no-degrees-of-freedom"]);
  });

  test("a parameter without any effect", async () => {
    const result = await leastSquares(([a = 0, _b = 0]) => times.map((t) => a * t - 2 * t - 1), [1, 1]);
    expect(result.undetermined).toEqual([1]);
    expect(result.status).toBe("converged");
    expect(result.x[1]).toBe(1);
  });
});

describe("what is refused", () => {
  const good = saturating(curve(5, 0.4));
  const refused = (problem: unknown, start: unknown = [1, 1], options: object = {}) =>
    expect(Reflect.apply(leastSquares, undefined, [problem, start, options])).rejects;

  test("no function, no start", async () => {
    await refused({}).toMatchObject({ code: "ERR_ARGUMENT", path: "problem" });
    await refused({ residuals: 1 }).toMatchObject({ code: "ERR_ARGUMENT" });
    await refused({ ...good, jacobian: [[1]] }).toMatchObject({ code: "ERR_ARGUMENT" });
    await refused(good, []).toMatchObject({ code: "ERR_ARGUMENT", path: "start" });
    await refused(good, null).toMatchObject({ code: "ERR_ARGUMENT", path: "start" });
    await refused(good, [1, Number.NaN]).toMatchObject({ code: "ERR_NON_FINITE" });
    await refused(good, [1, 1], { lower: [0] }).toMatchObject({ code: "ERR_SHAPE", path: "lower" });
    await refused(good, [1, 1], { loss: "l1" }).toMatchObject({ code: "ERR_OPTION", path: "loss" });
  });

  test("residuals that are none at the start", async () => {
    await refused(() => undefined).toMatchObject({ code: "ERR_ARGUMENT", path: "residuals" });
    await refused(() => []).toMatchObject({ code: "ERR_SHAPE" });
    await refused(() => ["1"]).toMatchObject({ code: "ERR_ARGUMENT", path: "residuals[0]" });
    await refused(() => [0, Number.NaN]).toMatchObject({ code: "ERR_NON_FINITE", path: "residuals[1]" });
    await refused(() => [1e200]).toMatchObject({ code: "ERR_NON_FINITE" });
    await refused((x: Float64Array) => x.fill(3)).toMatchObject({
      code: "ERR_ARGUMENT",
      expected: "x as it was",
    });
  });

  test("what goes wrong later ends the run as failed, with the best point kept", async () => {
    let calls = 0;
    const shrinking = (x: Float64Array) => (++calls > 2 ? [1] : [x[0], x[1] - 2, 1]);
    const shorter = await leastSquares(shrinking, [1, 1]);
    expect(shorter.status).toBe("failed");
    expect(shorter.message).toContain("3 numbers at the first point and 1");
    const cases: readonly [unknown, string][] = [
      [[[1, 2]], "1 x 2 numbers; it must give 12 x 2"],
      [undefined, "jacobian must return a matrix"],
      [Array.from(times, () => [1, Number.NaN]), "has NaN at row 0, column 1"],
    ];
    for (const [answer, words] of cases) {
      const result = await Reflect.apply(leastSquares, undefined, [
        { ...good, jacobian: () => answer },
        [1, 1],
      ]);
      expect(result.status).toBe("failed");
      expect(result.message).toContain(words);
      expect(result.x).toEqual(Float64Array.of(1, 1));
      expect(result.warnings[0].code).toBe("no-jacobian");
    }
  });
});

test("intervals cover the parameters as often as they say", async () => {
  const random = new RandomGenerator(2024);
  const draws = 2000;
  const covered = [0, 0];
  for (let k = 0; k < draws; k++) {
    const y = curve(5, 0.4).map((value) => value + 0.15 * normal(random));
    const { intervals, status } = await leastSquares(saturating(y), [4, 0.5], { level: 0.9 });
    expect(status).toBe("converged");
    for (const [j, truth] of [5, 0.4].entries())
      if (intervals[j][0] <= truth && truth <= intervals[j][1]) covered[j]++;
  }
  // binomial: a standard deviation is √(0.9 · 0.1 / 2000) = 0.0067
  for (const count of covered) expect(Math.abs(count / draws - 0.9)).toBeLessThan(3 * 0.0067);
});

test.each([
  // by the incomplete beta function with 30 digits (mpmath)
  [0.95, 1, 12.7062047361747],
  [0.95, 2, 4.302652729749464],
  [0.99, 3, 5.840909309733357],
  [0.9, 10, 1.812461122811676],
  [0.999, 24, 3.745398619290052],
  [0.95, 1001, 1.96233670528088],
  [0.95, 1e6, 1.959966356814107],
])("Student's t at %s with %s degrees of freedom", (level, degrees, t) => {
  expect(studentQuantile(level, degrees) / t).toBeCloseTo(1, degrees > 1e5 ? 9 : 11);
});
