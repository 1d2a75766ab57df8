import { expect, test } from "vitest";
import { defaultMinibatchCount, minimizeSum, splitIntoMinibatches } from "../src/index.js";
import { measureSum } from "../src/minimize-sum-run.js";
import { quadraticSum } from "./problems/quadratic.js";
import { rosenbrockChain } from "./problems/rosenbrock.js";
import { whole, zero } from "./sums.js";

const start = Float64Array.from({ length: 40 }, (_, k) => (k % 2 === 0 ? -1.2 : 1));

test("the returned value is the sum at the returned point, and its evaluations are counted apart", async () => {
  const sum = quadraticSum();
  const result = await minimizeSum({ ...sum, initial: new Float64Array(200) }, { maxPasses: 5 });
  expect(result.value).toBe(whole(sum, result.x));
  expect(result.passes).toBeLessThan(5.5);
  expect(result.evaluations).toBe(Math.round(result.passes * 40));
  expect(result.monitoringEvaluations).toBe(3 * 40);
  expect(result.status).toBe("max-iterations");
});

test("where the reference diverges every seed ends below a hundredth of the start, and half of them in the valley", {
  tags: ["full"],
}, async () => {
  const sum = rosenbrockChain();
  const values: number[] = [];
  for (let seed = 0; seed < 5; seed++)
    values.push((await minimizeSum({ ...sum, initial: start }, { seed })).value ?? Number.NaN);
  for (const value of values) expect(value).toBeLessThan(whole(sum, start) / 100);
  expect(values.sort((a, b) => a - b)[2]).toBeLessThan(45);
});

test("the first point may be an array or a typed array", async () => {
  const sum = rosenbrockChain();
  const single = Float32Array.from(start);
  const { x } = await minimizeSum(sum, { initial: Float64Array.from(single), maxPasses: 1 });
  for (const initial of [single, [...single]])
    expect((await minimizeSum({ ...sum, initial }, { maxPasses: 1 })).x).toEqual(x);
  await expect(minimizeSum(sum, { initial: [1, 2] })).rejects.toThrow("of length 40");
  const words = Array.from(start, String);
  await expect(Reflect.apply(minimizeSum, undefined, [sum, { initial: words }])).rejects.toThrow(
    "has NaN at 0",
  );
});

test("the first point is that of the call, whatever becomes of the array while the solver is loaded", async () => {
  const sum = rosenbrockChain();
  const initial = start.slice();
  const running = minimizeSum(sum, { initial, maxPasses: 3 });
  initial.fill(Number.NaN);
  const [{ x, value }, still] = await Promise.all([
    running,
    minimizeSum(sum, { initial: start, maxPasses: 3 }),
  ]);
  expect(x).toEqual(still.x);
  expect(value).toBe(still.value);
});

test("promises give the same bits as numbers, and so does a batch whatever is under way at once", async () => {
  const sum = quadraticSum();
  const later = {
    ...sum,
    evaluate: async (i: number, x: Float64Array, g?: Float64Array) => sum.evaluate(i, x, g),
  };
  const initial = new Float64Array(200);
  const options = { maxPasses: 3, finalize: false };
  const one = await minimizeSum(sum, { ...options, initial });
  expect((await minimizeSum(later, { ...options, initial })).x).toEqual(one.x);
  const batch = { ...options, initial, batch: 4 };
  const inStep = await minimizeSum(sum, { ...batch, concurrency: 1 });
  expect((await minimizeSum(later, { ...batch, concurrency: 4 })).x).toEqual(inStep.x);
});

test("answers in any order lead to the minimum too", { tags: ["full"] }, async () => {
  const sum = quadraticSum();
  const slow = {
    ...sum,
    evaluate: (i: number, x: Float64Array, g?: Float64Array) =>
      new Promise<number>((resolve) => setTimeout(() => resolve(Number(sum.evaluate(i, x, g))), i % 3)),
  };
  const { value } = await minimizeSum(slow, { initial: new Float64Array(200), maxPasses: 8, concurrency: 6 });
  expect(value).toBeLessThan(141.7);
});

test("a target that is measured ends the run", async () => {
  const result = await minimizeSum(quadraticSum(), { initial: new Float64Array(200), targetValue: 142 });
  expect(result.status).toBe("target-reached");
  expect(result.value).toBeLessThanOrEqual(142);
});

