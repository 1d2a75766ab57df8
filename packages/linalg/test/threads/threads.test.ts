import workerThreads, { type WorkerOptions } from "node:worker_threads";
import {
  CurvatureError,
  fillNormal,
  type PairKernel,
  type PairPrecision,
  PlanePairs,
  RandomGenerator,
} from "@curvature/linalg";
import { disableSimd, enableSimd } from "@curvature/linalg/simd";
import { startThreads, type Threads } from "@curvature/linalg/threads";
import { afterEach, describe, expect, test, vi } from "vitest";
import { powersOfTwo128 } from "../../src/portable/exp.js";
import { compiled, instantiated, START } from "../../src/simd/instance.js";
import { bytesFor, worker } from "../../src/threads/work.js";
import { expectSameBits } from "../simd/both-forms.js";

const opened: Threads[] = [];

/** Only a hang takes so long. */
const soon = { timeout: 300_000, interval: 5 };

/** Threads, all of which have begun. */
async function begun(count: number, points: number): Promise<Threads> {
  const threads = startThreads(count, points);
  opened.push(threads);
  await vi.waitUntil(() => threads.ready === count - 1, soon);
  return threads;
}

afterEach(() => {
  for (const threads of opened.splice(0)) threads.close();
  disableSimd();
});

function computed(kernel: PairKernel, points: number, seed: number, precision?: PairPrecision) {
  const random = new RandomGenerator(seed);
  const [x, y] = [new Float64Array(points), new Float64Array(points)];
  for (const numbers of [x, y]) {
    fillNormal(random, numbers);
    for (let n = 0; n < points; n++) numbers[n] *= 3;
  }
  const pairs = new PlanePairs(kernel, points, precision);
  const [fx, fy] = [new Float64Array(points).fill(7), new Float64Array(points).fill(7)];
  const alone = pairs.sum(x, y);
  return { sums: Float64Array.of(alone, pairs.forces(x, y, fx, fy)), fx, fy };
}

const cases = (["student", "gaussian"] as const).flatMap((kernel) =>
  (["double", "single"] as const).map((precision) => ({ kernel, precision })),
);

describe.each(cases)("$kernel, $precision precision", ({ kernel, precision }) => {
  test.each([2, 4])("%i threads give the bits of one", { tags: ["full"] }, async (count) => {
    const sizes = [799, 800, 1301];
    const expected = sizes.map((points) => computed(kernel, points, points, precision));
    const threads = await begun(count, 1301);
    expect(threads.count).toBe(count);
    for (const withSimd of [true, false]) {
      if (withSimd) enableSimd();
      else disableSimd();
      sizes.forEach((points, k) => {
        const { sums, fx, fy } = computed(kernel, points, points, precision);
        expectSameBits(sums, expected[k].sums);
        expectSameBits(fx, expected[k].fx);
        expectSameBits(fy, expected[k].fy);
      });
    }
    expect(threads.warnings).toEqual([]);
  });
});

test("hundreds of sums in a row, of two kernels, sizes and precisions, without a block of another sum among them", {
  tags: ["full"],
}, async () => {
  const small = computed("student", 800, 1, "single");
  const large = computed("gaussian", 900, 2);
  await begun(4, 900);
  const random = new RandomGenerator(3);
  for (let k = 0; k < 200; k++) {
    const isSmall = random.uniform() < 0.5;
    const { sums, fx, fy } = isSmall ? computed("student", 800, 1, "single") : computed("gaussian", 900, 2);
    const expected = isSmall ? small : large;
    expectSameBits(sums, expected.sums);
    expectSameBits(fx, expected.fx);
    expectSameBits(fy, expected.fy);
  }
});

test("sums do not wait for threads that have not begun, nor end with those that are closed", () => {
  const expected = computed("student", 1500, 5);
  const threads = startThreads(3, 1500);
  opened.push(threads);
  expectSameBits(computed("student", 1500, 5).fx, expected.fx);
  threads.close();
  expectSameBits(computed("student", 1500, 5).fx, expected.fx);
  threads.close();
  expect(threads.warnings).toEqual([]);
});

test("those of two callers serve side by side", async () => {
  const expected = [computed("student", 1000, 5), computed("student", 2000, 6)];
  const first = await begun(2, 1000);
  await begun(2, 2000);
  expectSameBits(computed("student", 1000, 5).fx, expected[0].fx);
  expectSameBits(computed("student", 2000, 6).fx, expected[1].fx);
  first.close();
  expectSameBits(computed("student", 1000, 5).fx, expected[0].fx);
  expectSameBits(computed("student", 2000, 6).fx, expected[1].fx);
});

test("without worker threads, or memory for them, the caller's does it all, and says so", () => {
  const expected = computed("gaussian", 900, 7);
  const missing = vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
  const threads = startThreads(2, 900);
  missing.mockRestore();
  expect(threads).toMatchObject({ count: 1, started: 1 });
  expect(threads.warnings).toEqual([
    "The work is done by one thread, since this engine has no worker threads.",
  ]);
  expectSameBits(computed("gaussian", 900, 7).fx, expected.fx);
  const huge = startThreads(2, 2 ** 31);
  expect(huge.count).toBe(1);
  expect(huge.warnings).toEqual([expect.stringContaining("there is no memory for it")]);
  class None {
    constructor() {
      throw new Error("forbidden");
    }
  }
  const refused = vi.spyOn(process, "getBuiltinModule").mockReturnValue({ ...workerThreads, Worker: None });
  expect(startThreads(2, 900).warnings).toEqual([expect.stringContaining("no thread: forbidden")]);
  refused.mockRestore();
});

