import { readPoints, readTable, writeJson } from "@curvature/datasets";
import { describe, expect, test } from "vitest";
import { encoded, failure } from "./support.js";

describe("JSON Lines", () => {
  test("rows are arrays or objects whose keys may change their order", async () => {
    const arrays = await readPoints("[1,2]\n\n[3,4]");
    expect([arrays.columns, Array.from(arrays.points.data)]).toEqual([
      ["column 1", "column 2"],
      [1, 2, 3, 4],
    ]);
    const objects = await readPoints('{"x":1,"kind":"a","y":2}\r\n{"kind":7,"y":4,"x":3}\r\n', {
      labels: "kind",
    });
    expect([objects.columns, Array.from(objects.points.data)]).toEqual([
      ["x", "y"],
      [1, 2, 3, 4],
    ]);
    expect(objects.labels).toEqual(["a", "7"]);
    expect((await readPoints('["a",1]\n[true,2]', { labels: 0 })).labels).toEqual(["a", "true"]);
  });

  test("one line is a document, unless name or format say otherwise", async () => {
    expect((await readPoints("[1,2]\n")).points.rows).toBe(2);
    for (const options of [{ name: "a.jsonl" }, { name: "a.NDJSON" }, { format: "jsonl" }] as const)
      expect((await readPoints("[1,2]\n", options)).points.columns).toBe(2);
    expect((await readPoints('{"x":1,"y":2}', { format: "jsonl" })).columns).toEqual(["x", "y"]);
  });

  test("names from Object.prototype are names like any other", async () => {
    const line = '{"__proto__":1,"constructor":2,"toString":3}\n';
    const table = await readPoints(line + line);
    expect(table.columns).toEqual(["__proto__", "constructor", "toString"]);
    expect(Array.from(table.points.data)).toEqual([1, 2, 3, 1, 2, 3]);
    expect((await failure(readPoints(`{"x":1}\n{"toString":1}`))).message).toContain(
      '"x" has no value in 1 row (line 2); "toString" has no value in 1 row (line 1)',
    );
  });

  test.each([
    ["broken JSON", "[1]\n\n[2", "ERR_PARSE", "Line 3 is not valid JSON: "],
    ["a number", "[1]\n2", "ERR_PARSE", "has one value in line 2, and an array in line 1."],
    ["another length", "[1]\n\n[2,3]", "ERR_PARSE", "has 2 entries in line 3, and 1 in line 1."],
    ["another form", '[1]\n{"x":1}', "ERR_PARSE", "has an object in line 2, and an array in line 1."],
    ["the other form", '{"x":1}\n[1]', "ERR_PARSE", "has an array in line 2, and an object in line 1."],
    [
      "an unknown key",
      '{"height":1}\n{"hight":1}',
      "ERR_NON_FINITE",
      '"hight" has no value in 1 row (line 1)',
    ],
    ["a missing key", '{"x":1,"y":2}\n{"x":1}', "ERR_NON_FINITE", '"y" has no value in 1 row (line 2)'],
    ["a word", '[1]\n["2x"]', "ERR_PARSE", '"column 1" holds numbers and words (line 2: "2x")'],
    ["a null cell", '{"x":1}\n\n{"x":null}', "ERR_NON_FINITE", '"x" has no value in 1 row (line 3)'],
    ["overflow", "[1]\n[1e999]", "ERR_NON_FINITE", '"column 1" is infinite in 1 row (line 2)'],
    ["nesting in arrays", "[1,2]\n[3,[4]]", "ERR_PARSE", "has an array or an object in line 2, column 2."],
    [
      "nesting in objects",
      '{"x":1}\n{"x":[[1],[2]]}',
      "ERR_PARSE",
      'of arrays or objects under "x" in line 2.',
    ],
    ["deep nesting", "[".repeat(1e5) + "]".repeat(1e5), "ERR_PARSE", "has an array or an object in row 1"],
    ["deep objects", '{"x":'.repeat(1e4) + 1 + "}".repeat(1e4), "ERR_PARSE", "objects in row 1, 100 deep"],
  ])("%s is refused with its line", async (_, input, code, sentence) => {
    const error = await failure(readPoints(input));
    expect(error.code).toBe(code);
    expect(error.message).toContain(sentence);
  });

  test("bytes that are no UTF-8, lines over the limit, labels that are not there", async () => {
    const latin1 = Uint8Array.of(91, 49, 93, 10, 91, 34, 0xe9, 34, 93);
    expect((await failure(readPoints(latin1, { encoding: "utf-8" }))).message).toContain(
      "Line 2 is not valid UTF-8",
    );
    expect((await readPoints("[1]\n[123]\n", { maxRecordBytes: 5 })).points.rows).toBe(2);
    expect((await failure(readPoints(`[1]\n${"\n \r\n".repeat(500)}[1`))).message).toMatch(
      /^Line 1002 is not/,
    );
    expect((await failure(readPoints("[1]\n[1234]\n", { maxRecordBytes: 5 }))).message).toContain(
      "Line 2 is longer than 5 bytes",
    );
    expect((await failure(readPoints('[{"x":1}]', { labels: "y" }))).code).toBe("ERR_OPTION");
    expect((await readPoints('[{"x":1,"l":null},{"x":2,"l":"a"}]', { labels: "l" })).labels).toEqual([
      "",
      "a",
    ]);
    expect((await failure(readPoints("[1]", { labels: 0 }))).message).toContain(
      "no column of numbers besides the labels",
    );
  });
});

