import { expect, test } from "vitest";
import { asTask } from "../src/event-loop.js";

test("gives the work's value, of promises too", async () => {
  expect(await asTask(() => 7, undefined)).toBe(7);
  expect(await asTask(() => Promise.resolve("later"), undefined)).toBe("later");
});

test("an error of the work is passed on unchanged", async () => {
  const error = new Error("no disk");
  await expect(
    asTask(() => {
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
  await expect(asTask(work, AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(isBegun).toBe(false);
});

test("the event loop gets its turn before the next phase", async () => {
  let turns = 0;
  setImmediate(() => turns++);
  await asTask(() => 0, undefined);
  await asTask(() => 0, undefined);
  expect(turns).toBe(1);
});
