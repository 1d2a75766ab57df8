/** `minimizeSum` on blocks of residuals: NIST's certified answers, sums of many blocks, laws, limits, and what it refuses. */
import { readFileSync } from "node:fs";
import { cos, exp, normal, RandomGenerator, sin } from "@curvature/linalg";
import { leastSquares, type ResidualBlocks, type RunPoint } from "@curvature/optim-core";
import { facadeConformance } from "@curvature/optim-core/conformance";
import { type BlocksProblem, type MinimizeSumOptions, minimizeSum } from "@curvature/optim-sfo";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { problems } from "../../../apps/bench/data/optimizers/nist.mjs";

const certified: Readonly<
  Record<string, { readonly parameters: readonly number[]; readonly residualStandardDeviation: number }>
> = JSON.parse(
  readFileSync(new URL("../../../apps/bench/data/optimizers/nist-errors.json", import.meta.url), "utf8"),
);

/** The largest relative difference. */
const apart = (found: ArrayLike<number>, right: ArrayLike<number>): number =>
  Math.max(...Array.from(right, (value, j) => Math.abs(found[j] - value) / Math.abs(value)));

/** y = a (1 − e^{−b t}) with noise, one block for each observation; `calls` counts them. */
function growth(count: number, { scale = 1, isGiven = true, seed = 1 } = {}) {
  const random = new RandomGenerator(seed);
  const t = Float64Array.from({ length: count }, (_, i) => (8 * (i + 1)) / count);
  const y = t.map((ti) => 5 * (1 - exp(-0.7 * ti)) + 0.1 * normal(random));
  const calls = { residuals: 0, jacobian: 0 };
  const residual = (i: number, [a, b]: Float64Array): number => scale * (a * (1 - exp(-b * t[i])) - y[i]);
  const row = (i: number, [a, b]: Float64Array): number[] => {
    const e = exp(-b * t[i]);
    return [scale * (1 - e), scale * a * t[i] * e];
  };
  const blockJacobian = (i: number, x: Float64Array) => {
    calls.jacobian++;
    return [row(i, x)];
  };
  const blocks: BlocksProblem = {
    dimension: 2,
    count,
    initial: [1, 1],
    blockResiduals(i, x) {
      calls.residuals++;
      return [residual(i, x)];
    },
    ...(isGiven && { blockJacobian }),
  };
  return { blocks, calls, residual, row };
}

describe("NIST's nonlinear regressions, an observation a block", () => {
  const starts = Object.entries(problems).flatMap(([name, problem]) =>
    [problem.x0, problem.x1 ?? []].map((start, k) => ({ name, problem, start, number: k + 1 })),
  );
  test.each(starts)("$name from start $number", async ({ name, problem, start }) => {
    const { n, m } = problem;
    const r = new Float64Array(m);
    const J = new Float64Array(m * n);
    const result = await minimizeSum({
      dimension: n,
      count: m,
      initial: start,
      blockResiduals(i, x) {
        problem.residuals(x, r);
        return [r[i]];
      },
      blockJacobian(i, x) {
        problem.residuals(x, r, J);
        return { rows: 1, columns: n, data: J.subarray(i * n, (i + 1) * n) };
      },
    });
    expect(result.status, result.message).toBe("converged");
    expect(apart(result.x, certified[name].parameters)).toBeLessThan(5e-7);
    const { value = Number.NaN } = result;
    const { residualStandardDeviation: s } = certified[name];
    expect((2 * value) / (m - n) / (s * s)).toBeCloseTo(1, 8);
  });
});

