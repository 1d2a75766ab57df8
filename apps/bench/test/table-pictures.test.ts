import { describe, expect, test } from "vitest";
import { barsSvg } from "../src/bars.ts";
import type { Report } from "../src/report-types.ts";
import { markOf, tablePictures } from "../src/table-pictures.ts";

describe("what a cell says", () => {
  test.each([
    ["1.2 (1.1 to 1.4) %", 1.2, 1.1, 1.4],
    ["12 % (11 to 14)", 12, 11, 14],
    ["0.109 (0.098-0.123), 5 of 5", 0.109, 0.098, 0.123],
    ["1.5 s", 1.5, 1.5, 1.5],
    ["1e+5", 1e5, 1e5, 1e5],
    ["3.1e-4 (2e-5 to 3.2e-4)", 3.1e-4, 2e-5, 3.2e-4],
    [-2, -2, -2, -2],
    ["1.37, 0.77 (0.73 to 0.96)", 1.37, 1.37, 1.37], // what is in brackets belongs to the second number
    ["100 (95 to not)", 100, 95, Number.NaN],
  ])("%j", (cell, value, low, high) => {
    expect(markOf(cell)).toEqual({ value, low, high });
  });

  test.each([["not in 25 (time)"], ["-"], [""]])("%j has no figure", (cell) => {
    expect(markOf(cell)).toBe(cell);
  });

  test("nothing is a hyphen", () => {
    expect(markOf(null)).toBe("-");
  });
});

/** Places of dots, and from where to where lines go. */
const dotsOf = (svg: string): number[] =>
  [...svg.matchAll(/cx="([\d.]+)"[^>]*r="3.5"/g)].map(([, x]) => Number(x));
const linesOf = (svg: string): number[][] =>
  [...svg.matchAll(/d="M([\d.]+) [\d.]+H([\d.]+)"/g)].map(([, from, to]) => [Number(from), Number(to)]);

const barsOf = (
  marks: readonly (readonly [number, number, number] | string)[],
  isLogarithmic: boolean,
): string =>
  barsSvg({
    ...{ title: "", axis: "s", isLogarithmic, names: ["a"] },
    panels: [
      {
        title: "",
        rows: marks.map((mark) => ({
          name: "x < y",
          marks: [typeof mark === "string" ? mark : { value: mark[0], low: mark[1], high: mark[2] }],
        })),
      },
    ],
  });

test("a decade is as wide as the next one, and a line reaches from the least to the most", () => {
  const svg = barsOf(
    [
      [1, 1, 10],
      [10, 1, 100],
      [100, 100, 100],
    ],
    true,
  );
  const [one, ten, hundred] = dotsOf(svg);
  expect([ten - one, hundred - ten]).toEqual([150, 150]);
  expect(linesOf(svg)).toEqual([
    [one, ten],
    [one, hundred],
    [hundred, hundred],
  ]);
  expect(svg).toContain("x &#60; y");
});

test("a linear axis begins with 0", () => {
  const [two, four] = dotsOf(
    barsOf(
      [
        [2, 2, 2],
        [4, 4, 4],
      ],
      false,
    ),
  );
  expect(four - two).toBe(150);
});

test("what cannot be drawn stands in words, and an end that is not there is the panel's", () => {
  const svg = barsOf([[0, 0, 0], "not", [10, 1, Number.NaN], [100, 100, 100]], true);
  expect(svg).toContain(">0</text>");
  expect(svg).toContain(">not</text>");
  const [ten, hundred] = dotsOf(svg);
  expect(hundred - ten).toBe(150);
  expect(linesOf(svg)[0]).toEqual([ten - 150, hundred]);
  expect(svg).not.toMatch(/NaN|Infinity/);
});

const report = (
  rows: Report["tables"][number]["rows"],
  columns: readonly string[],
): Omit<Report, "figures"> => ({
  ...{
    paper: "sgdqn",
    name: "table-6",
    title: "Ranks",
    claim: "",
    data: "",
    method: "",
    repeats: "",
    clock: "none",
  },
  ...{ findings: [], tables: [{ columns, rows }] },
});

test("the registry's pictures of a report: a panel for each set", () => {
  const columns = ["set", "solver", "test error, %", "seconds"];
  const rows = [
    ["one", "SGD", 3, "0.1"],
    ["two", "SGD", 4, "0.2"],
  ];
  const pictures = tablePictures(report(rows, columns));
  expect(pictures.map(({ name }) => name)).toEqual(["table-6-seconds", "table-6-errors"]);
  for (const { svg } of pictures) {
    expect(svg).toContain(">one</text>");
    expect(svg).toContain(">two</text>");
    expect(dotsOf(svg).length).toBe(2);
  }
});

test("without rows or one of its columns there is no picture", () => {
  expect(tablePictures(report([], ["set", "solver", "seconds", "test error, %"]))).toEqual([]);
  const pictures = tablePictures(report([["a", "b", 1]], ["set", "solver", "seconds"]));
  expect(pictures.map(({ name }) => name)).toEqual(["table-6-seconds"]);
});
