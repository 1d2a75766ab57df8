import fc from "fast-check";
import { expect, test } from "vitest";
import type { Executor, UnitEnd, UnitOfWork } from "../src/executor.js";
import { sweepUnits } from "../src/plan.js";
import { crossValidate, inOrder, restarts, sweep } from "../src/sweep.js";

/** Answers in a given order, some of them more than once. */
function executorIn(
  order: readonly number[],
  twice: readonly number[] = [],
): Executor & { seen: string[]; plans: (readonly UnitOfWork[] | undefined)[] } {
  const seen: string[] = [];
  const plans: (readonly UnitOfWork[] | undefined)[] = [];
  return {
    seen,
    plans,
    async *run(units: readonly UnitOfWork[], _signal?: AbortSignal, plan?: readonly UnitOfWork[]) {
      plans.push(plan);
      seen.push(...units.map(({ id }) => id));
      const ends = units.map(
        (unit): UnitEnd => ({ id: unit.id, status: "done", result: unit.settings, seconds: 0 }),
      );
      for (const k of order) if (k < ends.length) yield ends[k];
      for (const k of twice) if (k < ends.length) yield ends[k];
    },
    forget: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

test("whatever the order of the answers, ends come in the plan's order, each once, as soon as they can", async () => {
  const order = fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 });
  await fc.assert(
    fc.asyncProperty(order, fc.array(fc.nat(5)), async (arrival, twice) => {
      const plan = { command: "c", grid: { x: [0, 1, 2, 3, 4, 5] } };
      const heard: string[] = [];
      const counts: number[] = [];
      const ends = await all(
        sweep(plan, executorIn(arrival, twice), {
          onEnd: ({ id }, { ended, total }) => {
            heard.push(id);
            counts.push(ended, total);
          },
        }),
      );
      const ids = sweepUnits(plan).map(({ id }) => id);
      expect(ends.map(({ id }) => id)).toEqual(ids);
      expect(heard).toEqual(arrival.map((k) => ids[k]));
      expect(counts).toEqual([1, 6, 2, 6, 3, 6, 4, 6, 5, 6, 6, 6]);
    }),
  );
});

test("an end is there before later units have ended", async () => {
  const ends = sweep({ command: "c", grid: { x: [0, 1] } }, executorIn([0]));
  expect((await ends.next()).value).toMatchObject({ id: "x=0,seed=0" });
  await expect(ends.next()).rejects.toThrowError("The executor ended with 1 units undone.");
});

test("what is known is not run again, and takes its place", async () => {
  const executor = executorIn([0, 1]);
  const known = new Map<string, UnitEnd>([
    ["x=1,seed=0", { id: "x=1,seed=0", status: "done", result: "old", seconds: 1 }],
    ["x=9,seed=0", { id: "x=9,seed=0", status: "done", result: "of another plan", seconds: 1 }],
  ]);
  const plan = { command: "c", grid: { x: [0, 1, 2] } };
  const ends = await all(sweep(plan, executor, { known }));
  expect(executor.seen).toEqual(["x=0,seed=0", "x=2,seed=0"]);
  expect(executor.plans).toEqual([sweepUnits(plan)]);
  expect(ends.map((end) => end.status === "done" && end.result)).toEqual([{ x: 0 }, "old", { x: 2 }]);
});

test("restarts and cross-validation are plans like others", async () => {
  expect(await all(restarts(2, { command: "c" }, executorIn([1, 0])))).toHaveLength(2);
  const ends = await all(crossValidate(2, { command: "c", grid: { x: [3] } }, executorIn([1, 0])));
  expect(ends.map((end) => end.status === "done" && end.result)).toEqual([
    { folds: 2, x: 3, fold: 0 },
    { folds: 2, x: 3, fold: 1 },
  ]);
});

test("an empty plan ends at once; units with one id twice are none", async () => {
  expect(await all(inOrder([], executorIn([])))).toEqual([]);
  const [unit] = sweepUnits({ command: "c", grid: {} });
  await expect(all(inOrder([unit, unit], executorIn([0, 1])))).rejects.toThrowError("ids of their own");
});
