import { readCsv } from "@curvature/datasets";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";

const text = fc.array(fc.constantFrom("a", "é", "7", ",", '"', "\n", "\r\n", " ", ";"), { maxLength: 6 });
const quoted = text.map((parts) => `"${parts.join("").replaceAll('"', '""')}"`);
const plain = fc
  .array(fc.constantFrom("a", "é", "7", "-", ";"), { minLength: 1, maxLength: 6 })
  .map((ps) => ps.join(""));
const row = fc.tuple(
  fc.integer(),
  fc.oneof(quoted, plain),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
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
        const table = await readCsv(input, { delimiter: ",", header: false, labels: 1 });
        expect(table.labels).toEqual(reference.map((cells) => cells[1]));
        expect(Array.from(table.points.data)).toEqual(
          reference.flatMap(([first, , third]) => [Number(first), Number(third)]),
        );
      },
    ),
    { numRuns: 300 },
  );
});
