import { CurvatureError, checkFinite, type MatrixLike, toDense, zeros } from "@curvature/linalg";
import fc from "fast-check";
import { expect, test } from "vitest";

/** What is no matrix by its type, as it may come from JavaScript. */
const untyped = (value: unknown): MatrixLike => value as MatrixLike;

const codeOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof CurvatureError) return error.code;
    throw error;
  }
  return "none";
};

test("rows, a shape, float32 and ml-matrix's form give the same matrix", () => {
  const expected = { rows: 2, columns: 3, data: Float64Array.of(1, 2, 3, 4, 5, 6) };
  const flat = [1, 2, 3, 4, 5, 6];
  expect(
    toDense([
      [1, 2, 3],
      [4, 5, 6],
    ]),
  ).toEqual(expected);
  expect(toDense([Float32Array.of(1, 2, 3), [4, 5, 6]])).toEqual(expected);
  expect(toDense({ rows: 2, columns: 3, data: flat })).toEqual(expected);
  expect(toDense({ rows: 2, columns: 3, data: Float32Array.from(flat) })).toEqual(expected);
  expect(toDense({ rows: 2, columns: 3, get: (i, j) => 3 * i + j + 1 })).toEqual(expected);
});

test("a typed array of doubles with a shape is not copied", () => {
  const data = Float64Array.of(1, 2);
  expect(toDense({ rows: 1, columns: 2, data }).data).toBe(data);
});

test("nothing is a matrix of nothing", () => {
  expect(toDense([])).toEqual(zeros(0, 0));
  expect(toDense([[], []])).toEqual(zeros(2, 0));
  expect(toDense({ rows: 0, columns: 5, data: [] })).toEqual(zeros(0, 5));
});

test("ragged rows are named with their lengths", () => {
  expect(() => toDense([[1, 2], [3]], "points")).toThrowError(
    "points is ragged: row 1 has 1 entries, row 0 has 2. Give every row the same length.",
  );
});

test("NaN and infinity are named by row and column, wherever they stand and however they come", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 5 }),
      fc.nat(24),
      fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
      (rows, columns, place, bad) => {
        const at = place % (rows * columns);
        const data = new Float64Array(rows * columns).fill(1);
        data[at] = bad;
        const message = `data has ${bad} at row ${Math.floor(at / columns)}, column ${at % columns} (counted from 0)`;
        const nested = Array.from({ length: rows }, (_, i) =>
          Array.from(data.slice(i * columns, (i + 1) * columns)),
        );
        expect(() => toDense({ rows, columns, data }, "data")).toThrowError(message);
        expect(() => toDense({ rows, columns, data: Float32Array.from(data) }, "data")).toThrowError(message);
        expect(() => toDense(nested, "data")).toThrowError(message);
        expect(() => checkFinite({ rows, columns, data }, "data")).toThrowError(message);
      },
    ),
  );
});

test.each([
  ["a string", "1", '"1"'],
  ["nothing", undefined, "undefined"],
  ["null", null, "null"],
  ["a bigint", 1n, "1"],
  ["an object", { one: 1 }, "an object (Object)"],
])("%s in a cell is no number, and is named", (_, cell, shownAs) => {
  const message = `data has ${shownAs} at row 1, column 0 (counted from 0), which is not a number.`;
  expect(() => toDense(untyped([[1], [cell]]), "data")).toThrowError(message);
  expect(() => toDense(untyped({ rows: 2, columns: 1, data: [1, cell] }), "data")).toThrowError(message);
  const get = (i: number): unknown => [1, cell][i];
  expect(() => toDense(untyped({ rows: 2, columns: 1, get }), "data")).toThrowError(message);
});

test.each([
  ["null", null],
  ["nothing", undefined],
  ["a number", 3],
  ["a string", "[[1]]"],
  ["a flat typed array", Float64Array.of(1)],
  ["a flat array", [1, 2]],
  ["rows that are strings", ["12", "34"]],
  ["rows that are objects with a length", [{ length: 1, 0: 1 }]],
  ["rows that are a DataView", [new DataView(new ArrayBuffer(8))]],
  ["rows of bigints", [BigInt64Array.of(1n)]],
  ["a hole for a row", new Array(2)],
  ["a shape of no data", { rows: 1, columns: 1 }],
  ["data that are null", { rows: 1, columns: 1, data: null }],
  ["data of the wrong length", { rows: 2, columns: 2, data: [1, 2, 3] }],
  ["data with a length and no entries", { rows: 2, columns: 2, data: { length: 4 } }],
  ["a DataView for data", { rows: 1, columns: 1, data: new DataView(new ArrayBuffer(8)) }],
  ["negative sizes", { rows: -1, columns: -1, data: [1] }],
  ["fractions of rows", { rows: 0.5, columns: 2, data: [1] }],
  ["NaN rows", { rows: Number.NaN, columns: 1, data: [] }],
  ["sizes as strings", { rows: "1", columns: "1", data: [1] }],
  ["2^40 rows", { rows: 2 ** 40, columns: 1, data: [] }],
  ["2^40 rows and columns behind a getter of entries", { rows: 2 ** 40, columns: 2 ** 40, get: () => 0 }],
  ["an object without a prototype", Object.create(null)],
])("%s is refused with an error of ours", (_, input) => {
  expect(codeOf(() => toDense(untyped(input)))).toMatch(/^ERR_(SHAPE|NON_FINITE|MEMORY)$/);
});

test("2^40 rows without columns end at once", () => {
  expect(toDense({ rows: 2 ** 40, columns: 0, get: () => 0 }).data).toHaveLength(0);
});

test("the shape is read once: a getter cannot change it between check and use", () => {
  let reads = 0;
  const shifty = {
    get rows() {
      reads += 1;
      return reads;
    },
    columns: 2,
    data: Float64Array.of(1, 2),
  };
  expect(toDense(shifty)).toEqual({ rows: 1, columns: 2, data: Float64Array.of(1, 2) });
});

test("zeros of impossible sizes are errors of ours", () => {
  expect(codeOf(() => zeros(2 ** 26, 2 ** 26))).toBe("ERR_MEMORY");
  expect(codeOf(() => zeros(-1, 2))).toBe("ERR_SHAPE");
  expect(codeOf(() => zeros(1.5, 2))).toBe("ERR_SHAPE");
  expect(codeOf(() => zeros(Number.NaN, 2))).toBe("ERR_SHAPE");
});
