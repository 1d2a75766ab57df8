import { type DenseMatrix, linearLeastSquares, svd, toDense, zeros } from "@curvature/linalg";
import fc from "fast-check";
import { expect, test } from "vitest";
import { difference, normalMatrix } from "./arbitrary.js";
import { regressions } from "./nist-regressions.js";

/** Digits that a solution by QR has at best: Filip's design has a condition of 1e15. */
const digits: Readonly<Record<string, number>> = {
  Filip: 7,
  Longley: 11,
  Wampler1: 9,
  Wampler2: 12,
  Wampler3: 9,
  Wampler4: 7,
  Wampler5: 5,
};

test.each(regressions)("$name: the certified parameters", ({ name, design, y, certified, deviation }) => {
  const { x, rank, residualNorms } = linearLeastSquares(design, y);
  expect(rank).toBe(certified.length);
  certified.forEach((value, k) => {
    expect(Math.abs(x[k] / value - 1)).toBeLessThan(10 ** -digits[name]);
  });
  const found = residualNorms[0] / Math.sqrt(y.length - rank);
  expect(Math.abs(found - deviation)).toBeLessThan(1e-11 * deviation + 1e-8);
});

const vandermonde: number[][] = Array.from({ length: 10 }, (_, i) =>
  Array.from({ length: 6 }, (_, j) => (i / 9) ** j),
);

/** Solutions by arithmetic of 60 digits, of the numbers in double precision. */
test.each([
  [
    "Läuchli's matrix, whose squares lose what matters",
    [[1, 1, 1, 1], ...[0, 1, 2, 3].map((i) => [0, 1, 2, 3].map((j) => (i === j ? 1e-9 : 0)))],
    [1, 2e-9, -1e-9, 3e-9, 5e-10],
    [1.125, -1.875, 2.125, -0.375],
    1e-14,
  ],
  [
    "Vandermonde's matrix",
    vandermonde,
    vandermonde.map(([, t]) => 1 / (1 + t)),
    [
      0.9999904805190696, -0.9968045322632947, 0.9561593409675483, -0.7770968841164957, 0.42486274677604347,
      -0.10711958544848257,
    ],
    1e-11,
  ],
  [
    "a wide matrix: the shortest x",
    [
      [1, 2, 3, 4, 5],
      [2, 1, 0, 1, 7],
      [1, 1, 2, 3, 1],
    ],
    [1, 2, 3],
    [2.4095102909865154, -0.33640880056777855, -0.6245564229950319, 0.8857345635202271, -0.48119233498935415],
    1e-14,
  ],
  [
    "columns that depend on one another: the shortest x",
    [
      [1, 2, 3],
      [3, -1, 2],
      [2, 2, 4],
      [0, 5, 5],
    ],
    [1, 2, 3, 4],
    [0.28765167737330477, 0.20413990007137758, 0.4917915774446824],
    1e-14,
  ],
] as const)("%s", (_, A, b, expected, most) => {
  expect(difference(linearLeastSquares(A, b).x, expected)).toBeLessThan(most);
});

const product = (left: DenseMatrix, right: DenseMatrix): DenseMatrix => {
  const C = zeros(left.rows, right.columns);
  for (let i = 0; i < C.rows; i++)
    for (let k = 0; k < left.columns; k++)
      for (let j = 0; j < C.columns; j++)
        C.data[i * C.columns + j] += left.data[i * left.columns + k] * right.data[k * C.columns + j];
  return C;
};

test("of any rank the solution is that of the singular value decomposition, for all right-hand sides", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 12 }),
      fc.nat(1e6),
      fc.constantFrom(1, 1e-150, 1e150, 1e-305, 1e300),
      (m, n, r, seed, size) => {
        const rank = Math.min(m, n, r);
        const A = product(normalMatrix(m, rank, seed), normalMatrix(rank, n, seed + 1));
        const b = normalMatrix(m, 2, seed + 2).data;
        const { values, left, right } = svd(A);
        fc.pre(values[rank - 1] > 1e-2 * values[0]);
        for (let k = 0; k < A.data.length; k++) A.data[k] *= size;
        const found = linearLeastSquares(
          A,
          b.map((value) => value * size),
          { rightSides: 2 },
        );
        expect(found.rank).toBe(rank);
        for (let side = 0; side < 2; side++) {
          const expected = new Float64Array(n);
          for (let k = 0; k < rank; k++) {
            let share = 0;
            for (let i = 0; i < m; i++) share += left.data[k * m + i] * b[2 * i + side];
            for (let j = 0; j < n; j++) expected[j] += (share / values[k]) * right.data[k * n + j];
          }
          const x = Float64Array.from({ length: n }, (_, j) => found.x[2 * j + side]);
          expect(difference(x, expected)).toBeLessThan(1e-9 / values[rank - 1]);
        }
      },
    ),
    { numRuns: 100 },
  );
});

test("units of columns decide nothing: not the rank, and no digit of the solution", () => {
  const A = normalMatrix(8, 4, 3);
  const b = normalMatrix(8, 1, 4).data;
  const { x } = linearLeastSquares(A, b);
  const units = [2 ** 300, 1, 2 ** -70, 2 ** -300];
  const scaled = { ...A, data: A.data.map((a, k) => a * units[k % 4]) };
  const found = linearLeastSquares(scaled, b);
  expect(found.rank).toBe(4);
  expect(found.x.map((value, j) => value * units[j])).toEqual(x);
});

test("the rank is decided by the tolerance, and the columns that it counts are named", () => {
  const A = [
    [1, 1, 0],
    [1, 1 + 1e-6, 0],
    [1, 1, 1],
  ];
  expect(linearLeastSquares(A, [1, 1, 1]).rank).toBe(3);
  const { rank, columns, tolerance, x } = linearLeastSquares(A, [2, 2, 3], { tolerance: 1e-4 });
  expect([rank, tolerance, Array.from(columns.slice(0, 2)).includes(2)]).toEqual([2, 1e-4, true]);
  expect(difference(x, [1, 1, 1])).toBeLessThan(1e-5);
});

test("empty matrices have solutions, too", () => {
  expect(linearLeastSquares(zeros(2, 0), [3, 4])).toMatchObject({
    rank: 0,
    residualNorms: Float64Array.of(5),
  });
  expect(linearLeastSquares(zeros(0, 2), []).x).toEqual(new Float64Array(2));
  expect(linearLeastSquares(zeros(2, 2), [3, 4])).toMatchObject({ rank: 0, x: new Float64Array(2) });
});

test("what does not fit is refused by name", () => {
  const A = toDense([[1], [1]]);
  expect(() => linearLeastSquares(A, [1])).toThrowError("b must have 2 x 1 = 2 numbers");
  expect(() => linearLeastSquares(A, [1, Number.NaN])).toThrowError("b has NaN at row 1");
  expect(() => linearLeastSquares(A, JSON.parse("null"))).toThrowError("b must be an array of 2 numbers");
  expect(() => linearLeastSquares([[1e-300]], [1e300])).toThrowError("x is beyond the range of float64");
  expect(() =>
    linearLeastSquares(zeros(100, 50), new Float64Array(100), { maxOperations: 1e5 }),
  ).toThrowError("maxOperations is 100000");
});
