import {
  type DenseMatrix,
  gram,
  principalComponents,
  singularValues,
  symmetricEigen,
  toSparse,
  transposeMultiply,
  zeros,
} from "@curvature/linalg";
import fc from "fast-check";
import { expect, test } from "vitest";
import { departureFromOrthonormal, expectOriented } from "../eigen/laws.js";
import { difference, normalMatrix } from "./arbitrary.js";

/** Columns of standard deviations 1, 1/2, 1/3 …, turned about, around a mean far away. */
function points(rows: number, columns: number, seed: number): DenseMatrix {
  const X = normalMatrix(rows, columns, seed);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) X.data[i * columns + j] /= j + 1;
    for (let j = 1; j < columns; j++) X.data[i * columns + j] += 0.3 * X.data[i * columns + j - 1];
    for (let j = 0; j < columns; j++) X.data[i * columns + j] += 100 + j;
  }
  return X;
}

/** Eigenvalues of the covariance, decreasing, by the book. */
function covarianceEigenvalues(X: DenseMatrix): Float64Array {
  const { rows, columns, data } = X;
  const means = Float64Array.from({ length: columns }, (_, j) => {
    let sum = 0;
    for (let i = 0; i < rows; i++) sum += data[i * columns + j];
    return sum / rows;
  });
  const { values } = symmetricEigen(gram({ ...X, data: data.map((x, k) => x - means[k % columns]) }));
  return values.map((v) => v / (rows - 1)).reverse();
}

test.each([
  ["tall", 60, 7, 7],
  ["square", 20, 20, 5],
  ["wide", 9, 40, 8],
  ["wide, a Gram matrix that Lanczos works on", 210, 260, 4],
  ["tall, a covariance that Lanczos works on", 300, 220, 4],
])("%s: variances, scores and components are those of the covariance", (_, rows, columns, count) => {
  const X = points(rows, columns, rows);
  const { scores, components, variances, totalVariance, means } = principalComponents(X, { count });
  const expected = covarianceEigenvalues(X);
  expect(difference(variances, expected.slice(0, count))).toBeLessThan(1e-11 * expected[0]);
  expect(totalVariance).toBeCloseTo(
    expected.reduce((a, b) => a + b),
    8,
  );
  expect(departureFromOrthonormal(components)).toBeLessThan(1e-12);
  expectOriented(components);
  // the scores' covariance is diagonal with the variances
  const G = transposeMultiply(scores, scores);
  for (let a = 0; a < count; a++)
    for (let b = 0; b < count; b++)
      expect(Math.abs(G.data[a * count + b] / (rows - 1) - (a === b ? variances[a] : 0))).toBeLessThan(1e-10);
  // x = mean + scores · components, where all components are taken
  if (count === Math.min(rows - 1, columns)) {
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < columns; j++) {
        let x = means[j];
        for (let a = 0; a < count; a++) x += scores.data[i * count + a] * components.data[a * columns + j];
        expect(x).toBeCloseTo(X.data[i * columns + j], 10);
      }
    }
  }
});

test("beyond the rank everything is 0: few points, duplicates, more components than dimensions", () => {
  const line = [0, 1, 2, 3, 4].map((t) => [t, 2 * t, 7]);
  const { scores, components, variances } = principalComponents(line, { count: 5 });
  expect(variances[0]).toBeCloseTo(12.5, 12);
  expect(Array.from(variances.slice(1))).toEqual([0, 0, 0, 0]);
  expect(components.data.slice(3).every((x) => x === 0)).toBe(true);
  for (let i = 0; i < 5; i++) {
    expect(scores.data[5 * i]).toBeCloseTo((i - 2) * Math.sqrt(5), 12);
    expect(scores.data.slice(5 * i + 1, 5 * i + 5).every((x) => x === 0)).toBe(true);
  }
});

test.each([
  ["one point", [[1, 2, 3]]],
  ["one point many times", Array.from({ length: 50 }, () => [0.1, 0.2, 0.3])],
  ["no dimensions", zeros(4, 0)],
])("%s: all scores are 0", (_, data) => {
  const { scores, variances, totalVariance } = principalComponents(data);
  expect(scores.data.every((x) => x === 0)).toBe(true);
  expect(Array.from(variances)).toEqual([0, 0]);
  expect(totalVariance).toBe(0);
});