describe("many blocks", () => {
  test.each([true, false])(
    "Jacobian given: %s; the minimum of the whole, in fewer evaluations",
    async (isGiven) => {
      const { blocks, calls } = growth(5000, { isGiven });
      const result = await minimizeSum(blocks);
      const made = calls.residuals;
      const whole = await leastSquares(blocks, [1, 1]);
      expect(result.status, result.message).toBe("converged");
      expect(apart(result.x, whole.x)).toBeLessThan(1e-7);
      expect(result.value).toBeCloseTo(whole.value, 9);
      expect(made).toBeLessThan(calls.residuals - made);
      expect(result.evaluations).toBeLessThanOrEqual(made);
    },
  );

  test("a millionth from the minimum in less than half the passes of the whole, with any seed", async () => {
    const random = new RandomGenerator(5);
    const rows = Array.from({ length: 5000 }, () => {
      const t = 10 * random.uniform();
      return { t, y: 3 * exp(-0.4 * t) * cos(2.1 * t + 0.5) + 0.2 * normal(random) };
    });
    const residual = (i: number, [a, b, w, p]: Float64Array): number =>
      a * exp(-b * rows[i].t) * cos(w * rows[i].t + p) - rows[i].y;
    const row = (i: number, [a, b, w, p]: Float64Array): number[] => {
      const { t } = rows[i];
      const [e, c, s] = [exp(-b * t), cos(w * t + p), sin(w * t + p)];
      return [e * c, -a * t * e * c, -a * t * e * s, -a * e * s];
    };
    const blocks: BlocksProblem = {
      ...{ dimension: 4, count: rows.length, initial: [1, 1, 1.6, 0] },
      blockResiduals: (i, x) => [residual(i, x)],
      blockJacobian: (i, x) => [row(i, x)],
    };
    const F = (x: Float64Array) => rows.reduce((sum, _, i) => sum + residual(i, x) ** 2 / 2, 0);
    const { value: least } = await leastSquares(blocks, [1, 1, 1.6, 0]);
    const passesOf = async (steps: AsyncIterable<RunPoint>): Promise<number> => {
      for await (const { iteration, last } of steps)
        if (F(last.x) - least <= 1e-6 * least) return iteration.passes;
      return Number.POSITIVE_INFINITY;
    };
    const whole = await passesOf(leastSquares.iterate(blocks, [1, 1, 1.6, 0]));
    for (const seed of [0, 1, 2, 3])
      expect(await passesOf(minimizeSum.iterate(blocks, { seed }))).toBeLessThan(whole / 2);
  });

  test("linear blocks: all are at their minimum after one pass of groups, in any order", async () => {
    const property = async (seed: number, n: number) => {
      const random = new RandomGenerator(seed);
      const right = Float64Array.from({ length: n }, () => normal(random));
      const rows = Array.from({ length: 200 * n }, () => right.map(() => normal(random)));
      const value = (a: Float64Array, x: Float64Array) =>
        a.reduce((sum, aj, j) => sum + aj * (x[j] - right[j]), 0);
      const { x, status, history } = await minimizeSum(
        {
          dimension: n,
          count: rows.length,
          initial: new Float64Array(n),
          blockResiduals: (i, at) => [value(rows[i], at)],
          blockJacobian: (i) => [rows[i]],
        },
        { seed, history: true },
      );
      expect(status).toBe("converged");
      expect(Math.max(...x.map((xj, j) => Math.abs(xj - right[j])))).toBeLessThan(1e-12);
      expect(history.some(({ phase }) => phase === "group")).toBe(true);
    };
    await fc.assert(fc.asyncProperty(fc.nat(1000), fc.integer({ min: 1, max: 5 }), property), {
      numRuns: 20,
    });
  });

  test("the unit of F makes no difference", async () => {
    const one = await minimizeSum(growth(2000).blocks);
    for (const scale of [2 ** -100, 2 ** 100]) {
      const { x, status } = await minimizeSum(growth(2000, { scale }).blocks);
      expect(status).toBe("converged");
      expect(apart(x, one.x)).toBeLessThan(1e-9);
    }
  });

  test("no run makes more evaluations than maxPasses, or ends above its start", async () => {
    for (const isGiven of [true, false])
      for (const maxPasses of [1, 1.2, 2, 2.5, 3, 5, 7]) {
        const { blocks, calls, residual } = growth(3000, { isGiven });
        const {
          evaluations,
          monitoringEvaluations,
          status,
          value = Number.NaN,
        } = await minimizeSum(blocks, { maxPasses });
        expect(evaluations).toBeLessThanOrEqual(maxPasses * 3000);
        expect(calls.residuals).toBe(evaluations + monitoringEvaluations);
        expect(["max-iterations", "converged"]).toContain(status);
        const first = Array.from({ length: 3000 }, (_, i) => residual(i, Float64Array.of(1, 1)));
        expect(value).toBeLessThanOrEqual(first.reduce((sum, r) => sum + (r * r) / 2, 0));
      }
  });

  test("blocks of several sizes, some empty, sparse and dense", async () => {
    const { blocks, residual, row } = growth(3000);
    const { x: right } = await minimizeSum(blocks);
    const pairs: BlocksProblem = {
      ...blocks,
      count: 2000,
      blockResiduals: (k, x) => owned(k).map((i) => residual(i, x)),
      blockJacobian: (k, x) => {
        const rows = owned(k).map((i) => row(i, x));
        if (k % 2 === 0) return rows;
        return {
          ...{
            rows: rows.length,
            columns: 2,
            rowPointers: Int32Array.from({ length: rows.length + 1 }, (_, i) => 2 * i),
          },
          ...{
            columnIndices: Int32Array.from(rows.flatMap(() => [0, 1])),
            values: Float64Array.from(rows.flat()),
          },
        };
      },
    };
    const owned = (k: number): readonly number[] =>
      k % 4 === 0
        ? []
        : k % 4 === 3
          ? [0, 1, 2, 3].map((j) => 6 * ((k - 3) / 4) + j + 2)
          : [6 * Math.floor(k / 4) + (k % 4) - 1];
    const found = await minimizeSum(pairs);
    expect(found.status).toBe("converged");
    expect(apart(found.x, right)).toBeLessThan(1e-8);
  });

  test("one block that has nearly all residuals", async () => {
    const { blocks, residual, row } = growth(4000);
    const { x: right } = await leastSquares(blocks, [1, 1]);
    const rest = Array.from({ length: 3700 }, (_, i) => i);
    for (const seed of [0, 1, 2]) {
      const found = await minimizeSum(
        {
          ...{ dimension: 2, count: 301, initial: [1, 1] },
          blockResiduals: (k, x) => (k > 0 ? [residual(3699 + k, x)] : rest.map((i) => residual(i, x))),
          blockJacobian: (k, x) => (k > 0 ? [row(3699 + k, x)] : rest.map((i) => row(i, x))),
        },
        { seed },
      );
      expect(found.status, found.message).toBe("converged");
      expect(apart(found.x, right)).toBeLessThan(1e-7);
    }
  });

  test("where the sample misleads, the run begins again at the first point", async () => {
    // one block in 200 pulls b away; it is in no sample that decides
    const { blocks, residual, row } = growth(4000);
    const heavy: BlocksProblem = {
      ...blocks,
      blockResiduals: (i, x) => [i % 200 === 7 ? 1000 * (x[1] - 0.2) : residual(i, x)],
      blockJacobian: (i, x) => (i % 200 === 7 ? [[0, 1000]] : [row(i, x)]),
    };
    const found = await minimizeSum(heavy);
    const whole = await leastSquares(heavy, [1, 1]);
    expect(found.status).toBe("converged");
    expect(apart(found.x, whole.x)).toBeLessThan(1e-7);
  });

  test("blocks that are promises, side by side, give the same bits", async () => {
    const { blocks } = growth(1000);
    let underWay = 0;
    let most = 0;
    const later: BlocksProblem = {
      ...blocks,
      async blockResiduals(i, x) {
        most = Math.max(most, ++underWay);
        await Promise.resolve();
        underWay--;
        return blocks.blockResiduals(i, x);
      },
    };
    const [now, then] = [await minimizeSum(blocks), await minimizeSum(later, { concurrency: 8 })];
    expect(most).toBe(8);
    expect(then.x).toEqual(now.x);
    expect(then.passes).toBe(now.passes);
  });
});

