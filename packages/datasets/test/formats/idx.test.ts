import { readIdx, readIdxLabels } from "@curvature/datasets";
import { expect, test } from "vitest";
import { failure } from "./support.js";

test("images become rows, labels become texts", async () => {
  const images = Uint8Array.of(
    0,
    0,
    8,
    3,
    0,
    0,
    0,
    2,
    0,
    0,
    0,
    2,
    0,
    0,
    0,
    3,
    1,
    2,
    3,
    4,
    5,
    6,
    251,
    252,
    253,
    254,
    255,
    0,
  );
  const { points } = await readIdx(images);
  expect([points.rows, points.columns]).toEqual([2, 6]);
  expect(Array.from(points.data)).toEqual([1, 2, 3, 4, 5, 6, 251, 252, 253, 254, 255, 0]);
  expect(await readIdxLabels(Uint8Array.of(0, 0, 8, 1, 0, 0, 0, 3, 7, 0, 9))).toEqual(["7", "0", "9"]);
});

test.each([
  ["signed bytes", 9, [0xff, 0x7f], [-1, 127]],
  ["int16", 11, [0xff, 0xfe, 0x01, 0x02], [-2, 258]],
  ["int32", 12, [0xff, 0xff, 0xff, 0xfe, 0, 1, 0, 0], [-2, 65536]],
  ["float32", 13, [0x3f, 0x40, 0, 0, 0xbf, 0x80, 0, 0], [0.75, -1]],
  ["float64", 14, [0x3f, 0xd0, 0, 0, 0, 0, 0, 0, 0xbf, 0xf0, 0, 0, 0, 0, 0, 0], [0.25, -1]],
])("%s are big-endian", async (_, type, data, values) => {
  const { points } = await readIdx(Uint8Array.of(0, 0, type, 2, 0, 0, 0, 1, 0, 0, 0, 2, ...data));
  expect(points).toEqual({ rows: 1, columns: 2, data: Float64Array.from(values) });
});

test.each([
  ["nothing", [], "does not begin as an IDX file does"],
  ["an unknown type", [0, 0, 10, 1, 0, 0, 0, 1, 5], "does not begin"],
  ["no dimension", [0, 0, 8, 0], "does not begin"],
  ["a header cut off", [0, 0, 8, 2, 0, 0, 0, 1], "ends inside its header"],
  ["data cut off", [0, 0, 8, 1, 0, 0, 0, 3, 7, 0], "11 bytes in all; it has 10"],
  ["data too long", [0, 0, 8, 1, 0, 0, 0, 1, 7, 0], "9 bytes in all; it has 10"],
  ["a lying header", [0, 0, 8, 2, 255, 255, 255, 255, 255, 255, 255, 255, 1], "bytes in all; it has 13"],
  ["nothing to hold", [0, 0, 8, 2, 0, 0, 0, 0, 0, 0, 0, 5], "empty (0 x 5)"],
])("%s is refused", async (_, bytes, sentence) => {
  const error = await failure(readIdx(Uint8Array.from(bytes)));
  expect(error.code).toBe("ERR_PARSE");
  expect(error.message).toContain(sentence);
});

test("labels have one dimension, values are finite", async () => {
  const two = Uint8Array.of(0, 0, 8, 2, 0, 0, 0, 1, 0, 0, 0, 1, 5);
  expect((await failure(readIdxLabels(two))).message).toContain("this one has 2");
  const nan = Uint8Array.of(0, 0, 13, 2, 0, 0, 0, 1, 0, 0, 0, 1, 0x7f, 0xc0, 0, 0);
  expect((await failure(readIdx(nan))).code).toBe("ERR_NON_FINITE");
});
