import { readNpy, writeNpy } from "@curvature/datasets";
import { expect, test } from "vitest";
import { failure } from "./support.js";

/** A file as NumPy 2.4 writes it: the header padded so that the data begin at 128. */
function file(dictionary: string, data: string, version: 1 | 2 | 3 = 1): Uint8Array {
  const lead = version === 1 ? [version, 0, 118, 0] : [version, 0, 116, 0, 0, 0];
  const header = `${dictionary.padEnd(127 - 6 - lead.length)}\n`;
  const bytes = [0x93, ..."NUMPY"].map((mark) => (typeof mark === "string" ? mark.charCodeAt(0) : mark));
  return Uint8Array.of(...bytes, ...lead, ...Uint8Array.from(header, (c) => c.charCodeAt(0)), ...hex(data));
}
const hex = (digits: string): number[] =>
  (digits.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
const dictionary = (descr: string, fortran: "True" | "False", shape: string): string =>
  `{'descr': '${descr}', 'fortran_order': ${fortran}, 'shape': ${shape}, }`;

// the data parts below are what numpy.lib.format.write_array wrote
const f8 = "0000000000000000000000000000d03f000000000000e03f000000000000e83f000000000000f03f000000000000f43f";
const i8 = "fdfffffffffffffffeffffffffffffffffffffffffffffff000000000000000001000000000000000200000000000000";

test.each([
  ["float64", file(dictionary("<f8", "False", "(2, 3)"), f8), [2, 3], [0, 0.25, 0.5, 0.75, 1, 1.25]],
  [
    "big-endian float32 by columns",
    file(dictionary(">f4", "True", "(2, 3)"), "000000003f4000003e8000003f8000003f0000003fa00000"),
    [2, 3],
    [0, 0.25, 0.5, 0.75, 1, 1.25],
  ],
  ["one dimension of uint16", file(dictionary("<u2", "False", "(2,)"), "0100ffff"), [2, 1], [1, 65535]],
  ["int64, version 2", file(dictionary("<i8", "False", "(2, 3)"), i8, 2), [2, 3], [-3, -2, -1, 0, 1, 2]],
  [
    "bool, version 3",
    file(dictionary("|b1", "False", "(2, 3)"), "010001000100", 3),
    [2, 3],
    [1, 0, 1, 0, 1, 0],
  ],
  ["int8", file(dictionary("|i1", "False", "(1, 2)"), "ff7f"), [1, 2], [-1, 127]],
  ["uint8", file(dictionary("|u1", "False", "(1, 2)"), "ff7f"), [1, 2], [255, 127]],
  ["big-endian int16", file(dictionary(">i2", "False", "(1, 2)"), "fffe0102"), [1, 2], [-2, 258]],
  ["int32", file(dictionary("<i4", "False", "(1, 1)"), "feffffff"), [1, 1], [-2]],
  ["uint32", file(dictionary("<u4", "False", "(1, 1)"), "feffffff"), [1, 1], [4294967294]],
  // 0x3c00 is 1, 0x0001 the least, 0x7bff the greatest, 0xc000 is -2 (IEEE 754, and numpy.float16)
  [
    "float16",
    file(dictionary("<f2", "False", "(1, 4)"), "003c0100ff7b00c0"),
    [1, 4],
    [1, 2 ** -24, 65504, -2],
  ],
  [
    "big-endian float16",
    file(dictionary(">f2", "False", "(1, 2)"), "35558000"),
    [1, 2],
    [0.333251953125, -0],
  ],
  ["big-endian uint64", file(dictionary(">u8", "False", "(1, 1)"), "0020000000000000"), [1, 1], [2 ** 53]],
])("%s", async (_, bytes, [rows, columns], values) => {
  const { points } = await readNpy(bytes);
  expect(points).toEqual({ rows, columns, data: Float64Array.from(values) });
});

test.each([
  ["nothing", new Uint8Array(0), "does not begin as an npy file does"],
  ["text", new TextEncoder().encode("1,2\n"), "does not begin as an npy file does"],
  ["version 4", file("", "").with(6, 4), "version 4"],
  ["a header cut off", file("", "").slice(0, 40), "ends inside its header"],
  [
    "data cut off",
    file(dictionary("<f8", "False", "(2, 3)"), f8).slice(0, -1),
    "176 bytes in all; it has 175",
  ],
  ["data too long", file(dictionary("<f8", "False", "(2, 3)"), `${f8}00`), "176 bytes in all; it has 177"],
  [
    "a lying shape",
    file(dictionary("<f8", "False", "(9007199254740991, 9007199254740991)"), f8),
    "bytes in all",
  ],
  ["no rows", file(dictionary("<f8", "False", "(0, 3)"), ""), "empty (0 x 3)"],
  ["no dimension", file(dictionary("<f8", "False", "()"), "0000000000000000"), "0 dimensions"],
  ["three dimensions", file(dictionary("<f8", "False", "(1, 1, 1)"), "0000000000000000"), "3 dimensions"],
  ["objects", file(dictionary("|O", "False", "(1, 1)"), "00"), 'the type "|O"'],
  ["complex numbers", file(dictionary("<c16", "False", "(1, 1)"), f8), 'the type "<c16"'],
  ["strings", file(dictionary("<U3", "False", "(1, 1)"), f8.slice(0, 24)), "holds texts"],
  ["strings without letters", file(dictionary("<U0", "False", "(1, 1)"), ""), 'the type "<U0"'],
  ["no byte order", file(dictionary("|f8", "False", "(1, 1)"), f8), 'the type "|f8"'],
  [
    "records",
    file("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", "00000000"),
    "holds records",
  ],
  [
    "an expression",
    file("{'descr': '<f8', 'fortran_order': False, 'shape': (1+1, 3), }", f8),
    "at character 52",
  ],
  ["a key twice", file("{'descr': '<f8', 'descr': '<f8', 'shape': (2, 3), }", f8), "at character 24"],
  [
    "a missing key",
    file("{'descr': '<f8', 'shape': (2, 3), }", f8),
    "must have descr, fortran_order and shape",
  ],
  ["a wrong value", file("{'descr': True, 'fortran_order': False, 'shape': (2, 3), }", f8), "the type true"],
  [
    "text after the header",
    file("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), } x", f8),
    "at character",
  ],
  ["a negative size", file(dictionary("<f8", "False", "(-2, 3)"), f8), "at character"],
  [
    "an integer beyond float64",
    file(dictionary("<i8", "False", "(1, 1)"), "0100000000002000"),
    "9007199254740993",
  ],
])("%s is refused", async (_, bytes, sentence) => {
  const error = await failure(readNpy(bytes));
  expect(error.code).toBe("ERR_PARSE");
  expect(error.message).toContain(sentence);
});

test("NaN and infinities are named by row and column", async () => {
  const bytes = file(
    dictionary("<f8", "True", "(2, 2)"),
    `${f8.slice(0, 32)}000000000000f87f${f8.slice(0, 16)}`,
  );
  const error = await failure(readNpy(bytes));
  expect([error.code, error.path]).toEqual(["ERR_NON_FINITE", "row 0, column 1"]);
});

test("the writer's bytes are those of numpy.save", () => {
  const expected = file(dictionary("<f8", "False", "(2, 3)"), f8);
  expect(writeNpy({ rows: 2, columns: 3, data: Float64Array.of(0, 0.25, 0.5, 0.75, 1, 1.25) })).toEqual(
    expected,
  );
});

test("more than a million columns are refused, whatever the file's size", async () => {
  const header = file(dictionary("|u1", "False", "(1, 1000001)"), "");
  const bytes = new Uint8Array(header.length + 1_000_001);
  bytes.set(header);
  expect((await failure(readNpy(bytes))).message).toContain("The input has more than 1000000 columns.");
});
