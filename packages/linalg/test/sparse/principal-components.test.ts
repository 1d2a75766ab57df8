/** Principal components of sparse points beside those of the same points with their zeros. */
import {
  CurvatureError,
  type DenseMatrix,
  fillNormal,
  principalComponents,
  RandomGenerator,
  type SparseMatrix,
  toSparse,
  zeros,
} from "@curvature/linalg";
import fc from "fast-check";
import { expect, test } from "vitest";
import { departureFromOrthonormal, expectOriented } from "../eigen/laws.js";

/** Entries with some probability, larger in the first columns; the last column without zeros if there is a constant. */
function sparsePoints(rows: number, columns: number, share: number, seed: number, constant = 0): DenseMatrix {
  const random = new RandomGenerator(seed);
  const X = zeros(rows, columns);
  fillNormal(random, X.data);
  for (let k = 0; k < X.data.length; k++)
    X.data[k] = random.uniform() < share ? X.data[k] / (1 + (k % columns)) + 0.5 : 0;
  if (constant !== 0) for (let i = 0; i < rows; i++) X.data[i * columns + columns - 1] += constant;
  return X;
}

/** The sine of the largest angle between the spaces of two sets of orthonormal rows: ‖(I − VᵀV) Wᵀ‖_F is not below it. */
function angle(V: DenseMatrix, W: DenseMatrix): number {
  let squares = 0;
  const rest = new Float64Array(V.columns);
  for (let b = 0; b < W.rows; b++) {
    rest.set(W.data.subarray(b * W.columns, (b + 1) * W.columns));
    for (let a = 0; a < V.rows; a++) {
      let along = 0;
      for (let j = 0; j < V.columns; j++) along += V.data[a * V.columns + j] * rest[j];
      for (let j = 0; j < V.columns; j++) rest[j] -= along * V.data[a * V.columns + j];
    }
    for (const r of rest) squares += r * r;
  }
  return Math.sqrt(squares);
}

test.each([
  ["tall", 120, 30, 4, 0],
  ["wide", 40, 150, 4, 0],
  ["a product with 400 columns", 500, 400, 5, 0],
  ["a product with 300 rows", 300, 700, 5, 0],
  ["a column without zeros, far away", 200, 50, 3, 1e9],
])("%s: the same space, variances and scores as of dense points", (_, rows, columns, count, constant) => {
  const dense = sparsePoints(rows, columns, 0.1, rows + columns, constant);
  const expected = principalComponents(dense, { count });
  const found = principalComponents(toSparse(dense), { count });
  const largest = expected.variances[0];
  for (let a = 0; a < count; a++)
    expect(Math.abs(found.variances[a] - expected.variances[a])).toBeLessThan(1e-11 * largest);
  expect(Math.abs(found.totalVariance / expected.totalVariance - 1)).toBeLessThan(1e-12);
  expect(departureFromOrthonormal(found.components)).toBeLessThan(1e-12);
  expectOriented(found.components);
  // ‖A v − λ v‖ ≤ 1e-12 λ₁ of both over the gap to the next variance, some 1e-3 of λ₁
  expect(angle(expected.components, found.components)).toBeLessThan(1e-8);
  for (let k = 0; k < found.scores.data.length; k++)
    expect(Math.abs(found.scores.data[k] - expected.scores.data[k])).toBeLessThan(1e-7 * Math.sqrt(largest));
});

test("any sparse points: scores are orthogonal, of mean 0, with the variances told", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 25 }),
      fc.integer({ min: 0, max: 25 }),
      fc.constantFrom(0, 0.1, 0.5, 1),
      fc.constantFrom(1, 1e-150, 1e150),
      fc.nat(1000),
      (rows, columns, share, size, seed) => {
        const dense = sparsePoints(rows, columns, share, seed);
        const X = toSparse({ ...dense, data: dense.data.map((x) => x * size) });
        const { scores, variances, totalVariance } = principalComponents(X, { count: 3 });
        const scale = Math.sqrt(Math.max(variances[0], Number.MIN_VALUE));
        for (let a = 0; a < 3; a++) {
          let mean = 0;
          let square = 0;
          for (let i = 0; i < rows; i++) {
            mean += scores.data[3 * i + a] / rows / scale;
            square += (scores.data[3 * i + a] / scale) ** 2 / Math.max(1, rows - 1);
          }
          expect(Math.abs(mean)).toBeLessThan(1e-9);
          expect(Math.abs(square - variances[a] / scale ** 2)).toBeLessThan(1e-8);
        }
        expect(variances[0] + variances[1] + variances[2]).toBeLessThanOrEqual(totalVariance * (1 + 1e-9));
      },
    ),
    { numRuns: 150 },
  );
});

test("all points one, stored entry by entry or not at all: all scores are 0", () => {
  const same = { rows: 40, columns: 3, data: Float64Array.from({ length: 120 }, (_, k) => 0.1 * (k % 3)) };
  for (const points of [same, zeros(5, 4)]) {
    const { scores, totalVariance } = principalComponents(toSparse(points));
    expect(scores.data.every((x) => x === 0)).toBe(true);
    expect(totalVariance).toBe(0);
  }
});

test("what is no sparse matrix is refused", () => {
  const good = toSparse(sparsePoints(5, 4, 0.5, 1));
  const cases: [SparseMatrix, string][] = [
    [{ ...good, values: good.values.with(0, Number.NaN) }, "NaN"],
    [{ ...good, columnIndices: good.columnIndices.with(0, 9) }, "column indices from 0 to 3"],
    [{ ...good, rowPointers: good.rowPointers.subarray(1) }, "rowPointers"],
    [{ ...good, columns: 1e9 }, "2 components of 5 points in 1000000000 columns take 14.9 GiB"],
    [
      {
        ...good,
        rows: 0,
        rowPointers: new Int32Array(1),
        columnIndices: new Int32Array(0),
        values: new Float64Array(0),
      },
      "no rows",
    ],
  ];
  for (const [data, words] of cases) {
    expect(() => principalComponents(data)).toThrowError(CurvatureError);
    expect(() => principalComponents(data)).toThrowError(words);
  }
  const huge = toSparse([
    [1.7e308, 0],
    [-1.7e308, 1],
  ]);
  expect(() => principalComponents(huge)).toThrowError("spread over more than float64 can hold");
});
