/** The simulator against what can be worked out by hand, and laws that any pool obeys. */
import { CurvatureError } from "@curvature/linalg";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { breakEvenSeconds } from "../../src/simulator/break-even.ts";
import type { PoolFigures, SumWork } from "../../src/simulator/figures.ts";
import { simulateRemoteSum, simulateSweep } from "../../src/simulator/simulate.ts";

const free: PoolFigures = {
  workers: 4,
  latencySeconds: 0,
  hubBytesPerSecond: 1e18,
  coordinatorSeconds: 0,
  workerSeconds: 0,
};
const work: SumWork = {
  evaluations: 240,
  evaluationSeconds: 0.1,
  dimension: 1000,
  solverSeconds: 0,
  batch: 1,
};

describe("where nothing costs anything but evaluations", () => {
  test("one question at a time has one worker at work", () => {
    expect(simulateRemoteSum(free, work).seconds).toBeCloseTo(24, 6);
  });

  test("answers as they come use all workers, and no more of them than there are questions", () => {
    expect(simulateRemoteSum(free, { ...work, concurrency: 4 }).seconds).toBeCloseTo(6, 6);
    expect(simulateRemoteSum(free, { ...work, concurrency: 3 }).seconds).toBeCloseTo(8, 6);
    expect(simulateRemoteSum(free, { ...work, concurrency: 99 }).seconds).toBeCloseTo(6, 6);
  });

  test("a batch of 6 on 4 workers takes two rounds", () => {
    expect(simulateRemoteSum(free, { ...work, batch: 6 }).seconds).toBeCloseTo(8, 6);
  });

  test("a worker begins with all that waits in a task at once, and a batch is cut into two tasks for each", () => {
    const alone = { ...free, workers: 1 };
    const batches = { ...work, batch: 8 };
    expect(simulateRemoteSum(alone, batches).seconds).toBeCloseTo(24, 6);
    expect(simulateRemoteSum(alone, { ...batches, isWaiting: true }).seconds).toBeCloseTo(30 * 0.2, 6);
    // Eight tasks of one for four workers.
    expect(simulateRemoteSum(free, { ...batches, isWaiting: true }).seconds).toBeCloseTo(30 * 0.2, 6);
  });

  test("two cores bound four workers that compute, but not four that wait", () => {
    const shared = { ...free, cores: 2 };
    expect(simulateRemoteSum(shared, { ...work, concurrency: 4 }).seconds).toBeCloseTo(12, 6);
    expect(simulateRemoteSum(shared, { ...work, concurrency: 4, isWaiting: true }).seconds).toBeCloseTo(6, 6);
  });

  test("a sweep is runs over workers, and costs all of them", () => {
    const priced = { ...free, pricePerHour: 3.6 };
    const { seconds, cost } = simulateSweep(priced, { runs: 24, runSeconds: 10, resultBytes: 0 });
    expect(seconds).toBeCloseTo(60, 6);
    expect(cost).toBeCloseTo(0.24, 9);
  });
});

test("the way there and back: a point and a gradient go in and out of Redis, and three latencies", () => {
  const pool = {
    ...free,
    workers: 1,
    latencySeconds: 0.002,
    hubBytesPerSecond: 8e6,
    coordinatorSeconds: 0.004,
    workerSeconds: 0.003,
  };
  const one = { ...work, evaluations: 1, solverSeconds: 0.01 };
  // 8 kB take 1 ms: in and out with the point, in and out with the gradient.
  expect(simulateRemoteSum(pool, one).seconds).toBeCloseTo(
    0.1 + 3 * 0.002 + 4 * 0.001 + 0.004 + 0.003 + 0.01,
    9,
  );
});

test("every program takes its time for a question and for the bytes, and on one core they wait for each other", () => {
  const pool = {
    ...free,
    workers: 1,
    hubBytesPerSecond: 8e6,
    hubSeconds: 0.006,
    coordinatorBytesPerSecond: 4e6,
    workerBytesPerSecond: 2e6,
  };
  const one = { ...work, evaluations: 1 };
  const seconds = 0.1 + 0.006 + 4 * 0.001 + 2 * 0.002 + 2 * 0.004;
  expect(simulateRemoteSum(pool, one).seconds).toBeCloseTo(seconds, 9);
  const many = { ...work, evaluations: 100, concurrency: 8 };
  expect(simulateRemoteSum({ ...pool, workers: 8, cores: 1 }, many).seconds).toBeCloseTo(100 * seconds, 6);
});

test("the point of a batch is written once, and read once by each worker", () => {
  const pool = { ...free, workers: 2, hubBytesPerSecond: 8e6 };
  const { seconds } = simulateRemoteSum(pool, { ...work, evaluations: 8, evaluationSeconds: 0, batch: 8 });
  // 1 ms each: the point in, two readers, eight gradients in and out.
  expect(seconds).toBeCloseTo(0.001 * (1 + 2 + 16), 9);
});

test("Redis is in the way of many workers: its bytes bound the rate, whatever the workers", () => {
  const many = { ...free, workers: 1000, hubBytesPerSecond: 1e9 };
  const wide = { ...work, evaluations: 2000, dimension: 100_000, concurrency: 1000 };
  const { seconds, hubShare } = simulateRemoteSum(many, wide);
  expect(hubShare).toBeGreaterThan(0.9);
  expect(seconds).toBeGreaterThan(((2000 * 4 * 800_000) / 1e9) * (1 - 1e-9));
});

