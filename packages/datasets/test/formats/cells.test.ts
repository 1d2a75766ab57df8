import { readCells, readPoints, writeCells } from "@curvature/datasets";
import fc from "fast-check";
import { expect, test } from "vitest";
import { failure } from "./support.js";

const written = (rows: readonly (readonly (string | number)[])[], delimiter = ","): string =>
  [...writeCells(rows, { delimiter })].join("");

test("words come with the lines on which they stand", async () => {
  const { cells, lines } = await readCells('a, b\n\n"x\ny",2\n z\n');
  expect(cells).toEqual([["a", "b"], ["x\ny", "2"], ["z"]]);
  expect(lines).toEqual([1, 3, 5]);
});

test("what is not finite is an empty cell; formulas are made harmless", () => {
  expect(
    written([
      ["a", 1.5, Number.NaN, -0],
      ["=cmd()", 1e300, Number.POSITIVE_INFINITY, -3],
    ]),
  ).toBe("a,1.5,,-0\n'=cmd(),1e+300,,-3\n");
});

test("what is written reads back", async () => {
  const word = fc
    .string({ unit: "grapheme", minLength: 1 })
    .filter((text) => !/^[=+\-@\t\r\0\ud800-\udfff]|\0/.test(text));
  const row = fc.tuple(word, fc.double({ noNaN: true, noDefaultInfinity: true }), word);
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 8 }),
      fc.constantFrom(",", "\t", ";"),
      async (rows, mark) => {
        const { cells } = await readCells(written(rows, mark), { delimiter: mark });
        expect(cells.map(([a, b, c]) => [a, Number(b), c])).toEqual(rows);
      },
    ),
  );
});

test("numbers alone are read as a table, too", async () => {
  const { points } = await readPoints(
    written([
      [0.1, 2],
      [3, -4e-7],
    ]),
  );
  expect(Array.from(points.data)).toEqual([0.1, 2, 3, -4e-7]);
});

test("options are checked", async () => {
  expect(() => writeCells([], { delimiter: "ab" })).toThrow("delimiter");
  expect((await failure(readCells("a", { delimiter: "ab" }))).code).toBe("ERR_OPTION");
});

test("rows that are none are refused, the row named", () => {
  const written = (rows: unknown) => () => [...Reflect.apply(writeCells, undefined, [rows])];
  for (const rows of [null, 3, "text", undefined, {}])
    expect(written(rows)).toThrowError(/the rows must be an iterable/);
  for (const row of [null, 3, "text", {}])
    expect(written([["a"], row])).toThrowError(/row 1 must be an array of cells/);
});
