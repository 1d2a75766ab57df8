import { type DenseMatrix, fillNormal, RandomGenerator } from "@curvature/linalg";
import { disableSimd, enableSimd } from "@curvature/linalg/simd";
import { SharedLocks, SharedUnits, WorkerPool } from "@curvature/linalg/threads";
import {
  affinitiesOfNeighbors,
  elasticEmbedding,
  jointAffinities,
  nearestNeighbors,
  neighborSearch,
  symmetricSne,
  tElasticEmbedding,
  tsne,
} from "@curvature/objectives/embedding";
import { embeddingThreads } from "@curvature/objectives/embedding/threads";
import { afterEach, describe, expect, test, vi } from "vitest";
import { searchAmong } from "../../src/embedding/affinity/exact-search.js";
import { resultOf } from "../../src/embedding/affinity/neighbors.js";
import { kernels } from "../../src/embedding/kernels/kernels.js";
import type { EnergyTerm } from "../../src/embedding/pair-sum.js";
import { kernelSum } from "../../src/embedding/repulsion/kernel-sum.js";
import { program as text } from "../../src/embedding/threads/program.js";
import { mostSearchers, searchTask, searchTogether } from "../../src/embedding/threads/shared-search.js";
import { SumElsewhere, type SumTask, sumTask } from "../../src/embedding/threads/sum-elsewhere.js";
import type { KernelSumShape } from "../../src/embedding/threads/threads.js";

afterEach(() => {
  vi.restoreAllMocks();
  disableSimd();
});

const program = { script: "objectives", name: "embedding", text } as const;
const soon = { timeout: 300_000, interval: 5 };

/** Looked up in the array, since asking for a unit would take it. */
function areAllClaimed({ integers }: SharedUnits): boolean {
  const [open, next] = integers;
  return open > 0 && next === open;
}

/** With copies, so that there are ties. */
function points(rows: number, columns: number): DenseMatrix {
  const data = new Float64Array(rows * columns);
  fillNormal(new RandomGenerator(rows), data);
  data.copyWithin(0, 40 * columns, 80 * columns);
  return { rows, columns, data };
}

describe("the search for neighbours", () => {
  const Y = points(2500, 6);
  const k = 12;

  test.each([
    [2, true],
    [2, false],
    [4, true],
  ])("%i threads find the lists of one; SIMD here: %s", { tags: ["full"] }, async (count, hasSimd) => {
    const alone = resultOf(searchAmong(Y, k));
    if (hasSimd) enableSimd();
    const workers = WorkerPool.of(count, "test");
    const task = searchTask(Y, k);
    const units = new SharedUnits(task.units);
    workers.start(count - 1, program, task);
    const steps = searchTogether(task);
    expect(steps.next().done).toBe(false); // not all of it is done when this thread lets the others begin
    await vi.waitUntil(() => units.ready === count - 1 && areAllClaimed(units), soon);
    expect(resultOf(steps)).toEqual(alone);
    expect(workers.warnings).toEqual([]);
    expect(units.isStopped).toBe(true);
  });

  test("a thread that dies with a block costs time, not the result", () => {
    const alone = resultOf(searchAmong(Y, k));
    vi.spyOn(Atomics, "wait").mockReturnValue("timed-out");
    let ends = 0;
    const search = function* (points: DenseMatrix, count: number) {
      const task = searchTask(points, count);
      new SharedLocks(task.locks).take(3);
      const lists = yield* searchTogether(task);
      ends += Number(lists === undefined);
      return lists;
    };
    expect(resultOf(searchAmong(Y, k, { search }))).toEqual(alone);
    expect(ends).toBe(1);
  });

  test("there are no more threads than there is room for copies of the points, but one", () => {
    const of = (rows: number, columns: number) => mostSearchers({ rows, columns, data: new Float64Array() });
    expect(of(20_000, 50)).toBeGreaterThan(31);
    expect(of(70_000, 784)).toBe(3);
    expect(of(1_000_000, 784)).toBe(1);
  });

  test("a thread that cannot begin its own part lets the others go", () => {
    const task = searchTask(Y, k);
    const broken = { ...task, locks: new Int32Array(4) }; // in no shared memory
    expect(() => searchTogether(broken).next()).toThrow();
    expect(new SharedUnits(task.units).isStopped).toBe(true);
  });

  test("a thread that throws stops the others at once", () => {
    const alone = resultOf(searchAmong(Y, k));
    const search = (points: DenseMatrix, count: number) => {
      const task = searchTask(points, count);
      new SharedUnits(task.units).stop();
      return searchTogether(task);
    };
    expect(resultOf(searchAmong(Y, k, { search }))).toEqual(alone);
  });

  test("who stops listening stops the threads", () => {
    const task = searchTask(Y, k);
    const steps = searchTogether(task);
    steps.next();
    expect(new SharedUnits(task.units).isStopped).toBe(false);
    steps.return(undefined);
    expect(new SharedUnits(task.units).isStopped).toBe(true);
  });

  test("by its door, and by that of one thread", () => {
    const options = { search: "exact", seed: 0 } as const;
    const alone = resultOf(neighborSearch(Y, k, options));
    for (const count of [1, 2]) {
      const threads = embeddingThreads(count);
      expect(threads.count).toBe(count);
      expect(resultOf(neighborSearch(Y, k, options, threads))).toEqual(alone);
      expect(threads.warnings).toEqual([]);
      threads.close();
    }
  });
});

