import { readCells, readPoints } from "@curvature/datasets";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";

const text = fc.array(fc.constantFrom("a", "é", "7", ",", '"', "\n", "\r\n", " ", ";"), { maxLength: 6 });
const quoted = text.map((parts) => `"${parts.join("").replaceAll('"', '""')}"`);
const plain = fc
  .array(fc.constantFrom("a", "é", "7", "-", ";"), { minLength: 1, maxLength: 6 })
  .map((ps) => ps.join(""));
const row = fc.tuple(
  fc.integer({ min: 1 }),
  fc.oneof(quoted, plain),
  fc.double({ noNaN: true, noDefaultInfinity: true, max: 1e15 }),
);

test("texts are divided into cells as csv-parse divides them", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 8 }),
      fc.constantFrom("\n", "\r\n"),
      fc.boolean(),
      async (rows, lineEnd, ended) => {
        const input = rows.map((cells) => cells.join(",")).join(lineEnd) + (ended ? lineEnd : "");
        const reference: string[][] = parse(input, { record_delimiter: lineEnd });
        const { cells } = await readCells(input, { delimiter: "," });
        expect(cells).toEqual(reference);
        const table = await readPoints(input, { delimiter: ",", header: "no", columns: [0, 2] });
        expect(Array.from(table.points.data)).toEqual(
          reference.flatMap(([first, , third]) => [Number(first), Number(third)]),
        );
      },
    ),
    { numRuns: 300 },
  );
});
