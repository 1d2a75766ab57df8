/** What strangers' files hold: a refusal that says what, where and what to do, in little time; or the table as it is. */
import { gzipSync, zstdCompressSync } from "node:zlib";
import { readTable } from "@curvature/datasets";
import { describe, expect, test } from "vitest";
import { failure } from "../formats/support.js";
import { lines, read } from "./support.js";

const zstd = (text: string | Uint8Array): Uint8Array => zstdCompressSync(text);
const vectors = Array.from({ length: 12 }, (_, i) => `w${i} ${i} 0.5 -1e-3`);

/** A header, and nothing after it. */
const npyOfTexts = (shape: string): Uint8Array => {
  const header = `${`{'descr': '<U2', 'fortran_order': False, 'shape': ${shape}, }`.padEnd(117)}\n`;
  return Uint8Array.from(Buffer.from(`\x93NUMPY\x01\0\x76\0${header}`, "latin1"));
};

describe("refused in words", () => {
  test.each<[string, string | Uint8Array, string]>([
    [
      "word2vec that counts more",
      lines("13 3", ...vectors),
      "Line 1 counts 13 vectors, and there are 12. Correct it, or cut it off.",
    ],
    ["word2vec that counts fewer", lines("11 3", ...vectors), "Line 1 counts 11 vectors, and there are 12."],
    [
      "word2vec with another length",
      lines("12 4", ...vectors),
      "Line 1 states vectors of 4 numbers, and line 2 has 3. Correct it, or leave it out with skip 1.",
    ],
    [
      "word2vec with a huge length",
      lines("12 4000000000", ...vectors),
      "Line 1 states vectors of 4000000000 numbers",
    ],
    ["word2vec cut off", lines("12 3", ...vectors).slice(0, -6), "Line 13 has 3 cells, the others have 4."],
    ["gzip in gzip", gzipSync(gzipSync("x,y\n1,2\n")), "holds another gzip file"],
    ["zstd in gzip", gzipSync(zstd("x,y\n1,2\n")), "holds a file of zstd"],
    ["gzip in zstd", zstd(gzipSync("x,y\n1,2\n")), "holds another gzip file"],
    ["more than a million columns", `${"1,".repeat(1_000_001)}1\n`.repeat(2), "more than 1000000 columns"],
    ["JSON that is nested deep", "[".repeat(200_000) + "]".repeat(200_000), "in row 1, column 1"],
    ["arrays within rows of JSON", "[[1,[2,3]],[4,[5,6]]]", "has an array or an object in row 1, column 2"],
    [
      "fewer names than columns in JSON",
      '{"columns":["a"],"data":[[1,2],[3,4]]}',
      "has 2 entries in row 1, and names for 1",
    ],
    ["one key twice in JSON", '[{"a.b":1,"a":{"b":2}}]', 'has two values for "a.b" in row 1'],
    ["texts of no columns", npyOfTexts("(1000000000000000, 0)"), "is empty (1000000000000000 x 0)"],
    ["texts of no rows", npyOfTexts("(0, 1000000)"), "is empty (0 x 1000000)"],
    ["commas alone", ",".repeat(1 << 23), "more than 1000000 columns"],
    ["NUL bytes", "x,y\n1,2\n\0\0,3\n", "NUL byte"],
  ])("%s", async (_, source, sentence) => {
    const error = await failure(readTable(source));
    expect(error.code).toBe("ERR_PARSE");
    expect(error.message).toContain(sentence);
  });

  test("bytes that are no UTF-8, however late, with the encoding that reads them", async () => {
    const early = Buffer.from(lines("x,name", "1,Köln", "2,a"), "latin1");
    expect((await read(early)).cells[0]).toEqual([1, "Köln"]);
    const late = Buffer.concat([Buffer.from(`x,name\n${"1,abc\n".repeat(60_000)}`), early.subarray(7)]);
    expect((await failure(readTable(late))).message).toContain(
      'Line 60002 is not valid UTF-8, or too long for one string. Save the text in UTF-8, or say how it is encoded, as with encoding: "windows-1252".',
    );
    const { table } = await read(late, { encoding: "windows-1252" });
    expect(table.columns[1].levels).toContain("Köln");
    expect((await failure(readTable(early, { encoding: "utf-8" }))).message).toContain("not valid UTF-8");
    const json = Buffer.concat([
      Buffer.from(`[{"a":"${"x".repeat(300_000)}"},{"a":"`),
      Buffer.from([0xe4, 34, 125, 93]),
    ]);
    expect((await failure(readTable(json))).message).toContain("not valid UTF-8");
  });

  test("lines of 64 MiB", { tags: ["full"] }, async () => {
    const long = "3".repeat(2 ** 26 + 10);
    for (const text of [`x,y\n1,2\n${long},4\n`, `x,y\n1,2\n"${"a,b\n".repeat(2 ** 24)},4\n`])
      expect((await failure(readTable(text))).message).toContain(
        "The record that begins on line 3 is longer than 67108864 bytes",
      );
    expect((await failure(readTable(`${"a".repeat(2 ** 24)}\n`))).code).toBe("ERR_PARSE");
    expect((await failure(readTable(`x,y\n1,${long}\n`))).message).toContain("hold no whole row");
  });

  test("a bomb", { tags: ["full"] }, async () => {
    for (const bomb of [
      gzipSync(new Uint8Array(1e8)),
      zstd(new Uint8Array(1e8)),
      gzipSync("1,2\n".repeat(5e7)),
    ])
      expect((await failure(readTable(bomb))).code).toBe("ERR_PARSE");
  });
});

describe("read as it is", () => {
  test("names that objects have of their own", async () => {
    const { names, cells } = await read(
      lines("__proto__,constructor,x", "__proto__,1,toString", "b,2,constructor"),
    );
    expect(names).toEqual(["__proto__", "constructor", "x"]);
    expect(cells).toEqual([
      ["__proto__", 1, "toString"],
      ["b", 2, "constructor"],
    ]);
    expect((await read('[{"__proto__":1,"a":2},{"__proto__":3,"a":4}]')).names).toEqual(["__proto__", "a"]);
  });

  test("whole numbers of JSON that float64 does not hold stay as they are written", async () => {
    const rows = ["789", "788", "787"].map(
      (end) => `{"id":1234567890123456${end},"t":"12345678901234567,\\"","v":0.1234567890123456789}`,
    );
    for (const text of [lines(...rows), `[${rows.join()}]`])
      expect((await read(text)).cells).toEqual(
        ["789", "788", "787"].map((end) => [
          `1234567890123456${end}`,
          '12345678901234567,"',
          0.12345678901234568,
        ]),
      );
  });

  test("names that come again, beside one that looks as if it did", async () => {
    const { names } = await read(lines("x,x,x,x.1,y,y", "1,2,3,4,5,6", "5,6,7,8,9,1"));
    expect(names).toEqual(["x", "x.2", "x.3", "x.1", "y", "y.1"]);
    expect(new Set(names).size).toBe(6);
  });

  test("a hundred thousand columns, with names and without", async () => {
    const row = (of: (j: number) => string): string =>
      Array.from({ length: 100_000 }, (_, j) => of(j)).join(",");
    const rows = [1, 2, 3].map((i) => row((j) => String(((i * j) % 7) + 0.5)));
    const named = await readTable(
      lines(
        row((j) => `c${j}`),
        ...rows,
      ),
    );
    expect([named.rows, named.columns.length, named.columns[99_999].name]).toEqual([3, 100_000, "c99999"]);
    const plain = await readTable(lines(...rows));
    expect([plain.rows, plain.columns.length]).toEqual([3, 100_000]);
  });
});
