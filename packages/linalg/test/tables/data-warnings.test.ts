/** Each fact is said if and only if it holds, however rows and columns are ordered, and of sparse points as of dense ones. */
import { type DenseMatrix, optionName, toDense, toSparse } from "@curvature/linalg";
import {
  type DataWarningCode,
  type DataWarningOptions,
  dataWarningCodes,
  dataWarnings,
} from "@curvature/linalg/tables";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const codes = (points: Parameters<typeof dataWarnings>[0], options?: DataWarningOptions): DataWarningCode[] =>
  dataWarningCodes.filter((code) => dataWarnings(points, options).some((warning) => warning.code === code));
const said = (points: number[][], options?: DataWarningOptions): string[] =>
  dataWarnings(toDense(points), options).map(({ message }) => message);

/** Rows of noise, from 0 to 1. */
const noise = (n: number, d: number, seed = 1): number[][] => {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return Array.from({ length: n }, () => Array.from({ length: d }, next));
};
/** The rows with this column before the others. */
const beside = (column: (i: number) => number, rows: number[][]): number[][] =>
  rows.map((row, i) => [column(i), ...row]);

test("nothing is said of noise, and of tables too small to tell", () => {
  expect(codes(toDense(noise(40, 3)))).toEqual([]);
  expect(codes(toDense(Array.from({ length: 9 }, (_, i) => [i, 7, 1000 * i])))).toEqual([]);
  expect(codes({ rows: 0, columns: 0, data: new Float64Array(0) })).toEqual([]);
  expect(codes({ rows: 12, columns: 0, data: new Float64Array(0) })).toEqual([]);
  expect(codes(toDense(noise(1, 1)))).toEqual([]);
});

test("what is odd has the columns' names, or their numbers from 0", () => {
  const rows = beside(
    (i) => i + 1,
    beside(() => 7, noise(20, 2)),
  );
  expect(said(rows)).toEqual([
    "Column 0 (counted from 0) counts the rows. Leave the column out, unless the order of the rows is meant.",
    "Column 1 (counted from 0) is the same in all rows. What never changes tells no rows apart: check that it was read as it was meant.",
  ]);
  const columns = ["id", "year", "x", "y"];
  expect(said(rows, { columns }).map((sentence) => sentence.split(". ")[0])).toEqual([
    '"id" counts the rows',
    '"year" is the same in all rows',
  ]);
});

