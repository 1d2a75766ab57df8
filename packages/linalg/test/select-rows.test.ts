import { CurvatureError, type DenseMatrix, isSparse, selectRows, toDense, toSparse } from "@curvature/linalg";
import fc from "fast-check";
import { expect, test } from "vitest";

const entry = fc.oneof(fc.constant(0), fc.integer({ min: -9, max: 9 }));
const matrix = fc
  .tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 6 }))
  .chain(([rows, columns]) =>
    fc
      .array(entry, { minLength: rows * columns, maxLength: rows * columns })
      .map((data): DenseMatrix => ({ rows, columns, data: Float64Array.from(data) })),
  );

/** The same numbers in every storage and precision. */
function storages(X: DenseMatrix): readonly Parameters<typeof selectRows>[0][] {
  const sparse = toSparse(X);
  return [
    X,
    { ...X, data: Float32Array.from(X.data) },
    sparse,
    { ...sparse, values: Float32Array.from(sparse.values) },
  ];
}

test("chosen rows are those rows, in their order, storage and precision", () => {
  fc.assert(
    fc.property(matrix, fc.array(fc.nat(7), { maxLength: 10 }), (X, wanted) => {
      const indices = wanted.map((i) => i % X.rows);
      const expected = indices.flatMap((i) => [...X.data.subarray(i * X.columns, (i + 1) * X.columns)]);
      for (const rows of storages(X)) {
        const some = selectRows(rows, indices);
        const written = new Float64Array(some.rows * some.columns);
        if ("data" in some) written.set(some.data);
        else
          for (let i = 0; i < some.rows; i++)
            for (let p = some.rowPointers[i]; p < some.rowPointers[i + 1]; p++)
              written[i * some.columns + some.columnIndices[p]] = some.values[p];
        expect([some.rows, some.columns]).toEqual([indices.length, X.columns]);
        expect(Array.from(written)).toEqual(expected);
        expect(isSparse(some)).toBe(isSparse(rows));
        const kindOf = (of: typeof rows): unknown => ("data" in of ? of.data : of.values).constructor;
        expect(kindOf(some)).toBe(kindOf(rows));
      }
    }),
  );
});

test.each([undefined, null, 5, "1", { length: -1 }, { length: Number.NaN }, [Symbol("row")]])(
  "indices that are no array of numbers are refused: case %#",
  (indices) => {
    const error = expect.objectContaining({ name: "CurvatureError", code: "ERR_ARGUMENT" });
    expect(() => Reflect.apply(selectRows, undefined, [toDense([[1, 2]]), indices])).toThrow(error);
  },
);

test.each([-1, 2, 0.5, Number.NaN])("row %d of two is refused in words", (row) => {
  const X = toDense([
    [1, 2],
    [3, 4],
  ]);
  expect(() => selectRows(X, [1, row])).toThrow(CurvatureError);
  expect(() => selectRows(toSparse(X), [1, row])).toThrow(/indices\[1\] must be a whole number from 0 to 1/);
});

const dense = toDense([
  [1, 2],
  [3, 4],
]);
const sparse = toSparse(dense);
test.each([
  undefined,
  null,
  5,
  "rows",
  [[1, 2]],
  {},
  { ...dense, data: [1, 2, 3, 4] },
  { ...dense, data: new Float64Array(3) },
  { ...dense, rows: 3 },
  { ...dense, rows: Number.NaN },
  { ...dense, columns: -2 },
  { ...dense, columns: 1.5 },
  { getNonZeros: () => ({ rows: [], columns: [], values: [] }) },
  { ...sparse, values: [1, 2, 3, 4] },
  { ...sparse, columnIndices: new Int32Array(3) },
  { ...sparse, rowPointers: undefined },
  { ...sparse, rowPointers: Int32Array.of(0, 2, 3) },
  { ...sparse, rows: 1 },
  { ...sparse, columns: Number.POSITIVE_INFINITY },
  { ...sparse, rowPointers: Int32Array.of(0, 9, 4) },
  { ...sparse, rowPointers: Int32Array.of(0, -1, 4) },
])("what is no matrix of rows is refused: case %#", (matrix) => {
  const error = expect.objectContaining({ name: "CurvatureError", code: "ERR_SHAPE" });
  expect(() => Reflect.apply(selectRows, undefined, [matrix, [0, 1]])).toThrow(error);
});

test("more rows than memory holds are refused", { tags: ["full"] }, () => {
  const error = expect.objectContaining({ name: "CurvatureError", code: "ERR_MEMORY" });
  const long: DenseMatrix = { rows: 2, columns: 2 ** 20, data: new Float64Array(2 ** 21) };
  const many = new Int32Array(2 ** 24);
  expect(() => selectRows(long, many)).toThrow(error);
  expect(() => selectRows({ ...long, data: new Float32Array(2 ** 21) }, many)).toThrow(error);
  const full = {
    rows: 1,
    columns: 2 ** 20,
    rowPointers: Int32Array.of(0, 2 ** 20),
    columnIndices: Int32Array.from({ length: 2 ** 20 }, (_, j) => j),
    values: new Float32Array(2 ** 20),
  };
  expect(() => selectRows(full, many)).toThrow(error);
});
