import { readDistances, writeNpy } from "@curvature/datasets";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cut, encoded, failure, outcome } from "./support.js";

const matrix = [0, 1, 2, 1, 0, 3, 2, 3, 0];

describe("names may stand in the first line, the first column, or both", () => {
  test.each([
    ["0,1,2\n1,0,3\n2,3,0\n", undefined],
    [",a,b,c\na,0,1,2\nb,1,0,3\nc,2,3,0\n", ["a", "b", "c"]],
    ['"","a","b","c"\n"a",0,1,2\n"b",1,0,3\n"c",2,3,0\n', ["a", "b", "c"]],
    ["city\ta\tb\tc\na\t0\t1\t2\nb\t1\t0\t3\nc\t2\t3\t0\n", ["a", "b", "c"]],
    ["a;b;c\n0;1;2\n1;0;3\n2;3;0\n", ["a", "b", "c"]],
    ["a,0,1,2\nb,1,0,3\nc,2,3,0\n", ["a", "b", "c"]],
    [",1990,1991,1992\n1990,0,1,2\n1991,1,0,3\n1992,2,3,0\n", ["1990", "1991", "1992"]],
  ])("%j", async (source, names) => {
    const table = await readDistances(source);
    expect(Array.from(table.distances.data)).toEqual(matrix);
    expect(table.names).toEqual(names);
  });

  test("NPY has none", async () => {
    const bytes = writeNpy({ rows: 3, columns: 3, data: Float64Array.from(matrix) });
    const { distances, names } = await readDistances(bytes);
    expect(Array.from(distances.data)).toEqual(matrix);
    expect(names).toBeUndefined();
  });
});

test("entries that differ from their mirror by rounding become their mean", async () => {
  const { distances } = await readDistances("0,1.0000001\n1,0\n");
  expect(distances.data[1]).toBe(distances.data[2]);
  expect(distances.data[1]).toBeCloseTo(1.00000005, 12);
});

test.each([
  ["", "The input is empty.", "ERR_PARSE"],
  ["0,1,2\n1,0,3\n", "The distances have 2 rows and 3 columns", "ERR_SHAPE"],
  ["0,NaN,2\nNaN,0,3\n2,3,0\n", "The cell at line 1, column 2 is ", "ERR_NON_FINITE"],
  ["0,,\n1,0,\n2,3,0\n", "The cell at line 1, column 2 is empty", "ERR_NON_FINITE"],
  ["0,1\n1,0.5\n", "The distance of object 2 to itself is 0.5, not 0.", "ERR_PARSE"],
  [",a,b\na,0,1\nb,2,0\n", 'The distance from "b" to "a" is 2, but back it is 1.', "ERR_PARSE"],
  [",a,b\na,0,-1\nb,-1,0\n", 'The distance of "b" and "a" is -1.', "ERR_PARSE"],
  [",a,b\na,0,1\nc,1,0\n", 'Row 2 is named "c", but column 2 is named "b".', "ERR_PARSE"],
  [",a,a\na,0,1\na,1,0\n", 'Objects 1 and 2 are both named "a".', "ERR_PARSE"],
  [",a,b\na,0,NaN\nb,1,0\n", "The cell at line 2, column 3", "ERR_NON_FINITE"],
  [",a,b\na,0,\nb,1,0\n", "is empty", "ERR_NON_FINITE"],
  [",a,b\na,0,1\nb,1\n", "Line 3 has 2 cells, the others have 3.", "ERR_PARSE"],
])("%j: %s", async (source, sentence, code) => {
  const error = await failure(readDistances(source));
  expect(error.message).toContain(sentence);
  expect(error.code).toBe(code);
});

test("any bytes, cut anywhere: the same result, or the same CurvatureError", async () => {
  const nearly = fc
    .array(fc.constantFrom("0", "1", "2.5", "a", "b", ",", ",", " ", '"', "\n", "\n", "\0", "NaN"), {
      maxLength: 30,
    })
    .map((parts) => encoded(parts.join("")));
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(nearly, fc.uint8Array({ maxLength: 40 })),
      fc.array(fc.nat()),
      async (all, places) => {
        const whole = await outcome(readDistances(all));
        expect(await outcome(readDistances(cut(all, places)))).toEqual(whole);
      },
    ),
    { numRuns: 400 },
  );
});

test("decimal commas, and a half of zeros that was left out", async () => {
  const commas = await readDistances(";a;b;c\na;0;0,25;1,5\nb;0,25;0;2\nc;1,5;2;0\n");
  expect([commas.names, [...commas.distances.data]]).toEqual([
    ["a", "b", "c"],
    [0, 0.25, 1.5, 0.25, 0, 2, 1.5, 2, 0],
  ]);
  const bare = await readDistances("0;0,25;1,5\n0,25;0;2\n1,5;2;0\n");
  expect(bare.distances).toEqual(commas.distances);
  await expect(readDistances("0;1,250;2\n1,250;0;3\n2;3;0\n")).rejects.toThrow(/decimal or thousands/);
  const upper = "0 3 4\n0 0 5\n0 0 0\n";
  await expect(readDistances(upper)).rejects.toThrow(/entries below the diagonal are 0.*triangle: "mirror"/);
  await expect(readDistances("0 0 0\n3 0 0\n4 5 0\n")).rejects.toThrow(/entries above the diagonal are 0/);
  expect([...(await readDistances(upper, { triangle: "mirror" })).distances.data]).toEqual([
    0, 3, 4, 3, 0, 5, 4, 5, 0,
  ]);
});
