import fc from "fast-check";
import { SparseMatrix as MlSparseMatrix } from "ml-sparse-matrix";
import { describe, expect, test } from "vitest";
import {
  CurvatureError,
  connectedComponents,
  fromTriplets,
  lowerTriangle,
  permuteSymmetric,
  type SparseMatrix,
  sparseDiagonal,
  sparseRowSums,
  sparseTimesBlock,
  sparseTimesVector,
  symmetricPart,
  toSparse,
  transposeSparse,
} from "../../src/index.js";
import { denseOf } from "./matrices.js";

const example = [
  [4, 0, -1],
  [2, 0, 0],
  [0, 3, 5],
];

/** Small integer matrices, so that sums are exact whatever their order. */
const anyTriplets = fc
  .record({ rows: fc.integer({ min: 1, max: 8 }), columns: fc.integer({ min: 1, max: 8 }) })
  .chain(({ rows, columns }) =>
    fc.record({
      rows: fc.constant(rows),
      columns: fc.constant(columns),
      entries: fc.array(
        fc.tuple(
          fc.integer({ min: 0, max: rows - 1 }),
          fc.integer({ min: 0, max: columns - 1 }),
          fc.integer({ min: -9, max: 9 }),
        ),
        { maxLength: 40 },
      ),
    }),
  );

function built(rows: number, columns: number, entries: readonly (readonly [number, number, number])[]) {
  return fromTriplets(rows, columns, {
    rows: entries.map((e) => e[0]),
    columns: entries.map((e) => e[1]),
    values: entries.map((e) => e[2]),
  });
}

describe("fromTriplets", () => {
  test("sums duplicates and passes the validation, for any triplets", () => {
    fc.assert(
      fc.property(anyTriplets, ({ rows, columns, entries }) => {
        const expected = Array.from({ length: rows }, () => new Array<number>(columns).fill(0));
        for (const [i, j, a] of entries) expected[i][j] += a;
        const A = built(rows, columns, entries);
        expect(toSparse(A)).toBe(A);
        expect(denseOf(A)).toEqual(expected);
      }),
    );
  });

  test("names the entry whose index is out of range", () => {
    expect(() =>
      built(2, 2, [
        [0, 0, 1],
        [2, 0, 1],
      ]),
    ).toThrowError("row index of entry 1 is 2");
    expect(() => built(2, 2, [[0, -1, 1]])).toThrowError("column index of entry 0 is -1");
    expect(() => built(2, 2, [[0, 0.5, 1]])).toThrowError("column index of entry 0 is 0.5");
    expect(() => built(0, 0, [[0, 0, 1]])).toThrowError("index of entry 0");
  });

  test("refuses values that are not finite, and sums that overflow", () => {
    expect(() => built(2, 2, [[1, 0, Number.NaN]])).toThrowError("NaN at row 1, column 0");
    expect(() =>
      built(1, 1, [
        [0, 0, 1e308],
        [0, 0, 1e308],
      ]),
    ).toThrowError("Infinity at row 0, column 0");
  });

  test("refuses arrays of different lengths and sizes that are none", () => {
    expect(() => fromTriplets(2, 2, { rows: [0], columns: [], values: [1] })).toThrowError("as many row");
    expect(() => fromTriplets(-1, 2, { rows: [], columns: [], values: [] })).toThrowError("number of rows");
    expect(() => fromTriplets(1, 2 ** 31, { rows: [], columns: [], values: [] })).toThrowError("2147483646");
  });

  test("an empty matrix is a matrix", () => {
    expect(built(0, 0, []).rowPointers).toEqual(new Int32Array(1));
    expect(toSparse(built(3, 0, [])).columns).toBe(0);
  });
});

