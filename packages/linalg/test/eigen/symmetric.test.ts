import {
  gram,
  lanczos,
  symmetricEigen,
  symmetricEigenvalues,
  Tridiagonalization,
  tridiagonalEigen,
  zeros,
} from "@curvature/linalg";
import fc from "fast-check";
import { expect, test } from "vitest";
import { difference, normalMatrix } from "../dense/arbitrary.js";
import { departureFromOrthonormal, expectOriented, largestResidual, pathEigenvalues } from "./laws.js";

const symmetric = (n: number, seed: number) => {
  const A = normalMatrix(n, n, seed);
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) A.data[j * n + i] = A.data[i * n + j];
  return A;
};

test("pairs satisfy A u = λ u, are orthonormal, in order, and turned to their sign", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.nat(), (n, seed) => {
      const A = symmetric(n, seed);
      const pairs = symmetricEigen(A);
      expect(largestResidual(A, pairs)).toBeLessThan(1e-13 * n);
      expect(departureFromOrthonormal(pairs.vectors)).toBeLessThan(1e-14 * (n + 10));
      expect(Array.from(pairs.values)).toEqual(Array.from(pairs.values).sort((a, b) => a - b));
      expectOriented(pairs.vectors);
    }),
    { numRuns: 40 },
  );
});

test("the spectrum of a path's Laplacian is the known one", () => {
  const n = 120;
  const A = zeros(n, n);
  for (let i = 0; i < n; i++) {
    A.data[i * n + i] = i > 0 && i < n - 1 ? 2 : 1;
    if (i > 0) A.data[i * n + i - 1] = -1;
  }
  expect(difference(symmetricEigen(A).values, pathEigenvalues(n))).toBeLessThan(1e-13);
});

test("Wilkinson's W21+ has its pairs that agree to 14 digits", () => {
  const d = Float64Array.from({ length: 21 }, (_, i) => Math.abs(10 - i));
  const e = new Float64Array(21).fill(1);
  const Z = new Float64Array(21 * 21);
  for (let i = 0; i < 21; i++) Z[i * 22] = 1;
  tridiagonalEigen(d, e, Z, 21);
  const largest = Array.from(d).sort((a, b) => b - a);
  expect(largest[0] - largest[1]).toBeLessThan(1e-13);
  expect(Math.max(...d)).toBeCloseTo(10.7461941829034, 13);
  expect(Math.min(...d)).toBeCloseTo(-1.12544152211998, 13);
  expect(departureFromOrthonormal({ rows: 21, columns: 21, data: Z })).toBeLessThan(1e-13);
});

test.each([
  ["zeros", () => zeros(6, 6), [0, 0, 0, 0, 0, 0]],
  ["all ones", () => ({ rows: 4, columns: 4, data: new Float64Array(16).fill(1) }), [0, 0, 0, 4]],
  ["one number", () => ({ rows: 1, columns: 1, data: Float64Array.of(-3) }), [-3]],
  ["nothing", () => zeros(0, 0), []],
  ["a reflection", () => ({ rows: 2, columns: 2, data: Float64Array.of(0, 1, 1, 0) }), [-1, 1]],
])("degenerate: %s", (_, make, values) => {
  const pairs = symmetricEigen(make());
  expect(difference(pairs.values, values)).toBeLessThan(1e-15);
  expect(departureFromOrthonormal(pairs.vectors)).toBeLessThan(1e-14);
});

test.each([1e-300, 1e-160, 1e160, 1e300])("entries of size %d neither overflow nor vanish", (size) => {
  const A = symmetric(8, 1);
  const expected = symmetricEigen(A).values;
  const { values } = symmetricEigen({ ...A, data: A.data.map((a) => a * size) });
  expect(
    difference(
      values.map((v) => v / size),
      expected,
    ),
  ).toBeLessThan(1e-13);
});

test("a graded matrix, its entries over 24 orders of magnitude, converges", () => {
  const n = 12;
  const A = gram(normalMatrix(n, n, 2));
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) A.data[i * n + j] *= 10 ** -(i + j);
  const pairs = symmetricEigen(A);
  expect(largestResidual(A, pairs)).toBeLessThan(1e-14 * Math.abs(pairs.values[n - 1]));
});

test("only the lower triangle is read; A is left as it was", () => {
  const A = symmetric(9, 3);
  const poisoned = { ...A, data: A.data.slice() };
  for (let i = 0; i < 9; i++) poisoned.data.fill(Number.NaN, i * 9 + i + 1, (i + 1) * 9);
  const before = A.data.slice();
  expect(symmetricEigen(poisoned)).toEqual(symmetricEigen(A));
  expect(A.data).toEqual(before);
});

test("NaN, infinity and other shapes are refused", () => {
  const A = symmetric(3, 1);
  A.data[2 * 3 + 1] = Number.NaN;
  expect(() => symmetricEigen(A)).toThrowError("A has NaN at row 2, column 1");
  A.data[2 * 3 + 1] = Number.NEGATIVE_INFINITY;
  expect(() => symmetricEigen(A)).toThrowError("A has -Infinity at row 2, column 1");
  expect(() => symmetricEigen(zeros(2, 3))).toThrowError("A must be square; received 2 x 3");
});

test("a tridiagonal matrix with NaN ends with an error, not without end", () => {
  const d = Float64Array.of(1, Number.NaN, 2);
  expect(() => tridiagonalEigen(d, Float64Array.of(1, 1, 0), new Float64Array(9), 3)).toThrowError(
    "tridiagonalEigen: d or e has a NaN or an infinity. Give finite entries.",
  );
});

test("a tridiagonal matrix of other lengths is refused", () => {
  expect(() =>
    tridiagonalEigen(new Float64Array(3), new Float64Array(2), new Float64Array(9), 3),
  ).toThrowError("e must have 3 entries and Z 3 x 3; received 2 and 9");
});

test.each([2e-162, 1e-160, 1e-155, 1e-150])("entries of %s beside ones neither spoil nor stop it", (tiny) => {
  const A = {
    rows: 4,
    columns: 4,
    data: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, tiny, tiny, 0, 1),
  };
  const pairs = symmetricEigen(A);
  expect(Array.from(pairs.values)).toEqual([1, 1, 1, 1]);
  expect(departureFromOrthonormal(pairs.vectors)).toBeLessThan(1e-14);
});

test("eigenvalues beyond the range of float64 are refused, those within it found", () => {
  const ones = (n: number, size: number) => ({
    rows: n,
    columns: n,
    data: new Float64Array(n * n).fill(size),
  });
  for (const solve of [
    symmetricEigen,
    symmetricEigenvalues,
    (A: ReturnType<typeof ones>) => new Tridiagonalization(A).eigenvalues(),
  ])
    expect(() => solve(ones(3, 1e308))).toThrowError("beyond the range of float64. Divide A by 3.");
  expect(symmetricEigen(ones(170, 1e306)).values[169] / 1.7e308).toBeCloseTo(1, 13);
});

test("sizes of hours and gigabytes are refused before they begin", () => {
  expect(() => lanczos((v, out) => out.set(v), 20_000, { count: 7000 })).toThrowError(
    "lanczos: all eigenpairs of 20000 rows take hours and 2.98 GiB",
  );
});
