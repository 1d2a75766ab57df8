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
      const [one, tone] = [mapTrust(data, here), mapTrust(points, there)];
      expect({ ...one, distortion: 0 }).toEqual({ ...tone, distortion: 0 });
      for (const [i, value] of tone.distortion.entries()) expect(one.distortion[i]).toBeCloseTo(value, 12);
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

/** By definition, without ties. */
function distortionOf(points: number[][], map: number[][], i: number, k: number): number {
  const from = (rows: number[][]) =>
    (distancesOf(rows)[i] ?? []).map((distance, j) => ({ distance, j })).filter(({ j }) => j !== i);
  const ordered = (rows: number[][]) => from(rows).sort((a, b) => a.distance - b.distance);
  const last = ordered(points)[k - 1]?.distance ?? Number.NaN;
  const inData = new Map(from(points).map(({ j, distance }) => [j, distance]));
  const logs = ordered(map)
    .slice(0, k)
    .map(({ j }) => Math.log(Math.max(1, (inData.get(j) ?? Number.NaN) / last)));
  return Math.exp(logs.reduce((sum, value) => sum + value, 0) / k);
}

test("distortion is the geometric mean of how much too far neighbours of the map are, by any metric", () => {
  const points = drawn(50, 4, 8);
  const map = points.map((row, i) => (i % 5 === 0 ? row.slice(1, 3) : row.slice(0, 2)));
  const ofPoints = mapTrust(points, map, { neighbors: 7 });
  const ofDistances = mapTrust({ distances: distancesOf(points) }, map, { neighbors: 7 });
  const unit = points.map((row) => row.map((value) => value / Math.hypot(...row)));
  const ofCosine = mapTrust(points, map, { neighbors: 7, metric: "cosine" });
  for (let i = 0; i < 50; i++) {
    expect(ofPoints.distortion[i]).toBeCloseTo(distortionOf(points, map, i, 7), 9);
    expect(ofDistances.distortion[i]).toBeCloseTo(ofPoints.distortion[i] ?? Number.NaN, 9);
    expect(ofDistances.kept[i]).toBeCloseTo(ofPoints.kept[i] ?? Number.NaN, 12);
    expect(ofDistances.trust[i]).toBeCloseTo(ofPoints.trust[i] ?? Number.NaN, 12);
    expect(ofCosine.distortion[i]).toBeCloseTo(distortionOf(unit, map, i, 7), 9);
  }
});

test("distortion beside copies is measured by the nearest that is none, and of copies alone it is 1", () => {
  const points = [
    ...Array.from({ length: 6 }, () => [0]),
    ...Array.from({ length: 6 }, (_, k) => [2 + 2 * k]),
  ];
  const map = points.map(([x = 0], k) => [x + 1e-3 * k * k + (k === 0 ? 4.01 : 0)]);
  const { distortion } = mapTrust(points, map, { neighbors: 3 });
  // Point 0, a copy of five others, lies between 4, 6 and 2 in the map; the nearest that is none is at 2.
  expect(distortion[0]).toBeCloseTo(Math.cbrt(2 * 3 * 1), 9);
  const same = points.map(() => [1, 1]);
  expect(mapTrust(same, map, { neighbors: 3 }).distortion.every((value) => value === 1)).toBe(true);
});

test("of a graph of neighbours only what it names is known", () => {
  const near = points12.map((_, i) => [(i + 1) % 12, (i + 11) % 12]);
  const neighbors = { indices: near, distances: near.map(() => [1, 1]) };
  const { kept, trust, regional, distortion } = mapTrust({ neighbors }, points12, { neighbors: 2 });
  expect(kept.every((value) => value === 1)).toBe(true);
  expect([...trust, ...regional, ...distortion].every(Number.isNaN)).toBe(true);
});
const points12 = Array.from({ length: 12 }, (_, i) => [
  Math.cos((i * Math.PI) / 6),
  Math.sin((i * Math.PI) / 6),
]);

test("a metric is refused where distances are given", () => {
  const points = drawn(20, 3, 6);
  const given = { distances: distancesOf(points) };
  expect(() => mapQuality(given, drawn(20, 2, 7), { metric: "cosine" })).toThrow(
    /metric must be left out for what is given in place of points/,
  );
});
