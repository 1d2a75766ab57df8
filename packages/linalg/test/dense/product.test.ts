import {
  type DenseMatrix,
  gram,
  matrixTimesVector,
  multiply,
  multiplyTranspose,
  outerGram,
  symmetricTimesVector,
  transpose,
  transposeMultiply,
  transposeTimesVector,
  zeros,
} from "@curvature/linalg";
import fc from "fast-check";
import { expect, test } from "vitest";
import { definedProduct, difference, normalMatrix } from "./arbitrary.js";

/** Whole numbers, whose products and sums are exact. */
const whole = (rows: number, columns: number, seed: number): DenseMatrix => ({
  rows,
  columns,
  data: normalMatrix(rows, columns, seed).data.map((x) => Math.round(4 * x)),
});
const sizes = fc.tuple(fc.nat(13), fc.nat(13), fc.nat(13), fc.nat());

test("on whole numbers all products are exact at every size, nothing included", () => {
  fc.assert(
    fc.property(sizes, ([m, n, k, seed]) => {
      const A = whole(m, k, seed);
      const B = whole(k, n, seed + 1);
      const AB = definedProduct(A, B);
      expect(multiply(A, B)).toEqual(AB);
      expect(transposeMultiply(transpose(A), B)).toEqual(AB);
      expect(multiplyTranspose(A, transpose(B))).toEqual(AB);
      expect(gram(A)).toEqual(definedProduct(transpose(A), A));
      expect(outerGram(A)).toEqual(definedProduct(A, transpose(A)));
    }),
  );
});

test.each([
  [70, 65, 300],
  [5, 600, 3],
  [130, 2, 520],
])("products larger than the blocks (%d x %d over %d) are exact on whole numbers", (m, n, k) => {
  const A = whole(m, k, 1);
  const B = whole(k, n, 2);
  expect(difference(multiply(A, B).data, definedProduct(A, B).data)).toBe(0);
  expect(difference(gram(A).data, definedProduct(transpose(A), A).data)).toBe(0);
});

test("a matrix times a vector agrees with the product", () => {
  const A = whole(7, 9, 3);
  const v = whole(9, 1, 4);
  const out = new Float64Array(7);
  matrixTimesVector(A, v.data, out);
  expect(out).toEqual(multiply(A, v).data);
  const w = whole(7, 1, 5);
  const turned = new Float64Array(9);
  transposeTimesVector(A, w.data, turned);
  expect(turned).toEqual(transposeMultiply(A, w).data);
});

test("a symmetric matrix times a vector is exact on whole numbers, from its lower triangle alone", () => {
  for (let n = 0; n < 23; n++) {
    const A = gram(whole(5, n, n));
    const v = whole(n, 1, 4);
    const expected = multiply(A, v).data;
    for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) A.data[i * n + j] = Number.NaN;
    const out = new Float64Array(n + 1).fill(Number.NaN);
    symmetricTimesVector(A, Float64Array.of(...v.data, Number.NaN), out);
    expect(difference(out.subarray(0, n), expected), `n = ${n}`).toBe(0);
    expect(out[n]).toBeNaN();
  }
});

test("the rows of a product do not depend on the other rows: cutting A into parts gives the same bits", () => {
  const A = normalMatrix(90, 40, 6);
  const B = normalMatrix(40, 30, 7);
  const upper = multiply({ rows: 33, columns: 40, data: A.data.slice(0, 33 * 40) }, B);
  expect(upper.data).toEqual(multiply(A, B).data.slice(0, 33 * 30));
});

test("inner sizes that differ are refused", () => {
  expect(() => multiply(zeros(2, 3), zeros(2, 3))).toThrowError(
    "the inner sizes differ: A is 2 x 3, B is 2 x 3",
  );
  expect(() => transposeMultiply(zeros(2, 3), zeros(3, 3))).toThrowError("the inner sizes differ");
  expect(() => multiplyTranspose(zeros(2, 3), zeros(3, 2))).toThrowError("the inner sizes differ");
});

test("an operand may be the beginning of longer data", () => {
  const A = whole(3, 2, 1);
  const longer = { ...A, data: new Float64Array(10).fill(Number.NaN) };
  longer.data.set(A.data);
  for (const product of [gram, outerGram, transpose]) expect(product(longer)).toEqual(product(A));
  expect(transposeMultiply(longer, longer)).toEqual(gram(A));
  expect(multiplyTranspose(longer, longer)).toEqual(outerGram(A));
  expect(multiply(longer, transpose(A))).toEqual(outerGram(A));
});
