import { gunzipSync } from "node:zlib";
import { readTable } from "@curvature/datasets";
import { afterEach, expect, test, vi } from "vitest";
import { failure } from "../formats/support.js";
import packed from "./arrow-files.json" with { type: "json" };
import { readColumns } from "./support.js";

// arrow-files.py wrote them with pyarrow, and says what is in them
const file = (name: string): Uint8Array => {
  const content = Object.entries(packed).find(([each]) => each === name)?.[1] ?? "";
  return Uint8Array.from(gunzipSync(Buffer.from(content, "base64")));
};

const columns = [
  ["__index_level_0__", "index", 10, 11, 12, 13, 14],
  ["x", "number", 1.5, null, null, -0.25, Number.POSITIVE_INFINITY],
  ["f", "number", 1, 2.5, 3, 4, 5],
  ["half", "number", 1, 2.5, 3, 4, 5],
  ["byte", "number", 200, 1, 2, 3, 0],
  ["n", "number", 5, 5, 7, 7, -9007199254740991],
  ["big", "id", "9007199254740993", "1", null, "3", "-9007199254740993"],
  ["unsigned", "id", "9223372036854775809", "1", "2", "3", "4"],
  ["ok", "boolean", "true", "false", null, "true", "true"],
  ["word", "word", "north", null, "süd", "north", "NA"],
  ["category", "word", "north", null, "süd", "north", "NA"],
  ["day", "date", "2024-03-01", null, "1969-12-31", "2000-01-01", "0001-01-01"],
  ["ms", "date", ...Array.from({ length: 5 }, () => "2024-03-01T12:30:00.25")],
  ["us", "date", ...Array.from({ length: 5 }, () => "2024-03-01T12:30:00.250001")],
  [
    "ns",
    "date",
    ...["2024-03-01T12:30:00.000000001", "1970-01-01T00:00:00", "1969-12-31T23:59:59.999999999", null],
    "1970-01-01T00:00:05",
  ],
  ["price", "number", 12.3, -0.05, null, 1, 7],
  ["list.0", "number", 1.5, 3, null, 5, 7],
  ["list.1", "number", 2, 4, null, null, 8],
  ["fixed.0", "number", 1, 3, 5, 7, 9],
  ["fixed.1", "number", 2, 4, 6, 8, 10],
  ["nothing", "number", null, null, null, null, null],
];

// first, since what flechette was once told to expand by stays known to it
test.each([
  ["hyparquet", "parquet snappy", "npm install hyparquet@1 hyparquet-compressors@1"],
  ["hyparquet-compressors", "parquet snappy", "npm install hyparquet@1 hyparquet-compressors@1"],
  ["@uwdata/flechette", "arrow lz4", "npm install @uwdata/flechette@2"],
  ["hyparquet-compressors", "arrow zstd", "npm install hyparquet-compressors"],
])("without %s, %s: the line that installs it", async (peer, name, line) => {
  vi.doMock(peer, () => {
    throw new Error("Cannot find package");
  });
  vi.resetModules();
  const { readTable: fresh } = await import("@curvature/datasets");
  const error: unknown = await fresh(file(name)).catch((reason: unknown) => reason);
  expect(String(error)).toContain(line);
});

// what older versions lack: of timestamps flechette gave a number, and hyparquet an error that nobody could catch
test.each([
  ["hyparquet", { parquetRead: () => undefined }, "parquet snappy", "from version 1.31.4 on"],
  ["@uwdata/flechette", { tableFromIPC: () => undefined }, "arrow lz4", "from version 2.5 on"],
])("%s that is too old: the line that installs another", async (peer, old, name, version) => {
  vi.doMock(peer, () => old);
  vi.resetModules();
  const { readTable: fresh } = await import("@curvature/datasets");
  const error: unknown = await fresh(file(name)).catch((reason: unknown) => reason);
  expect(String(error)).toContain(version);
});

afterEach(() => {
  for (const peer of ["hyparquet", "hyparquet-compressors", "@uwdata/flechette"]) vi.doUnmock(peer);
  vi.resetModules();
});

test.each(["uncompressed", "lz4", "zstd", "batches"])("Arrow, %s", async (name) => {
  expect(await readColumns(file(`arrow ${name}`))).toEqual(columns);
});

test("a stream of Arrow has no mark, and is named as the format", async () => {
  expect(await readColumns(file("arrow stream"), { format: "arrow" })).toEqual(columns);
});

// hyparquet reads no half precision that pyarrow dictionary-encodes, so that column is not there
test.each([
  "none",
  "snappy",
  "gzip",
  "brotli",
  "lz4",
  "zstd",
  "row groups",
  "pages 2.0",
  "without dictionaries",
  "deltas 1.0",
  "deltas 2.0",
])("Parquet, %s", async (name) => {
  expect(await readColumns(file(`parquet ${name}`))).toEqual(columns.filter(([column]) => column !== "half"));
});

