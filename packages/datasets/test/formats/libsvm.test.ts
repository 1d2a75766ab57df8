import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import {
  type LibsvmBatch,
  readLibsvm,
  readPoints,
  readRows,
  streamLibsvm,
  writeLibsvm,
} from "@curvature/datasets";
import { describe, expect, test } from "vitest";
import { cut, encoded, failure } from "./support.js";

type Entries = Record<number, number>;

const entriesOf = ({ rows: A }: LibsvmBatch<Float32Array> | LibsvmBatch<Float64Array>): Entries[] =>
  Array.from({ length: A.rows }, (_, i) => {
    const row: Entries = {};
    for (let p = A.rowPointers[i]; p < A.rowPointers[i + 1]; p++) row[A.columnIndices[p]] = A.values[p];
    return row;
  });

test("rows, labels and the base of the indices", async () => {
  const read = await readLibsvm("+1 1:0.5 3:-2e1\n-1\n2.5 2:7 \n");
  expect(entriesOf(read)).toEqual([{ 0: 0.5, 2: -20 }, {}, { 1: 7 }]);
  expect(read.labels).toEqual(Float64Array.of(1, -1, 2.5));
  expect(read).toMatchObject({ indexBase: 1, emptyLines: 0, warnings: [] });
  expect(read.rows.columns).toBe(3);
  expect(read.rows.values).toBeInstanceOf(Float32Array);
});

test("an index 0 anywhere makes the indices count from 0, and so does being told", async () => {
  const found = await readLibsvm("1 1:5\n1 0:7\n");
  expect(entriesOf(found)).toEqual([{ 1: 5 }, { 0: 7 }]);
  expect(found.indexBase).toBe(0);
  const stated = await readLibsvm("1 1:5\n", { indexBase: 0 });
  expect(entriesOf(stated)).toEqual([{ 1: 5 }]);
  expect((await failure(readLibsvm("1 1:5\n1 0:7\n", { indexBase: 1 }))).message).toBe(
    "Line 2 has index 0, but the indices are counted from 1. Read them with indexBase 0 if they are counted from 0.",
  );
});

test.each([
  ["CRLF", "1 1:2\r\n2 2:3\r\n"],
  ["CR", "1 1:2\r2 2:3\r"],
  ["no line end at the end", "1 1:2\n2 2:3"],
  ["a byte order mark", "\ufeff1 1:2\n2 2:3\n"],
  ["comments", "# head\n1 1:2 # 7:1 x\n2 2:3#9:9\n#tail"],
  ["blanks and tabs", "\t1\t 1:2\t\n  2   2:3  \n"],
])("%s", async (_, text) => {
  const read = await readLibsvm(text);
  expect(entriesOf(read)).toEqual([{ 0: 2 }, { 1: 3 }]);
  expect(read.warnings).toEqual([]);
  expect(entriesOf(await readLibsvm(gzipSync(text)))).toEqual(entriesOf(read));
});

test("entries of a row come in any order", async () => {
  expect(entriesOf(await readLibsvm("1 9:1 3:2 5:3\n1 2:4 1:5"))).toEqual([
    { 2: 2, 4: 3, 8: 1 },
    { 0: 5, 1: 4 },
  ]);
});

test("empty lines are skipped and counted, queries' numbers ignored; both are told once", async () => {
  const read = await readLibsvm("\n1 qid:3 1:2\n \n1 qid:4 1:3\n\r\n");
  expect(entriesOf(read)).toEqual([{ 0: 2 }, { 0: 3 }]);
  expect(read.emptyLines).toBe(3);
  expect(read.warnings).toEqual([
    "Line 1 is empty; empty lines are skipped.",
    "Line 2 has a qid; the numbers of queries are ignored.",
  ]);
});

test("labels are words if the first one is", async () => {
  expect((await readLibsvm("spam 1:1\nham 2:1\n7 1:1\n")).labels).toEqual(["spam", "ham", "7"]);
  expect((await readLibsvm("früh\n")).labels).toEqual(["früh"]);
});

const manyDigits = "0.".padEnd(40, "12345");

