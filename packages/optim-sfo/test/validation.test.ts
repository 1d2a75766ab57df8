/** Early stopping of `minimizeSum`: what it costs, what its other options do beside it, and whether it helps. */
import { normal, RandomGenerator } from "@curvature/linalg";
import { type MinimizeSumOptions, minimizeSum } from "@curvature/optim-sfo";
import { describe, expect, test } from "vitest";

/** Rows of one linear model with noise: features of which most say nothing. */
interface Rows {
  readonly features: readonly Float64Array[];
  readonly targets: Float64Array;
}

const drawn = (rows: number, weights: Float64Array, random: RandomGenerator): Rows => {
  const features = Array.from({ length: rows }, () => weights.map(() => normal(random)));
  const targets = Float64Array.from(features, (a) => dot(a, weights) + 2 * normal(random));
  return { features, targets };
};

const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, ai, i) => sum + ai * b[i], 0);

/** The mean of (aᵀx − b)² / 2 over the rows. */
const loss = (x: Float64Array, { features, targets }: Rows): number =>
  features.reduce((sum, a, i) => sum + (dot(a, x) - targets[i]) ** 2 / 2, 0) / features.length;

/** Row by row, dealt to `count` subfunctions. */
const sumOf = ({ features, targets }: Rows, count: number) => ({
  dimension: features[0].length,
  count,
  initial: new Float64Array(features[0].length),
  evaluate(index: number, x: Float64Array, gradient?: Float64Array): number {
    gradient?.fill(0);
    let sum = 0;
    for (let i = index; i < features.length; i += count) {
      const rest = dot(features[i], x) - targets[i];
      sum += rest ** 2 / 2;
      if (gradient !== undefined) for (let j = 0; j < x.length; j++) gradient[j] += rest * features[i][j];
    }
    return sum;
  },
});

const problemOf = (seed: number, features: number, rows: number) => {
  const random = new RandomGenerator(seed);
  const weights = Float64Array.from({ length: features }, (_, i) => (i < 5 ? 1 : 0));
  const [training, heldOut, untouched] = [rows, rows, 1000].map((many) => drawn(many, weights, random));
  return { sum: sumOf(training, 10), training, heldOut, untouched };
};

const { sum, heldOut } = problemOf(1, 50, 60);
const evaluate = (x: Float64Array): number => loss(x, heldOut);
const validated = (options: MinimizeSumOptions = {}) =>
  minimizeSum(sum, { maxPasses: 60, validation: { evaluate }, ...options });
const F = (x: Float64Array): number =>
  Array.from({ length: sum.count }, (_, i) => sum.evaluate(i, x)).reduce((all, f) => all + f, 0);

