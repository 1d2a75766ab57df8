/** A thread of a pool reads a file once for all runs on it, and keeps one. */
import { expect, test } from "vitest";
import { InputCache } from "../src/read/input-cache.js";

const hashes = { a: "a".repeat(64), b: "b".repeat(64) };
const points = async (): Promise<string> => "points";
const rows = async (): Promise<string> => "rows";

/** @returns what was read, in order */
async function readings(...asked: readonly (readonly [string, "a" | "b", typeof points, object])[]) {
  const kept = new InputCache();
  const read: string[] = [];
  for (const [path, bytes, reader, options] of asked) {
    kept.expect([path], [{ path, sha256: hashes[bytes] }]);
    await kept.get(path, reader, options, () => {
      read.push(path);
      return reader();
    });
  }
  return read;
}

test("the same bytes are read once, wherever they lie", async () => {
  expect(
    await readings(
      ["/1/x", "a", points, { name: "/1/x" }],
      ["/1/x", "a", points, { name: "/1/x" }],
      ["/2/y", "a", points, { name: "/2/y" }],
    ),
  ).toEqual(["/1/x"]);
});

test("other bytes in the same place, another reader and other options are read anew", async () => {
  expect(
    await readings(
      ["x", "a", points, {}],
      ["x", "b", points, {}],
      ["x", "b", rows, {}],
      ["x", "b", rows, { labels: "group" }],
    ),
  ).toEqual(["x", "x", "x", "x"]);
});

test("one file is kept: the one before it is read again", async () => {
  expect(await readings(["x", "a", points, {}], ["y", "b", points, {}], ["x", "a", points, {}])).toEqual([
    "x",
    "y",
    "x",
  ]);
});

test("what could not be read is tried again; files of no run are always read", async () => {
  const kept = new InputCache();
  kept.expect(["x"], [{ path: "x", sha256: hashes.a }]);
  const fails = (): Promise<string> => Promise.reject(new Error("torn"));
  await expect(kept.get("x", points, {}, fails)).rejects.toThrowError("torn");
  expect(await kept.get("x", points, {}, points)).toBe("points");
  expect(await kept.get("other", points, {}, rows)).toBe("rows");
});
