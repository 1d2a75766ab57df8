/** The sets of NOMAD's experiments, beside coordinates that another program recorded and beside what they promise. */
import {
  doubleSwissRoll,
  halfRing,
  moons,
  noisyGrid,
  ring,
  trefoilKnot,
  twoRings,
} from "@curvature/datasets";
import type { DenseMatrix } from "@curvature/linalg";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const row = ({ data, columns }: DenseMatrix, i: number): number[] => [
  ...data.subarray(i * columns, (i + 1) * columns),
];

const distance = (points: DenseMatrix, i: number, j: number): number => {
  const other = row(points, j);
  return Math.hypot(...row(points, i).map((value, k) => value - other[k]));
};

function expectNear(found: readonly number[], expected: readonly number[], tolerance: number): void {
  expect(found.length).toBe(expected.length);
  found.forEach((value, k) => {
    expect(Math.abs(value - expected[k])).toBeLessThanOrEqual(tolerance);
  });
}

/** A point's index and its coordinates. */
type Recorded = readonly (readonly number[])[];

function expectRecorded(points: DenseMatrix, recorded: Recorded, tolerance: number): void {
  for (const [i, ...coordinates] of recorded) expectNear(row(points, i), coordinates, tolerance);
}

describe("recorded coordinates", () => {
  const rounding = 1e-14;

  test("ring of 100", () => {
    const recorded = [
      [1, 0.9980267284282716, 0.06279051952931337],
      [37, -0.6845471059286887, 0.7289686274214116],
    ];
    expectRecorded(ring({ count: 100 }).points, recorded, rounding);
  });

  test("two rings: 100 points of radius 1, then 100 of radius ½", () => {
    const { points, labels } = twoRings();
    const recorded = [
      [99, 0.9980267284282717, -0.06279051952931326],
      [101, 0.4990133642141358, 0.03139525976465669],
    ];
    expectRecorded(points, recorded, rounding);
    expect([...labels]).toEqual(Array.from({ length: 200 }, (_, i) => (i < 100 ? 0 : 1)));
  });

  test("trefoil knot of 200", () => {
    const recorded = [
      [17, 2.2616547758380987, -0.10276532119948678, -0.9995065603657317],
      [50, 0.9999999999999992, 1.9999999999999998, 0.9999999999999999],
    ];
    expectRecorded(trefoilKnot({ count: 200 }).points, recorded, rounding);
  });

  test("moons of 200 with noise of 0.05: within 4 of its deviations", () => {
    const { points, labels } = moons({ noise: 0 });
    const recorded = [
      [0, 1.0882026172983832, 0.020007860418361167],
      [30, 0.5464338871824006, 0.7965982939733087],
      [70, -0.680172566772947, 0.817731425594059],
      [120, 0.16285789119132982, -0.11277151977108028],
      [160, 1.2910877438898323, -0.48565046814237245],
      [199, 2.073328935778709, 0.5426275969730615],
    ];
    expectRecorded(points, recorded, 0.2);
    expect([...labels]).toEqual(Array.from({ length: 200 }, (_, i) => (i < 100 ? 0 : 1)));
  });

  test("double Swiss roll of 200, whose points were spaced along a polygon: within half a percent of a step", () => {
    const { points } = doubleSwissRoll();
    const recorded = [
      [0, -3.1415926535897256, 2.124471388176646e-13],
      [10, 1.1683463615263712, -4.810796281745359],
      [50, -8.905452539433144, 2.2271353533722085],
      [99, 12.56637061435917, -2.847810460716497e-14],
      [130, -3.4366642537290004, -6.518308637668089],
      [199, -12.56637061435917, 3.00170411621424e-14],
    ];
    expectRecorded(points, recorded, 0.005 * 0.755);
  });
});

test("a ring is closed, half a ring is not: all its steps are π/(n − 1) along the circle", () => {
  fc.assert(
    fc.property(fc.integer({ min: 3, max: 60 }), (count) => {
      const [whole, half] = [ring({ count }), halfRing({ count })];
      const chord = (angle: number): number => 2 * Math.sin(angle / 2);
      for (let i = 0; i < count; i++) {
        expect(
          Math.abs(distance(whole.points, i, (i + 1) % count) - chord((2 * Math.PI) / count)),
        ).toBeLessThan(1e-14);
        if (i === 0) continue;
        expect(Math.abs(distance(half.points, i - 1, i) - chord(Math.PI / (count - 1)))).toBeLessThan(1e-14);
      }
      expectNear(row(half.points, count - 1), [-1, 0], 1e-14);
      expect(half.angle[count - 1]).toBeCloseTo(Math.PI, 14);
    }),
    { numRuns: 30 },
  );
});