test("data far from the origin, and of any size, keep their components", () => {
  const X = points(50, 4, 1);
  const expected = principalComponents(X).components.data;
  for (const size of [1e-200, 1e-5, 1e150])
    expect(
      difference(principalComponents({ ...X, data: X.data.map((x) => x * size) }).components.data, expected),
    ).toBeLessThan(1e-9);
  const far = principalComponents({ ...X, data: X.data.map((x) => x + 2 ** 20) });
  expect(difference(far.components.data, expected)).toBeLessThan(1e-7);
});

test("the order of the points does not matter, up to rounding", () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const X = points(30, 5, seed);
      const reversed = zeros(30, 5);
      for (let i = 0; i < 30; i++) reversed.data.set(X.data.subarray(i * 5, i * 5 + 5), (29 - i) * 5);
      const a = principalComponents(X, { count: 1 });
      const b = principalComponents(reversed, { count: 1 });
      expect(b.variances[0]).toBeCloseTo(a.variances[0], 10);
    }),
    { numRuns: 20 },
  );
});

test("variances too large for a number are infinite, and those beyond the rank still 0", () => {
  const { variances, scores } = principalComponents([
    [-1e200, 0],
    [1e200, 0],
  ]);
  expect(Array.from(variances)).toEqual([Number.POSITIVE_INFINITY, 0]);
  expect(Array.from(scores.data).map(Math.abs)).toEqual([1e200, 0, 1e200, 0]);
});

test("data at the ends of float64 give components or an error, never NaN", () => {
  const tiny = principalComponents([
    [-1e-310, 0],
    [1e-310, 0],
  ]);
  expect(Array.from(tiny.components.data)).toEqual([1, 0, 0, 0]);
  expect(Math.abs(tiny.scores.data[0])).toBeCloseTo(1e-310, 318);
  const wide = [
    [-1.7e308, 0],
    [1.7e308, 0],
  ];
  expect(() => principalComponents(wide)).toThrowError("the data spread over more than float64 can hold");
});

test("bad input is refused", () => {
  expect(() => principalComponents([])).toThrowError("data has no rows");
  expect(() => principalComponents([[1], [Number.NaN]])).toThrowError("data has NaN at row 1, column 0");
  expect(() => principalComponents([[1]], { count: 0 })).toThrowError(
    "count must be a whole number from 1 to 2^53 - 1",
  );
  const misspelt: object = { components: 3 };
  expect(() => principalComponents([[1]], misspelt)).toThrowError('unknown option "components"');
});

test("small components beside large ones have their digits: variances of extended precision", () => {
  const rows = Array.from({ length: 12 }, (_, i) => {
    const x = ((i * 7) % 12) - 5;
    return [x, (((i * 5) % 12) - 6 + 0.5 * x) * 2 ** -10, ((i * i) % 11) * 2 ** -19 + x / 4];
  });
  // of the numbers in double precision, by arithmetic of 60 digits
  const expected = [13.812502099087018, 0.000008803150945752846, 2.738050672131601e-11];
  const smallest = [0.2425358932700484, 0.0006143794222251373, -0.9701422385473304];
  for (const points of [rows, toSparse(rows)]) {
    const { variances, components } = principalComponents(points, { count: 3 });
    expected.forEach((value, i) => {
      expect(Math.abs(variances[i] / value - 1)).toBeLessThan(1e-9);
    });
    const sign = Math.sign(components.data[6]);
    expect(
      difference(
        components.data.subarray(6).map((v) => sign * v),
        smallest,
      ),
    ).toBeLessThan(1e-9);
  }
});

test.each([
  ["tall", 200, 8],
  ["wide", 8, 200],
])("standard deviations over ten orders of magnitude: %s points", (_, N, D) => {
  const X = normalMatrix(N, D, 5);
  for (let k = 0; k < X.data.length; k++) X.data[k] *= 10 ** (-1.4 * (D < N ? k % D : Math.floor(k / D)));
  const centred = X.data.slice();
  for (let j = 0; j < D; j++) {
    let mean = 0;
    for (let i = 0; i < N; i++) mean += X.data[i * D + j] / N;
    for (let i = 0; i < N; i++) centred[i * D + j] -= mean;
  }
  const { values } = singularValues({ ...X, data: centred });
  const count = Math.min(N - 1, D);
  for (const points of [X, toSparse(X)]) {
    const { variances, components } = principalComponents(points, { count });
    variances.forEach((variance, i) => {
      expect(Math.abs((variance * (N - 1)) / values[i] ** 2 - 1)).toBeLessThan(1e-6);
    });
    expect(departureFromOrthonormal(components)).toBeLessThan(1e-12);
  }
});
