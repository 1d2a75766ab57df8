/** Every option table that a package exports: its defaults are accepted, and its rules accept what their sentences say. */
import { describe, expect, test } from "vitest";
import { saysOf, valuesFor, wrongObjects } from "./option-words.ts";
import { publicExports } from "./public-exports.ts";

interface Table {
  readonly entries: { readonly [name: string]: Entry };
  readonly defaults: object;
  resolve(where: string, options: object): object;
}

interface Entry {
  readonly hasDefault: boolean;
  readonly expected: string;
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

  for (const [option, { accepts, expected, hasDefault }] of Object.entries(table.entries)) {
    test(`${option}: ${expected}`, () => {
      const near = wrongObjects.find(([sentence]) => expected.includes(sentence))?.[1] ?? [];
      const wrong = valuesFor(expected).filter(
        (value) => saysOf(expected, value) === false || near.includes(value),
      );
      expect(wrong.length).toBeGreaterThan(0);
      for (const value of wrong)
        expect(() => table.resolve("test", { [option]: value }), expected).toThrowError(
          expect.objectContaining({ code: "ERR_OPTION", path: option, received: value }),
        );
      for (const value of valuesFor(expected))
        if (saysOf(expected, value) === true) expect(accepts(value), `${expected}: ${value}`).toBe(true);
      if (hasDefault) expect(accepts(Reflect.get(table.defaults, option))).toBe(true);
    });
  }
});