describe("minimizeSum with a validation", () => {
  test("returns the best by the validation, with F measured there and nowhere else", async () => {
    const { x, value, status, validation, monitoringEvaluations, message, usable } = await validated();
    expect(status).toBe("stalled");
    expect(usable).toBe(true);
    const history = validation?.history ?? [];
    expect(history[0].passes).toBe(0);
    expect(evaluate(x)).toBe(Math.min(...history.map((at) => at.validation)));
    expect(history.length - 1 - history.findIndex((at) => at.validation === evaluate(x))).toBe(5);
    expect(value).toBe(F(x));
    expect(monitoringEvaluations).toBe(sum.count);
    expect(message).toMatch(/^The validation has not fallen for 5 validations: it is .* passes?\.$/);
    for (const { passes } of history) expect(Math.abs(passes - Math.round(passes))).toBeLessThan(0.11);
  });

  test("without finalize F is measured nowhere, and the point is the same", async () => {
    const { x, value, usable, monitoringEvaluations } = await validated({ finalize: false });
    expect([value, usable, monitoringEvaluations]).toEqual([undefined, true, 0]);
    expect(x).toEqual((await validated()).x);
  });

  test("with measureEvery the history has both curves, and nothing is measured at the end", async () => {
    const result = await validated({ measureEvery: 1 });
    const history = result.validation?.history ?? [];
    for (const { value } of history.slice(1)) expect(value).toBeGreaterThan(0);
    expect(result.value).toBe(F(result.x));
    expect(result.monitoringEvaluations).toBe(sum.count * (history.length - 1));
    expect(result.x).toEqual((await validated()).x);
  });

  test("targetValue looks at F where that is measured, though the best point is another", async () => {
    const least = await minimizeSum(sum, { maxPasses: 60 });
    const target = 1.05 * (least.value ?? 0);
    const patience = Number.POSITIVE_INFINITY;
    const result = await validated({ targetValue: target, validation: { evaluate, patience } });
    expect(result.status).toBe("target-reached");
    expect(result.message).toContain("reached the target");
    expect(result.history).toEqual([]);
    expect(F(result.last)).toBeLessThanOrEqual(target);
    expect(result.value).toBeGreaterThan(target);
    expect(result.value).toBe(F(result.x));
  });

  test("says so where nothing is better than the first point", async () => {
    const { status, warnings, x } = await validated({
      validation: { evaluate: (at) => dot(at, at) },
    });
    expect(status).toBe("stalled");
    expect(x).toEqual(sum.initial);
    expect(warnings.map(({ code }) => code)).toContain("no-decrease");
  });

  test("promises, several at a time, give the same bits", async () => {
    const later = {
      ...sum,
      evaluate: async (...given: Parameters<typeof sum.evaluate>) => sum.evaluate(...given),
    };
    const plain = await validated({ batch: 4 });
    const waited = await minimizeSum(later, {
      ...{ maxPasses: 60, batch: 4 },
      validation: { evaluate: async (x) => evaluate(x) },
    });
    expect(waited.x).toEqual(plain.x);
    expect(waited.validation).toEqual(plain.validation);
  });

  test("goes on from any checkpoint as if it had not been interrupted", async () => {
    const options = { validation: { evaluate, patience: 12, every: 0.7 }, measureEvery: 2 };
    const whole = await validated(options);
    const checkpoints: Uint8Array[] = [];
    const write = (bytes: Uint8Array): unknown => checkpoints.push(bytes.slice());
    await validated({
      ...options,
      checkpoint: { write: async (bytes) => void write(bytes), everyIterations: 23 },
    });
    expect(checkpoints.length).toBeGreaterThan(4);
    for (const resume of checkpoints) {
      const { x, last, value, status, iterations, validation, message } = await validated({
        ...options,
        resume,
      });
      expect({ x, last, value, status, iterations, validation, message }).toEqual({
        ...{ x: whole.x, last: whole.last, value: whole.value, status: whole.status },
        ...{ iterations: whole.iterations, validation: whole.validation, message: whole.message },
      });
    }
  });

  test("a checkpoint without one is refused by name", async () => {
    let bytes = new Uint8Array();
    const write = (written: Uint8Array): void => {
      bytes = written.slice();
    };
    await minimizeSum(sum, { maxPasses: 2, checkpoint: { write } });
    await expect(validated({ resume: bytes })).rejects.toMatchObject({
      code: "ERR_CHECKPOINT",
      message: expect.stringContaining('it has "sfo", this run has "sfo, validated"'),
    });
  });
});

test("30 features of which 5 say something, 40 noisy rows: early stopping predicts new rows better", async () => {
  const seeds = Array.from({ length: 8 }, (_, k) => 100 + k);
  const losses = await Promise.all(
    seeds.map(async (seed) => {
      const drawn = problemOf(seed, 30, 40);
      const figure = (x: Float64Array): number => loss(x, drawn.heldOut);
      const full = await minimizeSum(drawn.sum, { maxPasses: 300 });
      const early = await minimizeSum(drawn.sum, { maxPasses: 300, validation: { evaluate: figure } });
      expect(full.status).toBe("converged");
      expect(early.passes).toBeLessThanOrEqual(full.passes + 0.1);
      return { full: loss(full.x, drawn.untouched), early: loss(early.x, drawn.untouched) };
    }),
  );
  expect(losses.filter(({ full, early }) => early <= full)).toHaveLength(seeds.length);
  const mean = (of: "full" | "early"): number =>
    losses.reduce((all, each) => all + each[of], 0) / losses.length;
  expect(mean("early")).toBeLessThan(0.5 * mean("full"));
});
