import workerThreads from "node:worker_threads";
import { CurvatureError } from "@curvature/linalg";
import { SharedLocks, SharedUnits, WorkerPool } from "@curvature/linalg/threads";
import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.restoreAllMocks();
});

const program = (text: string) => ({ script: "linalg", name: "test", text }) as const;

test("every unit is claimed once, in turn, and only when it is open", () => {
  const units = new SharedUnits();
  const other = new SharedUnits(units.integers);
  expect(units.claim()).toBe(-1);
  units.open(2);
  expect([units.claim(), other.claim(), units.claim()]).toEqual([0, 1, -1]);
  units.finish();
  other.finish();
  expect(units.areDone()).toBe(true);
  other.open(1);
  expect(units.claim()).toBe(2);
});

test("no more units are opened in all than can be counted", () => {
  const units = new SharedUnits();
  units.open(2 ** 31 - 2);
  expect(() => units.open(2)).toThrow(expect.objectContaining({ code: "ERR_OPTION", path: "count" }));
  units.open(1);
  expect(units.claim()).toBe(0);
});

test("who waits for a thread that has come to a standstill, or for units that were stopped, hears of it", () => {
  const units = new SharedUnits();
  units.open(1);
  units.claim();
  expect(units.areDone(1)).toBe(false);
  units.open(1);
  units.stop();
  expect(units.areDone()).toBe(false);
  expect(units.claim()).toBe(-1);
});

test("a thread serves until the units are stopped; what it throws stops them", () => {
  const units = new SharedUnits();
  const done: number[] = [];
  units.open(3);
  units.serve((unit) => {
    done.push(unit);
    if (unit === 2) units.stop();
  });
  expect(done).toEqual([0, 1, 2]);
  expect(units.ready).toBe(1);
  const failing = new SharedUnits();
  failing.open(1);
  const serve = () =>
    failing.serve(() => {
      throw new Error("no");
    });
  expect(serve).toThrowError("no");
  expect(failing.isStopped).toBe(true);
});

test("a lock has one owner", () => {
  const locks = SharedLocks.for(2);
  const others = new SharedLocks(locks.words);
  expect(locks.take(0)).toBe(true);
  expect(others.take(1)).toBe(true);
  const patience = vi.spyOn(Atomics, "wait").mockReturnValue("timed-out");
  expect(others.take(0)).toBe(false);
  patience.mockRestore();
  locks.giveBack(0);
  expect(others.take(0)).toBe(true);
});

test("what is no number of units is refused, and none is opened", () => {
  const units = new SharedUnits();
  for (const count of [Number.NaN, 1.5, -1, Number.POSITIVE_INFINITY, 2 ** 31])
    expect(() => units.open(count)).toThrowError(
      expect.objectContaining({ code: "ERR_OPTION", path: "count" }),
    );
  expect(units.claim()).toBe(-1);
});

test("integers that threads cannot share are refused", () => {
  for (const integers of [new Int32Array(8), new Int32Array(new SharedArrayBuffer(8)), [0], null, 6])
    expect(() => Reflect.construct(SharedUnits, [integers])).toThrow(CurvatureError);
  for (const words of [new Int32Array(8), new Float64Array(new SharedArrayBuffer(8)), undefined])
    expect(() => Reflect.construct(SharedLocks, [words])).toThrow(CurvatureError);
});

test("a pool's threads run the program on the data, and end with the units", async () => {
  const workers = WorkerPool.of(3, "test");
  const sums = new Int32Array(new SharedArrayBuffer(8));
  expect(workers.start(5, program("Atomics.add(data.sums, 0, 1);"), { sums })).toBe(true);
  await vi.waitUntil(() => Atomics.load(sums, 0) === 2, { timeout: 300_000, interval: 5 });
  expect(workers).toMatchObject({ count: 3, started: 3, warnings: [] });
  workers.start(1, program('throw new Error("out of order");'), {});
  await vi.waitUntil(() => workers.warnings.length > 0, { timeout: 300_000, interval: 5 });
  expect(workers.warnings).toEqual([
    "Threads have been of less use than they could: a thread ended: out of order.",
  ]);
  expect(workers.started).toBe(3); // for the first program
});

test("where there are no threads, or none to be started, a pool is one, or says so", () => {
  const missing = vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
  const alone = WorkerPool.of(2, "test");
  expect(alone.count).toBe(1);
  expect(alone.start(2, program(""), {})).toBe(false);
  expect(alone.warnings).toEqual([
    "The work is done by one thread, since this engine has no worker threads.",
  ]);
  expect(WorkerPool.of("auto", "test")).toMatchObject({ count: 1, warnings: [] });
  missing.mockRestore();
  class None {
    constructor() {
      throw new Error("forbidden");
    }
  }
  vi.spyOn(process, "getBuiltinModule").mockReturnValue({ ...workerThreads, Worker: None });
  const refused = WorkerPool.of(2, "test");
  expect(refused.start(1, program(""), {})).toBe(false);
  expect(refused).toMatchObject({ count: 2, started: 1 });
  expect(refused.warnings).toEqual([expect.stringContaining("no thread: forbidden")]);
  for (const threads of [0, 33, 1.5, "all", undefined])
    expect(() => Reflect.apply(WorkerPool.of, undefined, [threads, "test"])).toThrow(CurvatureError);
});

test("numbers of things that cannot be are refused", () => {
  for (const things of [-1, 1.5, Number.NaN, 1e12])
    expect(() => SharedLocks.for(things)).toThrow(expect.objectContaining({ code: "ERR_OPTION" }));
});