test("resumed from a checkpoint the run ends as if uninterrupted", { tags: ["full"] }, async () => {
  const sum = quadraticSum();
  const initial = new Float64Array(200);
  const options = { initial, maxPasses: 6, measureEvery: 1 };
  const whole = await minimizeSum(sum, options);
  let saved: Uint8Array | undefined;
  const write = (bytes: Uint8Array) => {
    saved = bytes;
  };
  await minimizeSum(sum, { ...options, maxPasses: 2.4, checkpoint: { write } });
  expect(saved).toBeDefined();
  const resumed = await minimizeSum(sum, { ...options, ...(saved && { resume: saved }) });
  expect(resumed.x).toEqual(whole.x);
  expect(resumed.value).toBe(whole.value);
});

test("one subfunction is BFGS, and its minimum is found", async () => {
  const one = {
    dimension: 9,
    count: 1,
    initial: new Float64Array(9).fill(3),
    evaluate(_: number, x: Float64Array, g?: Float64Array) {
      let f = 0;
      for (let k = 0; k < 9; k++) {
        f += (k + 1) * (x[k] - k) * (x[k] - k);
        if (g !== undefined) g[k] = 2 * (k + 1) * (x[k] - k);
      }
      return f;
    },
  };
  const { x, status } = await minimizeSum(one, { maxPasses: 300 });
  expect(status).toBe("converged");
  for (let k = 0; k < 9; k++) expect(x[k]).toBeCloseTo(k, 5);
});

test("minibatch i holds rows i, i + N, …, and their parts add up", async () => {
  const items = Array.from({ length: 103 }, (_, i) => i);
  const squares = {
    dimension: 1,
    evaluate(batch: readonly number[], x: Float64Array, gradient?: Float64Array) {
      if (gradient !== undefined) gradient[0] = batch.reduce((sum, a) => sum + 2 * (x[0] - a), 0);
      return batch.reduce((sum, a) => sum + (x[0] - a) * (x[0] - a), 0);
    },
  };
  const sum = splitIntoMinibatches(items, squares, { count: 10 });
  expect(sum.minibatches[2]).toEqual([2, 12, 22, 32, 42, 52, 62, 72, 82, 92, 102]);
  expect(whole(sum, Float64Array.of(3))).toBe(squares.evaluate(items, Float64Array.of(3)));
  const { x } = await minimizeSum({ ...sum, initial: Float64Array.of(0) });
  expect(x[0]).toBeCloseTo(51, 6);
});

test("a matrix is split into matrices; the default count follows the paper's advice", () => {
  const data = { rows: 5, columns: 2, data: Float64Array.from({ length: 10 }, (_, k) => k) };
  const objective = { dimension: 1, evaluate: zero };
  const { minibatches } = splitIntoMinibatches(data, objective, { count: 2 });
  expect(minibatches[1]).toEqual({ rows: 2, columns: 2, data: Float64Array.of(2, 3, 6, 7) });
  expect([5, 1797, 60_000, 250_000, 1e7].map(defaultMinibatchCount)).toEqual([5, 25, 25, 50, 100]);
  expect(() => splitIntoMinibatches(data, objective, { count: 6 })).toThrow(
    "count must be a whole number from 1 to 5",
  );
  expect(() => splitIntoMinibatches([], objective)).toThrow("the data have no rows");
});

test("F is measured with each subfunction once, sums promises and numbers alike, and begins nothing after a rejection", async () => {
  const calls: number[] = [];
  const mixed = {
    dimension: 1,
    count: 9,
    evaluate(i: number): number | Promise<number> {
      calls.push(i);
      return i < 3 ? i : Promise.resolve(i);
    },
  };
  expect(await measureSum(mixed, Float64Array.of(0), 1e9)).toBe(36);
  expect(calls).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  calls.length = 0;
  const broken = {
    ...mixed,
    async evaluate(i: number): Promise<number> {
      calls.push(i);
      if (i === 1) throw new Error("no answer");
      await new Promise((resolve) => setTimeout(resolve, 1));
      return i;
    },
  };
  await expect(measureSum(broken, Float64Array.of(0), 2)).rejects.toThrow("no answer");
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(calls).toEqual([0, 1]);
});

test.each([1e-8, 1e-6, 1e-4, 1, 1e4, 1e8])("curvature is seen where F is of the size %d", async (unit) => {
  const { x } = await minimizeSum({
    dimension: 2,
    count: 5,
    initial: Float64Array.of(1, 1),
    evaluate(q, x, gradient) {
      gradient?.set([2 * unit * (x[0] - q), 2 * unit * x[1]]);
      return unit * ((x[0] - q) ** 2 + x[1] ** 2);
    },
  });
  // it ends where a decrease of 1e-12 is left: 5 unit ‖x − x*‖²
  const distance = Math.hypot(x[0] - 2, x[1]);
  expect(5 * unit * distance ** 2).toBeLessThan(1e-11 * (1 + 10 * unit));
});
