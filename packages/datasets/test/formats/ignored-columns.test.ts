/** Columns that are left out: whatever stands in them, and wherever they are. */
import { readCsv, readJson, readJsonLines, readPoints, type Table, writeCells } from "@curvature/datasets";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { failure } from "./support.js";

const shown = ({ columns, points, labels }: Table): unknown => ({
  columns,
  rows: points.rows,
  numbers: Array.from(points.data),
  labels,
});

test("their cells may hold anything, nothing included", async () => {
  const text = 'id,x,when,kind,y\na7,1,"1,5;\n2024",setosa,2\n,3,,virginica,4\n\xff,5,NaN,setosa,6\n';
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0)); // the last id is no UTF-8
  const table = await readCsv(bytes, { labels: "kind", ignore: ["when", 0] });
  expect(shown(table)).toEqual({
    columns: ["x", "y"],
    rows: 3,
    numbers: [1, 2, 3, 4, 5, 6],
    labels: ["setosa", "virginica", "setosa"],
  });
});

test("of a table without names they are chosen by index, in its first row, too", async () => {
  const table = await readCsv("a,1,2\nb,3,4\n", { ignore: [0] });
  expect(shown(table)).toEqual({
    columns: ["column 2", "column 3"],
    rows: 2,
    numbers: [1, 2, 3, 4],
    labels: undefined,
  });
});

test("of JSON, by key or index", async () => {
  const expected = { columns: ["x"], rows: 2, numbers: [1, 2], labels: ["a", "b"] };
  const rows = ['{"id":null,"x":1,"l":"a"}', '{"id":{"no":[]},"l":"b","x":2}'];
  const options = { labels: "l", ignore: ["id"] };
  expect(shown(await readJsonLines(rows.join("\n"), options))).toEqual(expected);
  expect(shown(await readJson(`[${rows.join(",")}]`, options))).toEqual(expected);
  expect(shown(await readJson('[["p",1],["q",2]]', { ignore: [0] }))).toEqual({
    columns: ["column 2"],
    rows: 2,
    numbers: [1, 2],
    labels: undefined,
  });
});

test("of JSON, keys that not every row has", async () => {
  const expected = { columns: ["x"], rows: 3, numbers: [1, 2, 3], labels: undefined };
  const rows = ['{"x":1,"old":7}', '{"note":"late","x":2}', '{"x":3}'];
  expect(shown(await readJsonLines(rows.join("\n"), { ignore: ["note", "old"] }))).toEqual(expected);
  expect(shown(await readJson(`[${rows.join(",")}]`, { ignore: ["note", 1] }))).toEqual(expected);
  const typo = await failure(readJsonLines(rows.join("\n"), { ignore: ["nte", "old", "note"] }));
  expect([typo.code, typo.message]).toEqual([
    "ERR_OPTION",
    'ignore: there is no column "nte". Known columns: "x", "old".',
  ]);
  const other = await failure(readJsonLines(rows.join("\n"), { ignore: ["old"] }));
  expect(other.message).toContain('Line 2 has the key "note"');
});

test("a table without some columns is the table that never had them", async () => {
  const cell = fc.string({ unit: "grapheme-ascii" }).filter((word) => !word.includes("\0"));
  const cases = fc.integer({ min: 2, max: 6 }).chain((width) =>
    fc.record({
      ignored: fc.uniqueArray(fc.integer({ min: 0, max: width - 1 }), { minLength: 1, maxLength: width - 1 }),
      rows: fc.array(
        fc.record({
          numbers: fc.array(fc.integer(), { minLength: width, maxLength: width }),
          words: fc.array(cell, { minLength: width, maxLength: width }),
        }),
        { minLength: 1, maxLength: 5 },
      ),
    }),
  );
  await fc.assert(
    fc.asyncProperty(cases, async ({ ignored, rows }) => {
      const width = rows[0].numbers.length;
      const names = Array.from({ length: width }, (_, j) => `c${j}`);
      const isKept = (_: unknown, j: number): boolean => !ignored.includes(j);
      const whole = rows.map(({ numbers, words }) => numbers.map((v, j) => (isKept(v, j) ? v : words[j])));
      const kept = rows.map(({ numbers }) => numbers.filter(isKept));
      const text = (header: string[], body: readonly (readonly (string | number)[])[]): string =>
        [...writeCells([header, ...body], { raw: true })].join("");
      const table = await readCsv(text(names, whole), { header: true, ignore: ignored });
      expect(shown(table)).toEqual(shown(await readCsv(text(names.filter(isKept), kept), { header: true })));
    }),
  );
});

describe("what cannot be", () => {
  test.each([
    [
      "a,b\n1,2\n",
      { ignore: ["c"] },
      "ERR_OPTION",
      'ignore: there is no column "c". Known columns: "a", "b".',
    ],
    ["species,b\n1,2\n", { ignore: ["specie"] }, "ERR_OPTION", 'Did you mean "species"?'],
    ["1,2\n", { ignore: [2] }, "ERR_OPTION", "ignore: there is no column 2; the columns are 0 to 1."],
    ["1,2\n", { ignore: ["a"] }, "ERR_OPTION", "the input does not name its columns"],
    ["a,a,b\n1,2,3\n", { ignore: ["a"] }, "ERR_OPTION", 'more than one column is named "a"'],
    [
      "a,b\n1,2\n",
      { ignore: [0], labels: "a" },
      "ERR_OPTION",
      'the column "a" is chosen as labels. Leave it out',
    ],
    ["id,2021\na,2\n", { ignore: [2021], header: true }, "ERR_OPTION", 'named "2021" is column 1.'],
    ["a,b\n1,2\n", { ignore: [-1] }, "ERR_OPTION", "ignore must be an array of columns"],
    ["a,b\nx,y\n", { ignore: ["a", "b"] }, "ERR_PARSE", "no column besides those that are labels or ignored"],
    ["a,b\nx,1\ny\n", { ignore: ["a"] }, "ERR_PARSE", "Line 3 has 1 column"],
  ] as const)("%j with %j", async (input, options, code, part) => {
    const error = await failure(readCsv(input, options));
    expect(error.code).toBe(code);
    expect(error.message).toContain(part);
  });

  test.each([["a"], [new Array(2)], [[null]]])("%j for an array of columns", async (ignore) => {
    const options: object = { ignore };
    const error = await failure(readCsv("a,b\n1,2\n", options));
    expect(error.message).toContain("ignore must be an array of columns, by name or by index from 0");
  });

  test("formats whose columns are no text", async () => {
    const error = await failure(readPoints("1 1:2\n", { ignore: [0] }));
    expect(error.message).toContain("ignore must be left out for the format libsvm");
    const npy = await failure(readPoints("1", { format: "npy", ignore: [0] }));
    expect(npy.message).toContain("ignore must be left out for the format npy");
  });

  test("a cell that is no number says that its column can be left out", async () => {
    const error = await failure(readCsv("id,x\na7,1\n"));
    expect(error.message).toContain("leave the column out");
  });
});