describe("toSparse", () => {
  const A = toSparse(example);

  test("takes rows, shaped arrays, its own form and ml-sparse-matrix alike", () => {
    expect(denseOf(A)).toEqual(example);
    expect(A.values.length).toBe(5);
    expect(toSparse({ rows: 3, columns: 3, data: Float64Array.from(example.flat()) })).toEqual(A);
    expect(toSparse({ ...A, values: Float32Array.from(A.values) })).toEqual(A);
    const ml = new MlSparseMatrix(3, 3);
    example.forEach((row, i) => {
      row.forEach((a, j) => {
        ml.set(i, j, a);
      });
    });
    expect(toSparse(ml)).toEqual(A);
    const listed = { rows: 3, columns: 3, withEachNonZero: ml.withEachNonZero.bind(ml) };
    expect(toSparse(listed)).toEqual(A);
  });

  const broken: readonly [string, Partial<SparseMatrix>][] = [
    ["rowPointers must not fall", { rowPointers: Int32Array.of(0, 4, 3, 5) }],
    ["begin with 0", { rowPointers: Int32Array.of(1, 2, 3, 5) }],
    ["length 4", { rowPointers: Int32Array.of(0, 5) }],
    ["rowPointers ends with", { rowPointers: Int32Array.of(0, 2, 3, 6) }],
    ["increasing column indices", { columnIndices: Int32Array.of(2, 0, 0, 1, 2) }],
    ["increasing column indices", { columnIndices: Int32Array.of(0, 0, 0, 1, 2) }],
    ["column indices from 0 to 2", { columnIndices: Int32Array.of(0, 3, 0, 1, 2) }],
    ["column indices from 0 to 2", { columnIndices: Int32Array.of(-1, 2, 0, 1, 2) }],
    ["as many entries", { values: new Float64Array(4) }],
    ["NaN at row 1, column 0", { values: Float64Array.of(4, -1, Number.NaN, 3, 5) }],
    ["number of rows", { rows: 2.5 }],
  ];
  test.each(broken)("refuses a matrix of its own form: %s", (message, change) => {
    expect(() => toSparse({ ...A, ...change })).toThrowError(message);
  });

  test("refuses what is no matrix", () => {
    // As a caller without types may pass it.
    const pointers =
      '{ "rows": 1, "columns": 1, "rowPointers": [0, 1], "columnIndices": [0], "values": [1] }';
    for (const text of ["null", "7", '"matrix"', "{}", pointers]) {
      expect(() => toSparse(JSON.parse(text))).toThrowError(CurvatureError);
    }
    expect(() => toSparse({ ...A, values: JSON.parse("[4, -1, 2, 3, 5]") })).toThrowError("Float64Array");
  });

  test("pointers that leave the arrays and come back are not followed", () => {
    expect(() => toSparse({ ...A, rowPointers: Int32Array.of(0, 2 ** 30, 3, 5) })).toThrowError(
      "must not fall",
    );
  });
});

