import { normal, RandomGenerator } from "@curvature/linalg";
import { globalStructure } from "@curvature/optim-spectral";
import { expect, test } from "vitest";

const drawn = (rows: number, columns: number, seed: number): number[][] => {
  const random = new RandomGenerator(seed);
  return Array.from({ length: rows }, () => Array.from({ length: columns }, () => normal(random)));
};

test("a rotated, shifted and scaled copy keeps all orders and ranks", () => {
  const points = drawn(80, 2, 1);
  const map = points.map(([x = 0, y = 0]) => [5 + 3 * (0.6 * x - 0.8 * y), 3 * (0.8 * x + 0.6 * y)]);
  const { tripletAccuracy, distanceCorrelation = 0 } = globalStructure(points, map);
  expect(tripletAccuracy).toBe(1);
  expect(distanceCorrelation).toBeGreaterThan(1 - 1e-9);
});

test("a map that has nothing of the data has a half and zero, and reversed distances have −1", () => {
  const { tripletAccuracy, distanceCorrelation } = globalStructure(drawn(500, 5, 2), drawn(500, 2, 3));
  expect(tripletAccuracy).toBeCloseTo(0.5, 1);
  expect(distanceCorrelation).toBeCloseTo(0, 1);
  // On three points the three distances d and 10 − d: all orders turned round.
  const turned = globalStructure(
    [[0], [1], [3]],
    [
      [0, 0],
      [9, 0],
      [(81 + 49 - 64) / 18, Math.sqrt(49 - ((81 + 49 - 64) / 18) ** 2)],
    ],
  );
  expect(turned.tripletAccuracy).toBe(0);
  expect(turned.distanceCorrelation).toBeCloseTo(-1, 12);
});

test("the exact share over all triplets, and ρ over all pairs, within their standard errors", () => {
  const points = drawn(12, 4, 4);
  const map = points.map((row) => row.slice(0, 2));
  const d = (rows: number[][], i: number, j: number) => Math.hypot(...rows[i].map((v, c) => v - rows[j][c]));
  let kept = 0;
  let all = 0;
  const pairs: [number, number][] = [];
  for (let i = 0; i < 12; i++)
    for (let j = 0; j < 12; j++) {
      if (j === i) continue;
      pairs.push([d(points, i, j), d(map, i, j)]);
      for (let l = 0; l < 12; l++) {
        if (l === i || l === j) continue;
        kept += Number(d(points, i, j) < d(points, i, l) === d(map, i, j) < d(map, i, l));
        all++;
      }
    }
  const rank = (at: 0 | 1) => pairs.map((p) => pairs.filter((q) => q[at] < p[at]).length);
  const [a, b] = [rank(0), rank(1)];
  const mean = (v: number[]) => v.reduce((s, x) => s + x, 0) / v.length;
  const centred = (v: number[]) => v.map((x) => x - mean(v));
  const product = (u: number[], v: number[]) => u.reduce((s, x, k) => s + x * v[k], 0);
  const [ca, cb] = [centred(a), centred(b)];
  const rho = product(ca, cb) / Math.sqrt(product(ca, ca) * product(cb, cb));
  const found = globalStructure(points, map, { draws: 40_000 });
  expect(Math.abs((found.tripletAccuracy ?? 0) - kept / all)).toBeLessThan(4 * Math.sqrt(0.25 / 40_000));
  expect(Math.abs((found.distanceCorrelation ?? 0) - rho)).toBeLessThan(0.02);
});

test("points as near say nothing; places as near count half", () => {
  const square = [
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ];
  expect(globalStructure(square, square).tripletAccuracy).toBe(1);
  expect(
    globalStructure(
      square,
      square.map(() => [0, 0]),
    ),
  ).toEqual({ tripletAccuracy: 0.5, distanceCorrelation: undefined });
  expect(
    globalStructure(
      square.map(() => [7]),
      square,
    ),
  ).toEqual({ tripletAccuracy: undefined, distanceCorrelation: undefined });
  expect(globalStructure([[0], [1]], [[0], [1]])).toEqual({
    tripletAccuracy: undefined,
    distanceCorrelation: undefined,
  });
});

test("the same seed draws the same; other rows and numbers that are none are refused", () => {
  const points = drawn(50, 3, 5);
  const map = drawn(50, 2, 6);
  expect(globalStructure(points, map, { seed: 4 })).toEqual(globalStructure(points, map, { seed: 4 }));
  expect(globalStructure(points, map, { seed: 4 })).not.toEqual(globalStructure(points, map, { seed: 5 }));
  expect(() => globalStructure(points, map.slice(1))).toThrowError(/50 points, the map 49/);
  expect(() => globalStructure([[Number.NaN], [1], [2]], [[0], [1], [2]])).toThrowError(/points/);
  expect(() => globalStructure(points, map, { draws: 0 })).toThrowError(/draws/);
});