const shapes: readonly KernelSumShape[] = [
  { kernel: "student", points: 400, dimensions: 2, gradient: "barnes-hut", theta: 0.3 },
  { kernel: "gaussian", points: 400, dimensions: 3, gradient: "barnes-hut", theta: 0.5 },
  { kernel: "gaussian", points: 400, dimensions: 2, gradient: "fft", theta: 0.3 },
];

describe.each(shapes)("the sum of $kernel by $gradient in $dimensions dimensions", (shape) => {
  const { points: N, dimensions } = shape;
  const X = Float64Array.from(points(N, dimensions).data, (x) => 3 * x);
  const own = kernelSum("test", kernels[shape.kernel], N, shape).sum;
  const never: EnergyTerm = {
    evaluate: () => {
      throw new Error("The other thread was to do it.");
    },
    hessianVector: own.hessianVector.bind(own),
    diagonalHessian: own.diagonalHessian.bind(own),
    curvatureWeights: own.curvatureWeights.bind(own),
  };

  test("another thread comes to the same bits, with the gradient and without, again and again", {
    tags: ["full"],
  }, async () => {
    const task = sumTask(shape);
    const sum = new SumElsewhere(task, never, () => undefined);
    WorkerPool.of(2, "test").start(1, program, task);
    const [gradient, expected] = [new Float64Array(X.length), new Float64Array(X.length)];
    const Z = X.slice();
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < Z.length; i++) Z[i] *= 1 + round / 8;
      sum.begin(Z, true);
      await vi.waitUntil(() => areAllClaimed(sum.units), soon);
      expect(sum.evaluate(Z, gradient)).toBe(own.evaluate(Z, expected));
      expect(gradient).toEqual(expected);
      sum.begin(Z, false);
      await vi.waitUntil(() => areAllClaimed(sum.units), soon);
      expect(sum.evaluate(Z)).toBe(own.evaluate(Z));
    }
    sum.units.stop();
  });

  test("where no thread has begun, or none was told, the caller's does it", () => {
    const sum = new SumElsewhere(sumTask(shape), own, () => undefined);
    const S = own.evaluate(X);
    expect(sum.evaluate(X)).toBe(S);
    for (let round = 0; round < 3; round++) {
      sum.begin(X, false);
      expect(sum.evaluate(X)).toBe(S);
    }
  });

  test("a map that was told of and not asked for does not stand for the next one", () => {
    const sum = new SumElsewhere(sumTask(shape), own, () => undefined);
    sum.begin(
      X.map((x) => 2 * x),
      false,
    );
    sum.begin(X, false);
    expect(sum.evaluate(X)).toBe(own.evaluate(X));
  });

  test("and where the other is dead, it does so from then on", () => {
    const task = sumTask(shape);
    let losses = 0;
    const sum = new SumElsewhere(task, own, () => losses++);
    sum.begin(X, true);
    new SharedUnits(task.units).claim(); // and never finishes
    vi.spyOn(Atomics, "wait").mockReturnValue("timed-out");
    const S = own.evaluate(X);
    expect(sum.evaluate(X)).toBe(S);
    sum.begin(X, true);
    expect(sum.evaluate(X)).toBe(S);
    expect(losses).toBe(1);
  });
});