test.each([true, false])(
  "resumed after any iteration it ends with the same bits; Jacobian given: %s",
  async (isGiven) => {
    const { blocks } = growth(600, { isGiven });
    const written: Uint8Array[] = [];
    const checkpoint = { write: (bytes: Uint8Array) => void written.push(bytes.slice()), everyIterations: 1 };
    const whole = await minimizeSum(blocks, { checkpoint });
    expect(written.length).toBeGreaterThan(5);
    for (const resume of written) {
      const { x, value, iterations, evaluations, status } = await minimizeSum(blocks, { resume });
      expect(x).toEqual(whole.x);
      expect([value, iterations, evaluations, status]).toEqual([
        whole.value,
        whole.iterations,
        whole.evaluations,
        whole.status,
      ]);
    }
  },
);

test("the point of the least validation is returned, with F there", async () => {
  const { blocks } = growth(2000);
  const evaluate = ([a]: Float64Array) => Math.abs(a - 4.9);
  const { validation, x, value, status } = await minimizeSum(blocks, {
    validation: { evaluate, every: 0.01 },
  });
  const least = Math.min(...(validation?.history ?? []).map(({ validation: figure }) => figure));
  expect(evaluate(x)).toBe(least);
  expect(value).toBeGreaterThan(0);
  expect(["stalled", "converged"]).toContain(status);
});

