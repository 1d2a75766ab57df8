import type { DenseMatrix } from "@curvature/linalg";
import { type Rows, rowAccess } from "@curvature/objectives/linear";
import { chooseStorage } from "@curvature/optim-sgdqn";
import { expect, test } from "vitest";

/** 4 x 5 with `filled` entries that are not zero. */
function matrix(filled: number): DenseMatrix {
  const data = Float64Array.from({ length: 20 }, (_, k) => ((7 * k) % 20 < filled ? k + 0.5 : 0));
  return { rows: 4, columns: 5, data };
}
const single = ({ rows, columns, data }: DenseMatrix): Rows => ({
  rows,
  columns,
  data: Float32Array.from(data),
});
const entries = (rows: Rows): readonly number[][] =>
  Array.from({ length: rows.rows }, (_, i) =>
    Array.from({ length: rows.columns }, (__, j) => {
      const unit = new Float64Array(rows.columns);
      unit[j] = 1;
      return rowAccess(rows).dot(i, unit);
    }),
  );

test("above three entries in four, rows are dense; else sparse; in their own precision", () => {
  for (const filled of [0, 1, 15, 16, 20]) {
    for (const given of [matrix(filled), single(matrix(filled))]) {
      const chosen = chooseStorage(given);
      expect("data" in chosen).toBe(filled > 15);
      expect(entries(chosen)).toEqual(entries(given));
      const [before, after] = [given, chosen].map((rows) => ("data" in rows ? rows.data : rows.values));
      expect(after.constructor).toBe(before.constructor);
      expect(chooseStorage(chosen)).toBe(chosen);
    }
  }
});

test("sparse rows that are full become dense, explicit zeros not counted", () => {
  const pattern = {
    rows: 1,
    columns: 4,
    rowPointers: Int32Array.of(0, 4),
    columnIndices: Int32Array.of(0, 1, 2, 3),
  };
  expect(chooseStorage({ ...pattern, values: Float64Array.of(1, 3, 4, 2) })).toEqual({
    rows: 1,
    columns: 4,
    data: Float64Array.of(1, 3, 4, 2),
  });
  const withZero = { ...pattern, values: Float32Array.of(1, 5, 0, 6) };
  expect(chooseStorage(withZero)).toBe(withZero);
});

test("what are no rows is refused", () => {
  expect(() => chooseStorage({ rows: 2, columns: 2, data: new Float64Array(3) })).toThrowError(
    /data must be 4/,
  );
  expect(() => chooseStorage({ rows: 1, columns: 1, data: Float64Array.of(Number.NaN) })).toThrowError(/NaN/);
});