describe("rearrangements and products agree with dense algebra", () => {
  test("transpose, triangle, diagonal, row sums", () => {
    fc.assert(
      fc.property(anyTriplets, ({ rows, columns, entries }) => {
        const A = built(rows, columns, entries);
        const D = denseOf(A);
        const T = toSparse(transposeSparse(A));
        expect(denseOf(T)).toEqual(Array.from({ length: columns }, (_, j) => D.map((row) => row[j])));
        expect(transposeSparse(T)).toEqual(A);
        expect(denseOf(toSparse(lowerTriangle(A)))).toEqual(
          D.map((row, i) => row.map((a, j) => (j <= i ? a : 0))),
        );
        expect(sparseDiagonal(A)).toEqual(
          Float64Array.from({ length: Math.min(rows, columns) }, (_, i) => D[i][i]),
        );
        expect(sparseRowSums(A)).toEqual(Float64Array.from(D, (row) => row.reduce((s, a) => s + a, 0)));
      }),
    );
  });

  test("products with one, two and three vectors", () => {
    fc.assert(
      fc.property(anyTriplets, fc.integer({ min: 1, max: 3 }), ({ rows, columns, entries }, d) => {
        const A = built(rows, columns, entries);
        const D = denseOf(A);
        const X = Float64Array.from({ length: columns * d }, (_, k) => ((k * 7) % 11) - 5);
        const out = new Float64Array(rows * d).fill(99);
        sparseTimesBlock(A, X, d, out);
        const expected = Float64Array.from({ length: rows * d }, (_, k) => {
          const row = D[Math.floor(k / d)];
          return row.reduce((sum, a, j) => sum + a * X[j * d + (k % d)], 0);
        });
        expect(out).toEqual(expected);
        if (d === 1) sparseTimesVector(A, X, out.fill(99));
        expect(out).toEqual(expected);
      }),
    );
  });

  test("symmetric part and symmetric permutation", () => {
    fc.assert(
      fc.property(anyTriplets, fc.array(fc.integer(), { minLength: 8, maxLength: 8 }), (given, keys) => {
        const n = Math.max(given.rows, given.columns);
        const A = built(n, n, given.entries);
        const D = denseOf(A);
        const S = symmetricPart(A);
        expect(denseOf(toSparse(S))).toEqual(D.map((row, i) => row.map((a, j) => (a + D[j][i]) / 2)));
        expect(transposeSparse(S)).toEqual(S);
        const order = Int32Array.from(keys.slice(0, n).keys()).sort((a, b) => keys[a] - keys[b]);
        expect(denseOf(toSparse(permuteSymmetric(A, order)))).toEqual(
          D.map((row, i) => row.map((_, j) => D[order[i]][order[j]])),
        );
      }),
    );
  });

  test("wrong lengths, shared arrays, other shapes and orders that are no permutations are refused", () => {
    const A = toSparse(example);
    const wide = toSparse([[1, 2]]);
    const x = new Float64Array(3);
    expect(() => sparseTimesVector(A, x, x)).toThrowError("another array");
    expect(() => sparseTimesVector(A, x, new Float64Array(2))).toThrowError(
      "out must hold d = 1 vectors of length 3",
    );
    expect(() => sparseTimesBlock(A, x, 2, new Float64Array(6))).toThrowError("6 numbers; received 3");
    expect(() => sparseTimesBlock(A, new Float64Array(6), 1.5, new Float64Array(6))).toThrowError(
      "d must be a whole number of at least 0; received 1.5",
    );
    const extremes = fromTriplets(3, 3, {
      rows: [0, 1, 1, 2, 2],
      columns: [1, 0, 2, 1, 2],
      values: [5e-324, 5e-324, 1.7e308, 1.7e308, 5e-324],
    });
    expect(symmetricPart(extremes)).toEqual(extremes);
    expect(() => symmetricPart(wide)).toThrowError("must be square; received 1 x 2");
    expect(() => connectedComponents(wide)).toThrowError("must be square");
    for (const order of [
      [0, 1, 1],
      [0, 1],
      [0, 1, 2, 2],
      [0, 1, 3],
    ]) {
      expect(() => permuteSymmetric(A, Int32Array.from(order))).toThrowError("each of 0 to 2 once");
    }
  });
});

describe("connectedComponents", () => {
  test("numbers components by their first row; explicit zeros and direction do not matter", () => {
    const A = built(6, 6, [
      [4, 0, 1],
      [1, 3, 2],
      [2, 5, 0],
      [5, 5, 1],
    ]);
    const { count, labels } = connectedComponents(A);
    expect(count).toBe(4);
    expect(Array.from(labels)).toEqual([0, 1, 2, 1, 0, 3]);
  });

  test("finds the planted parts, however the rows are shuffled", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 30 }), (part) => {
        const first = part.map((p) => part.indexOf(p));
        const last = part.map((p, i) => part.indexOf(p, i + 1)).map((j, i) => (j < 0 ? i : j));
        const A = built(
          part.length,
          part.length,
          last.map((j, i) => [i, j, 1] as const),
        );
        const { count, labels } = connectedComponents(A);
        expect(count).toBe(new Set(part).size);
        expect(Array.from(labels, (label) => labels.indexOf(label))).toEqual(first);
      }),
    );
  });

  test("a path of 100,000 rows is one component", () => {
    const n = 100_000;
    const rows = Int32Array.from({ length: n - 1 }, (_, i) => n - 1 - i);
    const A = fromTriplets(n, n, {
      rows,
      columns: rows.map((i) => i - 1),
      values: new Float64Array(n - 1).fill(1),
    });
    expect(connectedComponents(A).count).toBe(1);
  });

  test("no rows, no components", () => {
    expect(connectedComponents(built(0, 0, [])).count).toBe(0);
  });
});