test("a thread that dies over a block costs time, not the result", { tags: ["full"] }, async () => {
  const expected = computed("gaussian", 2000, 7);
  const { Worker } = workerThreads;
  // takes the first block that it can get, and throws
  const rogue = `
    const control = new Int32Array(process.getBuiltinModule("node:worker_threads").workerData.shared.buffer, 0, 64);
    Atomics.add(control, 6, 1);
    for (;;) {
      const left = Atomics.load(control, 1);
      if ((left & 63) > 0 && Atomics.compareExchange(control, 1, left, left - 1) === left) break;
    }
    throw new Error("out of order");`;
  class Rogue extends Worker {
    constructor(_program: string, options: WorkerOptions) {
      super(rogue, options);
    }
  }
  const modules = vi.spyOn(process, "getBuiltinModule").mockReturnValue({ ...workerThreads, Worker: Rogue });
  const threads = await begun(2, 2000);
  modules.mockRestore();
  const patience = vi.spyOn(Atomics, "wait").mockReturnValue("timed-out");
  // on a busy machine all blocks may be gone before it comes to one
  for (let sum = 0; sum < 1000 && threads.warnings.length === 0; sum++)
    expectSameBits(computed("gaussian", 2000, 7).fx, expected.fx);
  patience.mockRestore();
  expect(threads.warnings).toEqual([
    "Threads have been of less use than they could: a thread has come to a standstill.",
  ]);
  expectSameBits(computed("gaussian", 2000, 7).fx, expected.fx);
});

test("a thread that is ended from outside is told", async () => {
  const { Worker } = workerThreads;
  class Ended extends Worker {
    constructor(program: string, options: WorkerOptions) {
      super(program, options);
      this.once("online", () => void this.terminate());
    }
  }
  const modules = vi.spyOn(process, "getBuiltinModule").mockReturnValue({ ...workerThreads, Worker: Ended });
  const threads = startThreads(2, 2000);
  modules.mockRestore();
  opened.push(threads);
  await vi.waitUntil(() => threads.warnings.length > 0, soon);
  expect(threads.warnings).toEqual([
    "Threads have been of less use than they could: a thread ended: its exit code is 1.",
  ]);
});

test("without memory in common one thread does it all, and says so", () => {
  vi.stubGlobal("SharedArrayBuffer", undefined);
  const threads = startThreads(2, 2000);
  vi.unstubAllGlobals();
  expect(threads).toMatchObject({
    count: 1,
    warnings: ["The work is done by one thread, since this engine has no SharedArrayBuffer."],
  });
});

test("an engine that has Node's module, but no threads in it, has none", () => {
  const modules = vi.spyOn(process, "getBuiltinModule").mockReturnValue({});
  for (const [count, warnings] of [
    [2, ["The work is done by one thread, since this engine has no worker threads."]],
    ["auto", []],
  ] as const)
    expect(startThreads(count, 2000)).toMatchObject({ count: 1, warnings });
  modules.mockRestore();
});

test("one thread, or few points, are no reason to start any", () => {
  expect(startThreads(1, 5000)).toMatchObject({ count: 1, warnings: [] });
  expect(startThreads(4, 100)).toMatchObject({ count: 1, warnings: [] });
  const all = startThreads("auto", 1000);
  opened.push(all);
  expect(all.count).toBeGreaterThanOrEqual(1);
});

test("what is no number of threads is refused", () => {
  for (const [threads, points] of [
    [0, 10],
    [1.5, 10],
    [33, 10],
    ["all", 10],
    [undefined, 10],
    [2, -1],
    [2, Number.NaN],
    [2, "10"],
  ])
    expect(() => Reflect.apply(startThreads, undefined, [threads, points])).toThrow(CurvatureError);
});

test("a thread that is late for a job claims no block of a longer one that is being written", () => {
  const sizes = [900, 5000, 900];
  const expected = sizes.map((points) => computed("student", points, points));
  const instance = compiled();
  const exports = instance === undefined ? undefined : instantiated(instance, bytesFor(5000));
  if (exports === undefined) throw new Error("This engine has no SIMD.");
  const threads = startThreads(2, 5000);
  opened.push(threads);
  const store = Atomics.store.bind(Atomics);
  let late: ((turn: number) => void) | undefined;
  let visits = 0;
  // It wakes up whenever the next job is all written, and is about to be handed out.
  const spy = vi.spyOn(Atomics, "store").mockImplementation((control, place, value) => {
    const { buffer } = control;
    if (buffer instanceof SharedArrayBuffer && place === 1 && Number(control[0]) > 0) {
      late ??= worker(exports, { buffer, address: START, capacity: 5000, table: powersOfTwo128 });
      late(Number(control[0]));
      visits++;
    }
    return Reflect.apply(store, undefined, [control, place, value]);
  });
  const found = sizes.map((points) => computed("student", points, points));
  spy.mockRestore();
  expect(visits).toBe(5);
  for (const [k, { fx, fy, sums }] of found.entries()) {
    expectSameBits(sums, expected[k].sums);
    expectSameBits(fx, expected[k].fx);
    expectSameBits(fy, expected[k].fy);
  }
  expect(threads.warnings).toEqual([]);
});
