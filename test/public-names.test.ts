/** A public name means one thing, whichever package it comes from. */
import { expect, test } from "vitest";
import { publicExports } from "./public-exports.ts";

test("a name that several export paths have is the same thing in all of them", async () => {
  const meanings = new Map<string, Map<unknown, string[]>>();
  for (const { from, name, value } of await publicExports()) {
    if (from.endsWith("/worker")) continue; // the same functions by the same names, but in a worker
    const found = meanings.get(name) ?? new Map<unknown, string[]>();
    meanings.set(name, found.set(value, [...(found.get(value) ?? []), from]));
  }
  const several = [...meanings]
    .filter(([, found]) => found.size > 1)
    .map(
      ([name, found]) =>
        `${name}: ${[...found.values()].map((paths) => paths.join(" = ")).join(", another in ")}`,
    );
  expect(several).toEqual([]);
});