test.each(["0.1", "1e-3", "123456789012345678", manyDigits, "-0", "+3", "5.", ".5", "1e22", "4.9e-324"])(
  "%s is rounded as Number does it, in either precision",
  async (text) => {
    const double = await readLibsvm(`1 1:${text}\n`, { precision: "double" });
    expect(double.rows.values).toEqual(Float64Array.of(Number(text)));
    expect((await readLibsvm(`1 1:${text}\n`)).rows.values).toEqual(Float32Array.of(Number(text)));
  },
);

test.each<[string, string, string]>([
  ["1 1:1\n1 1:x\n", "ERR_PARSE", 'Line 2 has feature 1 with "x", which is not a number. Correct it.'],
  ["1 3:\n", "ERR_NON_FINITE", "Line 1 has feature 3 without a value. "],
  ["1 3:?\n", "ERR_NON_FINITE", 'Line 1 has feature 3 with "?", a missing value. '],
  ["1 3:nan\n", "ERR_NON_FINITE", 'Line 1 has feature 3 with "nan", which is not a finite number. '],
  ["1 3:-Inf\n", "ERR_NON_FINITE", "not a finite number"],
  ["1 3:1e999\n", "ERR_NON_FINITE", "not a finite number"],
  ["1 3:1e39\n", "ERR_NON_FINITE", "too large for single precision"],
  ["1 3:.\n", "ERR_PARSE", "not a number"],
  ["1 3:1:2\n", "ERR_PARSE", "not a number"],
  ["1 3:0x10\n", "ERR_PARSE", "not a number"],
  ["1 -3:1\n", "ERR_PARSE", "Line 1 has the index -3. Indices are whole numbers"],
  ["1 2147483647:1\n", "ERR_PARSE", "Line 1 has the index 2147483647, the largest possible is 2147483646."],
  ["1 99999999999999999999:1\n", "ERR_PARSE", "the largest possible"],
  ["1 1.5:1\n", "ERR_PARSE", 'Line 1 has "1.5:1" where index:value was expected.'],
  ["1 1:2 3\n", "ERR_PARSE", '"3" where index:value was expected'],
  ["1 1 : 2\n", "ERR_PARSE", '"1" where index:value was expected'],
  ["1 :2\n", "ERR_PARSE", '":2" where index:value was expected'],
  ["1,2 1:2\n", "ERR_PARSE", 'Line 1 has the label "1,2". Rows with several labels'],
  ["1 1:2\n1:2 3:4\n", "ERR_PARSE", 'Line 2 begins with "1:2", so its label is missing.'],
  ["1 1:2\nx 3:4\n", "ERR_PARSE", 'Line 2 has the label "x", but the labels before it are numbers.'],
  ["nan 1:2\n", "ERR_NON_FINITE", 'Line 1 has the label "nan", which is not a finite number.'],
  ["1\n1e999 1:2\n", "ERR_NON_FINITE", 'Line 2 has the label "1e999"'],
  ["1 2:1 2:1\n", "ERR_PARSE", "Line 1 has feature 2 twice."],
  ["1 1:1\n\n1 2:1 1:1 2:1\n", "ERR_PARSE", "Line 3 has feature 2 twice."],
  ["", "ERR_PARSE", "The input is empty."],
  ["\n# nothing\n", "ERR_PARSE", "The input is empty."],
])("%j: %s", async (text, code, sentence) => {
  for (const source of [
    text,
    cut(
      encoded(text),
      [...text].map((_, i) => i),
    ),
  ]) {
    const error = await failure(readLibsvm(source));
    expect(error.message).toContain(sentence);
    expect(error.code).toBe(code);
  }
});

test("a word of more than a mebibyte is refused, whole as well as in pieces", async () => {
  const long = `1\n1 1:${"1".repeat(3 * 2 ** 20)} `;
  for (const source of [long, cut(encoded(long), [7, 1000, 2 ** 21])]) {
    const { code, message } = await failure(readLibsvm(source));
    expect(code).toBe("ERR_PARSE");
    expect(message).toContain("Line 2 has more than 1048576 bytes without a blank.");
  }
});

