// @module-tag full
/** Principal components by several threads: the bits are those of one, whatever becomes of the others. */
import workerThreads, { type WorkerOptions } from "node:worker_threads";
import {
  CurvatureError,
  type DenseMatrix,
  type PrincipalThreads,
  principalComponents,
} from "@curvature/linalg";
import { disableSimd, enableSimd } from "@curvature/linalg/simd";
import { principalThreads, SharedUnits } from "@curvature/linalg/threads";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { DenseDeviations, isFormedFor, predictedTime } from "../../src/dense/dense-deviations.js";
import { normalMatrix } from "../dense/arbitrary.js";
import { expectSameBits } from "../simd/both-forms.js";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  disableSimd();
});

/** Columns of falling deviations, some of which are correlated, about means far away. */
function points(rows: number, columns: number): DenseMatrix {
  const X = normalMatrix(rows, columns, rows);
  for (let k = 0; k < X.data.length; k++) X.data[k] = 50 + X.data[k] / (1 + (k % columns) ** 0.7);
  return X;
}

interface Parts {
  readonly scores: DenseMatrix;
  readonly components: DenseMatrix;
  readonly variances: Float64Array;
}

function expectSame(found: Parts, expected: Parts): void {
  expectSameBits(found.scores.data, expected.scores.data);
  expectSameBits(found.components.data, expected.components.data);
  expectSameBits(found.variances, expected.variances);
}

const cases = [
  ["formed, tall", 4600, 900, 20, true],
  ["formed, wide", 900, 4600, 20, true],
  ["products, tall", 2801, 2600, 6, false],
  ["products, wide", 2601, 2803, 6, false],
] as const;

describe.each(cases)("%s", (_, rows, columns, count, isFormed) => {
  let X: DenseMatrix;
  let alone: Parts;
  beforeAll(() => {
    X = points(rows, columns);
    alone = principalComponents(X, { count });
  });

  test("is what it says, and worth threads", () => {
    expect(isFormedFor(rows, columns, count)).toBe(isFormed);
    expect(predictedTime(rows, columns, count)).toBeGreaterThan(5e8);
  });

  test.each([
    [2, true],
    [4, false],
  ])("%i threads find what one does; SIMD here: %s", (number, hasSimd) => {
    if (hasSimd) enableSimd();
    const threads = principalThreads(number);
    expectSame(principalComponents(X, { count, threads }), alone);
    expect(threads).toMatchObject({ count: number, started: number, warnings: [] });
    expectSame(principalComponents(X, { count }), alone);
  });

  test("units may be done by anyone, in any order", () => {
    const order: number[] = [];
    const threads: PrincipalThreads = {
      ...{ count: 3, started: 3, warnings: [] },
      share: (make) => ({
        task: make(),
        others: {
          perform(units, work) {
            for (let unit = units - 1; unit >= 0; unit--) work(unit);
            order.push(units);
            return true;
          },
          stop: () => order.push(-1),
        },
      }),
    };
    expectSame(principalComponents(X, { count, threads }), alone);
    expect(order[0]).toBeGreaterThan(3);
    expect(order.filter((units) => units === -1)).toEqual([-1]);
    expect(order.at(-1)).toBe(-1);
  });

  test("others who fail cost time, not the result, even those who write to what is theirs afterwards", () => {
    for (const failing of [1, 2]) {
      let calls = 0;
      const threads: PrincipalThreads = {
        ...{ count: 2, started: 2, warnings: [] },
        share: (make) => {
          const task = make();
          const perform = (units: number, work: (unit: number) => void): boolean => {
            for (let unit = 0; unit < units; unit++) work(unit);
            if (++calls < failing) return true;
            for (const array of [task.C, task.sums, task.Z]) array.fill(Number.NaN);
            return false;
          };
          return { task, others: { perform, stop: () => undefined } };
        },
      };
      expectSame(principalComponents(X, { count, threads }), alone);
      expect(calls).toBe(failing);
    }
  });
});

let wide: DenseMatrix;
let found: Parts;
beforeAll(() => {
  wide = points(2700, 2801);
  found = principalComponents(wide, { count: 4 });
});

