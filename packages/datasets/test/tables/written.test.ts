/** Tables as programs write them read back the same. */
import { writeCells } from "@curvature/datasets";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { read } from "./support.js";

const number = fc
  .double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 })
  .filter((value) => value !== 0 && !/^-9+/.test(String(value)) && !Number.isInteger(value));
const word = fc.constantFrom("red", "dark blue", 'the "best"', "a,b", "x;y", "größer", "it's", "two\nlines");
const rows = fc.array(fc.record({ x: fc.option(number), y: number, word }), { minLength: 12, maxLength: 40 });

/** Of each row x, y and the word. */
type Rows = readonly { readonly x: number | null; readonly y: number; readonly word: string }[];

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const joined = (lines: readonly (readonly string[])[], mark: string): string =>
  lines.map((cells) => `${cells.join(mark)}\n`).join("");

const writers: Readonly<Record<string, (rows: Rows) => string>> = {
  "our writer": (all) =>
    [...writeCells([["x", "y", "word"], ...all.map(({ x, y, word }) => [x ?? "", y, word])])].join(""),
  "R's write.csv": (all) =>
    joined(
      [
        ['""', '"x"', '"y"', '"word"'],
        ...all.map(({ x, y, word }, i) => [
          quoted(String(i + 1)),
          x === null ? "NA" : String(x),
          String(y),
          quoted(word),
        ]),
      ],
      ",",
    ),
  "R's write.csv2": (all) =>
    joined(
      [
        ['"x"', '"y"', '"word"'],
        ...all.map(({ x, y, word }) => [
          x === null ? "NA" : String(x).replace(".", ","),
          String(y).replace(".", ","),
          quoted(word),
        ]),
      ],
      ";",
    ),
  "pandas' to_csv": (all) =>
    joined(
      [
        ["", "x", "y", "word"],
        ...all.map(({ x, y, word }, i) => [
          String(i),
          x === null ? "" : String(x),
          String(y),
          /[",\n]/.test(word) ? quoted(word) : word,
        ]),
      ],
      ",",
    ),
  "a spreadsheet's tabs": (all) =>
    joined(
      [
        ["x", "y", "word"],
        ...all.map(({ x, y, word }) => [
          x === null ? "" : String(x),
          String(y),
          /["\t\n]/.test(word) ? quoted(word) : word,
        ]),
      ],
      "\t",
    ),
};

describe("tables as programs write them", () => {
  test.each(Object.entries(writers))("%s", async (_, write) => {
    await fc.assert(
      fc.asyncProperty(rows, async (all) => {
        fc.pre(all.filter(({ x }) => x !== null).length > 2 && new Set(all.map(({ word }) => word)).size > 1);
        const { table, names, cells } = await read(write(all));
        const first = names?.indexOf("x") ?? -1;
        expect(names?.slice(first)).toEqual(["x", "y", "word"]);
        expect(table.columns.slice(0, first).map(({ type }) => type)).toEqual(first === 1 ? ["index"] : []);
        expect(table.columns.slice(first).map(({ type }) => type)).toEqual(["number", "number", "word"]);
        expect(cells.map((row) => row.slice(first))).toEqual(all.map(({ x, y, word }) => [x, y, word]));
      }),
      { numRuns: 150 },
    );
  });
});
