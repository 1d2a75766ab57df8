import {
  CurvatureError,
  DenseCholesky,
  inverse,
  multiply,
  multiplyTranspose,
  zeros,
} from "@curvature/linalg";
import fc from "fast-check";
import { expect, test } from "vitest";
import { difference, normalMatrix, positiveDefinite } from "./arbitrary.js";

test("a factorisation known by hand", () => {
  const { factor } = new DenseCholesky({
    rows: 3,
    columns: 3,
    data: Float64Array.of(4, 0, 0, 12, 37, 0, -16, -43, 98),
  });
  expect(Array.from(factor.data)).toEqual([2, 0, 0, 6, 1, 0, -8, 5, 3]);
});

test("L L' is A, at sizes around the blocks'", () => {
  for (const n of [0, 1, 2, 5, 63, 64, 65, 70, 131, 200]) {
    const A = positiveDefinite(n, n);
    const { factor } = new DenseCholesky(A);
    expect(difference(multiplyTranspose(factor, factor).data, A.data)).toBeLessThan(1e-12 * (n + 1));
    for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) expect(factor.data[i * n + j]).toBe(0);
  }
});

test("solves have small residuals for any number of right-hand sides", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 5 }), fc.nat(), (n, d, seed) => {
      const A = positiveDefinite(n, seed);
      const B = normalMatrix(n, d, seed + 1);
      const X = { ...B, data: B.data.slice() };
      new DenseCholesky(A).solve(X.data, d);
      expect(difference(multiply(A, X).data, B.data)).toBeLessThan(1e-10 * n);
    }),
    { numRuns: 50 },
  );
});

test("the solution of a column does not depend on the columns beside it", () => {
  const cholesky = new DenseCholesky(positiveDefinite(30, 1));
  const B = normalMatrix(30, 2, 2).data;
  const one = Float64Array.from({ length: 30 }, (_, i) => B[2 * i]);
  cholesky.solve(B, 2);
  cholesky.solve(one);
  expect(
    difference(
      one,
      Float64Array.from({ length: 30 }, (_, i) => B[2 * i]),
    ),
  ).toBeLessThan(1e-14);
});

test("a solution goes where it is wanted, and B stays as it was", () => {
  const cholesky = new DenseCholesky(positiveDefinite(10, 6));
  const B = normalMatrix(10, 2, 7).data;
  const before = B.slice();
  const out = new Float64Array(20);
  cholesky.solve(B, 2, out);
  expect(B).toEqual(before);
  cholesky.solve(B, 2);
  expect(B).toEqual(out);
  expect(() => cholesky.solve(B, 2, new Float64Array(19))).toThrowError(
    "out must hold d = 2 vectors of length 10, 20 numbers; received 19",
  );
});

test("only the lower triangle is read, and A stays as it was unless its place is given away", () => {
  const A = positiveDefinite(70, 3);
  const poisoned = { ...A, data: A.data.slice() };
  for (let i = 0; i < 70; i++) poisoned.data.fill(Number.NaN, i * 70 + i + 1, (i + 1) * 70);
  const expected = new DenseCholesky(A).factor;
  expect(new DenseCholesky(poisoned).factor).toEqual(expected);
  const before = A.data.slice();
  new DenseCholesky(A);
  expect(A.data).toEqual(before);
  expect(new DenseCholesky(A, true).factor.data).toBe(A.data);
  expect(A.data).toEqual(expected.data);
});

test("the inverse times A is the identity, and it is symmetric", () => {
  const A = positiveDefinite(25, 4);
  const X = inverse(new DenseCholesky(A));
  const I = multiply(A, X);
  for (let i = 0; i < 25; i++) I.data[i * 26] -= 1;
  expect(difference(I.data, zeros(25, 25).data)).toBeLessThan(1e-10);
  for (let i = 0; i < 25; i++)
    for (let j = 0; j < i; j++) expect(X.data[i * 25 + j]).toBe(X.data[j * 25 + i]);
});

test.each([
  ["indefinite", [1, 0, 2, 1], 1],
  ["zero", [0, 0, 0, 0], 0],
  ["singular up to rounding", [0.1, 0, 0.1 + 2e-18, 0.1], 1],
  ["NaN on the diagonal", [1, 0, 0, Number.NaN], 1],
  ["NaN below it", [1, 0, Number.NaN, 1], 1],
  ["infinite", [Number.POSITIVE_INFINITY, 0, 0, 1], 0],
])("a matrix that is %s is refused and the pivot named", (_, data, pivot) => {
  const act = () => new DenseCholesky({ rows: 2, columns: 2, data: Float64Array.from(data) });
  expect(act).toThrowError(CurvatureError);
  expect(act).toThrowError(`not positive definite: pivot ${pivot} (counted from 0)`);
});

test("a pivot that fails far down, in a later block, is named by its index", () => {
  const A = positiveDefinite(150, 5);
  A.data[120 * 150 + 120] = -1;
  expect(() => new DenseCholesky(A)).toThrowError("pivot 120");
});

test("wrong shapes are refused", () => {
  expect(() => new DenseCholesky(zeros(2, 3))).toThrowError("A must be square; received 2 x 3");
  const cholesky = new DenseCholesky(positiveDefinite(3, 1));
  expect(() => cholesky.solve(new Float64Array(5), 2)).toThrowError(
    "B must hold d = 2 vectors of length 3, 6 numbers; received 5",
  );
  expect(() => cholesky.solve(new Float64Array(3), 1.5)).toThrowError(
    "d must be a whole number of at least 0; received 1.5",
  );
});

test("an array of another length than the shape says is refused", () => {
  const short = { rows: 2, columns: 2, data: Float64Array.of(4) };
  expect(() => new DenseCholesky(short)).toThrowError("received 2 x 2 with 1 numbers");
});
