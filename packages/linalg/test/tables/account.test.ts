/** The account of a table: counts by hand, guesses of labels, what tells them, equal rows. */
import { describeTable, leakingColumns } from "@curvature/linalg/tables";
import { describe, expect, test } from "vitest";
import { table } from "./support.ts";

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
const kinds = range(30).map((i) => ["setosa", "virginica", "other"][i % 3]);
const lengths = range(30).map((i) => ((i * 7919) % 101) / 10);
const widths = range(30).map((i) => ((i * 104729) % 89) / 10);

describe("columns", () => {
  test("numbers: range, mean, gaps and different values are those of the cells", () => {
    const [column] = describeTable(table({ x: [3, null, -1, 3, 0] })).columns;
    expect(column).toMatchObject({
      missing: 1,
      odd: 0,
      distinct: 3,
      low: -1,
      high: 3,
      mean: 1.25,
      common: [],
    });
    expect(column.remarks).toEqual([]);
  });

  test("large numbers have a mean; infinite ones are named, and left out of range and mean", () => {
    const [large, infinite] = describeTable(
      table({ a: [1.7e308, -1.7e308, 1.7e308], b: [1, Number.POSITIVE_INFINITY, 2] }),
    ).columns;
    expect(large.mean).toBeCloseTo(1.7e308 / 3, -300);
    expect(infinite).toMatchObject({ low: 1, high: 2, mean: 1.5 });
    expect(infinite.remarks).toEqual(["is infinite in 1 row"]);
  });

  test("words: the three most frequent with their counts", () => {
    const [column] = describeTable(table({ w: ["a", "b", "b", "c", "d", "b", "c", null] })).columns;
    expect(column).toMatchObject({ missing: 1, distinct: 4, low: undefined, mean: undefined });
    expect(column.common.slice(0, 2)).toEqual([
      { text: "b", count: 3 },
      { text: "c", count: 2 },
    ]);
    expect(column.common).toHaveLength(3);
  });

  test("a level that no row has is not counted", () => {
    const [column] = table({ w: ["a", "b", "a"] }).columns;
    const codes = Int32Array.of(0, 0, 0);
    const account = describeTable({ rows: 3, isNamed: true, columns: [{ ...column, codes }] });
    expect(account.columns[0]).toMatchObject({ distinct: 1, remarks: ["is the same in all rows"] });
  });

  test.each([
    ["is the same in all rows", { a: [4, 4, 4] }],
    ["is the same in all rows that have it", { a: ["x", null, "x"] }],
    ["counts the rows", { a: [7, 8, 9] }],
    ["differs in every row", { a: ["x", "y", "z"] }],
    ["has no value in any row", { a: [null, null, null] }],
  ])("%s", (remark, columns) => {
    expect(describeTable(table(columns)).columns[0].remarks).toEqual([remark]);
  });

  test("no remark where one cell is otherwise", () => {
    for (const cells of [
      [4, 4, 5],
      [7, 8, 10],
      ["x", "y", "x"],
      [1.5, 2.5, 3.7],
    ])
      expect(describeTable(table({ a: cells })).columns[0].remarks).toEqual([]);
  });
});

