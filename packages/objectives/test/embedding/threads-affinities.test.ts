/** Affinities by several threads: the bits are those of one, whatever becomes of the others. */
import { type DenseMatrix, fillNormal, RandomGenerator } from "@curvature/linalg";
import { disableSimd, enableSimd } from "@curvature/linalg/simd";
import { SharedUnits, WorkerPool } from "@curvature/linalg/threads";
import { affinitiesOfNeighbors, nearestNeighbors, neighborAffinities } from "@curvature/objectives/embedding";
import { embeddingThreads } from "@curvature/objectives/embedding/threads";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { NeighborLists } from "../../src/embedding/affinity/neighbor-lists.js";
import { resultOf } from "../../src/embedding/affinity/neighbors.js";
import { shareAmongTies } from "../../src/embedding/affinity/shared-places.js";
import { program as text } from "../../src/embedding/threads/program.js";
import { type FitTask, fitTask, fitTogether } from "../../src/embedding/threads/shared-fits.js";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  disableSimd();
});

const program = { script: "objectives", name: "embedding", text } as const;
const k = 9;
const perplexity = 4.5;

/** Of points on a grid, so that there are ties, the first of them many times over, so that there are rows without a β. */
function listsOf(N: number): NeighborLists {
  const data = new Float64Array(N * 3);
  fillNormal(new RandomGenerator(N), data);
  const Y: DenseMatrix = { rows: N, columns: 3, data: data.map((y) => Math.round(16 * y) / 16) };
  Y.data.fill(1, 0, 3 * 20);
  return nearestNeighbors(Y, k);
}

const lists = listsOf(4700);
const alone = affinitiesOfNeighbors(lists, perplexity);

/** Threads that are asked for affinities alone, each time for a new task, which `given` hears of. */
const threadsBy = (given: (task: FitTask) => void) => ({
  affinities: (of: NeighborLists, k: number) => {
    const task = fitTask(of, k);
    given(task);
    return fitTogether(task, of);
  },
});

test("rows without a β are told, as by one walk", () => {
  const infinite = alone.beta.filter((beta) => !Number.isFinite(beta)).length;
  expect(infinite).toBeGreaterThanOrEqual(20);
  expect(alone.warnings).toEqual([
    expect.stringContaining(`${infinite} points (the first is point 0) have more equally near`),
  ]);
});

describe.each([4097, 4607, 4608, 4609])("%i points", (N) => {
  const lists = listsOf(N);
  const alone = affinitiesOfNeighbors(lists, perplexity);

  test.each([
    [2, true],
    [2, false],
    [4, true],
  ])("%i threads find what one does; SIMD here: %s", { tags: ["full"] }, async (count, hasSimd) => {
    if (hasSimd) enableSimd();
    const workers = WorkerPool.of(count, "test");
    const task = fitTask(lists, perplexity);
    const units = new SharedUnits(task.units);
    workers.start(count - 1, program, task);
    const steps = fitTogether(task, lists);
    expect(steps.next().done).toBe(false); // not all of it is done when this thread lets the others begin
    await vi.waitUntil(() => units.ready === count - 1 && units.integers[0] === units.integers[1], {
      timeout: 300_000,
      interval: 5,
    });
    const found = resultOf(steps);
    expect(found && shareAmongTies(found, lists)).toEqual(alone);
    expect(found?.beta.buffer).toBeInstanceOf(ArrayBuffer);
    expect(workers.warnings).toEqual([]);
    expect(units.isStopped).toBe(true);
  });
});

test("by its door, and by that of one thread", () => {
  for (const count of [1, 2]) {
    const threads = embeddingThreads(count);
    expect(resultOf(neighborAffinities(lists, perplexity, threads))).toEqual(alone);
    expect(threads.started).toBe(count);
    expect(threads.warnings).toEqual([]);
    threads.close();
  }
});