test("with workers that fail nothing is lost but time", () => {
  const failing = { ...free, workers: 20, failuresPerHour: 60, noticeSeconds: 5, recoverySeconds: 30 };
  const long = { ...work, evaluations: 2000, evaluationSeconds: 5, concurrency: 20 };
  const sound = simulateRemoteSum(free, { ...long, concurrency: 4 });
  const { seconds, lost, workerShare } = simulateRemoteSum(failing, long);
  expect(sound.lost).toBe(0);
  // Evaluations of 5 s at a failure a minute: a share of 1 - exp(-5/60) of them is lost, and is made again.
  expect(lost).toBeGreaterThan(100);
  expect(lost).toBeLessThan(300);
  expect(seconds).toBeGreaterThan((2000 * 5) / 20);
  expect(workerShare).toBeLessThan(0.9);
});

test("times are drawn with the average and the spread that were asked for", () => {
  const alone = { ...free, workers: 1 };
  const { seconds } = simulateRemoteSum(alone, { ...work, evaluations: 20_000, evaluationSpread: 0.5 });
  expect(seconds / 20_000).toBeGreaterThan(0.1 * (1 - 4 * 0.5 * 0.00708)); // four standard errors
  expect(seconds / 20_000).toBeLessThan(0.1 * (1 + 4 * 0.5 * 0.00708));
});

test("the same figures give the same prediction, and another seed another", () => {
  const spread = { ...work, evaluationSpread: 1, concurrency: 4 };
  expect(simulateRemoteSum(free, spread)).toEqual(simulateRemoteSum(free, spread));
  expect(simulateRemoteSum({ ...free, seed: 1 }, spread).seconds).not.toBe(
    simulateRemoteSum(free, spread).seconds,
  );
});

test("ten thousand workers take seconds to simulate", { tags: ["full"] }, () => {
  const pool = {
    ...free,
    workers: 10_000,
    latencySeconds: 0.001,
    hubBytesPerSecond: 1e9,
    failuresPerHour: 0.1,
  };
  const { evaluationsPerSecond } = simulateRemoteSum(pool, {
    ...work,
    evaluations: 100_000,
    evaluationSeconds: 60,
    evaluationSpread: 0.3,
    concurrency: 10_000,
  });
  expect(evaluationsPerSecond).toBeGreaterThan(100);
  expect(evaluationsPerSecond).toBeLessThan(10_000 / 60);
});

test("no pool is faster than its workers, its Redis and its coordinator are", () => {
  fc.assert(
    fc.property(
      fc.record({
        workers: fc.integer({ min: 1, max: 40 }),
        latencySeconds: fc.double({ min: 0, max: 0.1, noNaN: true }),
        coordinatorSeconds: fc.double({ min: 0, max: 0.01, noNaN: true }),
        workerSeconds: fc.double({ min: 0, max: 0.01, noNaN: true }),
        hubBytesPerSecond: fc.double({ min: 1e4, max: 1e9, noNaN: true }),
      }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 12 }),
      (pool, batch, concurrency) => {
        const some = { ...work, evaluations: 60, dimension: 100, batch, concurrency };
        const { seconds, hubShare, coordinatorShare, workerShare } = simulateRemoteSum(pool, some);
        const atOnce = Math.min(pool.workers, batch > 1 ? batch : concurrency);
        expect(seconds).toBeGreaterThanOrEqual((60 * 0.1) / atOnce - 1e-9);
        expect(seconds).toBeGreaterThanOrEqual((60 * 2 * 800) / pool.hubBytesPerSecond - 1e-9);
        expect(seconds).toBeGreaterThanOrEqual(60 * pool.coordinatorSeconds - 1e-9);
        for (const share of [hubShare, coordinatorShare, workerShare]) {
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(1 + 1e-9);
        }
      },
    ),
  );
});

describe("from what evaluation time on it pays", () => {
  const pool = { ...free, latencySeconds: 0.001, coordinatorSeconds: 0.0002, workerSeconds: 0.0001 };
  const some = { evaluations: 400, dimension: 1000, solverSeconds: 0.001, batch: 1, concurrency: 4 };

  test("there it is as fast as at home, above it faster", () => {
    const seconds = breakEvenSeconds(pool, some) ?? Number.NaN;
    const home = 400 * (seconds + 0.001);
    expect(simulateRemoteSum(pool, { ...some, evaluationSeconds: seconds }).seconds / home).toBeCloseTo(1, 1);
    expect(simulateRemoteSum(pool, { ...some, evaluationSeconds: 4 * seconds }).seconds).toBeLessThan(
      400 * (4 * seconds + 0.001),
    );
  });

  test("never with one worker, nor twice as fast with two", () => {
    expect(breakEvenSeconds({ ...pool, workers: 1 }, some)).toBeUndefined();
    expect(breakEvenSeconds({ ...pool, workers: 2 }, { ...some, concurrency: 2 }, 2)).toBeUndefined();
  });
});

test.each([
  [{ ...free, workers: 0 }],
  [{ ...free, latencySeconds: -1 }],
  [{ ...free, hubBytesPerSecond: Number.NaN }],
  [{ ...free, cores: 0.5 }],
  [{ ...free, failuresPerHour: Number.POSITIVE_INFINITY }],
  [{ ...free, wrokers: 3 }],
])("wrong figures are refused: %j", (pool) => {
  expect(() => simulateRemoteSum(pool, work)).toThrowError(CurvatureError);
  expect(() => simulateSweep(pool, { runs: 1, runSeconds: 1, resultBytes: 0 })).toThrowError(CurvatureError);
});

test.each([
  [{ ...work, evaluations: 0 }],
  [{ ...work, evaluationSeconds: -1 }],
  [{ ...work, dimension: 1.5 }],
  [{ ...work, batch: 0 }],
])("wrong work is refused: %j", (wrong) => {
  expect(() => simulateRemoteSum(free, wrong)).toThrowError(CurvatureError);
});