describe("labels", () => {
  const guess = (columns: Parameters<typeof table>[0]): string | undefined => {
    const account = describeTable(table(columns));
    return account.labels === undefined ? undefined : account.columns[account.labels].name;
  };

  test("by name, wherever the column stands", () => {
    expect(guess({ species: kinds, place: kinds, lengths, widths })).toBe("species");
    expect(guess({ lengths, target: widths, place: kinds })).toBe("target");
    expect(guess({ class: kinds, lengths, survived: range(30).map((i) => i % 2) })).toBe("survived");
  });

  test("by position: the only words, last behind numbers or first before three", () => {
    expect(guess({ lengths, widths, flower: kinds })).toBe("flower");
    expect(guess({ flower: kinds, lengths, widths, more: widths })).toBe("flower");
    expect(guess({ lengths, widths, more: lengths, digits: range(30).map((i) => i % 3) })).toBe("digits");
  });

  test("none is better than a wrong one", () => {
    expect(guess({ lengths, widths })).toBeUndefined();
    expect(guess({ x: lengths, y: widths })).toBeUndefined(); // coordinates
    expect(guess({ source: range(30), target: lengths })).toBeUndefined();
    expect(guess({ place: kinds, flower: kinds, lengths, widths })).toBeUndefined();
    expect(guess({ lengths, widths, title: range(30).map((i) => `t${i}`) })).toBeUndefined();
    expect(guess({ lengths, widths, class: range(30).map(() => "one") })).toBeUndefined();
  });

  test("the chosen one counts; fractions or many numbers are for regression", () => {
    const account = describeTable(table({ lengths, widths, flower: kinds }), { labels: "lengths" });
    expect(account).toMatchObject({ labels: 0, isRegression: true });
    expect(describeTable(table({ lengths, flower: kinds }), { labels: 1 }).isRegression).toBe(false);
    expect(describeTable(table({ a: range(30).map((i) => i % 4) }), { labels: 0 }).isRegression).toBe(false);
    expect(describeTable(table({ lengths })).isRegression).toBeUndefined();
    expect(() => describeTable(table({ lengths }), { labels: "absent" })).toThrow(
      expect.objectContaining({ code: "ERR_OPTION" }),
    );
  });
});

describe("what tells the label", () => {
  const leaks = (columns: Parameters<typeof table>[0], labels: string): number[] => [
    ...describeTable(table(columns), { labels }).leaks,
  ];

  test("a code of the class, as words or as numbers; the target in another unit", () => {
    const code = kinds.map((kind) => kind.slice(0, 1));
    const number = range(30).map((i) => 10 * (i % 3) + 5);
    expect(leaks({ lengths, code, number, kinds }, "kinds")).toEqual([1, 2]);
    expect(leaks({ inches: lengths.map((x) => x / 2.54 + 1), widths, lengths }, "lengths")).toEqual([0]);
    expect(leakingColumns(table({ lengths, code, number, kinds }), "kinds")).toEqual([1, 2]);
    const { columns } = describeTable(table({ code, kinds }), { labels: "kinds" });
    expect(columns.map(({ remarks }) => remarks)).toEqual([["tells the label"], []]);
  });

  test("not one row otherwise, not names of rows, not a handful of rows", () => {
    const code = kinds.map((kind, i) => (i === 29 ? "s" : kind.slice(0, 1)));
    expect(leaks({ code, kinds }, "kinds")).toEqual([]);
    const names = range(30).map((i) => `n${i}`);
    expect(leaks({ names, others: names.map((name) => `${name}!`) }, "others")).toEqual([]);
    expect(leaks({ a: ["x", "y", "x", "y"], b: ["u", "v", "u", "v"] }, "b")).toEqual([]);
    expect(leaks({ widths, lengths }, "lengths")).toEqual([]);
  });
});

describe("equal rows", () => {
  const duplicates = (...all: Parameters<typeof describeTable>): number => describeTable(...all).duplicates;

  test("of features: labels, ids and an index may differ, gaps are equal to gaps, −0 to 0", () => {
    const columns = {
      id: [1, 2, 3, 4],
      a: [0, -0, null, null],
      b: ["x", "x", "y", "y"],
      c: ["p", "q", "p", "q"],
    };
    expect(duplicates(table(columns, { id: "id" }), { labels: "c" })).toBe(2);
    expect(duplicates(table(columns, { id: "id" }), { labels: "b" })).toBe(0);
    expect(duplicates(table({ id: [1, 1, 1] }, { id: "id" }))).toBe(0);
  });

  test("as many as a set of their texts says", () => {
    for (let seed = 1; seed < 30; seed++) {
      const cells = (k: number): (number | null)[] =>
        range(40).map((i) => {
          const value = ((i + 1) * seed * (k + 3) * 7919) % 11;
          return value === 0 ? null : value % 3;
        });
      const columns = { a: cells(1), b: cells(2), c: cells(3) };
      const texts = range(40).map((i) => JSON.stringify(Object.values(columns).map((column) => column[i])));
      expect(duplicates(table(columns))).toBe(40 - new Set(texts).size);
    }
  });
});
