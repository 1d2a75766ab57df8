/** What maps are measured by where they have collapsed, where distances were rounded before, and in units of any size. */
import { normal, RandomGenerator } from "@curvature/linalg";
import { globalStructure, mapAgreement, mapQuality, mapTrust } from "@curvature/optim-spectral";
import { describe, expect, test } from "vitest";

const drawn = (rows: number, columns: number, seed: number): number[][] => {
  const random = new RandomGenerator(seed);
  return Array.from({ length: rows }, () => Array.from({ length: columns }, () => normal(random)));
};
const times = (rows: number[][], factor: number) => rows.map((row) => row.map((value) => value * factor));
const distancesOf = (rows: number[][]) =>
  rows.map((a) => rows.map((b) => Math.hypot(...a.map((value, c) => value - (b[c] ?? 0)))));

test("a map in one place keeps what chance keeps, and is as far from the truth as chance", () => {
  const N = 1200;
  const k = 10;
  const points = drawn(N, 3, 1);
  const place = points.map(() => [2, 1]);
  const excess = (k / (N - 1)) * (((N - 1 - k) * (N - k)) / 2);
  const trust = 1 - (2 * excess) / (k * (2 * N - 3 * k - 1));
  for (const input of [points, { distances: distancesOf(points) }]) {
    const quality = mapQuality(input, place);
    expect(quality.knnPreservation).toBeCloseTo(k / (N - 1), 12);
    expect(quality.trustworthiness).toBeCloseTo(trust, 12);
  }
});

test("half of a map in one place: given distances and points have the same numbers", () => {
  const points = drawn(160, 4, 2).map((row) => row.map((value) => Math.round(value)));
  const map = drawn(160, 2, 3).map((row, i) => (i % 2 === 0 ? [0, 0] : row));
  const [ofPoints, ofDistances] = [points, { distances: distancesOf(points) }].map((input) =>
    mapQuality(input, map),
  );
  expect(ofDistances?.knnPreservation).toBeCloseTo(ofPoints?.knnPreservation ?? Number.NaN, 12);
  expect(ofDistances?.trustworthiness).toBeCloseTo(ofPoints?.trustworthiness ?? Number.NaN, 12);
});

test("distances of a turned lattice tie as those of the lattice do", () => {
  const lattice = Array.from({ length: 144 }, (_, i) => [i % 12, Math.floor(i / 12)]);
  const [c, s] = [Math.cos(0.7), Math.sin(0.7)];
  const turned = lattice.map(([x = 0, y = 0]) => [c * x - s * y, s * x + c * y]);
  for (const distances of [distancesOf(lattice), distancesOf(turned)])
    for (const map of [lattice, turned]) {
      const { knnPreservation, trustworthiness } = mapQuality({ distances }, map);
      expect(knnPreservation).toBeCloseTo(1, 12);
      expect(trustworthiness).toBeCloseTo(1, 12);
    }
});

describe("units", () => {
  const points = drawn(60, 3, 4);
  const map = drawn(60, 2, 5);
  test.each([1e-320, 1e-200, 1e200, 1e307])("of %d change nothing", (unit) => {
    const isTiny = unit < 1e-300; // whole multiples of what is hardly a number
    const there = isTiny ? map.map((row) => row.map((value) => Math.round(100 * value))) : map;
    const here = times(there, unit);
    for (const data of [points, times(points, isTiny ? 1 : unit)]) {
      expect(mapQuality(data, here)).toEqual(mapQuality(points, there));
      expect(mapTrust(data, here)).toEqual(mapTrust(points, there));
      const { tripletAccuracy, distanceCorrelation = Number.NaN } = globalStructure(points, there);
      const found = globalStructure(data, here);
      expect(found.tripletAccuracy).toBe(tripletAccuracy);
      expect(found.distanceCorrelation).toBeCloseTo(distanceCorrelation, 6);
    }
    expect(mapAgreement(here, [map])).toEqual(mapAgreement(there, [map]));
    const distances = distancesOf(points);
    expect(mapQuality({ distances }, here)).toEqual(mapQuality({ distances }, there));
  });
});

test("a metric is refused where distances are given", () => {
  const points = drawn(20, 3, 6);
  const given = { distances: distancesOf(points) };
  expect(() => mapQuality(given, drawn(20, 2, 7), { metric: "cosine" })).toThrow(
    /metric must be left out for what is given in place of points/,
  );
});
