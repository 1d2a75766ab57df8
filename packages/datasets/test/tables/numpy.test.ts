import { gunzipSync } from "node:zlib";
import { readNpy, readTable } from "@curvature/datasets";
import { expect, test } from "vitest";
import { failure } from "../formats/support.js";
import packed from "./numpy-files.json" with { type: "json" };
import { readColumns } from "./support.js";

// numpy-files.py wrote them, and says what is in them
const file = (name: keyof typeof packed): Uint8Array =>
  Uint8Array.from(gunzipSync(Buffer.from(packed[name], "base64")));

const X = [
  ["column 1", "number", 0, 0.5, 1],
  ["column 2", "number", 0.25, 0.75, 1.25],
];
const D = [
  ["column 1", "number", 0, 0, 2],
  ["column 2", "number", 1.5, 0, 0],
  ["column 3", "number", 0, 0, -3],
];
const record = [
  ["site", "word", "north", "süd", null],
  ["x", "number", 1.5, null, -2.25],
  ["ok", "boolean", "true", "false", "true"],
  ["n", "number", -3, 7, 0],
  ["v.0", "number", 1, 3, 5],
  ["v.1", "number", 2, 4, 6],
];

test.each<[keyof typeof packed, readonly unknown[]]>([
  ["record", record],
  ["one of records", record],
  [
    "aligned",
    [
      ["a", "number", 1, -2],
      ["b", "number", 0.5, 0.25],
      ["c", "word", "xy", "z"],
    ],
  ],
  ["version 3", [["łódź", "number", 1, 2]]],
  ["words", [["column 1", "word", "ab", "c", "NA"]]],
  [
    "words by columns",
    [
      ["column 1", "word", "a", "c", "e"],
      ["column 2", "word", "b", "d", "f"],
    ],
  ],
  [
    "nan",
    [
      ["column 1", "number", 1, Number.POSITIVE_INFINITY],
      ["column 2", "number", null, 4],
    ],
  ],
  [
    "half",
    [
      ["column 1", "number", 1.5, -0.25],
      ["column 2", "number", null, 65504],
    ],
  ],
  ["X y", [...X, ["y", "number", 0, 1, 1]]],
  ["y X, deflated, words", [...X, ["y", "word", "a", "b", "a"]]],
  ["one", X],
  ["csr", D],
  ["csc", D],
  ["coo", D],
  ["csr array", D],
  [
    "no entry",
    [
      ["column 1", "number", 0, 0],
      ["column 2", "number", 0, 0],
    ],
  ],
  [
    "twice",
    [
      ["column 1", "number", 0, 4],
      ["column 2", "number", 3, 0],
    ],
  ],
])("%s", async (name, columns) => {
  expect(await readColumns(file(name))).toEqual(columns);
});

test("a missing value is one in tables, and refused as a matrix", async () => {
  expect((await readTable(file("nan"))).columns.map(({ missing }) => missing)).toEqual([0, 1]);
  expect((await failure(readNpy(file("nan")))).code).toBe("ERR_NON_FINITE");
});

test.each<[keyof typeof packed, ...string[]]>([
  ["object", 'the type "|O"', "np.load('file.npy', allow_pickle=True)"],
  ["complex", 'the type "<c16"', "np.column_stack([a.real, a.imag])"],
  ["datetime", 'the type "<M8[D]"', "astype('datetime64[s]')"],
  ["complex field", 'the type "<c16" in the field "z"'],
  ["nested", 'in the field "p"'],
  ["several", '"train" (3 x 2), "test" (3 x 2), "note" (one value)', "np.load('file.npz')[\"train\"]"],
  ["another length", '"X" (3 x 2), "y" (2)'],
  ["objects in it", 'Array "y" of the npz file: The npy array has the type "|O"'],
  ["bsr", 'stored as "bsr"', ".tocsr()"],
  ["two of a name", 'two members of the name "a.npy"'],
  ["a folder", 'a folder in its member "../b.npy"'],
  ["another file", 'the member "b.txt", which is no array'],
  ["bzip2", 'compressed by method 12, the member "a.npy"'],
  ["bomb", 'cannot be expanded at its member "a.npy"'],
])("%s: refused", async (name, ...sentences) => {
  const error = await failure(readTable(file(name)));
  expect(error.code).toBe("ERR_PARSE");
  for (const sentence of sentences) expect(error.message).toContain(sentence);
});