test("a magnitude of 1e39 fits double precision", async () => {
  const read = await readLibsvm("1 1:-1e39\n", { precision: "double" });
  expect(read.rows.values[0]).toBe(-1e39);
});

test("UTF-16, and bytes that are no text, are refused", async () => {
  expect((await failure(readLibsvm(Buffer.from("\ufeff1 1:2\n", "utf16le")))).message).toContain("UTF-16");
  expect((await failure(readLibsvm(Uint8Array.of(0xff, 0xc0, 32, 0x31)))).message).toContain(
    "line 1 is not valid UTF-8",
  );
});

test("cut and damaged gzip", async () => {
  const whole = gzipSync("1 1:2\n".repeat(5000));
  const error = await failure(readLibsvm(whole.subarray(0, whole.length - 9)));
  expect(error.message).toContain("The gzip input is damaged or cut off");
});

test("options are checked", async () => {
  // @ts-expect-error: one of two words
  expect((await failure(readLibsvm("1", { precision: "half" }))).message).toContain('"single", "double"');
  // @ts-expect-error: 0, 1 or "auto"
  expect((await failure(readLibsvm("1", { indexBase: 2 }))).message).toContain('"auto" or 0 or 1');
  expect((await failure(readLibsvm("1 1:2\n", { maxBytes: 3 }))).message).toContain("longer than 3 bytes");
});

test("a set takes at most 1.2 times the bytes of its entries", async () => {
  const line = `1 ${Array.from({ length: 60 }, (_, j) => `${7 * j + 1}:0.${j + 10}`).join(" ")}\n`;
  const { rows, labels } = await readLibsvm(line.repeat(10_000));
  expect(rows.values.length).toBe(600_000);
  if (!(labels instanceof Float64Array)) throw new Error("the labels are numbers");
  const held = [rows.values, rows.columnIndices, rows.rowPointers, labels].map(
    ({ buffer }) => buffer.byteLength,
  );
  expect(held.reduce((sum, bytes) => sum + bytes)).toBeLessThan(1.2 * rows.values.length * (4 + 4));
});

describe("the set a9a", () => {
  const file = new URL("../../../optim-sgdqn/test/fixtures/linear/a9a.train.svm.gz", import.meta.url);

  test("is read whole, and in batches, as what it is", { tags: ["full"] }, async () => {
    const whole = await readLibsvm(readFileSync(file));
    expect([whole.rows.rows, whole.rows.columns, whole.rows.values.length]).toEqual([32_560, 122, 451_578]);
    expect(new Set([...whole.labels])).toEqual(new Set([-1, 1]));
    let rows = 0;
    for await (const batch of streamLibsvm(readFileSync(file), { batchRows: 1000 })) {
      expect(batch.rows.rows).toBe(Math.min(1000, 32_560 - rows));
      expect(entriesOf(batch)[7]).toEqual(entriesOf(whole)[rows + 7]);
      rows += batch.rows.rows;
    }
    expect(rows).toBe(32_560);
  });
});

async function allOf<T>(batches: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const batch of batches) all.push(batch);
  return all;
}

test("batches end with their rows or their bytes; columns grow", async () => {
  const text = "1 1:1\n1 2:1 5:1\n1 1:1 3:1\n1 1:1\n";
  const byRows = await allOf(streamLibsvm(text, { batchRows: 3 }));
  expect(byRows.map(({ rows }) => [rows.rows, rows.columns])).toEqual([
    [3, 5],
    [1, 5],
  ]);
  const byBytes = await allOf(streamLibsvm(text, { batchBytes: 16 }));
  expect(byBytes.map(({ rows }) => [rows.rows, rows.columns])).toEqual([
    [2, 5],
    [1, 5],
    [1, 5],
  ]);
});

test("the first batch decides from what a stream counts", async () => {
  const zeroFirst = await allOf(streamLibsvm("1 0:1\n1 1:1\n", { batchRows: 1 }));
  expect(zeroFirst.flatMap(entriesOf)).toEqual([{ 0: 1 }, { 1: 1 }]);
  const late = await failure(allOf(streamLibsvm("1 1:1\n1 0:1\n", { batchRows: 1 })));
  expect(late.message).toContain("Line 2 has index 0, but the indices are counted from 1.");
  const stated = await allOf(streamLibsvm("1 1:1\n1 0:1\n", { batchRows: 1, indexBase: 0 }));
  expect(stated.flatMap(entriesOf)).toEqual([{ 1: 1 }, { 0: 1 }]);
});