test("a thread that dies over a unit costs time, not the result", async () => {
  const { Worker } = workerThreads;
  const rogue = `
    const { units } = process.getBuiltinModule("node:worker_threads").workerData;
    for (;;) {
      const unit = Atomics.load(units, 1);
      if (unit < Atomics.load(units, 0) && Atomics.compareExchange(units, 1, unit, unit + 1) === unit) break;
    }
    throw new Error("out of order");`;
  class Rogue extends Worker {
    constructor(_program: string, options: WorkerOptions) {
      super(rogue, options);
    }
  }
  const modules = vi.spyOn(process, "getBuiltinModule").mockReturnValue({ ...workerThreads, Worker: Rogue });
  const threads = principalThreads(2);
  modules.mockRestore();
  vi.spyOn(Atomics, "wait").mockReturnValue("timed-out");
  // on a busy machine all units may be gone before it comes to one; only a hang takes so many runs
  for (let run = 0; run < 5000 && threads.warnings.length === 0; run++)
    expectSame(principalComponents(wide, { count: 4, threads }), found);
  expect(threads.warnings).toEqual([
    "Threads have been of less use than they could: a thread has come to a standstill.",
  ]);
  vi.restoreAllMocks();
  await vi.waitFor(() => expect(threads.started).toBe(1), { timeout: 300_000 });
});

test("none is started for points that are all one", () => {
  const threads = principalThreads(2);
  const data = new Float64Array(wide.data.length).fill(3);
  const { scores } = principalComponents({ ...wide, data }, { count: 4, threads });
  expect(scores.data).toEqual(new Float64Array(4 * wide.rows));
  expect(threads).toMatchObject({ started: 1, warnings: [] });
});

test("threads end with the work, also where it fails", () => {
  const stop = vi.spyOn(SharedUnits.prototype, "stop");
  const threads = principalThreads(2);
  principalComponents(wide, { count: 4, threads });
  expect(stop).toHaveBeenCalledTimes(1);
  vi.spyOn(DenseDeviations.prototype, "scores").mockImplementation(() => {
    throw new Error("no room");
  });
  expect(() => principalComponents(wide, { count: 4, threads })).toThrow("no room");
  expect(stop).toHaveBeenCalledTimes(2);
});

test("without worker threads, or memory for them, the caller's does it all, and says so", () => {
  const missing = vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
  const none = principalThreads(2);
  missing.mockRestore();
  expect(none).toMatchObject({ count: 1, started: 1, warnings: [] });
  expectSame(principalComponents(wide, { count: 4, threads: none }), found);
  expect(none.warnings).toEqual(["The work is done by one thread, since this engine has no worker threads."]);
  const poor = principalThreads(2);
  vi.stubGlobal(
    "SharedArrayBuffer",
    class {
      constructor(bytes: number) {
        throw new RangeError(`no ${bytes} bytes`);
      }
    },
  );
  expectSame(principalComponents(wide, { count: 4, threads: poor }), found);
  vi.unstubAllGlobals();
  expect(poor.warnings).toEqual([expect.stringContaining("there is no memory for it, or no thread: no")]);
});

test("little work and one thread are no reason to start any", () => {
  const few = points(300, 20);
  const threads = principalThreads(2);
  expectSame(principalComponents(few, { threads }), principalComponents(few));
  expect(threads.started).toBe(1);
  const one = principalThreads(1);
  expectSame(principalComponents(wide, { count: 4, threads: one }), found);
  expect(one).toMatchObject({ count: 1, started: 1, warnings: [] });
});

test("what is no number of threads, or are no threads, is refused", () => {
  for (const threads of [0, 33, 1.5, Number.NaN, "two", undefined, null])
    expect(() => Reflect.apply(principalThreads, undefined, [threads])).toThrow(CurvatureError);
  for (const threads of [2, "auto", {}, null, () => undefined, { share: 1 }])
    expect(() => Reflect.apply(principalComponents, undefined, [[[1, 2]], { threads }])).toThrow(
      /threads must be threads of principalThreads/,
    );
});