describe("what it refuses", () => {
  const { blocks, row } = growth(300);
  const run = (change: Partial<BlocksProblem>, options?: MinimizeSumOptions) =>
    minimizeSum({ ...blocks, ...change }, options);

  test.each([
    ["residuals that are no numbers", { blockResiduals: () => "r" as never }, "ERR_ARGUMENT"],
    ["NaN at the start", { blockResiduals: (i: number) => [i === 7 ? Number.NaN : 1] }, "ERR_NON_FINITE"],
    ["no residuals at all", { blockResiduals: () => [] }, "ERR_SHAPE"],
    ["a first point of another length", { initial: [1, 2, 3] }, "ERR_SHAPE"],
    [
      "a block that writes into x",
      { blockResiduals: (_: number, x: Float64Array) => [x.fill(3)[0]] },
      "ERR_ARGUMENT",
    ],
    ["no blocks", { count: 0 }, "ERR_ARGUMENT"],
    ["too many blocks", { count: 2 ** 40 }, "ERR_MEMORY"],
    ["a Jacobian that is no function", { blockJacobian: 3 as never }, "ERR_ARGUMENT"],
  ])("%s", async (_, change, code) => {
    await expect(run(change)).rejects.toMatchObject({ code });
  });

  test.each([
    ["a Jacobian of another shape", () => [[1, 2, 3]], "ERR_SHAPE", /blockJacobian\(\d+\) gave 1 x 3/],
    ["NaN in a Jacobian", () => [[1, Number.NaN]], "ERR_NON_FINITE", /blockJacobian\(\d+\)/],
    ["no Jacobian", () => undefined as never, "ERR_ARGUMENT", /must return a matrix/],
  ])("%s ends the run as failed, with the first point", async (_, blockJacobian, code, words) => {
    for (const count of [20, 300]) {
      const { status, cause, message, x } = await run({ blockJacobian, count });
      expect(status).toBe("failed");
      expect(cause).toMatchObject({ code });
      expect(message).toMatch(words);
      expect([...x]).toEqual([1, 1]);
    }
  });

  test("a wrong Jacobian is no minimum", async () => {
    const { status } = await run({
      blockJacobian: (i, x) => [[row(i, x)[0], -row(i, x)[1]]],
    });
    expect(status).not.toBe("converged");
  });

  test("parameters that no block depends on stay where they are", async () => {
    const { x, status } = await run({
      dimension: 3,
      initial: [1, 1, 7],
      blockJacobian: (i, at) => [[...row(i, at), 0]],
    });
    expect(status).toBe("converged");
    expect(x[2]).toBe(7);
  });
});

test("leastSquares takes the same blocks", async () => {
  const { blocks, residual, row } = growth(300);
  const whole = await leastSquares(
    {
      residuals: (x) => Array.from({ length: 300 }, (_, i) => residual(i, x)),
      jacobian: (x) => Array.from({ length: 300 }, (_, i) => row(i, x)),
    },
    [1, 1],
  );
  const inBlocks: ResidualBlocks = blocks;
  const { x, standardErrors } = await leastSquares(inBlocks, [1, 1]);
  expect(x).toEqual(whole.x);
  expect(standardErrors).toEqual(whole.standardErrors);
  await expect(leastSquares(inBlocks, [1])).rejects.toMatchObject({ code: "ERR_SHAPE", path: "start" });
});

const counted = growth(600);
const given = {
  name: "minimizeSum on blocks",
  call: (options: unknown) => Reflect.apply(minimizeSum, undefined, [counted.blocks, options]),
  iterate: (options: unknown) => Reflect.apply(minimizeSum.iterate, undefined, [counted.blocks, options]),
  callOnBadData: (options: unknown) =>
    Reflect.apply(minimizeSum, undefined, [{ ...counted.blocks, count: 0 }, options]),
  short: { maxPasses: 1.3 },
  long: { maxPasses: 4 },
  limits: { maxPasses: "max-iterations" },
  phases: ["trial", "optimization", "measurement"],
  calls: () => counted.calls.residuals,
} as const;
for (const { name, check } of facadeConformance({ ...given, validation: { every: 1e-3 } })) test(name, check);

describe("with a validation", () => {
  const validation = { evaluate: ([a]: Float64Array) => Math.abs(a), every: 1e-3, patience: 100 };
  for (const { name, check } of facadeConformance({ ...given, needed: { validation } })) test(name, check);
});
