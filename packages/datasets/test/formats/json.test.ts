import { readJson, readJsonLines, writeJson } from "@curvature/datasets";
import { describe, expect, test } from "vitest";
import { encoded, failure } from "./support.js";

describe("JSON Lines", () => {
  test("rows are arrays or flat objects whose keys may change their order", async () => {
    const arrays = await readJsonLines("[1,2]\n\n[3,4]");
    expect([arrays.columns, Array.from(arrays.points.data)]).toEqual([
      ["column 1", "column 2"],
      [1, 2, 3, 4],
    ]);
    const objects = await readJsonLines('{"x":1,"kind":"a","y":2}\r\n{"kind":7,"y":4,"x":3}\r\n', {
      labels: "kind",
    });
    expect([objects.columns, Array.from(objects.points.data)]).toEqual([
      ["x", "y"],
      [1, 2, 3, 4],
    ]);
    expect(objects.labels).toEqual(["a", "7"]);
    expect((await readJsonLines('["a",1]\n[true,2]', { labels: 0 })).labels).toEqual(["a", "true"]);
  });

  test("names from Object.prototype are names like any other", async () => {
    const line = '{"__proto__":1,"constructor":2,"toString":3}\n';
    const table = await readJsonLines(line + line);
    expect(table.columns).toEqual(["__proto__", "constructor", "toString"]);
    expect(Array.from(table.points.data)).toEqual([1, 2, 3, 1, 2, 3]);
    expect((await failure(readJsonLines(`{"x":1}\n{"toString":1}`))).message).toContain('the key "toString"');
    expect((await failure(readJsonLines(`${line}{"constructor":2,"__proto__":1}`))).message).toContain(
      'lacks the key "toString"',
    );
  });

  test.each([
    ["nothing", "\n \n", "ERR_PARSE", "has no rows"],
    ["broken JSON", "[1]\n\n[2", "ERR_PARSE", "Line 3 is not valid JSON: "],
    ["a number", "[1]\n2", "ERR_PARSE", "Line 2 is 2."],
    ["null", "null", "ERR_PARSE", "Line 1 is null."],
    ["another length", "[1]\n[2,3]", "ERR_PARSE", "Line 2 has 2 entries where 1 are expected."],
    ["another form", '[1]\n{"x":1}', "ERR_PARSE", "Line 2 is an object, the rows before it are arrays."],
    ["the other form", '{"x":1}\n[1]', "ERR_PARSE", "Line 2 is an array, the rows before it are objects."],
    ["an unknown key", '{"height":1}\n{"hight":1}', "ERR_PARSE", 'Did you mean "height"?'],
    ["a missing key", '{"x":1,"y":2}\n{"x":1}', "ERR_PARSE", 'Line 2 lacks the key "y".'],
    ["a number as text", '[1]\n["2"]', "ERR_PARSE", 'Line 2, column 1, is "2", which is not a number.'],
    ["a null cell", '{"x":null}', "ERR_NON_FINITE", 'Line 1, "x", is null'],
    ["overflow", "[1]\n[1e999]", "ERR_NON_FINITE", "Line 2, column 1, is a number beyond"],
    ["nesting", '{"x":{"y":1}}', "ERR_PARSE", 'Line 1, "x", is an object'],
    ["deep nesting", "[".repeat(1e5) + "]".repeat(1e5), "ERR_PARSE", "Line 1"],
  ])("%s is refused with its line", async (_, input, code, sentence) => {
    const error = await failure(readJsonLines(input));
    expect(error.code).toBe(code);
    expect(error.message).toContain(sentence);
  });

  test("bytes that are no UTF-8, lines over the limit, labels that are not there", async () => {
    expect((await failure(readJsonLines(Uint8Array.of(91, 49, 93, 10, 34, 0xe9, 34)))).message).toContain(
      "Line 2 is not valid UTF-8",
    );
    expect((await readJsonLines("[1]\n[123]\n", { maxRecordBytes: 5 })).points.rows).toBe(2);
    expect((await failure(readJsonLines(`${"\n \r\n".repeat(500)}[1`))).message).toMatch(/^Line 1001 is not/);
    expect((await failure(readJsonLines("[1]\n[1234]\n", { maxRecordBytes: 5 }))).message).toContain(
      "Line 2 is longer than 5 bytes",
    );
    expect((await failure(readJsonLines('{"x":1}', { labels: "y" }))).code).toBe("ERR_OPTION");
    expect((await failure(readJsonLines('{"x":1,"l":null}', { labels: "l" }))).message).toContain(
      "Labels are strings",
    );
    expect((await failure(readJsonLines("[1]", { labels: 0 }))).message).toContain(
      "no column besides the labels",
    );
  });
});