test("the second ring has the radius that was asked for", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.double({ min: 0, max: 10, noNaN: true }), (m, ratio) => {
      const { points } = twoRings({ pointsPerRing: m, ratio });
      for (let i = 0; i < m; i++) {
        expect(Math.hypot(...row(points, i))).toBeCloseTo(1, 14);
        expectNear(
          row(points, m + i),
          row(points, i).map((x) => ratio * x),
          1e-14 * (1 + ratio),
        );
      }
    }),
    { numRuns: 50 },
  );
});

test("the moons are half rings around (0, 0) and (1, ½), the one the other turned by half a turn", () => {
  const { points } = moons({ pointsPerMoon: 31, noise: 0 });
  for (let i = 0; i < 31; i++) {
    const [x, y] = row(points, i);
    expect(Math.hypot(x, y)).toBeCloseTo(1, 14);
    expect(y).toBeGreaterThanOrEqual(0);
    expectNear(row(points, 31 + i), [1 - x, 0.5 - y], 1e-15);
  }
});

test("the double Swiss roll: on its spirals, from π to 4π, in steps of one length along them", {
  tags: ["full"],
}, () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 300 }), (m) => {
      const { points, angle, labels } = doubleSwissRoll({ pointsPerRoll: m });
      expect([angle[0], angle[m]]).toEqual([Math.PI, Math.PI]);
      expect(angle[m - 1]).toBeCloseTo(4 * Math.PI, 12);
      const length = (t: number): number => 0.5 * (t * Math.sqrt(1 + t * t) + Math.asinh(t));
      const step = (length(4 * Math.PI) - length(Math.PI)) / (m - 1);
      for (let i = 0; i < m; i++) {
        const t = angle[i];
        expectNear(row(points, i), [t * Math.cos(t), t * Math.sin(t)], 1e-13);
        expectNear(
          row(points, m + i),
          row(points, i).map((x) => -x),
          0,
        );
        expect([labels[i], labels[m + i]]).toEqual([0, 1]);
        if (i > 0) expect(Math.abs(length(t) - length(angle[i - 1]) - step)).toBeLessThan(1e-12);
      }
    }),
    { numRuns: 30 },
  );
  expect(doubleSwissRoll({ pointsPerRoll: 1 }).points.data[0]).toBeCloseTo(-Math.PI, 14);
});

test("the grid lies in the first two dimensions, its noise in the others", () => {
  const { points, row: rows, column } = noisyGrid({ side: 40, dimensions: 6, noise: 0.3 });
  let square = 0;
  for (let i = 0; i < 1600; i++) {
    const [x, y, ...rest] = row(points, i);
    expect([x, y, rows[i], column[i]]).toEqual([Math.floor(i / 40), i % 40, Math.floor(i / 40), i % 40]);
    for (const value of rest) square += value * value;
  }
  // the sample deviation of 6,400 normal numbers is within 5 standard errors of 1/√12800
  expect(Math.abs(Math.sqrt(square / 6400) / 0.3 - 1)).toBeLessThan(5 / Math.sqrt(12800));
  expect(noisyGrid({ side: 3, dimensions: 2 }).points.columns).toBe(2);
});

test("noise has its deviation", () => {
  for (const generate of [ring, halfRing]) {
    const [clean, noisy] = [generate({ count: 5000 }), generate({ count: 5000, noise: 0.2, seed: 3 })];
    const square = noisy.points.data.reduce((sum, x, k) => sum + (x - clean.points.data[k]) ** 2, 0);
    // 10,000 normal numbers: within 5 standard errors of 1/√20000
    expect(Math.abs(Math.sqrt(square / 10_000) / 0.2 - 1)).toBeLessThan(5 / Math.sqrt(20_000));
  }
});

test("impossible options are refused", () => {
  expect(() => ring({ count: 0 })).toThrowError(/ring: count must be a whole number from 1/);
  expect(() => halfRing({ noise: -1 })).toThrowError(/halfRing: noise must be/);
  expect(() => twoRings({ ratio: Number.NaN })).toThrowError(/ratio must be/);
  expect(() => moons({ pointsPerMoon: 1.5 })).toThrowError(/pointsPerMoon must be a whole number/);
  expect(() => doubleSwissRoll({ pointsPerRoll: 0 })).toThrowError(/pointsPerRoll must be a whole number/);
  expect(() => noisyGrid({ dimensions: 1 })).toThrowError(/dimensions must be a whole number from 2/);
  expect(() => noisyGrid({ side: 2 ** 22 })).toThrowError(/no memory/);
});
