/** Variables in units of their own: the minimum is that of the same problem in one unit, and a sum in one unit is left as it is. */
import { exp, log1p, normal, RandomGenerator } from "@curvature/linalg";
import { Lbfgs, maxEvaluations, runSync, type SumOfFunctions } from "@curvature/optim-core";
import { minimizeSum } from "@curvature/optim-sfo";
import { describe, expect, test } from "vitest";

const ROWS = 25;
const COUNT = 40;
const COLUMNS = 30;

/** What a row costs, and its slope by the row's product with x. */
type Loss = (u: number, y: number) => readonly [number, number];
const losses: Readonly<
  Record<string, { readonly loss: Loss; readonly target: (u: number, random: RandomGenerator) => number }>
> = {
  "linear regression": {
    loss: (u, y) => [(u - y) ** 2, 2 * (u - y)],
    target: (u, random) => u + 0.3 * normal(random),
  },
  "logistic regression": {
    loss: (u, y) => {
      const m = -y * u;
      return [m > 0 ? m + log1p(exp(-m)) : log1p(exp(m)), -y / (1 + exp(-m))];
    },
    target: (u, random) => (random.uniform() < 1 / (1 + exp(-2 * u)) ? 1 : -1),
  },
  "Poisson regression": {
    loss: (u, y) => [exp(Math.min(u, 300)) - y * u, exp(Math.min(u, 300)) - y],
    target: (u, random) => Math.floor(exp(Math.min(3, u / 2)) + random.uniform()),
  },
};

/** Correlated columns, in these units: xⱼ counts unitⱼ. */
function drawn(
  kind: string,
  seed: number,
  units: Float64Array,
): SumOfFunctions & { readonly initial: Float64Array } {
  const random = new RandomGenerator(seed);
  const { loss, target } = losses[kind];
  const rows = Array.from({ length: COUNT * ROWS }, () => {
    const common = 0.6 * normal(random);
    return Float64Array.from(units, () => common + normal(random));
  });
  const weights = Float64Array.from(units, () => normal(random) / Math.sqrt(COLUMNS));
  const targets = rows.map((row) =>
    target(
      row.reduce((sum, a, j) => sum + a * weights[j], 0),
      random,
    ),
  );
  return {
    dimension: COLUMNS,
    count: COUNT,
    fingerprint: `${kind} ${seed}`,
    initial: new Float64Array(COLUMNS),
    evaluate(index, x, gradient) {
      const z = x.map((entry, j) => entry * units[j]);
      let f = 0;
      for (let j = 0; j < COLUMNS; j++) {
        f += 5e-4 * z[j] * z[j];
        if (gradient !== undefined) gradient[j] = 1e-3 * z[j] * units[j];
      }
      for (let i = index; i < rows.length; i += COUNT) {
        const [cost, slope] = loss(
          rows[i].reduce((sum, a, j) => sum + a * z[j], 0),
          targets[i],
        );
        f += cost / ROWS;
        if (gradient !== undefined)
          for (let j = 0; j < COLUMNS; j++) gradient[j] += (slope / ROWS) * rows[i][j] * units[j];
      }
      return f;
    },
  };
}

const whole = (sum: SumOfFunctions) => ({
  dimension: sum.dimension,
  evaluate(x: Float64Array, gradient?: Float64Array): number {
    const part = new Float64Array(sum.dimension);
    gradient?.fill(0);
    let f = 0;
    for (let i = 0; i < sum.count; i++) {
      f += Number(sum.evaluate(i, x, gradient && part));
      gradient?.forEach((entry, j) => {
        gradient[j] = entry + part[j];
      });
    }
    return f;
  },
});

/** From 10^−decades/2 to 10^(decades/2), shuffled by multiplication. */
const unitsOver = (decades: number): Float64Array =>
  Float64Array.from(
    { length: COLUMNS },
    (_, j) => 10 ** (decades * (((7 * j) % COLUMNS) / (COLUMNS - 1) - 0.5)),
  );

