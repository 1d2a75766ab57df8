/** Random places are uniform along the length of a curve, and each part has its own. */
import {
  closedLoops,
  doubleSwissRoll,
  halfRing,
  moons,
  ring,
  rings,
  trefoilKnot,
  twoRings,
} from "@curvature/datasets";
import type { DenseMatrix } from "@curvature/linalg";
import { describe, expect, test } from "vitest";

const count = 4000;
const random = { spacing: "random", noise: 0, seed: 5 } as const;

/** Lengths along a curve x(t), from `from`, by chords of small steps. */
function lengthAlong(x: (t: number) => readonly number[], from: number, to: number): (t: number) => number {
  const steps = 20_000;
  const lengths = new Float64Array(steps + 1);
  for (let k = 1; k <= steps; k++) {
    const [a, b] = [x(from + ((to - from) * (k - 1)) / steps), x(from + ((to - from) * k) / steps)];
    lengths[k] = lengths[k - 1] + Math.hypot(...a.map((v, j) => v - b[j]));
  }
  return (t) => lengths[Math.round(((t - from) / (to - from)) * steps)] / lengths[steps];
}

/** Kolmogorov's distance of numbers from the uniform distribution on [0, 1], times the root of their count. */
function distanceFromUniform(shares: readonly number[]): number {
  const sorted = [...shares].sort((a, b) => a - b);
  const n = sorted.length;
  const worst = sorted.reduce((d, u, i) => Math.max(d, u - i / n, (i + 1) / n - u), 0);
  return worst * Math.sqrt(n);
}
/** Exceeded once in 2,000 times: sup |F_n − F| √n of Kolmogorov's distribution. */
const LIMIT = 2;

const turn = 2 * Math.PI;
const angles = ({ data, columns, rows }: DenseMatrix): number[] =>
  Array.from(
    { length: rows },
    (_, i) => (Math.atan2(data[i * columns + 1], data[i * columns]) + turn) % turn,
  );
const half = (values: readonly number[], part: 0 | 1): number[] =>
  values.slice((part * values.length) / 2, ((part + 1) * values.length) / 2);

describe("random places are uniform in arc length", () => {
  const roll = doubleSwissRoll({ pointsPerRoll: count, ...random });
  const alongRoll = lengthAlong((t) => [t * Math.cos(t), t * Math.sin(t)], Math.PI, 4 * Math.PI);
  const alongKnot = lengthAlong(
    (t) => [Math.sin(t) + 2 * Math.sin(2 * t), Math.cos(t) - 2 * Math.cos(2 * t), -Math.sin(3 * t)],
    0,
    turn,
  );
  const moon = angles(moons({ pointsPerMoon: count, ...random }).points);
  const { data: lower } = moons({ pointsPerMoon: count, ...random }).points;
  const concentric = angles(twoRings({ pointsPerRing: count, ...random }).points);
  test.each([
    ["ring", angles(ring({ count, ...random }).points).map((a) => a / turn)],
    ["halfRing", angles(halfRing({ count, ...random }).points).map((a) => a / Math.PI)],
    ["twoRings, first", half(concentric, 0).map((a) => a / turn)],
    ["twoRings, second", half(concentric, 1).map((a) => a / turn)],
    ["rings", angles(rings({ rings: 1, pointsPerRing: count, ...random }).points).map((a) => a / turn)],
    ["moons, upper", half(moon, 0).map((a) => a / Math.PI)],
    [
      "moons, lower",
      Array.from(
        { length: count },
        (_, i) => Math.acos(Math.max(-1, Math.min(1, 1 - lower[2 * (count + i)]))) / Math.PI,
      ),
    ],
    ["doubleSwissRoll, first", half(Array.from(roll.angle), 0).map(alongRoll)],
    ["doubleSwissRoll, second", half(Array.from(roll.angle), 1).map(alongRoll)],
    ["trefoilKnot", Array.from(trefoilKnot({ count: 20 * count, ...random }).angle, alongKnot)],
  ])("%s", (_, shares) => expect(distanceFromUniform(shares)).toBeLessThan(LIMIT));

  test("the knot's even places are not, which the test sees", () =>
    expect(
      distanceFromUniform(Array.from(trefoilKnot({ count: 20 * count }).angle, alongKnot)),
    ).toBeGreaterThan(LIMIT));
});

describe("each point has a place of its own", () => {
  test("the parts of a set have different places", () => {
    const { angle } = doubleSwissRoll({ pointsPerRoll: 50, ...random });
    expect(new Set(angle).size).toBe(100);
    const { data } = closedLoops({
      loops: 2,
      pointsPerLoop: 30,
      dimensions: 2,
      separation: 0,
      ...random,
    }).points;
    expect(new Set(data).size).toBe(120);
  });

  test("points lie where their angle says, with one point too", () => {
    const { points, angle } = trefoilKnot({ count: 9, ...random });
    for (let i = 0; i < 9; i++) expect(points.data[3 * i + 2]).toBeCloseTo(-Math.sin(3 * angle[i]), 12);
    const one = doubleSwissRoll({ pointsPerRoll: 1, ...random });
    for (let i = 0; i < 2; i++)
      expect(Math.hypot(one.points.data[2 * i], one.points.data[2 * i + 1])).toBeCloseTo(one.angle[i], 12);
  });

  test("the same seed gives the same bits", () =>
    expect(moons({ ...random, noise: 0.1 }).points.data).toEqual(
      moons({ ...random, noise: 0.1 }).points.data,
    ));
});
