/** The numerical parts: the logarithm of a ratio of gamma functions, log-determinants, products, tanh. */
import { type DenseMatrix, multiply, RandomGenerator, transpose } from "@curvature/linalg";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { tanh } from "../../src/networks/activations.js";
import { invertInPlace } from "../../src/sums/log-determinant.js";
import { logGammaRatio, logGammaRatioSlope } from "../../src/sums/log-gamma-ratio.js";
import { MatrixProduct } from "../../src/sums/matrix-product.js";
import { randomRows } from "./models.js";

/** Γ(n + ½)/Γ(n) = √π/… by the product (2n − 1)!! / (2^n (n − 1)!), as a sum of logarithms. */
function exactRatio(n: number): number {
  let sum = 0.5 * Math.log(Math.PI) - Math.log(2);
  for (let k = 1; k < n; k++) sum += Math.log1p(0.5 / k);
  return sum;
}

test("log Γ(z + ½) − log Γ(z) at whole and half z", () => {
  expect(logGammaRatio(0.5)).toBeCloseTo(-0.5 * Math.log(Math.PI), 14);
  for (const n of [1, 2, 3, 7, 15, 16, 17, 100, 1000]) {
    expect(Math.abs(logGammaRatio(n) - exactRatio(n))).toBeLessThanOrEqual(2e-15 * Math.max(1, Math.sqrt(n)));
    // Γ(n + 1)/Γ(n + ½) and Γ(n + ½)/Γ(n) have the product n
    expect(logGammaRatio(n + 0.5) + logGammaRatio(n)).toBeCloseTo(Math.log(n), 14);
  }
  expect(logGammaRatio(1e12)).toBeCloseTo(6 * Math.log(10) - 1.25e-13, 14);
});

test("its derivative at z = ½ is 2 log 2, and elsewhere that of its values", () => {
  expect(logGammaRatioSlope(0.5)).toBeCloseTo(2 * Math.log(2), 14);
  for (const z of [0.05, 0.3, 1, 4.7, 15.9, 16.1, 40, 3000]) {
    const h = 1e-4 * z;
    const near = (logGammaRatio(z + h) - logGammaRatio(z - h)) / (2 * h);
    const far = (logGammaRatio(z + 2 * h) - logGammaRatio(z - 2 * h)) / (4 * h);
    const difference = near + (near - far) / 3; // error h⁴
    expect(Math.abs(logGammaRatioSlope(z) / difference - 1)).toBeLessThanOrEqual(1e-9);
  }
});

test("an inverse times its matrix is I, and the determinants of transpose and product fit", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.nat(1000), (n, seed) => {
      const logDet = (M: DenseMatrix): number => invertInPlace(M.data.slice(), n, new Int32Array(n));
      const A = randomRows(n, n, -1, 1, seed + 1);
      const B = randomRows(n, n, -1, 1, seed + 2000);
      const inverse = { ...A, data: A.data.slice() };
      const size = invertInPlace(inverse.data, n, new Int32Array(n));
      const worst = Math.max(...inverse.data.map(Math.abs), 1);
      multiply(A, inverse).data.forEach((entry, e) => {
        const unit = Math.floor(e / n) === e % n ? 1 : 0;
        expect(Math.abs(entry - unit)).toBeLessThanOrEqual(1e-13 * n * worst);
      });
      expect(Math.abs(logDet(transpose(A)) - size)).toBeLessThanOrEqual(1e-13 * n * worst);
      const bound = 1e-13 * n * n * worst * Math.exp(-Math.min(0, logDet(B)));
      expect(Math.abs(logDet(multiply(A, B)) - size - logDet(B))).toBeLessThanOrEqual(bound);
    }),
    { numRuns: 60 },
  );
});

test("log-determinants: permutations, triangles, singular matrices", () => {
  const of = (...entries: number[]): number => {
    const n = Math.sqrt(entries.length);
    return invertInPlace(Float64Array.from(entries), n, new Int32Array(n));
  };
  expect(of(0, 1, 0, 0, 0, 1, 1, 0, 0)).toBe(0);
  expect(of(2, 5, 0, -3)).toBeCloseTo(Math.log(6), 15);
  expect(of(1, 2, 2, 4)).toBe(Number.NEGATIVE_INFINITY);
  expect(of(0)).toBe(Number.NEGATIVE_INFINITY);
  expect(of(Number.NaN, 1, 1, 1)).toBeNaN();
});

test("products of parts of arrays, over the edges of the blocks", () => {
  const product = new MatrixProduct();
  for (const [m, n, k] of [
    [1, 1, 1],
    [3, 5, 2],
    [4, 8, 4],
    [65, 3, 257],
    [7, 258, 9],
  ]) {
    const A = randomRows(m, k, -1, 1, 1);
    const B = randomRows(k, n, -1, 1, 2);
    const expected = multiply(A, B);
    const forms = [
      (C: Float64Array, adds: boolean) => product.times(m, n, k, shifted(A), 2, shifted(B), 2, C, 3, adds),
      (C: Float64Array, adds: boolean) =>
        product.timesTranspose(m, n, k, shifted(A), 2, shifted(transpose(B)), 2, C, 3, adds),
      (C: Float64Array, adds: boolean) =>
        product.transposeTimes(m, n, k, shifted(transpose(A)), 2, shifted(B), 2, C, 3, adds),
    ];
    for (const form of forms)
      for (const adds of [false, true]) {
        const C = new Float64Array(m * n + 6).fill(7);
        form(C, adds);
        expect([C[2], C[m * n + 3]]).toEqual([7, 7]);
        expected.data.forEach((entry, e) => {
          expect(Math.abs(C[3 + e] - entry - (adds ? 7 : 0))).toBeLessThanOrEqual(1e-15 * (k + 8));
        });
      }
  }
});

const shifted = ({ data }: DenseMatrix): Float64Array => Float64Array.of(9, 9, ...data);

test("tanh within 3 units in the last place, odd, and 1 far out", () => {
  const random = new RandomGenerator(1);
  for (let k = 0; k < 20000; k++) {
    const z = (k % 2 === 0 ? 2 : 25) * (2 * random.uniform() - 1) * 2 ** (-(k % 40) / 4);
    const expected = Math.tanh(z);
    const ulp = 2 ** (Math.floor(Math.log2(Math.abs(expected))) - 52);
    expect(Math.abs(tanh(z) - expected)).toBeLessThanOrEqual(3 * ulp);
    expect(tanh(-z)).toBe(-tanh(z));
  }
  expect([tanh(0), tanh(1e-310), tanh(400), tanh(-1e300), tanh(Number.NaN)]).toEqual([
    0,
    1e-310,
    1,
    -1,
    Number.NaN,
  ]);
});