/** Where the directory of the archive begins, as its end says. */
const directoryOf = (bytes: Uint8Array): number =>
  new DataView(bytes.buffer).getUint32(bytes.length - 6, true);

test("damaged archives are refused", async () => {
  const good = file("y X, deflated, words");
  const at = directoryOf(good);
  const changed = (offset: number, byte: number): Uint8Array => good.with(offset, byte);
  const damages: [string, Uint8Array][] = [
    ["its directory is missing", good.subarray(0, -1)],
    ["its directory is missing", good.subarray(0, at)],
    ["its directory is missing", Uint8Array.of(...good, 0)],
    ['the encrypted member "y.npy"', changed(at + 8, 1)],
    ['wrong sizes for its member "y.npy"', changed(at + 22, 1)],
    ["expands to more than it says", changed(at + 24, good[at + 24] - 1)],
    ["cannot be expanded", changed(at + 24, good[at + 24] + 1)],
    ["cannot be expanded", changed(at + 16, good[at + 16] ^ 1)], // the checksum
    ['no header for its member "y.npy"', changed(at + 42, 1)],
    ["more than 4 GiB", changed(at + 24, 255).fill(255, at + 24, at + 28)],
    ["larger than 4 GiB", good.slice().fill(255, good.length - 6, good.length - 2)],
    ["a damaged directory", changed(good.length - 12, 3).with(good.length - 14, 3)],
    ["no directory where its end says", changed(good.length - 10, good[good.length - 10] ^ 1)],
  ];
  for (const [sentence, bytes] of damages) {
    const error = await failure(readTable(bytes));
    expect(error.code).toBe("ERR_PARSE");
    expect(error.message).toContain(sentence);
  }
});

test("an archive whose members lie one over the other is refused", async () => {
  const good = file("X y");
  const first = directoryOf(good);
  const second = first + 46 + 5; // and no extra field
  const header = new DataView(good.buffer).getUint32(first + 42, true);
  const overlapping = good.slice();
  new DataView(overlapping.buffer).setUint32(second + 42, header, true);
  expect((await failure(readTable(overlapping))).message).toContain('no header for its member "y.npy"');
});

test("indices and pointers of a sparse matrix are checked", async () => {
  const good = file("coo"); // stored, so its numbers stand as they are
  const change = (name: string, write: (view: DataView, at: number) => void): Uint8Array => {
    const bytes = good.slice();
    const at = Buffer.from(bytes).indexOf(`${name}.npy`);
    const magic = Buffer.from(bytes).indexOf("\x93NUMPY", at, "latin1");
    const view = new DataView(bytes.buffer);
    write(view, magic + 10 + view.getUint16(magic + 8, true));
    return bytes;
  };
  const bad = change("row", (view, at) => view.setInt32(at, 3, true));
  expect((await failure(readTable(bad))).message).toContain('an index in "row" that is not below 3');
  const negative = change("col", (view, at) => view.setInt32(at, -1, true));
  expect((await failure(readTable(negative))).message).toContain('an index in "col"');
  const huge = change("shape", (view, at) => view.setInt32(at + 4, 1, true));
  expect((await failure(readTable(huge))).message).toMatch(/more than \d+ numbers.*load_npz/);
});

test("an archive is held to maxBytes , too", async () => {
  const error = await failure(readTable(file("bomb"), { maxBytes: 100_000 }));
  expect(error.message).toContain("holds more than 100000 bytes (maxBytes)");
});
