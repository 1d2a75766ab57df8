import { expect, test } from "vitest";
import { timed } from "../src/event-loop.js";

test("gives the work's value and the seconds that it took, of promises too", async () => {
  const { value, seconds } = await timed(() => 7, undefined);
  expect(value).toBe(7);
  expect(seconds).toBeGreaterThanOrEqual(0);
  expect((await timed(() => Promise.resolve("later"), undefined)).value).toBe("later");
});

test("an error of the work is passed on unchanged", async () => {
  const error = new Error("no disk");
  await expect(
    timed(() => {
      throw error;
    }, undefined),
  ).rejects.toBe(error);
});

test("a signal that was aborted before ends in its reason, and the work is not begun", async () => {
  const reason = new Error("closed the tab");
  let isBegun = false;
  const work = () => {
    isBegun = true;
  };
  await expect(timed(work, AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(isBegun).toBe(false);
});

test("the event loop gets its turn before the next phase", async () => {
  let turns = 0;
  setImmediate(() => turns++);
  await timed(() => 0, undefined);
  await timed(() => 0, undefined);
  expect(turns).toBe(1);
});