test("no thread is started, and no memory shared, for what is one stretch", () => {
  const few = listsOf(4096);
  const threads = embeddingThreads(2);
  vi.stubGlobal("SharedArrayBuffer", undefined);
  expect(resultOf(neighborAffinities(few, perplexity, threads))).toEqual(
    affinitiesOfNeighbors(few, perplexity),
  );
  expect(threads.started).toBe(1);
  expect(threads.warnings).toEqual([]);
});

test("the share that is done grows", () => {
  for (const threads of [undefined, threadsBy(() => undefined)]) {
    const shares = [...neighborAffinities(lists, perplexity, threads)];
    expect(shares.length).toBeGreaterThan(8);
    expect(shares).toEqual([...new Set(shares)].sort((a, b) => a - b));
    expect(shares.every((share) => share >= 0 && share < 1)).toBe(true);
  }
});

test("a thread that dies with a stretch costs time, not the result", () => {
  vi.spyOn(Atomics, "wait").mockReturnValue("timed-out");
  const workers = vi.spyOn(WorkerPool.prototype, "start").mockImplementation((_most, _program, task) => {
    const units = new SharedUnits((task as FitTask).units);
    const open = units.open.bind(units);
    vi.spyOn(SharedUnits.prototype, "open").mockImplementationOnce((count) => {
      open(count);
      units.claim(); // and never finishes
    });
    return true;
  });
  const threads = embeddingThreads(2);
  expect(resultOf(neighborAffinities(lists, perplexity, threads))).toEqual(alone);
  expect(workers).toHaveBeenCalledTimes(1);
  expect(threads.warnings).toEqual([expect.stringContaining("a thread has come to a standstill")]);
});

test("a thread that throws stops the others at once", () => {
  const threads = threadsBy(({ units }) => new SharedUnits(units).stop());
  expect(resultOf(neighborAffinities(lists, perplexity, threads))).toEqual(alone);
});

test("who stops listening stops the threads", () => {
  const given: FitTask[] = [];
  const steps = neighborAffinities(
    lists,
    perplexity,
    threadsBy((task) => given.push(task)),
  );
  steps.next();
  const units = new SharedUnits(given[0].units);
  expect(units.isStopped).toBe(false);
  steps.return(alone);
  expect(units.isStopped).toBe(true);
});

test("where there is no memory for it, or no threads, the caller's thread does it all, and says so", () => {
  class None {
    constructor() {
      throw new RangeError("Array buffer allocation failed");
    }
  }
  vi.stubGlobal("SharedArrayBuffer", None);
  const threads = embeddingThreads(2);
  expect(resultOf(neighborAffinities(lists, perplexity, threads))).toEqual(alone);
  vi.unstubAllGlobals();
  expect(threads.warnings).toEqual([expect.stringContaining("no memory for it, or no thread: Array buffer")]);
  vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
  const none = embeddingThreads(2);
  expect(resultOf(neighborAffinities(lists, perplexity, none))).toEqual(alone);
  expect(none.warnings).toEqual(["The work is done by one thread, since this engine has no worker threads."]);
});

test("what one thread refuses is refused before any is asked", () => {
  const never = { affinities: () => expect.unreachable() };
  const refusal = (call: () => unknown): unknown => {
    try {
      return call();
    } catch (error) {
      return error;
    }
  };
  const distances = lists.distances.slice();
  distances[5] = Number.NaN;
  for (const [of, k] of [
    [lists, 9],
    [lists, Number.NaN],
    [{ ...lists, count: 7 }, 4],
    [{ ...lists, distances }, 4],
  ] as const) {
    const expected = refusal(() => affinitiesOfNeighbors(of, k));
    expect(expected).toHaveProperty("code", expect.stringMatching(/^ERR_/));
    expect(refusal(() => neighborAffinities(of, k, never))).toEqual(expected);
  }
  for (const threads of [null, 2, {}])
    expect(() => Reflect.apply(neighborAffinities, undefined, [lists, 4, threads])).toThrow(
      expect.objectContaining({ code: "ERR_ARGUMENT", path: "threads" }),
    );
});
