/** The executor on threads of this machine, as built. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Executor,
  referenceTo,
  sweep,
  type ThreadExecutorOptions,
  threadExecutor,
} from "@curvature/cluster";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { all, expectedSquares, outcomes, squares, unitModule } from "./units.js";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "curvature-threads-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function threads(options: ThreadExecutorOptions): Executor {
  const executor = threadExecutor(unitModule, options);
  onTestFinished(() => executor.close());
  return executor;
}

test.each([1, 3])("%i at a time: the same ends in the same order", async (concurrency) => {
  expect(outcomes(await all(sweep(squares(20), threads({ concurrency }))))).toEqual(expectedSquares(20));
});

test("a unit gets its data by their places", async () => {
  writeFileSync(join(folder, "five"), "12345");
  const data = [await referenceTo(folder, "five")];
  const ends = await all(sweep({ command: "bytes", grid: {}, data }, threads({ data: folder })));
  expect(outcomes(ends)).toEqual([["seed=0", [5]]]);
});

test.each([
  ["fail", /^it fails at 1$/],
  ["die", /exit code 7/],
  ["cycle", /circular/],
  ["unknown", /not a function/],
])("a unit that cannot be done is tried three times, and the rest goes on: %s", async (command, reason) => {
  const executor = threads({ concurrency: 2 });
  const plan = { command, grid: { x: [1, 2] } };
  const [first] = await all(sweep(plan, executor));
  expect(first).toMatchObject({ status: "failed", tries: 3, reason: expect.stringMatching(reason) });
  expect(outcomes(await all(sweep(squares(3), executor)))).toEqual(expectedSquares(3));
});

test("what a done unit leaves behind ends its thread, and nothing else", async () => {
  const executor = threads({ concurrency: 1 });
  expect(outcomes(await all(sweep({ command: "linger", grid: {} }, executor)))).toEqual([["seed=0", "done"]]);
  await new Promise((done) => setTimeout(done, 300));
  expect(outcomes(await all(sweep(squares(2), executor)))).toEqual(expectedSquares(2));
});

test("a unit that fails twice has its result", async () => {
  const settings = { file: join(folder, "hesitation"), failures: 2 };
  expect(outcomes(await all(sweep({ command: "hesitate", settings, grid: {} }, threads({}))))).toEqual([
    ["seed=0", 3],
  ]);
});

test("data that are not there fail the unit with the file's name", async () => {
  const data = [{ path: "none.csv", sha256: "0".repeat(64) }];
  const [end] = await all(sweep({ command: "bytes", grid: {}, data }, threads({ data: folder })));
  expect(end).toMatchObject({ status: "failed", reason: expect.stringContaining("none.csv") });
});

test("aborted: what runs is ended, what waits is not begun, the reason is thrown", async () => {
  const stop = new AbortController();
  const ends: string[] = [];
  const running = sweep(squares(50, 30), threads({ concurrency: 2 }), {
    signal: stop.signal,
    onEnd: ({ id }) => {
      ends.push(id);
      stop.abort(new Error("enough"));
    },
  });
  await expect(all(running)).rejects.toThrowError("enough");
  expect(ends.length).toBeLessThan(5);
});

test("who stops listening ends the work; the executor can be used again", async () => {
  const executor = threads({ concurrency: 2 });
  for await (const end of sweep(squares(50, 10), executor)) {
    expect(end.id).toBe("x=0,seed=0");
    break;
  }
  expect(outcomes(await all(sweep(squares(2), executor)))).toEqual(expectedSquares(2));
});

test("options and module are checked", () => {
  expect(() => threadExecutor(unitModule, { concurrency: 0 })).toThrowError(/concurrency must be/);
  // @ts-expect-error: a number is no module
  expect(() => threadExecutor(7)).toThrowError(expect.objectContaining({ code: "ERR_ARGUMENT" }));
});
