import { type DenseMatrix, type SparseMatrix, toSparse } from "@curvature/linalg";
import { isSparseRows, type Rows } from "@curvature/objectives/linear";
import fc from "fast-check";
import { expect, test } from "vitest";
import { columnsBeyond, firstColumns, toRows, unitRows } from "../../src/fit/rows.js";

const entry = fc.oneof(fc.constant(0), fc.integer({ min: -9, max: 9 }));
const matrix = fc
  .tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 6 }))
  .chain(([rows, columns]) =>
    fc
      .array(entry, { minLength: rows * columns, maxLength: rows * columns })
      .map((data): DenseMatrix => ({ rows, columns, data: Float64Array.from(data) })),
  );

/** The same numbers in every storage and precision. */
function storages(X: DenseMatrix): readonly Rows[] {
  const sparse = toSparse(X);
  return [
    X,
    { ...X, data: Float32Array.from(X.data) },
    sparse,
    { ...sparse, values: Float32Array.from(sparse.values) },
  ];
}

function dense(rows: Rows): number[][] {
  return Array.from({ length: rows.rows }, (_, i) => {
    const row = new Array<number>(rows.columns).fill(0);
    if (isSparseRows(rows))
      for (let p = rows.rowPointers[i]; p < rows.rowPointers[i + 1]; p++)
        row[rows.columnIndices[p]] = rows.values[p];
    else for (let j = 0; j < rows.columns; j++) row[j] = rows.data[i * rows.columns + j];
    return row;
  });
}

test("the first columns are those columns, and those beyond are counted if they hold something", () => {
  fc.assert(
    fc.property(matrix, fc.integer({ min: 1, max: 7 }), (X, d) => {
      const expected = dense(X).map((row) => row.slice(0, d));
      let beyond = 0;
      for (let j = d; j < X.columns; j++) if (dense(X).some((row) => row[j] !== 0)) beyond++;
      for (const rows of storages(X)) {
        const first = firstColumns(rows, d);
        expect(dense(first)).toEqual(expected);
        expect(columnsBeyond(rows, d)).toBe(beyond);
        if (d >= X.columns) expect(first).toBe(rows);
      }
    }),
  );
});

test("typed rows are used as they are", () => {
  const X: DenseMatrix = { rows: 1, columns: 2, data: Float64Array.of(1, 2) };
  for (const rows of storages(X)) {
    const taken = toRows(rows, "X");
    if (isSparseRows(taken) && isSparseRows(rows)) expect(taken.values).toBe(rows.values);
    else if (!isSparseRows(taken) && !isSparseRows(rows)) expect(taken.data).toBe(rows.data);
    else throw new Error("another storage");
  }
});

test("unit rows have length 1, also of huge and tiny entries", () => {
  const A: SparseMatrix = toSparse([
    [3e200, 0, 4e200],
    [0, 1e-200, 0],
    [0, 0, 0],
  ]);
  expect(dense(unitRows(A))).toEqual([
    [0.6, 0, 0.8],
    [0, 1, 0],
    [0, 0, 0],
  ]);
});
