import { CurvatureError, multiply, symmetricEigen, toSparse, zeros } from "@curvature/linalg";
import {
  choleskyDecomposition,
  eigenvalueDecomposition,
  fromMl,
  fromMlSparse,
  luDecomposition,
  MatrixView,
  qrDecomposition,
  singularValueDecomposition,
  toMl,
  toMlSparse,
} from "@curvature/linalg/ml";
import fc from "fast-check";
import { AbstractMatrix, Matrix } from "ml-matrix";
import { SparseMatrix as MlSparseMatrix } from "ml-sparse-matrix";
import { expect, test } from "vitest";
import { definedProduct, difference, normalMatrix, positiveDefinite } from "../dense/arbitrary.js";

const cells = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 }))
  .chain(([rows, columns]) =>
    fc
      .array(fc.integer({ min: -3, max: 3 }), { minLength: rows * columns, maxLength: rows * columns })
      .map((data) => ({ rows, columns, data: Float64Array.from(data) })),
  );

test("a view is a matrix of ml-matrix that shares our array both ways", () => {
  const A = normalMatrix(3, 2, 1);
  const view = toMl(A);
  expect(AbstractMatrix.isMatrix(view)).toBe(true);
  expect([view.rows, view.columns, view.size]).toEqual([3, 2, 6]);
  view.set(2, 1, 7);
  expect(A.data[5]).toBe(7);
  A.data[0] = -1;
  expect(view.get(0, 0)).toBe(-1);
  expect(fromMl(view).data).toBe(A.data);
});

test("ml-matrix's operations take views, and give the same as ours", () => {
  fc.assert(
    fc.property(cells, (A) => {
      const transposed = fromMl(toMl(A).transpose());
      expect(fromMl(toMl(A).mmul(toMl(transposed)))).toEqual(definedProduct(A, transposed));
      expect(multiply(A, transposed)).toEqual(fromMl(toMl(A).mmul(toMl(transposed))));
      expect(toMl(A).clone()).toBeInstanceOf(Matrix);
      expect(toMl(A).to2DArray()).toEqual(new Matrix(toMl(A)).to2DArray());
    }),
  );
});

test("matrices of ml-matrix come over as copies; a NaN in one is named", () => {
  const theirs = new Matrix([
    [1, 2],
    [3, 4],
  ]);
  const ours = fromMl(theirs);
  ours.data[0] = 9;
  expect(theirs.get(0, 0)).toBe(1);
  theirs.set(1, 0, Number.NaN);
  expect(() => fromMl(theirs, "weights")).toThrowError("weights has NaN at row 1, column 0");
  expect(() =>
    fromMl(new MatrixView({ rows: 1, columns: 1, data: Float64Array.of(Number.NaN) })),
  ).toThrowError("NaN");
});

test("sparse matrices go over and come back the same", () => {
  fc.assert(
    fc.property(cells, (dense) => {
      const A = toSparse(dense);
      expect(fromMlSparse(toMlSparse(A))).toEqual(A);
    }),
  );
});

test("a matrix of ml-sparse-matrix, filled in any order, arrives with sorted rows", () => {
  const theirs = new MlSparseMatrix(3, 5);
  theirs.set(2, 4, 1).set(0, 3, 2).set(2, 0, 3).set(0, 1, 4);
  expect(fromMlSparse(theirs)).toEqual({
    rows: 3,
    columns: 5,
    rowPointers: Int32Array.of(0, 2, 2, 4),
    columnIndices: Int32Array.of(1, 3, 0, 4),
    values: Float64Array.of(4, 2, 3, 1),
  });
  theirs.set(1, 1, Number.NaN);
  expect(() => fromMlSparse(theirs, "graph")).toThrowError("graph has NaN at row 1, column 1");
});

test("eigenvalues agree with ours; rounding in the symmetry is forgiven, more is not", () => {
  const A = positiveDefinite(12, 1);
  A.data[1] *= 1 + 1e-15;
  const before = A.data.slice();
  const { realEigenvalues } = eigenvalueDecomposition(A);
  expect(A.data).toEqual(before);
  expect(difference(realEigenvalues, symmetricEigen(A).values)).toBeLessThan(1e-12);
  A.data[1] += 0.1;
  expect(() => eigenvalueDecomposition(A)).toThrowError(
    "A must be symmetric; entries (1, 0) and (0, 1) differ",
  );
});

test("singular values of a wide and of a tall matrix are the same", () => {
  const A = normalMatrix(4, 7, 2);
  const wide = singularValueDecomposition(A).diagonal;
  const tall = singularValueDecomposition(toMl(A).transpose()).diagonal;
  expect(wide).toHaveLength(4);
  expect(difference(wide, tall)).toBeLessThan(1e-13);
});

test("QR, LU and Cholesky solve", () => {
  const A = positiveDefinite(6, 3);
  const x = normalMatrix(6, 1, 4);
  const b = multiply(A, x);
  for (const solved of [
    qrDecomposition(A).solve(new Matrix(toMl(b))),
    luDecomposition(A).solve(new Matrix(toMl(b))),
    choleskyDecomposition(A).solve(new Matrix(toMl(b))),
  ]) {
    expect(difference(fromMl(solved).data, x.data)).toBeLessThan(1e-11);
  }
});

const all = [
  eigenvalueDecomposition,
  singularValueDecomposition,
  qrDecomposition,
  luDecomposition,
  choleskyDecomposition,
];

test.each(all)("%o refuses NaN, infinity and emptiness at once", (decompose) => {
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    const A = positiveDefinite(5, 5);
    A.data[7] = bad;
    expect(() => decompose(A)).toThrowError(`A has ${bad} at row 1, column 2`);
  }
  expect(() => decompose([])).toThrowError(CurvatureError);
  expect(() => decompose(zeros(3, 0))).toThrowError("A must have at least one row and one column");
});

test("what ml-matrix would not return from is refused", () => {
  const badForIt = [
    [0, 0, 0, 0, 0],
    [0, 0, 0, 0, 1],
    [0, 0, 0, 1, 0],
    [1, 1, 0, 0, 1],
    [1, 0, 1, 0, 1],
  ];
  expect(() => eigenvalueDecomposition(badForIt)).toThrowError("A must be symmetric");
  const huge = [
    [1e308, 1e308],
    [1e308, -1e308],
  ];
  expect(() => eigenvalueDecomposition(huge)).toThrowError(
    "must lie between 1e-140 and 1e+140; it is 1e+308",
  );
  expect(() => singularValueDecomposition(huge)).toThrowError("Scale A");
});

test("shapes are checked", () => {
  expect(() => eigenvalueDecomposition(zeros(2, 3))).toThrowError("as many rows as columns; received 2 x 3");
  expect(() => luDecomposition(zeros(2, 3))).toThrowError("as many rows as columns");
  expect(() => choleskyDecomposition(zeros(3, 2))).toThrowError("as many rows as columns");
  expect(() => qrDecomposition(zeros(2, 3))).toThrowError("at least as many rows as columns; received 2 x 3");
  expect(() => choleskyDecomposition([[-1]])).toThrowError("not positive definite");
});
