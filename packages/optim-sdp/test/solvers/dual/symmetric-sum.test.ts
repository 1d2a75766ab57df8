import { type DenseMatrix, multiply, RandomGenerator, zeros } from "@curvature/linalg";
import fc from "fast-check";
import { expect, test } from "vitest";
import { eachStrip } from "../../../src/solvers/dual/dual-iteration.js";
import { centreRows, orthonormalRows, singularRows } from "../../../src/solvers/dual/rows.js";
import { SymmetricSum } from "../../../src/solvers/dual/symmetric-sum.js";
import { randomGram, randomPoints } from "../../helpers/small.js";

/** Symmetric numbers of both signs. */
function randomSingle(n: number, seed: number): Float32Array {
  const random = new RandomGenerator(seed);
  const A = new Float32Array(n * n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) {
      A[i * n + j] = random.uniform() - 0.5;
      A[j * n + i] = A[i * n + j];
    }
  return A;
}

/** J (c_D D + c_a |A| + c A) J, entry by entry. */
function centredSum(D: DenseMatrix, A: Float32Array, c: { gram: number; absolute: number; plain: number }) {
  const n = D.rows;
  const B = zeros(n, n);
  for (let k = 0; k < A.length; k++)
    B.data[k] = c.gram * D.data[k] + c.absolute * Math.abs(A[k]) + c.plain * A[k];
  const sum = B.data.reduce((total, b) => total + b, 0) - D.data.reduce((total, d) => total + c.gram * d, 0);
  centreRows(B);
  const J = zeros(n, n);
  J.data.fill(-1 / n);
  for (let i = 0; i < n; i++) J.data[i * (n + 1)] += 1;
  return { B: multiply(J, B), sum };
}

test("products, with blocks and with vectors, and the sum of entries are those of the matrix", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 70 }),
      fc.integer({ min: 1, max: 9 }),
      fc.double({ min: -2, max: 2, noNaN: true }),
      (n, k, plain) => {
        const D = randomGram(n, 3, n).dense();
        const A = randomSingle(n, k);
        const c = { gram: 0.7, absolute: 1.3, plain };
        const sum = new SymmetricSum(n, D.data, A, c);
        const { B, sum: entries } = centredSum(D, A, c);
        const V = randomPoints(k, n, 5);
        centreRows(V);
        const right = multiply(V, B).data;
        const size = 1e-12 * (1 + n * n);
        sum.multiply(V).data.forEach((value, i) => {
          expect(Math.abs(value - right[i])).toBeLessThan(size);
        });
        const out = new Float64Array(n).fill(Number.NaN);
        new SymmetricSum(n, lower(D.data.slice(), n), lower(A.slice(), n), c).multiplyVector(
          V.data.slice(0, n),
          out,
        );
        out.forEach((value, i) => {
          expect(Math.abs(value - right[i])).toBeLessThan(size);
        });
        expect(Math.abs(sum.entrySum() - entries)).toBeLessThan(size);
      },
    ),
    { numRuns: 60 },
  );
});

/** With NaN right of the diagonal. */
function lower<T extends Float32Array | Float64Array>(A: T, n: number): T {
  for (let i = 0; i < n; i++) A.fill(Number.NaN, i * n + i + 1, (i + 1) * n);
  return A;
}

test("orthonormal rows span what they came from; dependent ones are refused, or left out", () => {
  const Y = randomPoints(7, 40, 1);
  const basis = orthonormalRows({ ...Y, data: Y.data.slice() });
  if (basis === undefined) throw new Error("random rows are independent");
  const G = multiply(basis, { rows: 40, columns: 7, data: transposed(basis) });
  for (let i = 0; i < 7; i++)
    for (let j = 0; j < 7; j++) expect(Math.abs(G.data[i * 7 + j] - (i === j ? 1 : 0))).toBeLessThan(1e-14);
  for (let i = 0; i < 7; i++) {
    const sum = basis.data.subarray(i * 40, (i + 1) * 40).reduce((total, v) => total + v, 0);
    expect(Math.abs(sum)).toBeLessThan(1e-14);
  }
  const twice = { ...Y, data: Y.data.slice() };
  twice.data.copyWithin(40, 0, 40);
  expect(orthonormalRows({ ...twice, data: twice.data.slice() })).toBeUndefined();
  expect(singularRows(twice, 1e-3, 7).rows).toBe(6);
  expect(singularRows(twice, 1e-3, 4).rows).toBe(4);
  expect(singularRows(zeros(3, 10), 1e-3, 3).rows).toBe(0);
});

test("strips have the rows of RᵀR up to the diagonal", () => {
  const R = randomPoints(3, 130, 2);
  const rows: number[] = [];
  eachStrip(R, (strip, first, end) => {
    for (let i = first; i < end; i++) {
      rows.push(i);
      for (let j = 0; j <= i; j += 17) {
        let right = 0;
        for (let k = 0; k < 3; k++) right += R.data[k * 130 + i] * R.data[k * 130 + j];
        expect(strip[(i - first) * 130 + j]).toBeCloseTo(right, 12);
      }
    }
  });
  expect(rows).toEqual(Array.from({ length: 130 }, (_, i) => i));
});

function transposed(A: DenseMatrix): Float64Array {
  const T = new Float64Array(A.data.length);
  for (let i = 0; i < A.rows; i++)
    for (let j = 0; j < A.columns; j++) T[j * A.rows + i] = A.data[i * A.columns + j];
  return T;
}