test("every model tells its sum beforehand, and has E's bits", { tags: ["full"] }, async () => {
  const Y = points(400, 4);
  const P = jointAffinities(affinitiesOfNeighbors(nearestNeighbors(Y, 15), 5).conditional);
  const weights = { attraction: P, repulsion: "constant" } as const;
  const options = { gradient: "barnes-hut" } as const;
  const X = points(400, 2).data;
  for (const model of [
    (threads?: ReturnType<typeof embeddingThreads>) => tsne(P, options, threads),
    (threads?: ReturnType<typeof embeddingThreads>) => symmetricSne(P, options, threads),
    (threads?: ReturnType<typeof embeddingThreads>) => elasticEmbedding(weights, options, threads),
    (threads?: ReturnType<typeof embeddingThreads>) => tElasticEmbedding(weights, options, threads),
  ]) {
    const tasks: SumTask[] = [];
    const workers = WorkerPool.of(2, "test");
    const threads = {
      ...embeddingThreads(2),
      elsewhere: (shape: KernelSumShape, own: EnergyTerm) => {
        const task = sumTask(shape);
        tasks.push(task);
        workers.start(1, program, task);
        return new SumElsewhere(task, own, () => undefined);
      },
    };
    const [objective, alone] = [model(threads), model()];
    const units = new SharedUnits(tasks[0].units);
    await vi.waitUntil(() => units.ready === 1, soon);
    const arrays = Array.from({ length: 6 }, () => new Float64Array(X.length));
    for (let round = 1; round <= 3; round++) {
      expect(objective.evaluate(X, arrays[0])).toBe(alone.evaluate(X, arrays[1]));
      expect(units.integers[0]).toBe(3 * round - 2); // opened
      expect(objective.evaluateParts(X, arrays[2], arrays[3])).toEqual(
        alone.evaluateParts(X, arrays[4], arrays[5]),
      );
      expect(objective.atLambda(2).evaluate(X)).toBe(alone.atLambda(2).evaluate(X));
      expect([arrays[0], arrays[2], arrays[3]]).toEqual([arrays[1], arrays[4], arrays[5]]);
    }
    expect(objective.atLambda(0).evaluate(X)).toBe(alone.atLambda(0).evaluate(X));
    expect(units.integers[0]).toBe(9);
    units.stop();
  }
});

test("where there is no memory for it, or no threads, the caller's thread does it all, and says so", () => {
  const Y = points(2100, 3);
  const alone = resultOf(searchAmong(Y, 5));
  class None {
    constructor() {
      throw new RangeError("Array buffer allocation failed");
    }
  }
  vi.stubGlobal("SharedArrayBuffer", None);
  const threads = embeddingThreads(2);
  expect(resultOf(searchAmong(Y, 5, threads))).toEqual(alone);
  const own = kernelSum("test", kernels.student, 400, shapes[0]).sum;
  expect(threads.elsewhere(shapes[0], own)).toBe(own);
  vi.unstubAllGlobals();
  expect(threads.warnings).toEqual([expect.stringContaining("no memory for it, or no thread: Array buffer")]);
  const missing = vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
  const none = embeddingThreads(2);
  missing.mockRestore();
  expect(resultOf(searchAmong(Y, 5, none))).toEqual(alone);
  expect(none.elsewhere(shapes[0], own)).toBe(own);
  expect(none.warnings).toEqual(["The work is done by one thread, since this engine has no worker threads."]);
});

test("what is no number of threads is refused", () => {
  for (const threads of [null, 2, {}]) {
    const refused = expect.objectContaining({ code: "ERR_ARGUMENT", path: "threads" });
    const Y = points(60, 3);
    const P = jointAffinities(affinitiesOfNeighbors(nearestNeighbors(Y, 8), 3).conditional);
    expect(() => Reflect.apply(neighborSearch, undefined, [Y, 3, {}, threads])).toThrow(refused);
    expect(() => Reflect.apply(tsne, undefined, [P, {}, threads])).toThrow(refused);
  }
  for (const threads of [0, 1.5, 33, "all", undefined, Number.NaN])
    expect(() => Reflect.apply(embeddingThreads, undefined, [threads])).toThrow(
      expect.objectContaining({ code: "ERR_OPTION", path: "threads" }),
    );
});
