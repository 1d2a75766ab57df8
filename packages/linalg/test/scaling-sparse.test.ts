import {
  applyScaling,
  type DenseMatrix,
  fitScaling,
  type ScalingMethod,
  type SparseMatrix,
  toDense,
  toSparse,
} from "@curvature/linalg";
import fc from "fast-check";
import { expect, test } from "vitest";

const keepingZeros: readonly ScalingMethod[] = ["max-abs", "rms", "unit-rows"];
const entry = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  fc.double({ min: -1e6, max: 1e6, noNaN: true }),
);
const matrix = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 6 }))
  .chain(([rows, columns]) =>
    fc
      .array(entry, { minLength: rows * columns, maxLength: rows * columns })
      .map((data): DenseMatrix => ({ rows, columns, data: Float64Array.from(data) })),
  );

function dense({ rows, columns, rowPointers, columnIndices, values }: SparseMatrix): Float64Array {
  const data = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i++)
    for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++)
      data[i * columns + columnIndices[p]] = values[p];
  return data;
}

test.each(keepingZeros)("%s: sparse data are scaled as the same data dense", (method) => {
  fc.assert(
    fc.property(matrix, (X) => {
      const A = toSparse(X);
      const ofSparse = fitScaling(A, method);
      const ofDense = fitScaling(X, method);
      expect(ofSparse.offsets.every((offset) => offset === 0)).toBe(true);
      ofSparse.scales.forEach((scale, j) => {
        expect(scale / ofDense.scales[j]).toBeCloseTo(1, 14); // the sums skip zeros, in the same order
      });
      const Z = applyScaling(ofSparse, A);
      expect(Z.rowPointers).toEqual(A.rowPointers);
      expect(Z.columnIndices).toEqual(A.columnIndices);
      const expected = applyScaling(ofDense, X).data;
      dense(Z).forEach((z, k) => {
        expect(z).toBeCloseTo(expected[k], 13); // scaled numbers are up to √n, n ≤ 12
      });
    }),
  );
});

test("rms: the mean square of every column is 1, columns of zeros stay", () => {
  fc.assert(
    fc.property(matrix, (X) => {
      const Z = applyScaling(fitScaling(X, "rms"), X);
      for (let j = 0; j < X.columns; j++) {
        const before = Array.from({ length: X.rows }, (_, i) => Math.abs(X.data[i * X.columns + j]));
        const square = before.reduce((sum, _, i) => sum + Z.data[i * X.columns + j] ** 2, 0) / X.rows;
        if (Math.max(...before) > 1e-300) expect(square).toBeCloseTo(1, 12);
        else if (Math.max(...before) === 0) expect(square).toBe(0);
      }
    }),
  );
});

test("single precision stays single, and is what double precision rounds to", () => {
  const data = Float32Array.of(0.1, 0, -3, 0.7, 2, 0);
  const X = { rows: 3, columns: 2, data };
  const doubled = { rows: 3, columns: 2, data: Float64Array.from(data) };
  for (const method of keepingZeros) {
    const scaling = fitScaling(X, method);
    expect(scaling).toEqual(fitScaling(doubled, method));
    const Z = applyScaling(scaling, X);
    expect(Z.data).toBeInstanceOf(Float32Array);
    expect(Z.data).toEqual(Float32Array.from(applyScaling(scaling, doubled).data));

    const A = toSparse(doubled);
    const A32 = { ...A, values: Float32Array.from(A.values) };
    const S = applyScaling(scaling, A32);
    expect(S.values).toBeInstanceOf(Float32Array);
    expect(S.values).toEqual(Float32Array.from(applyScaling(scaling, A).values));
  }
});

test("a constant column of single precision becomes exactly 0, and no rounding noise", () => {
  for (const constant of [1 / 3, 0.1, 1e-7, 12345.678, -1e20]) {
    const data = new Float32Array(2000);
    for (let i = 0; i < 1000; i++) data.set([constant, i % 7], 2 * i);
    const Z = applyScaling(fitScaling({ rows: 1000, columns: 2, data }, "standard"), {
      rows: 1000,
      columns: 2,
      data,
    });
    for (let i = 0; i < 1000; i++) expect(Z.data[2 * i]).toBe(0);
  }
});

test("a small unit is no constant: a column of 1e-9 is scaled as one of 1", () => {
  const column = [1, 2, 4, 3];
  const large = applyScaling(
    fitScaling(
      column.map((x) => [x]),
      "standard",
    ),
    column.map((x) => [x]),
  );
  const small = column.map((x) => [x * 1e-9]);
  applyScaling(fitScaling(small, "standard"), small).data.forEach((z, i) => {
    expect(z).toBeCloseTo(large.data[i], 12);
  });
});

test("the given data are left as they were", () => {
  const A = toSparse([
    [3, 0],
    [4, 5],
  ]);
  const before = structuredClone(A);
  for (const method of keepingZeros) applyScaling(fitScaling(A, method), A);
  expect(A).toEqual(before);
});

test("explicit zeros stay entries, empty rows and columns stay empty", () => {
  const A: SparseMatrix = {
    rows: 2,
    columns: 3,
    rowPointers: Int32Array.of(0, 2, 2),
    columnIndices: Int32Array.of(0, 2),
    values: Float64Array.of(0, 8),
  };
  for (const method of keepingZeros) {
    const { values } = applyScaling(fitScaling(A, method), A);
    expect(values[0]).toBe(0);
    expect(values[1]).toBeCloseTo(method === "rms" ? Math.SQRT2 : 1, 15);
  }
});

test("an object that lists its nonzeros comes out sparse", () => {
  const listed = {
    rows: 2,
    columns: 2,
    getNonZeros: () => ({ rows: [0, 1], columns: [0, 1], values: [2, -4] }),
  };
  expect(Array.from(applyScaling(fitScaling(listed, "max-abs"), listed).values)).toEqual([1, -1]);
});

test("standard scaling of sparse data is refused, and the sentence says why", () => {
  const A = toSparse([[1, 0]]);
  expect(() => fitScaling(A, "standard")).toThrowError("every zero would become an entry");
  const fitted = fitScaling(toDense([[1, 0]]), "standard");
  expect(() => applyScaling(fitted, A)).toThrowError("every zero would become an entry");
});

test("bad sparse data are refused", () => {
  const A = toSparse([[1, 2]]);
  expect(() => fitScaling({ ...A, values: Float64Array.of(1, Number.NaN) }, "max-abs")).toThrowError("NaN");
  expect(() => fitScaling({ ...A, rows: 0, rowPointers: Int32Array.of(0) }, "max-abs")).toThrowError(
    "fitScaling",
  );
  expect(() => applyScaling(fitScaling([[1]], "max-abs"), A)).toThrowError("fitted on 1 columns; data has 2");
  const tiny = fitScaling(toSparse([[1e-300]]), "max-abs");
  expect(() => applyScaling(tiny, toSparse([[1e300]]))).toThrowError("the scaled data's stored entries has");
  const single = { ...toSparse([[1]]), values: Float32Array.of(1e38) };
  const small = fitScaling(toSparse([[1e-10]]), "max-abs");
  expect(() => applyScaling(small, single)).toThrowError("the scaled data's stored entries has");
});
