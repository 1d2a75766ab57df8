/** What the writers of delimited text guard from being run as a formula, all readers take back: every pair of them. */
import {
  readCells,
  readComparisons,
  readDistances,
  readPoints,
  readTable,
  writeCells,
  writeCsv,
} from "@curvature/datasets";
import { textAt } from "@curvature/linalg/tables";
import fc from "fast-check";
import { expect, test } from "vitest";

const hostile = fc.constantFrom(
  "=eq",
  "-ness",
  "+plus",
  "@home",
  "'=eq",
  "''-x",
  "'quoted",
  "'",
  "b'",
  "=a,b",
  "-a b",
  '=say "so"',
  "@x;y",
);
const name = fc.oneof(
  hostile,
  fc
    .string({
      unit: fc.constantFrom("'", "=", "-", "+", "@", "a", "b", ",", ";", '"'),
      minLength: 1,
      maxLength: 6,
    })
    .map((text) => `${text}z`),
);
const names = fc.uniqueArray(name, { minLength: 3, maxLength: 8 });

type Rows = readonly (readonly (string | number)[])[];

/** Each writes a header and rows of a name and a number. */
const writers: Readonly<Record<string, (rows: Rows) => string>> = {
  writeCells: (rows) =>
    [...writeCells([["value", "name"], ...rows.map(([name, value]) => [value, name])])].join(""),
  writeCsv: (rows) =>
    [
      ...writeCsv(
        rows.map(([, value]) => [Number(value)]),
        { columns: ["value"], labels: rows.map(([name]) => String(name)), labelsName: "name" },
      ),
    ].join(""),
};

/** Each gives the names. */
const readers: Readonly<Record<string, (text: string) => Promise<readonly string[]>>> = {
  readCells: async (text) =>
    (await readCells(text, { delimiter: "," })).cells.slice(1).map((cells) => cells[1] ?? ""),
  readTable: async (text) => {
    const table = await readTable(text, { delimiter: ",", header: "yes" });
    const column = table.columns[1];
    return Array.from({ length: table.rows }, (_, row) => (column === undefined ? "" : textAt(column, row)));
  },
  readPoints: async (text) =>
    (await readPoints(text, { delimiter: ",", labels: "name", header: "yes" })).labels ?? [],
};

for (const [writer, write] of Object.entries(writers))
  for (const [reader, read] of Object.entries(readers))
    test(`${writer}, then ${reader}`, async () => {
      await fc.assert(
        fc.asyncProperty(names, async (all) => {
          const text = write(all.map((each, k) => [each, k + 0.5]));
          expect(await read(text)).toEqual(all);
        }),
        { numRuns: 200 },
      );
    });

test("names of columns, too", async () => {
  await fc.assert(
    fc.asyncProperty(names, async (all) => {
      fc.pre(!all[0]?.startsWith(";")); // which marks a comment
      const text = [
        ...writeCsv([all.map((_, k) => k + 0.5), all.map((_, k) => k + 0.25)], { columns: all }),
      ].join("");
      const table = await readTable(text, { delimiter: ",", header: "yes" });
      expect(table.columns.map((column) => column.name)).toEqual(all);
    }),
  );
});

test("answers and distances by such names, as writeCells writes them", async () => {
  await fc.assert(
    fc.asyncProperty(names, async (all) => {
      const [i = "", j = "", k = ""] = all;
      const answers = [
        ...writeCells([
          ["i", "j", "k"],
          [i, j, k],
          [j, k, i],
        ]),
      ].join("");
      expect((await readComparisons(answers, { delimiter: ",", objects: "names" })).names).toEqual([i, j, k]);
      const matrix = [
        ...writeCells([["", ...all], ...all.map((each, a) => [each, ...all.map((_, b) => Number(a !== b))])]),
      ];
      expect((await readDistances(matrix.join(""), { delimiter: "," })).names).toEqual(all);
    }),
  );
});