describe.each(Object.keys(losses))("%s", (kind) => {
  test.each([4, 6, 12])("units over %i orders: the minimum, from each of three seeds", async (decades) => {
    const plain = drawn(kind, 11, new Float64Array(COLUMNS).fill(1));
    const least =
      runSync(new Lbfgs(whole(plain), plain.initial.slice()), { stop: maxEvaluations(3000) }).value ?? 0;
    const start = whole(plain).evaluate(plain.initial);
    const units = unitsOver(decades);
    for (const seed of [0, 1, 2]) {
      const sum = drawn(kind, 11, units);
      const {
        value = Number.NaN,
        variableScales,
        x,
        monitoringEvaluations,
        status,
      } = await minimizeSum(sum, { seed, maxPasses: 60 });
      expect(value - least).toBeLessThan(1e-9 * (start - least));
      expect(status).toBe("converged");
      expect(value).toBe(whole(sum).evaluate(x));
      // to a factor of a few they are the units
      const errors = Array.from(variableScales ?? [], (scale, j) => scale * units[j]);
      expect(Math.max(...errors) / Math.min(...errors)).toBeLessThan(64);
      expect(errors).toHaveLength(COLUMNS);
      expect(monitoringEvaluations % COUNT).toBeLessThanOrEqual(60);
    }
  });

  test("one unit: no scales, and the run is that without a look, bit for bit", async () => {
    const sum = drawn(kind, 12, new Float64Array(COLUMNS).fill(1e-7));
    const { x, variableScales, evaluations } = await minimizeSum(sum, { seed: 3 });
    expect(variableScales).toBeUndefined();
    const none = await minimizeSum(sum, { seed: 3, variableScales: "none" });
    expect([none.x, none.evaluations]).toEqual([x, evaluations]);
  });
});

test("half of the variables begin at the minimum: that is no unit", async () => {
  for (const near of [0, 1e-12, 1e-9, 1e-6]) {
    const sum = {
      dimension: 20,
      count: 30,
      initial: Float64Array.from({ length: 20 }, (_, j) => (j % 2 === 0 ? 1 : near * (1 + j))),
      evaluate(_: number, x: Float64Array, gradient?: Float64Array): number {
        gradient?.set(x);
        return x.reduce((f, entry) => f + entry * entry, 0) / 2;
      },
    };
    expect((await minimizeSum(sum)).variableScales).toBeUndefined();
  }
});

test("the caller's scales are kept, and wrong ones are refused", async () => {
  const sum = drawn("linear regression", 13, unitsOver(6));
  const given = Array.from(unitsOver(6), (unit) => 1 / unit);
  const { variableScales, status } = await minimizeSum(sum, { variableScales: given, maxPasses: 60 });
  expect(status).toBe("converged");
  expect(
    Array.from(variableScales ?? [], (scale, j) => given[j] / scale).every(
      (ratio) => ratio >= 1 && ratio < 2,
    ),
  ).toBe(true);
  await expect(minimizeSum(sum, { variableScales: [1, 2] })).rejects.toThrow(
    "variableScales must have 30 numbers, one for each variable; it has 2.",
  );
  for (const wrong of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
    await expect(minimizeSum(sum, { variableScales: given.with(3, wrong) })).rejects.toThrow(
      "variableScales",
    );
});

test("promises, a resumed run, and a subfunction that throws where it is looked at", async () => {
  const sum = drawn("logistic regression", 14, unitsOver(6));
  const later = {
    ...sum,
    evaluate: async (i: number, x: Float64Array, g?: Float64Array) => sum.evaluate(i, x, g),
  };
  const { x, evaluations } = await minimizeSum(sum);
  expect((await minimizeSum(later, { concurrency: 1 })).x).toEqual(x);

  let checkpoint = new Uint8Array();
  const write = (bytes: Uint8Array): void => {
    checkpoint = bytes.slice();
  };
  await minimizeSum(sum, { onIteration: ({ passes }) => passes < 5, checkpoint: { write } });
  const resumed = await minimizeSum(sum, { resume: checkpoint });
  expect([resumed.x, resumed.evaluations]).toEqual([x, evaluations]);
  const going = await minimizeSum(sum, { resume: checkpoint, variableScales: "none" });
  expect([going.x, going.variableScales]).toEqual([x, resumed.variableScales]); // a checkpoint brings its scales

  const failing = {
    ...sum,
    evaluate(i: number, at: Float64Array, g?: Float64Array) {
      if (i === 8) throw new Error("there is no file 8");
      return sum.evaluate(i, at, g);
    },
  };
  const failed = await minimizeSum(failing);
  expect([failed.status, failed.variableScales]).toEqual(["failed", undefined]);
  expect(failed.message).toContain("there is no file 8");
});
