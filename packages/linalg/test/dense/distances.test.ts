import { squaredDistances, squaredDistancesBetween, zeros } from "@curvature/linalg";
import fc from "fast-check";
import { expect, test } from "vitest";
import { normalMatrix } from "./arbitrary.js";

const coordinates = fc.integer({ min: -50, max: 50 });
const points = fc
  .tuple(fc.integer({ min: 0, max: 70 }), fc.integer({ min: 1, max: 5 }))
  .chain(([n, d]) =>
    fc
      .array(coordinates, { minLength: n * d, maxLength: n * d })
      .map((data) => ({ rows: n, columns: d, data: Float64Array.from(data) })),
  );

test("on whole numbers distances are exact, symmetric and 0 on the diagonal", { tags: ["full"] }, () => {
  fc.assert(
    fc.property(points, (X) => {
      const { rows: n, columns: d, data } = X;
      const D = squaredDistances(X);
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) {
          let sum = 0;
          for (let k = 0; k < d; k++) sum += (data[i * d + k] - data[j * d + k]) ** 2;
          expect(D.data[i * n + j]).toBe(sum);
        }
      }
      expect(squaredDistancesBetween(X, X)).toEqual(D);
    }),
    { numRuns: 30 },
  );
});

test("duplicates are at distance exactly 0, and close points far from the origin keep their digits", () => {
  const X = [
    [1e8, 0.1],
    [1e8 + 1e-3, 0.1],
    [1e8, 0.1],
  ];
  const { data } = squaredDistances(X);
  expect(data[2]).toBe(0);
  expect(data[1]).toBe((1e8 + 1e-3 - 1e8) ** 2);
});

test("distances from one set to another, and their shapes", () => {
  const X = normalMatrix(37, 3, 1);
  const Y = normalMatrix(70, 3, 2);
  const both = { rows: 107, columns: 3, data: Float64Array.of(...X.data, ...Y.data) };
  const all = squaredDistances(both);
  const D = squaredDistancesBetween(X, Y);
  expect([D.rows, D.columns]).toEqual([37, 70]);
  for (let i = 0; i < 37; i++)
    expect(D.data.slice(i * 70, i * 70 + 70)).toEqual(all.data.slice(i * 107 + 37, i * 107 + 107));
});

test("points without coordinates are all in one place; bad input is refused", () => {
  expect(Array.from(squaredDistances(zeros(2, 0)).data)).toEqual([0, 0, 0, 0]);
  expect(squaredDistances([]).data).toHaveLength(0);
  expect(() => squaredDistances([[0], [Number.NaN]])).toThrowError("points has NaN at row 1, column 0");
  expect(() => squaredDistancesBetween(zeros(2, 2), zeros(2, 3))).toThrowError("X has 2 columns, Y has 3");
});
