/** Columns that are left out: whatever stands in them, and wherever they are. */
import { type ReadPoints, readPoints, writeCells, writeNpy } from "@curvature/datasets";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { failure } from "./support.js";

const shown = ({ columns, points, labels }: ReadPoints): unknown => ({
  columns,
  rows: points.rows,
  numbers: Array.from(points.data),
  labels,
});

test("their cells may hold anything, nothing included", async () => {
  const text = 'id,x,when,kind,y\na7,1,"1,5;\n2024",setosa,2\n,3,,virginica,4\n\xff,5,NaN,setosa,6\n';
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0)); // the last id is in Latin-1
  const table = await readPoints(bytes, { labels: "kind", ignore: ["when", 0] });
  expect(shown(table)).toEqual({
    columns: ["x", "y"],
    rows: 3,
    numbers: [1, 2, 3, 4, 5, 6],
    labels: ["setosa", "virginica", "setosa"],
  });
});

test("of a table without names they are chosen by index, in its first row, too", async () => {
  const table = await readPoints("a,1,2\nb,3,4\n", { ignore: [0] });
  expect(shown(table)).toEqual({
    columns: ["column 2", "column 3"],
    rows: 2,
    numbers: [1, 2, 3, 4],
    labels: undefined,
  });
});

test("of JSON, by key or index", async () => {
  const expected = { columns: ["x"], rows: 2, numbers: [1, 2], labels: ["a", "b"] };
  const rows = ['{"id":null,"x":1,"l":"a"}', '{"id":"no","l":"b","x":2}'];
  const options = { labels: "l", ignore: ["id"] };
  expect(shown(await readPoints(rows.join("\n"), options))).toEqual(expected);
  expect(shown(await readPoints(`[${rows.join(",")}]`, options))).toEqual(expected);
  expect(shown(await readPoints('[["p",1],["q",2]]', { ignore: [0] }))).toEqual({
    columns: ["column 2"],
    rows: 2,
    numbers: [1, 2],
    labels: undefined,
  });
});

test("of JSON, keys that not every row has", async () => {
  const expected = { columns: ["x"], rows: 3, numbers: [1, 2, 3], labels: undefined };
  const rows = ['{"x":1,"old":7}', '{"note":"late","x":2}', '{"x":3}'];
  expect(shown(await readPoints(rows.join("\n"), { ignore: ["note", "old"] }))).toEqual(expected);
  expect(shown(await readPoints(`[${rows.join(",")}]`, { ignore: ["note", 1] }))).toEqual(expected);
  const typo = await failure(readPoints(rows.join("\n"), { ignore: ["nte", "old", "note"] }));
  expect([typo.code, typo.message]).toEqual([
    "ERR_OPTION",
    'ignore: there is no column "nte". Did you mean "note"?',
  ]);
  const other = await failure(readPoints(rows.join("\n"), { ignore: ["old"] }));
  expect(other.message).toContain('"note" holds words');
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
      const table = await readPoints(text(names, whole), { header: "yes", ignore: ignored });
      expect(shown(table)).toEqual(
        shown(await readPoints(text(names.filter(isKept), kept), { header: "yes" })),
      );
    }),
  );
});

test("apostrophes that are cells divide nothing", async () => {
  const text = "c0,c1,c2,c3,c4\n',0,',0,\n#,0,#,0,\n";
  const table = await readPoints(text, { header: "yes", ignore: ["c0", "c2", "c4"] });
  expect(shown(table)).toEqual(shown(await readPoints("c1,c3\n0,0\n0,0\n", { header: "yes" })));
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
    ["1,2\n", { ignore: ["a"] }, "ERR_OPTION", "the table does not name its columns"],
    [
      "a,b\n1,2\n",
      { ignore: [0], labels: "a" },
      "ERR_OPTION",
      'the column "a" is chosen as labels. Leave it out',
    ],
    ["id,2021\na,2\n", { ignore: [2021], header: "yes" }, "ERR_OPTION", 'named "2021" is column 1.'],
    ["a,b\n1,2\n", { ignore: [-1] }, "ERR_OPTION", "ignore must be an array of columns"],
    ["a,b\nx,y\n", { ignore: ["a", "b"] }, "ERR_SHAPE", "The table has no column of numbers."],
    ["a,b\nx,1\ny\n", { ignore: ["a"] }, "ERR_PARSE", "Line 3 has 1 cell"],
  ] as const)("%j with %j", async (input, options, code, part) => {
    const error = await failure(readPoints(input, options));
    expect(error.code).toBe(code);
    expect(error.message).toContain(part);
  });

  test.each([["a"], [new Array(2)], [[null]]])("%j for an array of columns", async (ignore) => {
    const options: object = { ignore };
    const error = await failure(readPoints("a,b\n1,2\n", options));
    expect(error.message).toContain("ignore must be an array of columns, by name or by index from 0");
  });

  test("columns of formats without text are left out, too", async () => {
    expect((await readPoints("1 1:2 2:3\n", { ignore: [1] })).columns).toEqual(["column 2"]);
    expect((await readPoints(writeNpy([[1, 2]]), { ignore: [0] })).columns).toEqual(["column 2"]);
  });

  test("a cell that is no number says that its column can be left out", async () => {
    const error = await failure(readPoints("id,x\na7,1\n"));
    expect(error.message).toContain('leave them out with words: "drop"');
  });
});