describe("JSON documents", () => {
  test("rows of numbers, rows of named numbers, and the form that the writer gives", async () => {
    expect(Array.from((await readJson("\uFEFF [[1,2],\n[3,4]]")).points.data)).toEqual([1, 2, 3, 4]);
    const named = await readJson('[{"x":1,"l":"a"},{"l":"b","x":2}]', { labels: "l" });
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
    const table = await readJson(text);
    expect([table.columns, table.labels]).toEqual([
      ["x", "y"],
      ["a", "2"],
    ]);
    expect(Object.is(table.points.data[1], -0)).toBe(true);
    expect((await readJson('{"columns":["x","l"],"data":[[1,"a"]]}', { labels: "l" })).labels).toEqual(["a"]);
  });

  test.each([
    ["broken", "[[1,2]", "ERR_PARSE", "The input is not valid JSON: "],
    ["a number", "5", "ERR_PARSE", "The JSON document is 5."],
    ["no data", '{"columns":["x"]}', "ERR_PARSE", "no array of rows as its data"],
    ["an unknown key", '{"data":[[1]],"index":[0]}', "ERR_PARSE", 'the key "index"'],
    [
      "names that are no strings",
      '{"columns":[1],"data":[[1]]}',
      "ERR_PARSE",
      "column names that are not strings",
    ],
    [
      "too few names",
      '{"columns":["x"],"data":[[1,2]]}',
      "ERR_PARSE",
      "Row 0 has 2 entries where 1 are expected.",
    ],
    [
      "too few labels",
      '{"labels":["a"],"data":[[1],[2]]}',
      "ERR_SHAPE",
      "labels must have one entry per row: 2; received 1",
    ],
    ["labels that are no list", '{"labels":"a","data":[[1]]}', "ERR_PARSE", 'has "a" as its labels'],
    ["a null cell", "[[1],[null]]", "ERR_NON_FINITE", "Row 1, column 1, is null"],
    ["what Python writes", "[[1,NaN]]", "ERR_PARSE", "Unexpected token"],
    [
      "names twice",
      '{"columns":["y"],"data":[{"x":1}]}',
      "ERR_PARSE",
      "Row 0 names its columns itself. Leave columns out",
    ],
    ["no rows", "[]", "ERR_PARSE", "has no rows"],
    ["no columns", "[[],[]]", "ERR_PARSE", "no column"],
  ])("%s is refused", async (_, input, code, sentence) => {
    const error = await failure(readJson(input));
    expect(error.code).toBe(code);
    expect(error.message).toContain(sentence);
  });

  test("a label column besides the document's own labels is refused", async () => {
    const error = await failure(readJson(encoded('{"labels":["a"],"data":[[1,2]]}'), { labels: 0 }));
    expect(error.message).toContain("has labels of its own");
  });

  test("the writer refuses what it could not write truthfully", () => {
    expect(() => writeJson([[Number.POSITIVE_INFINITY]])).toThrowError(/Infinity at row 0, column 0/);
    expect(() => writeJson([[1]], { columns: [] })).toThrowError(
      /columns must have one entry per column: 1; received 0/,
    );
  });
});
