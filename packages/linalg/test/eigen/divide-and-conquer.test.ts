import { type DenseMatrix, gram, symmetricEigen, symmetricEigenvalues, zeros } from "@curvature/linalg";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { difference, normalMatrix } from "../dense/arbitrary.js";
import { expectSameBits, inBothForms } from "../simd/both-forms.js";
import { departureFromOrthonormal, expectOriented, largestResidual, pathEigenvalues } from "./laws.js";

function from(n: number, entry: (i: number, j: number) => number): DenseMatrix {
  const A = zeros(n, n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) {
      A.data[i * n + j] = entry(i, j);
      A.data[j * n + i] = A.data[i * n + j];
    }
  return A;
}

/** diag(d) with off-diagonal entries e. */
const tridiagonal = (n: number, d: (i: number) => number, e: (i: number) => number): DenseMatrix =>
  from(n, (i, j) => (i === j ? d(i) : i === j + 1 ? e(j) : 0));

/** Reflections of diag(d) by random vectors. */
function withSpectrum(n: number, d: (i: number) => number): DenseMatrix {
  let A = tridiagonal(n, d, () => 0);
  for (let seed = 1; seed <= 3; seed++) {
    const v = normalMatrix(1, n, seed).data;
    const squares = v.reduce((sum, x) => sum + x * x, 0);
    const Av = Float64Array.from(v, (_, i) => v.reduce((sum, x, k) => sum + A.data[i * n + k] * x, 0));
    const vAv = v.reduce((sum, x, k) => sum + x * Av[k], 0);
    const w = Av.map((x, i) => (2 * (x - (vAv / squares) * v[i])) / squares);
    const before = A;
    A = from(n, (i, j) => before.data[i * n + j] - v[i] * w[j] - w[i] * v[j]);
  }
  return A;
}

const random = (n: number, factor = 1): DenseMatrix => {
  const { data } = normalMatrix(n, n, 1);
  return from(n, (i, j) => factor * data[i * n + j]);
};

/** Sixteen times the rounding error of a number, and a growth with √n. */
const close = (n: number) => 16 * 2 ** -52 * Math.sqrt(n);

const hard: readonly (readonly [string, (n: number) => DenseMatrix])[] = [
  ["random", (n) => random(n)],
  ["entries of 1e150", (n) => random(n, 1e150)],
  ["entries of 1e-150", (n) => random(n, 1e-150)],
  ["entries of 1e-310", (n) => random(n, 1e-310)],
  ["zeros", (n) => zeros(n, n)],
  [
    "the identity",
    (n) =>
      tridiagonal(
        n,
        () => 1,
        () => 0,
      ),
  ],
  ["all ones", (n) => from(n, () => 1)],
  ["rank 20 of n", (n) => gram(normalMatrix(20, n, 2))],
  ["three clusters", (n) => withSpectrum(n, (i) => [1, 1 + 1e-13 * i, 2][i % 3])],
  ["one eigenvalue far from the others", (n) => withSpectrum(n, (i) => (i === 0 ? 1 : 1e-15))],
  ["eigenvalues over sixteen orders", (n) => withSpectrum(n, (i) => 10 ** ((-16 * i) / n))],
  ["Hilbert's matrix", (n) => from(n, (i, j) => 1 / (i + j + 1))],
  ["a second diagonal", (n) => from(n, (i, j) => (i + j === n - 1 ? 1 : 0))],
  ["blocks of eight", (n) => from(n, (i, j) => (i >> 3 === j >> 3 ? 1 / (1 + i + j) : 0))],
  [
    "Wilkinson's",
    (n) =>
      tridiagonal(
        n,
        (i) => Math.abs(i - (n - 1) / 2),
        () => 1,
      ),
  ],
  [
    "Wilkinson's W21+, glued",
    (n) =>
      tridiagonal(
        n,
        (i) => Math.abs((i % 21) - 10),
        (i) => (i % 21 === 20 ? 1e-8 : 1),
      ),
  ],
  [
    "couplings of changing signs, no diagonal",
    (n) =>
      tridiagonal(
        n,
        () => 0,
        (i) => (i % 3 === 0 ? -1 : 1),
      ),
  ],
  [
    "Clement's",
    (n) =>
      tridiagonal(
        n,
        () => 0,
        (i) => Math.sqrt((i + 1) * (n - 1 - i)),
      ),
  ],
  [
    "falling over 300 orders",
    (n) =>
      tridiagonal(
        n,
        (i) => 10 ** ((-300 * i) / n),
        (i) => 10 ** ((-300 * (i + 1)) / n),
      ),
  ],
  [
    "rising over 300 orders",
    (n) =>
      tridiagonal(
        n,
        (i) => 10 ** ((300 * (i - n)) / n),
        (i) => 10 ** ((300 * (i + 1 - n)) / n),
      ),
  ],
];

describe.each([
  { n: 160, tags: [] },
  { n: 301, tags: ["full"] },
])("matrices of $n rows", ({ n, tags }) => {
  test.each(hard)("pairs are accurate, and the same in both forms: %s", { tags }, (_, make) => {
    const A = make(n);
    const { simd, typescript } = inBothForms(() => symmetricEigen(A));
    expectSameBits(simd.values, typescript.values);
    expectSameBits(simd.vectors.data, typescript.vectors.data);
    const { values, vectors } = typescript;
    const size = Math.max(Math.abs(values[0]), Math.abs(values[n - 1]));
    expect(largestResidual(A, typescript)).toBeLessThanOrEqual(close(n) * size);
    expect(departureFromOrthonormal(vectors)).toBeLessThan(close(n));
    expect(Array.from(values)).toEqual(Array.from(values).sort((a, b) => a - b));
    expectOriented(vectors);
    expect(difference(values, symmetricEigenvalues(A))).toBeLessThanOrEqual(4 * close(n) * size); // by QL
  });
});

test("the spectrum of a long path's Laplacian is the known one", () => {
  const n = 500;
  const A = tridiagonal(
    n,
    (i) => (i > 0 && i < n - 1 ? 2 : 1),
    () => -1,
  );
  expect(difference(symmetricEigen(A).values, pathEigenvalues(n))).toBeLessThan(1e-14);
});

test("Clement's matrix has the whole numbers n − 1, n − 3, … 1 − n", () => {
  const n = 300;
  const A = tridiagonal(
    n,
    () => 0,
    (i) => Math.sqrt((i + 1) * (n - 1 - i)),
  );
  const expected = Array.from({ length: n }, (_, i) => 2 * i + 1 - n);
  expect(difference(symmetricEigen(A).values, expected)).toBeLessThan(1e-15 * n * 2);
});

test("so are those of any spectrum with multiple and near eigenvalues", { tags: ["full"] }, () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 160, max: 220 }),
      fc.array(fc.constantFrom(-1, 0, 1, 1 + 1e-15, 1 + 1e-12, 1e-8, 1e-200, 3), {
        minLength: 1,
        maxLength: 9,
      }),
      fc.array(fc.constantFrom(0, 1, -1, 1e-20, 1e-8, 1e-170, -3), { minLength: 1, maxLength: 9 }),
      (n, d, e) => {
        const A = tridiagonal(
          n,
          (i) => d[i % d.length],
          (i) => e[i % e.length],
        );
        const pairs = symmetricEigen(A);
        expect(largestResidual(A, pairs)).toBeLessThan(5 * close(n));
        expect(departureFromOrthonormal(pairs.vectors)).toBeLessThan(close(n));
      },
    ),
    { numRuns: 40 },
  );
});
