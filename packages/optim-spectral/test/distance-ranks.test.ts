import { type DenseMatrix, RandomGenerator } from "@curvature/linalg";
import { disableSimd, enableSimd } from "@curvature/linalg/simd";
import { squaredRowDistance, tieTolerance } from "@curvature/objectives/embedding";
import { afterEach, expect, test } from "vitest";
import { DistanceRanks } from "../src/distance-ranks.js";

afterEach(() => disableSimd());

/** As defined: of the others, by direct differences, how many are nearer than j, and how many tie with it. */
function rankByDefinition({ rows, columns, data }: DenseMatrix, i: number, j: number): readonly number[] {
  const limit = squaredRowDistance(data, i, data, j, columns);
  const tie = tieTolerance(data, i, columns, limit);
  const distances = Array.from({ length: rows }, (_, m) => squaredRowDistance(data, i, data, m, columns));
  const others = distances.filter((_, m) => m !== i);
  return [
    others.filter((D) => D < limit - tie).length,
    others.filter((D) => D >= limit - tie && D <= limit + tie).length,
  ];
}

function expectDefinedRanks(points: DenseMatrix): void {
  const everyOther = (i: number): Int32Array =>
    Int32Array.from({ length: points.rows - 1 }, (_, m) => (m < i ? m : m + 1));
  const queries = Array.from({ length: points.rows }, (_, i) => ({ i, others: everyOther(i) }));
  const found: (readonly number[])[] = [];
  new DistanceRanks(points).forEach(queries, (nearer, tied) => found.push([nearer, tied]));
  const expected = queries.flatMap(({ i, others }) =>
    Array.from(others, (j) => rankByDefinition(points, i, j)),
  );
  expect(found).toEqual(expected);
}

const drawn = (rows: number, columns: number, entry: (u: number, row: number) => number): DenseMatrix => {
  const random = new RandomGenerator(3);
  const data = Float64Array.from({ length: rows * columns }, (_, p) =>
    entry(random.uniform(), Math.floor(p / columns)),
  );
  return { rows, columns, data };
};

const sets: Readonly<Record<string, DenseMatrix>> = {
  "points in a cube": drawn(150, 7, (u) => u),
  "far from the origin": drawn(120, 3, (u) => 1e9 + u),
  "a lattice, with ties and duplicates": drawn(150, 3, (u) => Math.floor(3 * u)),
  "one point": drawn(40, 2, () => 0.1),
  "an outlier that hides all other distances": drawn(90, 4, (u, row) => (row === 17 ? 1e12 : u)),
  "differences in the last place": drawn(90, 2, (u) => 1 + Number.EPSILON * Math.floor(8 * u)),
  "squares that underflow": drawn(90, 3, (u) => 3e-162 * u),
  "squares that are subnormal": drawn(90, 3, (u) => 1e-155 * u),
  "squares near the largest number": drawn(60, 3, (u) => 1e153 * (u - 0.5)),
};

test.for(Object.keys(sets))("ranks are those of the definition: %s", (name) => {
  expectDefinedRanks(sets[name]);
});

test.for(Object.keys(sets))("with SIMD, too: %s", (name) => {
  enableSimd();
  expectDefinedRanks(sets[name]);
});
