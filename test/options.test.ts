/** Every option table that a package exports: its defaults are accepted, and what its rules say is wrong is refused. */
import { describe, expect, test } from "vitest";
import { publicExports } from "./public-exports.ts";

interface Table {
  readonly entries: { readonly [name: string]: Entry };
  readonly defaults: object;
  resolve(where: string, options: object): object;
}

interface Entry {
  readonly hasDefault: boolean;
  readonly expected: string;
  readonly wrong: readonly unknown[];
  accepts(value: unknown): boolean;
}

const isTable = (value: unknown): value is Table =>
  typeof value === "object" &&
  value !== null &&
  ["entries", "resolve", "defaults"].every((name) => name in value);

const tables = new Map<Table, string>();
for (const { from, name, value } of await publicExports())
  if (isTable(value) && !tables.has(value)) tables.set(value, `${from}: ${name}`);

test("there are tables of every package that takes options", () => {
  const packages = [...tables.values()].map((name) => name.slice(0, name.search(/[/:]/)));
  expect(new Set(packages)).toContain("linalg");
  expect(new Set(packages)).toContain("optim-core");
});

describe.each([...tables].map(([table, name]) => ({ name, table })))("$name", ({ table }) => {
  test("its defaults are accepted, and frozen", () => {
    expect(table.resolve("test", {})).toEqual(table.defaults);
    expect(table.resolve("test", table.defaults)).toEqual(table.defaults);
    expect(Object.isFrozen(table.defaults)).toBe(true);
  });

  for (const [option, { accepts, expected, hasDefault, wrong }] of Object.entries(table.entries)) {
    test(`${option}: what is wrong is refused`, () => {
      expect(expected).not.toBe("");
      expect(wrong.length).toBeGreaterThan(0);
      for (const value of wrong)
        expect(() => table.resolve("test", { [option]: value }), String(expected)).toThrowError(
          expect.objectContaining({ code: "ERR_OPTION", path: option, received: value }),
        );
      if (hasDefault) expect(accepts(Reflect.get(table.defaults, option))).toBe(true);
    });
  }
});