test("who leaves a stream early lets its source go", async () => {
  let isClosed = false;
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield encoded("1 1:1\n");
    } finally {
      isClosed = true;
    }
  }
  for await (const batch of streamLibsvm(endless(), { batchRows: 10 })) {
    expect(batch.rows.rows).toBe(10);
    break;
  }
  await new Promise((done) => setTimeout(done));
  expect(isClosed).toBe(true);
});

describe("the writer", () => {
  const textOf = (...given: Parameters<typeof writeLibsvm>): string =>
    Buffer.concat([...writeLibsvm(...given)]).toString();

  test("writes sparse and dense rows, numbers and words", () => {
    expect(textOf([[0.5, 0, -2]], [1])).toBe("1 1:0.5 3:-2\n");
    expect(textOf([[0.5, 0, -2]], ["x"], { indexBase: 0 })).toBe("x 0:0.5 2:-2\n");
  });

  test("writes float32 in as few digits as bring them back", async () => {
    const { rows } = await readLibsvm("1 1:0.1 2:0.3333333 3:16777217\n");
    expect(textOf(rows, [1])).toBe("1 1:0.1 2:0.3333333 3:16777216\n");
  });

  test.each<[readonly (string | number)[], RegExp]>([
    [["a b"], /the label of row 0 is "a b"; LIBSVM text takes/],
    [[""], /words without blanks/],
    [["a:b"], /words without blanks/],
    [["1,2"], /words without blanks/],
    [["#"], /words without blanks/],
    [["NaN"], /words without blanks/],
    [[Number.NaN], /finite numbers/],
    [[1, "x"], /labels must have one entry per row/],
  ])("refuses labels that could not be read back: %j", (labels, sentence) => {
    expect(() => textOf([[1]], labels)).toThrowError(sentence);
  });

  test("refuses a word behind a number", () => {
    expect(() => textOf([[1], [2]], ["3", "x"])).toThrowError(/row 1 is "x"; the first label is a number/);
  });
});

describe("among the other formats", () => {
  test.each([
    ["by its content", "1 1:2 3:4\n-1 2:5\n", undefined],
    ["by its content in a text file", "1 1:2 3:4\n-1 2:5\n", "set.txt"],
    ["by its content under a name that says nothing", "1 qid:4 1:2 3:4\n-1 2:5\n", "a9a.t"],
    ["by its name", "# a set\n1 1:2 3:4\n-1 2:5\n", "set.svm"],
  ])("it is known %s", async (_, text, name) => {
    const sparse = await readRows(text, { name });
    expect(sparse.kind).toBe("sparse");
    const { points, labels, columns } = await readPoints(text, { name });
    expect(points).toEqual({ rows: 2, columns: 3, data: Float64Array.of(2, 0, 4, 0, 5, 0) });
    expect(labels).toEqual(["1", "-1"]);
    expect(columns).toEqual(["column 1", "column 2", "column 3"]);
  });

  test("tables stay tables", async () => {
    for (const text of ["1 2 3\n4 5 6\n", "a,b\n1,2\n", "12:30,5\n12:31,6\n"]) {
      expect((await readRows(text)).kind).toBe("table");
    }
  });

  test("its labels are the first column, and what is too large is not written out", async () => {
    expect((await readPoints("1 1:2\n", { labels: 0 })).labels).toEqual(["1"]);
    const other = await readPoints("1 1:2 2:3\n", { labels: 1, ignore: [0] });
    expect([other.labels, [...other.points.data]]).toEqual([["2"], [3]]);
    expect((await failure(readPoints("1 2147483646:2\n"))).code).toBe("ERR_MEMORY");
    expect((await failure(readPoints(`${"1 900000:2\n".repeat(400)}`))).code).toBe("ERR_MEMORY");
  });
});