test("blocks of LZ4 that look back into those before", async () => {
  const [[, , ...cells]] = await readColumns(file("arrow large"));
  expect(cells).toEqual(Array.from({ length: 30_000 }, (_, i) => (i * i) % 1000));
});

test("columns of numbers share one array, row by row", async () => {
  for (const name of ["arrow lz4", "parquet snappy"]) {
    const views = (await readTable(file(name))).columns.flatMap(({ numbers }) => numbers ?? []);
    expect(new Set(views.map(({ data }) => data)).size).toBe(1);
    expect(views.map(({ offset }) => offset)).toEqual(views.map((_, j) => j));
    expect(new Set(views.map(({ stride }) => stride))).toEqual(new Set([views.length]));
  }
});

test.each([
  ["struct", "neither numbers nor texts"],
  ["ragged", "lists of different lengths, as 2 and 1"],
  ["fixed bytes", "bytes"],
  ["list of words", "neither numbers nor texts"],
  ["map", "neither numbers nor texts"],
])("a column of cells that are no table's is named: %s", async (name, what) => {
  for (const format of ["arrow", "parquet"]) {
    const error = await failure(readTable(file(`${format} ${name}`)));
    expect(error.code).toBe("ERR_PARSE");
    expect(error.message).toContain(`Column "bad one" holds ${what}`);
  }
});

test("bytes are refused, but old Parquet files keep texts as bytes", async () => {
  expect((await failure(readTable(file("arrow bytes")))).message).toContain('Column "bad one" holds bytes');
  expect((await readColumns(file("parquet bytes")))[1]).toEqual(["bad one", "word", "ab", "cd"]);
  expect((await failure(readTable(file("parquet bytes of no text")))).message).toContain(
    'Column "bad one" holds bytes',
  );
});

test("two columns of one name", async () => {
  expect(await readColumns(file("arrow twice"))).toEqual([
    ["x", "number", 1, 2],
    ["x.1", "word", "a", "b"],
  ]);
  expect((await failure(readTable(file("parquet twice")))).message).toContain('two columns of the name "x"');
});

test.each(["arrow no rows", "parquet no rows"])("%s: refused", async (name) => {
  expect((await failure(readTable(file(name)))).message).toContain("no rows");
});

test.each([
  ...["arrow lz4", "arrow zstd", "arrow uncompressed"],
  ...["parquet snappy", "parquet zstd", "parquet lz4", "parquet deltas 1.0", "parquet deltas 2.0"],
])("%s, cut off and damaged: a refusal, or a table of the same shape", async (name) => {
  const good = file(name);
  const { rows } = await readTable(good);
  for (let length = 8; length < good.length; length += 97) {
    const error = await failure(readTable(good.subarray(0, length)));
    expect(error.code).toBe("ERR_PARSE");
    expect(error.message).toContain("is damaged, or written as");
  }
  for (let at = 8; at < good.length; at += 41) {
    const outcome = await readTable(good.with(at, good[at] ^ 0x55)).then(
      (table) => table.rows,
      (error: Error & { code?: string }) => {
        expect(error.message).not.toMatch(/undefined|is not a function|typed array|DataView|BigInt value/);
        return error.code;
      },
    );
    expect([rows, "ERR_PARSE", "ERR_MEMORY"]).toContain(outcome);
  }
});

test("a file whose schema stands in its footer alone, as flechette writes it", async () => {
  const { tableFromArrays, tableToIPC } = await import("@uwdata/flechette");
  const bytes = tableToIPC(tableFromArrays({ word: ["a", "b", "a"], x: [1.5, 2, null] }), { format: "file" });
  expect(await readColumns(bytes ?? new Uint8Array(0))).toEqual([
    ["word", "word", "a", "b", "a"],
    ["x", "number", 1.5, 2, null],
  ]);
});

test("decimals: right in all places, and refused with more of them than numbers have", async () => {
  const { decimal, tableFromArrays, tableToIPC } = await import("@uwdata/flechette");
  const written = (places: number, value: bigint): Uint8Array =>
    tableToIPC(tableFromArrays({ price: [value, null] }, { types: { price: decimal(76, places, 256) } }), {
      format: "file",
    }) ?? new Uint8Array();
  expect(await readColumns(written(40, 12_345n * 10n ** 38n))).toEqual([["price", "number", 123.45, null]]);
  expect(await readColumns(written(300, -5n))).toEqual([["price", "number", -5e-300, null]]);
  // 10^200000000 alone would take half a minute
  const bytes = written(123_456, 1n);
  const at = Buffer.from(bytes).lastIndexOf(Buffer.from(Int32Array.of(123_456).buffer));
  for (const places of [401, 123_456, 200_000_000]) {
    new DataView(bytes.buffer, bytes.byteOffset).setInt32(at, places, true);
    expect((await failure(readColumns(bytes))).message).toMatch(/decimals of more than 400 places/);
  }
});