describe("columns", () => {
  test("a column that counts the rows from 0 or 1 is found, at any place; one that misses a row or is alone is not", () => {
    const place = fc.record({ n: fc.integer({ min: 10, max: 60 }), first: fc.integer({ min: -1, max: 3 }) });
    fc.assert(
      fc.property(place, fc.nat({ max: 3 }), fc.option(fc.nat({ max: 59 })), ({ n, first }, at, wrong) => {
        const counted = noise(n, 3).map((row, i) =>
          row.toSpliced(at, 0, first + i + (i === wrong ? 0.5 : 0)),
        );
        const isOdd = (first === 0 || first === 1) && (wrong === null || wrong >= n);
        for (const points of [toDense(counted), toSparse(counted)])
          expect(codes(points, { checks: ["counting-column"] })).toEqual(isOdd ? ["counting-column"] : []);
      }),
    );
    expect(codes(toDense(Array.from({ length: 20 }, (_, i) => [i])))).toEqual([]);
  });

  test("columns that are the same in all rows are counted and up to three named, but for ones, which may be an intercept", () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
        fc.double({ noNaN: true }),
        (which, value) => {
          fc.pre(value !== 1 && Number.isFinite(value));
          const rows = noise(12, which.length).map((row) => row.map((x, j) => (which[j] ? value : x)));
          const isOdd = which.includes(true) && which.includes(false);
          for (const points of [toDense(rows), toSparse(rows)])
            expect(codes(points, { checks: ["constant-columns"] })).toEqual(
              isOdd ? ["constant-columns"] : [],
            );
        },
      ),
    );
    const rows = noise(12, 2).map((row) => [...row, 5, 5, 0, 5]);
    expect(said(rows, { columns: [..."abcdef"] })[0]).toMatch(
      /^4 columns are the same in all rows: "c", "d", "e" and others\./,
    );
    expect(codes(toDense(beside(() => 1, noise(12, 2))))).toEqual([]);
    expect(codes(toDense(noise(12, 2).map(() => [1, 5])))).toEqual([]); // all rows are
    expect(codes(toDense(noise(12, 49).map((row) => [...row, 0])))).toEqual([]);
  });

  test("a column that is a code of the class, or the target in another unit, tells it", () => {
    const kinds = Array.from({ length: 30 }, (_, i) => ["c", "a", "b"][i % 3]);
    const coded = beside((i) => [7, -1, 3][i % 3], noise(30, 3));
    const checks: DataWarningCode[] = ["leaking-columns"];
    expect(said(coded, { labels: kinds, checks, columns: ["code", "x", "y", "z"] })[0]).toMatch(
      /^"code" tells the class\. A model that sees it learns nothing else/,
    );
    expect(codes(toDense(coded), { labels: kinds.with(4, "c"), checks })).toEqual([]);
    expect(codes(toDense(coded), { labels: kinds.map((kind) => kind === "a"), checks })).toEqual([]); // several codes of a class
    const targets = Float64Array.from({ length: 30 }, (_, i) => Math.sin(9 * i));
    const fahrenheit = beside((i) => 32 + 1.8 * targets[i], noise(30, 2));
    expect(said(fahrenheit, { targets, checks })[0]).toMatch(
      /^Column 0 \(counted from 0\) tells the target\./,
    );
    expect(codes(toDense(noise(30, 3)), { targets, checks })).toEqual([]);
    expect(codes(toDense(coded.slice(0, 9)), { labels: kinds.slice(0, 9), checks })).toEqual([]); // by chance
  });

  test("a column whose span is above 30 times the median decides distances, in any unit and order", () => {
    const wide = (factor: number): number[][] => beside((i) => (factor * (i % 20)) / 19, noise(200, 4));
    const span: DataWarningOptions = { checks: ["column-span"] };
    expect(codes(toDense(wide(28)), span)).toEqual([]);
    for (const unit of [1e-9, 1, 1e9]) {
      const rows = wide(40).map((row) => row.map((x) => unit * (x + 5)));
      for (const same of [rows, rows.toReversed(), rows.map((row) => row.toReversed())])
        expect(codes(toDense(same), span)).toEqual(["column-span"]);
    }
    expect(said(wide(400), { columns: ["grams", ..."abcd"], checks: ["column-span"] })[0]).toMatch(
      /^"grams" spans 4\d\d times as much as the median of the columns, and decides most distances\. If/,
    );
    const infinite = toDense(wide(28));
    infinite.data[1] = Number.POSITIVE_INFINITY;
    expect(codes(infinite, span)).toEqual([]);
    expect(codes(toSparse(wide(400)), span)).toEqual([]); // words and categories differ by nature
    expect(codes(toDense(beside((i) => i, noise(200, 3))))).toEqual(["counting-column"]); // which is enough
  });
});

describe("rows", () => {
  /** Of tables of whole numbers, as the text of rows tells them apart. */
  const copiesOf = (rows: readonly (readonly number[])[]): number =>
    rows.length - new Set(rows.map((row) => row.map((x) => x + 0).join())).size;

  test("copies are counted exactly, in any order, zeros of both signs and stored ones alike", () => {
    const cell = fc.constantFrom(-2, -0, 0, 0.1, 1, 2, 3, 1e300, 2 ** -1074);
    const table = fc
      .integer({ min: 1, max: 4 })
      .chain((d) =>
        fc.array(fc.array(cell, { minLength: d, maxLength: d }), { minLength: 10, maxLength: 60 }),
      );
    fc.assert(
      fc.property(table, (rows) => {
        const copies = copiesOf(rows);
        const checks: DataWarningCode[] = ["duplicate-rows"];
        const sentence = `${copies} of ${rows.length} rows are equal to an earlier one. Check that they are meant.`;
        const dense = toDense(rows);
        const sparse = toSparse(rows);
        const stored = {
          ...sparse,
          rowPointers: Int32Array.from({ length: rows.length + 1 }, (_, i) => i * dense.columns),
          columnIndices: Int32Array.from(dense.data, (_, k) => k % dense.columns),
          values: dense.data,
        };
        const all = [dense, toDense(rows.toReversed()), sparse, stored].map((points) =>
          dataWarnings(points, { checks }).map(({ message }) => message),
        );
        if (copies > rows.length / 2 && copies < rows.length - 1)
          for (const one of all) expect(one).toEqual([sentence]);
        if (copies <= rows.length / 10 || copies === rows.length - 1)
          for (const one of all) expect(one).toEqual([]);
      }),
    );
  });

  test("a tenth is odd where columns tell rows apart, half where they have few values", () => {
    const part = (n: number, copies: number): number[][] =>
      noise(n - copies, 3).concat(noise(n - copies, 3).slice(0, copies));
    expect(codes(toDense(part(100, 10)))).toEqual([]);
    expect(codes(toDense(part(100, 11)))).toEqual(["duplicate-rows"]);
    const few = noise(100, 2).map((row) => row.map((x) => Math.floor(9 * x)));
    expect(copiesOf(few)).toBeGreaterThan(20);
    expect(codes(toDense(few))).toEqual([]);
    expect(codes(toDense(few.map(([a]) => [a, a % 2])))).toEqual(["duplicate-rows"]);
    expect(codes(toDense(few.map(() => [3, 4])))).toEqual([]); // all the same: façades have words for that
  });

  test("rows that differ in one of many columns are different", () => {
    const flat = Array.from({ length: 50 }, (_, i) =>
      Array.from({ length: 300 }, (_, j) => (j === 77 ? i : 4)),
    );
    expect(codes(toDense(flat), { checks: ["duplicate-rows"] })).toEqual([]);
    const single: DenseMatrix<Float32Array> = {
      rows: 50,
      columns: 300,
      data: Float32Array.from(flat.flat(), (x) => x + 0.1),
    };
    expect(codes(single, { checks: ["duplicate-rows"] })).toEqual([]);
  });
});

