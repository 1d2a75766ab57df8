import { normal, RandomGenerator } from "@curvature/linalg";
import { mapAgreement } from "@curvature/optim-spectral";
import { expect, test } from "vitest";

const drawn = (rows: number, seed: number): number[][] => {
  const random = new RandomGenerator(seed);
  return Array.from({ length: rows }, () => [normal(random), normal(random)]);
};
const mean = (values: Float64Array) => values.reduce((sum, v) => sum + v, 0) / values.length;

test("a mirrored, moved and scaled map agrees in all; drawn maps by k / (N − 1)", () => {
  const map = drawn(300, 1);
  const mirrored = map.map(([x = 0, y = 0]) => [4 - 2 * y, 2 * x]);
  for (const share of mapAgreement(map, [mirrored, map])) expect(share).toBeCloseTo(1, 12);
  expect(mean(mapAgreement(map, [drawn(300, 2), drawn(300, 3), drawn(300, 4)]))).toBeCloseTo(10 / 299, 2);
});

test("where half of the points are thrown about, the others keep their share", () => {
  const left = drawn(100, 5);
  const map = [...left, ...drawn(100, 6).map(([x = 0, y = 0]) => [x + 50, y])];
  const other = [...left, ...drawn(100, 7).map(([x = 0, y = 0]) => [x + 50, y])];
  const agreement = mapAgreement(map, [other]);
  for (const share of agreement.subarray(0, 100)) expect(share).toBeCloseTo(1, 12);
  expect(mean(agreement.subarray(100))).toBeCloseTo(10 / 99, 1);
});

test("few points, other sizes, no maps", () => {
  expect([...mapAgreement([[1]], [[[2]]])]).toEqual([Number.NaN]);
  expect([...mapAgreement([[1], [2]], [[[2], [7]]])]).toEqual([Number.NaN, Number.NaN]);
  expect(() => mapAgreement(drawn(5, 1), [drawn(4, 1)])).toThrowError(/others\[0\] has 4 points, the map 5/);
  expect(() => mapAgreement(drawn(5, 1), [])).toThrowError(/at least one other map/);
  expect(() => mapAgreement(drawn(5, 1), [drawn(5, 1)], { neighbors: 0 })).toThrowError(/neighbors/);
});
