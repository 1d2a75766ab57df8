import { createHash } from "node:crypto";
import {
  closedLoops,
  closedLoopsOptions,
  doubleSwissRoll,
  doubleSwissRollOptions,
  gaussianBlobs,
  gaussianBlobsOptions,
  halfRing,
  moons,
  moonsOptions,
  noisyGrid,
  noisyGridOptions,
  ring,
  ringOptions,
  rings,
  ringsOptions,
  sCurve,
  sCurveOptions,
  swissRoll,
  swissRollOptions,
  trefoilKnot,
  trefoilKnotOptions,
  twoRings,
  twoRingsOptions,
} from "@curvature/datasets";
import type { DenseMatrix } from "@curvature/linalg";
import { describe, expect, test } from "vitest";

const hash = ({ data }: DenseMatrix): string =>
  createHash("sha256").update(new Uint8Array(data.buffer)).digest("hex").slice(0, 16);

const row = ({ data, columns }: DenseMatrix, i: number): Float64Array =>
  data.subarray(i * columns, (i + 1) * columns);

const distance = (x: Float64Array, y: Float64Array): number =>
  Math.sqrt(x.reduce((sum, value, j) => sum + (value - y[j]) ** 2, 0));

describe.each([
  ["swissRoll", swissRoll, swissRollOptions.defaults, 1000, 3, "7457834becdad59a", "5750d44e2d2d261b"],
  ["sCurve", sCurve, sCurveOptions.defaults, 1000, 3, "b490c065f43ce8c8", "7b82200c0d561c6e"],
  ["trefoilKnot", trefoilKnot, trefoilKnotOptions.defaults, 500, 3, "d7527f3c9b9a0668", "7439eeb81f9405e0"],
  ["rings", rings, ringsOptions.defaults, 600, 2, "8e2df62f103218c2", "c4173f9b493456ba"],
  ["ring", ring, ringOptions.defaults, 200, 2, "4e5be8fc4b904e3f", "59ff1475de0558d4"],
  ["halfRing", halfRing, ringOptions.defaults, 200, 2, "77ab2eb1a8ea3400", "0a5ff906600ed890"],
  ["twoRings", twoRings, twoRingsOptions.defaults, 200, 2, "7cf395e9a5f7ee30", "89564dcb3d007b83"],
  ["moons", moons, moonsOptions.defaults, 200, 2, "5d0b10dd21b962f3", "c52ff693451253c0"],
  [
    "doubleSwissRoll",
    doubleSwissRoll,
    doubleSwissRollOptions.defaults,
    200,
    2,
    "b7bb1abb649f7a5c",
    "b49e724929272629",
  ],
  ["noisyGrid", noisyGrid, noisyGridOptions.defaults, 196, 10, "f78bd7082f80ff02", "b99cf6ce92281d8d"],
  [
    "gaussianBlobs",
    gaussianBlobs,
    gaussianBlobsOptions.defaults,
    300,
    2,
    "a40e944890d315fb",
    "0aa8f7c1592ff827",
  ],
  ["closedLoops", closedLoops, closedLoopsOptions.defaults, 1440, 50, "634412456d8b69f0", "dd71fa7da65c3266"],
] as const)("%s", (name, generate, defaults, rows, columns, seed0, seed5) => {
  const noisy = name === "gaussianBlobs" ? {} : { noise: 0.1 };

  test("has its shape, and the same bits for the same seed on every engine", () => {
    const { points } = generate();
    expect([points.rows, points.columns, points.data.length]).toEqual([rows, columns, rows * columns]);
    expect(points.data.every(Number.isFinite)).toBe(true);
    expect(generate({ ...defaults }).points).toEqual(points);
    expect([hash(points), hash(generate({ ...noisy, seed: 5 }).points)]).toEqual([seed0, seed5]);
  });

  test("another seed gives other points", () => {
    expect(generate({ ...noisy, seed: 1 }).points).not.toEqual(generate({ ...noisy, seed: 2 }).points);
  });

  test("refuses options that make no sense", () => {
    const misspelt: object = { seeed: 1 };
    expect(() => generate(misspelt)).toThrowError(/unknown option "seeed". Did you mean "seed"/);
    expect(() => generate({ seed: -1 })).toThrowError(/seed must be/);
    const wrong: object = { count: 0, rings: 0, groups: 0, loops: 0 };
    expect(() => generate(wrong)).toThrowError(/unknown option|must be a whole number from 1/);
  });
});

test("the Swiss roll lies on its spiral", () => {
  const { points, along, across } = swissRoll({ count: 200 });
  for (let i = 0; i < 200; i++) {
    const [x, h, z] = row(points, i);
    expect(Math.sqrt(x * x + z * z)).toBeCloseTo(along[i], 12);
    expect(h).toBe(across[i]);
  }
  expect(Math.min(...along)).toBeGreaterThanOrEqual(1.5 * Math.PI);
  expect(Math.max(...along)).toBeLessThan(4.5 * Math.PI);
});

test("the S-curve lies on its two circles", () => {
  const { points, along } = sCurve({ count: 200 });
  for (let i = 0; i < 200; i++) {
    const [x, , z] = row(points, i);
    expect(x * x + (z + Math.sign(along[i])) ** 2).toBeCloseTo(1, 12);
  }
});

test("the trefoil knot closes, and no step is longer than its greatest speed √34 allows", () => {
  const { points, angle } = trefoilKnot({ count: 300 });
  const steps = Array.from({ length: 300 }, (_, i) => distance(row(points, i), row(points, (i + 1) % 300)));
  expect(Math.max(...steps)).toBeLessThanOrEqual((2 * Math.PI * Math.sqrt(34)) / 300);
  expect(angle[0]).toBe(0);
});

test("the rings have radii 1, 2, …", () => {
  const { points, labels } = rings({ rings: 4, pointsPerRing: 30, noise: 0 });
  for (let i = 0; i < points.rows; i++) {
    expect(distance(row(points, i), new Float64Array(2))).toBeCloseTo(labels[i] + 1, 12);
  }
  expect(labels.filter((label) => label === 3).length).toBe(30);
});

test("the blobs' spreads grow to spreadRatio times the first", () => {
  const { points, labels } = gaussianBlobs({ groups: 3, pointsPerGroup: 4000, spread: 0.5, spreadRatio: 9 });
  const deviations = [0, 1, 2].map((group) => {
    const values = Array.from(labels.keys())
      .filter((i) => labels[i] === group)
      .map((i) => points.data[2 * i]);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  });
  for (const [g, expected] of [0.5, 1.5, 4.5].entries()) {
    // the sample deviation of 4,000 normal numbers is within 5 standard errors of 1/√8000
    expect(Math.abs(deviations[g] / expected - 1)).toBeLessThan(5 / Math.sqrt(8000));
  }
});

test("the loops are unit circles around their centres, each in a plane of its own", () => {
  const { points, labels } = closedLoops({ loops: 3, pointsPerLoop: 12, dimensions: 7, separation: 2 });
  for (let g = 0; g < 3; g++) {
    const members = Array.from(labels.keys()).filter((i) => labels[i] === g);
    expect(members.length).toBe(12);
    for (const [p, i] of members.entries()) {
      expect(distance(row(points, i), row(points, members[(p + 6) % 12]))).toBeCloseTo(2, 12); // opposite
      expect(distance(row(points, i), row(points, members[(p + 3) % 12]))).toBeCloseTo(Math.SQRT2, 12); // quarter turn
    }
  }
});

test("more points than there is memory for are refused", () => {
  expect(() => swissRoll({ count: 2 ** 45 })).toThrowError("There is no memory for a dense matrix");
});