test("distances in the place of points are found, and nothing else is then said; what is not quite such a matrix is none", () => {
  const places = noise(20, 2);
  const distances = places.map((a) => places.map((b) => Math.hypot(a[0] - b[0], a[1] - b[1])));
  expect(codes(toDense(distances))).toEqual(["distances-as-points"]);
  expect(said(distances)[0]).toMatch(/^The 20 x 20 points are symmetric, 0 on the diagonal/);
  expect(codes(toDense(distances.map((row) => row.map((x) => 1e9 * x))))).toEqual(["distances-as-points"]);
  const changed = (i: number, j: number, to: number): number[][] =>
    distances.map((row, k) => row.map((x, l) => (k === i && l === j ? to : x)));
  for (const other of [changed(3, 3, 1), changed(2, 5, 9), changed(5, 2, Number.NaN)])
    expect(codes({ rows: 20, columns: 20, data: Float64Array.from(other.flat()) })).toEqual([]);
  const negative = distances.map((row) => row.map((x) => -x));
  expect(codes(toDense(negative))).toEqual([]);
  expect(codes(toDense(distances.slice(1)))).toEqual([]);
  expect(codes(toDense(distances.map((row) => row.map(() => 0))))).toEqual([]);
});

test("labels of classes: names of rows and measured numbers are none, as far as they can be told", () => {
  const points = toDense(noise(400, 2));
  const of = (label: (i: number) => string | number | boolean, n = 400): string | undefined =>
    dataWarnings(toDense(noise(n, 2)), { labels: Array.from({ length: n }, (_, i) => label(i)) })[0]?.message;
  expect(of((i) => `title ${i}`)).toMatch(/^The labels of all 400 rows are different/);
  expect(of((i) => `title ${i >> 1}`)).toBeUndefined();
  expect(of((i) => `title ${i}`, 9)).toBeUndefined();
  expect(of((i) => i % 2 === 0)).toBeUndefined();
  expect(of((i) => i % 40)).toBeUndefined(); // as many persons, ten pictures of each
  expect(of((i) => i % 41)).toMatch(
    /^The labels are 41 different numbers, each of which is taken for a class\./,
  );
  expect(of((i) => (i % 20) / 8)).toBeUndefined();
  expect(of((i) => (i % 21) / 8)).toMatch(/^The labels are 21 different numbers with fractions/);
  expect(codes(points, { labels: Float64Array.from({ length: 400 }, (_, i) => i / 7) })).toEqual([
    "distinct-labels",
  ]);
  expect(codes(points, { labels: Int32Array.from({ length: 400 }, (_, i) => i) })).toEqual([
    "distinct-labels",
  ]);
});

test("checks are those that are asked for, and remedies can be one's own, with options by their names", () => {
  const rows = beside((i) => i, noise(20, 2));
  expect(said(rows, { checks: ["column-span"] })).toEqual([]);
  const remedies = { "counting-column": `Set ${optionName("ignore", "id")}.` };
  const [warning] = dataWarnings(toDense(rows), { remedies });
  expect(warning.message).toBe('Column 0 (counted from 0) counts the rows. Set ignore: "id".');
  expect(warning.sentence).toContain(optionName("ignore", "id"));
});

test("wrong options and what is no matrix are refused by name", () => {
  const points = toDense(noise(12, 2));
  const odd = (options: object): unknown => {
    try {
      return dataWarnings(points, options);
    } catch (error) {
      return error;
    }
  };
  for (const [name, value] of Object.entries({
    columns: ["one"],
    labels: 3,
    checks: ["spans"],
    remedies: { "counting-column": 1 },
  }))
    expect(odd({ [name]: value })).toMatchObject({ code: "ERR_OPTION", path: name });
  // @ts-expect-error no matrix
  expect(() => dataWarnings(undefined)).toThrow(expect.objectContaining({ code: "ERR_SHAPE" }));
});
