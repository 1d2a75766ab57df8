import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkReference, fileOf, referenceTo } from "../src/data.js";

let base = "";
const data = (): string => join(base, "data");
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "curvature-data-"));
  mkdirSync(join(data(), "sub"), { recursive: true });
  writeFileSync(join(data(), "sub", "points.csv"), "1,2\n");
  writeFileSync(join(base, "secret"), "secret");
  symlinkSync(join(base, "secret"), join(data(), "link-out"));
  symlinkSync(base, join(data(), "folder-out"));
  symlinkSync(join(data(), "sub", "points.csv"), join(data(), "link-in"));
  symlinkSync("loop", join(data(), "loop"));
});
afterAll(() => rmSync(base, { recursive: true }));

test("a reference leads back to its file, also through a link that stays inside", async () => {
  const reference = await referenceTo(data(), join("sub", "points.csv"));
  expect(reference).toEqual({ path: "sub/points.csv", sha256: sha256("1,2\n") });
  expect(await fileOf(data(), reference)).toMatch(/sub.points\.csv$/);
  expect(await fileOf(data(), { ...reference, path: "link-in" })).toMatch(/sub.points\.csv$/);
});

test.each([
  "",
  "..",
  "../secret",
  "sub/../../secret",
  "sub\\..\\..\\secret",
  "/etc/passwd",
  "C:\\secret",
  "C:secret",
  "\\\\host\\share",
  "a\0b",
  "x".repeat(5000),
])("a path that leads out of any data folder is refused by its words: %j", async (path) => {
  const reference = { path, sha256: "0".repeat(64) };
  expect(() => checkReference(reference)).toThrowError(expect.objectContaining({ code: "ERR_OPTION" }));
  await expect(fileOf(data(), reference)).rejects.toMatchObject({ code: "ERR_OPTION" });
  await expect(referenceTo(data(), path)).rejects.toMatchObject({ code: "ERR_OPTION" });
});

test.each(["link-out", "folder-out/secret"])("a link that leads out is refused: %s", async (path) => {
  const meant = { path, sha256: sha256("secret") };
  await expect(fileOf(data(), meant)).rejects.toThrowError("leads out of the data folder");
  await expect(referenceTo(data(), path)).rejects.toThrowError("leads out of the data folder");
});

test.each([
  ["none.csv", "there is no such file"],
  ["sub", "is no file"],
  ["sub/points.csv/x", "cannot be read|is not in"],
  ["loop", "ELOOP"],
])("what is not there is named: %s", async (path, words) => {
  const error: unknown = await fileOf(data(), { path, sha256: "0".repeat(64) }).catch(
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ code: "ERR_IO" });
  expect(String(error)).toMatch(new RegExp(words));
  expect(String(error)).toContain(path);
});

describe("another file than the one that is meant", () => {
  test("is refused, with both hashes", async () => {
    await expect(fileOf(data(), { path: "sub/points.csv", sha256: sha256("1,3\n") })).rejects.toThrowError(
      /is another file than the one that is meant/,
    );
  });

  test("also if it is changed under the same name, with the same length, after a first look", async () => {
    const path = join(data(), "changing");
    writeFileSync(path, "one");
    const reference = await referenceTo(data(), "changing");
    await fileOf(data(), reference);
    writeFileSync(path, "two");
    await expect(fileOf(data(), reference)).rejects.toMatchObject({ code: "ERR_IO" });
  });
});

test.each([
  null,
  7,
  "path",
  {},
  { path: "a" },
  { path: "a", sha256: "short" },
  { path: 7, sha256: "0".repeat(64) },
])("%j is no reference", (value) => {
  expect(() => checkReference(value)).toThrowError(expect.objectContaining({ code: "ERR_OPTION" }));
});