describe("JSON documents", () => {
  test("rows of numbers, rows of named numbers, and the form that the writer gives", async () => {
    expect(Array.from((await readPoints("\uFEFF [[1,2],\n[3,4]]")).points.data)).toEqual([1, 2, 3, 4]);
    const named = await readPoints('[{"x":1,"l":"a"},{"l":"b","x":2}]', { labels: "l" });
    expect([named.columns, named.labels, Array.from(named.points.data)]).toEqual([["x"], ["a", "b"], [1, 2]]);
    const text = [
      ...writeJson(
        [
          [1, -0],
          [3, 4e-7],
        ],
        { columns: ["x", "y"], labels: ["a", 2] },
      ),
    ].join("");
    expect(text).toBe('{"columns":["x","y"],"labels":["a",2],"data":[\n[1,-0],\n[3,4e-7]\n]}\n');
    const table = await readPoints(text);
    expect([table.columns, table.labels]).toEqual([
      ["x", "y"],
      ["a", "2"],
    ]);
    expect(Object.is(table.points.data[1], -0)).toBe(true);
    expect((await readTable(text)).labels).toBe(2);
    expect((await readPoints('{"columns":["x","l"],"data":[[1,"a"]]}', { labels: "l" })).labels).toEqual([
      "a",
    ]);
    const unnamed = await readPoints('{"labels":["a","b"],"data":[[1,2],[3,4]]}');
    expect([unnamed.columns, unnamed.labels]).toEqual([
      ["column 1", "column 2"],
      ["a", "b"],
    ]);
  });

  test("a number as text is a number, a row of nothing is a row", async () => {
    expect([...(await readPoints('[[1],["2"]]')).points.data]).toEqual([1, 2]);
    expect((await readTable("[[1],[null],[3]]")).rows).toBe(3);
  });

  test.each([
    ["broken", "[[1,2]", "ERR_PARSE", "The input is not valid JSON: "],
    ["broken in a later line", "[\n[1,2],\n[3,\n]", "ERR_PARSE", "The input is not valid JSON: "],
    ["a number", "5", "ERR_PARSE", "The JSON document is one value."],
    ["one object", '{"x":null}', "ERR_PARSE", "The JSON document is one object."],
    [
      "too few names",
      '{"columns":["x"],"data":[[1],[1,2]]}',
      "ERR_PARSE",
      "has 2 entries in row 2, and names for 1.",
    ],
    ["too few labels", '{"labels":["a"],"data":[[1],[2]]}', "ERR_PARSE", "has 1 labels for 2 rows"],
    ["a null cell", "[[1],[null]]", "ERR_NON_FINITE", '"column 1" has no value in 1 row (row 2)'],
    ["what Python writes", "[[1],[NaN]]", "ERR_NON_FINITE", '"column 1" has no value in 1 row (row 2)'],
    ["no rows", "[]", "ERR_PARSE", "has no rows"],
    ["no columns", "[[],[]]", "ERR_PARSE", "has no columns"],
  ])("%s is refused", async (_, input, code, sentence) => {
    const error = await failure(readPoints(encoded(input), { format: "json" }));
    expect(error.code).toBe(code);
    expect(error.message).toContain(sentence);
  });

  test("the writer refuses what it could not write truthfully", () => {
    expect(() => writeJson([[Number.POSITIVE_INFINITY]])).toThrowError(/Infinity at row 0, column 0/);
    expect(() => writeJson([[1]], { columns: [] })).toThrowError(
      /columns must have one entry per column: 1; received 0/,
    );
  });
});
