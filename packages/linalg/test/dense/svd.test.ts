import { type DenseMatrix, singularValues, svd, zeros } from "@curvature/linalg";
import fc from "fast-check";
import { expect, test } from "vitest";
import { departureFromOrthonormal } from "../eigen/laws.js";
import { difference, normalMatrix } from "./arbitrary.js";

const EPSILON = 2 ** -52;

const made = (rows: number, columns: number, entry: (i: number, j: number) => number): DenseMatrix => ({
  rows,
  columns,
  data: Float64Array.from({ length: rows * columns }, (_, k) => entry(Math.floor(k / columns), k % columns)),
});

function residual(A: DenseMatrix): number {
  const { values, left, right } = svd(A);
  const { rows: m, columns: n } = A;
  let most = 0;
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let sum = A.data[i * n + j];
      for (let k = 0; k < values.length; k++) sum -= left.data[k * m + i] * values[k] * right.data[k * n + j];
      most = Math.max(most, Math.abs(sum));
    }
  }
  return most;
}

/** Of the matrices in double precision, by arithmetic of 60 digits. */
const known: readonly [string, DenseMatrix, readonly number[]][] = [
  [
    "Hilbert's",
    made(8, 8, (i, j) => 1 / (i + j + 1)),
    [
      1.6959389969219494, 0.2981252113169307, 0.026212843578119052, 0.001467688117741847,
      0.000054369433697508964, 0.0000012943320918741794, 1.7988737460063012e-8, 1.1115389694888083e-10,
    ],
  ],
  [
    "Kahan's",
    made(12, 12, (i, j) => (i > j ? 0 : 0.8 ** i * (i === j ? 1 : -0.6))),
    [
      2.8462758462841657, 1.2116290120066853, 0.9608167347687568, 0.7622500664229735, 0.6040230946947668,
      0.4777053302757558, 0.3767548282270294, 0.29597365815144444, 0.23117218735769676, 0.1788742437864637,
      0.13581879131294597, 0.0008802087636338925,
    ],
  ],
  ["Läuchli's", made(5, 4, (i, j) => (i === 0 ? 1 : Number(i === j + 1) * 1e-9)), [2, 1e-9, 1e-9, 1e-9]],
];

test.each(known)("singular values of %s matrix are those of extended precision", (_, A, expected) => {
  const { values } = svd(A);
  expect(difference(values, expected)).toBeLessThan(4 * EPSILON * expected[0]);
  expect(difference(singularValues(A).values, expected)).toBeLessThan(4 * EPSILON * expected[0]);
  const turned = made(A.columns, A.rows, (i, j) => A.data[j * A.columns + i]);
  expect(difference(svd(turned).values, expected)).toBeLessThan(4 * EPSILON * expected[0]);
});

test("small values of a matrix that is graded by rows and columns have their own digits", () => {
  const A = made(6, 5, (i, j) => (1 + ((i * 7 + j * 3) % 5) + (i === j ? 2 : 0)) * 2 ** (-10 * i - 7 * j));
  const expected = [
    3.0001641890010187, 0.000007629957389215753, 4.4621183725606864e-10, 8.109532422045744e-16,
    1.5084759448346395e-20,
  ];
  svd(A).values.forEach((value, i) => {
    expect(Math.abs(value / expected[i] - 1)).toBeLessThan(1e-14);
  });
});

test("any shape and size: A = Σ σ u v, both sides orthonormal, values decreasing", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 25 }),
      fc.integer({ min: 0, max: 25 }),
      fc.nat(),
      fc.constantFrom(1, 1e-150, 1e150, 1e-300, 1e300),
      (m, n, seed, size) => {
        const A = normalMatrix(m, n, seed);
        for (let k = 0; k < A.data.length; k++) A.data[k] *= size;
        const { values, left, right, rank, tolerance } = svd(A);
        const most = 10 * Math.max(m, n) * EPSILON;
        expect([left.rows, left.columns, right.rows, right.columns]).toEqual([
          Math.min(m, n),
          m,
          Math.min(m, n),
          n,
        ]);
        expect(residual(A)).toBeLessThanOrEqual(most * (values[0] ?? 0));
        expect(departureFromOrthonormal(left)).toBeLessThanOrEqual(most);
        expect(departureFromOrthonormal(right)).toBeLessThanOrEqual(most);
        expect(Array.from(values)).toEqual(Array.from(values).sort((a, b) => b - a));
        expect(rank).toBe(Math.min(m, n));
        expect(tolerance).toBe(Math.max(m, n) * EPSILON);
      },
    ),
    { numRuns: 60 },
  );
});

test("the rank is counted by the tolerance, and the basis is whole beyond it", () => {
  const A = made(7, 5, (i, j) => (i + 1) * (j + 1) + (i % 2) * 1e-6 * (j - 2));
  expect(svd(A).rank).toBe(2);
  expect(svd(A, { tolerance: 1e-3 }).rank).toBe(1);
  for (const zero of [zeros(4, 6), made(4, 6, () => 1)]) {
    const { values, rank, left, right } = svd(zero);
    expect(values[1]).toBeLessThan(1e-15);
    expect(rank).toBe(Math.sign(values[0]));
    expect(departureFromOrthonormal(left)).toBeLessThan(1e-15);
    expect(departureFromOrthonormal(right)).toBeLessThan(1e-15);
  }
});

test("the largest entry of each right vector is positive; arrays of arrays are taken", () => {
  const { values, right } = svd([
    [1, 2],
    [2, 4],
    [3, 6],
  ]);
  expect(values[0]).toBeCloseTo(Math.sqrt(70), 14);
  expect(right.data[1]).toBeCloseTo(2 / Math.sqrt(5), 14);
});

test("what is not finite, beyond the range or too much work is refused by name", () => {
  expect(() => svd([[1, Number.NaN]])).toThrowError("svd: A has NaN at row 0, column 1");
  expect(() => svd(made(9, 9, () => 1e308))).toThrowError(
    "svd: the largest singular value of A is beyond the range of float64. Divide A by 9.",
  );
  expect(() => singularValues(zeros(100, 50), { maxOperations: 1e5 })).toThrowError(
    "singularValues: A of 100 x 50 takes some 8.5e+6 operations, and maxOperations is 100000.",
  );
});
