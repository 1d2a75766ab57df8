import { fillNormal, RandomGenerator, zeros } from "@curvature/linalg";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bullseyePercentiles, bullseyeScores, neighborDistances } from "../../src/geometry/bullseye.js";
import { geodesicDistances } from "../../src/geometry/geodesics.js";
import { solveRing } from "../../src/ring.js";
import { randomPoints, ringPoints } from "../helpers/small.js";

/** Shortest paths by Floyd and Warshall over the same graph, found by its definition. */
function slowDistances(points: number[][], N: number): number[][] {
  const n = points.length;
  const d = points.map((p) => points.map((q) => Math.hypot(...p.map((x, k) => x - q[k]))));
  const lists = d.map((row, i) =>
    row
      .map((_, j) => j)
      .filter((j) => j !== i)
      .sort((a, b) => row[a] - row[b] || a - b)
      .slice(0, N),
  );
  const paths = d.map((row, i) =>
    row.map((length, j) => (i === j ? 0 : lists[i].includes(j) || lists[j].includes(i) ? length : Infinity)),
  );
  for (let k = 0; k < n; k++)
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) paths[i][j] = Math.min(paths[i][j], paths[i][k] + paths[k][j]);
  return paths;
}

describe("distances along the graph of nearest neighbours", () => {
  test("are those of Floyd and Warshall", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 14 }),
        fc.integer({ min: 1, max: 3 }),
        fc.nat(1000),
        (n, N, seed) => {
          const { data } = randomPoints(n, 2, seed);
          const points = Array.from({ length: n }, (_, i) => [data[2 * i], data[2 * i + 1]]);
          const neighbors = Math.min(N, n - 1);
          const found = neighborDistances(points, neighbors).data;
          slowDistances(points, neighbors)
            .flat()
            .forEach((expected, k) => {
              if (expected === Infinity) expect(found[k]).toBe(Infinity);
              else expect(Math.abs(found[k] - expected)).toBeLessThan(1e-12);
            });
        },
      ),
      { numRuns: 60 },
    );
  });

  test("two groups far apart are not joined", () => {
    const found = neighborDistances([[0], [1], [2], [100], [101], [102]], 2).data;
    expect([...found.subarray(0, 6)]).toEqual([0, 1, 2, Infinity, Infinity, Infinity]);
  });

  test("bad points and counts are refused", () => {
    expect(() => neighborDistances([[0], [1]], 2)).toThrowError(/below the number of points, 2/);
    expect(() => neighborDistances([[0], [1]], 0)).toThrowError(/whole number from 1/);
    expect(() => neighborDistances([], 1)).toThrowError(expect.objectContaining({ name: "CurvatureError" }));
    expect(() => neighborDistances([[0], [Number.NaN]], 1)).toThrowError(
      expect.objectContaining({ code: "ERR_NON_FINITE" }),
    );
  });
});

const isometric = (points: number[][], angle: number): number[][] =>
  points.map(([x, y]) => [
    3 * (Math.cos(angle) * x - Math.sin(angle) * y) + 7,
    3 * (Math.sin(angle) * x + Math.cos(angle) * y) - 2,
  ]);

describe("bullseye scores", () => {
  test("a ring that is moved, turned and scaled scores 1, ties and all", () => {
    const points = ringPoints(60);
    const truth = neighborDistances(points, 4);
    for (const angle of [0.3, 1, 2.2])
      expect([...bullseyeScores(truth, neighborDistances(isometric(points, angle), 4))]).toEqual(
        bullseyePercentiles.map(() => expect.closeTo(1, 12)),
      );
  });

  test("NOMAD's Q of a ring has the ring's order", () => {
    const [n, K] = [60, 6];
    const { row } = solveRing(n, K);
    const Q = zeros(n, n);
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) Q.data[i * n + j] = row[(j - i + n) % n];
    const scores = bullseyeScores(neighborDistances(ringPoints(n), n / K), geodesicDistances(Q));
    expect(Math.min(...scores)).toBeGreaterThan(0.95);
  });

  test("of distances that know nothing of the truth are p/100, near enough", () => {
    const n = 300;
    const [truth, noise] = [zeros(n, n), zeros(n, n)];
    fillNormal(new RandomGenerator(1), truth.data);
    fillNormal(new RandomGenerator(2), noise.data);
    const positive = (m: typeof truth): typeof truth => ({ ...m, data: m.data.map(Math.abs) });
    const scores = bullseyeScores(positive(truth), positive(noise), [10, 50]);
    // m of n points at random have m²/n in common, with a deviation below √m, over n rows
    expect(Math.abs(scores[0] - 0.1)).toBeLessThan(5 / Math.sqrt(30 * n));
    expect(Math.abs(scores[1] - 0.5)).toBeLessThan(5 / Math.sqrt(150 * n));
  });

  test("are 1 for all points, and count the point itself for the smallest share", () => {
    const truth = neighborDistances([[0], [1], [3], [6]], 1);
    const reversed = neighborDistances([[6], [0], [1], [3]], 1);
    expect([...bullseyeScores(truth, reversed, [100, 1])]).toEqual([1, 1]);
  });

  test("by hand: of the nearest two, counting from either end of a line", () => {
    const truth = neighborDistances([[0], [1], [3], [6]], 2);
    const found = neighborDistances([[0], [5], [1], [6.5]], 2);
    // truth: {0,1} {1,0} {2,1} {3,2}; found: {0,2} {1,3} {2,0} {3,1}
    expect([...bullseyeScores(truth, found, [50])]).toEqual([0.5]);
  });

  test("the numbering of the points does not matter where there are no ties", () => {
    fc.assert(
      fc.property(fc.nat(10_000), (seed) => {
        const n = 20;
        const random = new RandomGenerator(seed);
        const [A, B] = [randomPoints(n, 2, seed), randomPoints(n, 2, seed + 1)];
        const order = Array.from({ length: n }, (_, i) => i);
        for (let i = n - 1; i > 0; i--) {
          const j = Math.floor(random.uniform() * (i + 1));
          [order[i], order[j]] = [order[j], order[i]];
        }
        const rows = ({ data }: typeof A, of: number[]): number[][] =>
          of.map((i) => [data[2 * i], data[2 * i + 1]]);
        const plain = Array.from({ length: n }, (_, i) => i);
        const score = (of: number[]): number[] => [
          ...bullseyeScores(neighborDistances(rows(A, of), n - 1), neighborDistances(rows(B, of), n - 1)),
        ];
        score(plain).forEach((value, k) => {
          expect(score(order)[k]).toBeCloseTo(value, 12);
        });
      }),
      { numRuns: 20 },
    );
  });

  test("bad distances are refused", () => {
    const two = neighborDistances([[0], [1]], 1);
    const three = neighborDistances([[0], [1], [2]], 1);
    expect(() => bullseyeScores(two, three)).toThrowError(/of one size; received 2 and 3 rows/);
    expect(() => bullseyeScores(two, { ...two, data: Float64Array.of(0, -1, -1, 0) })).toThrowError(
      /found has -1 at row 0, column 1/,
    );
    expect(() => bullseyeScores({ ...two, data: Float64Array.of(0, Number.NaN, 1, 0) }, two)).toThrowError(
      /truth has NaN/,
    );
    expect(() => bullseyeScores(zeros(2, 3), two)).toThrowError(/truth must be a square dense matrix/);
    expect(() => bullseyeScores(two, two, [0])).toThrowError(/percentiles must be/);
    // @ts-expect-error no matrix
    expect(() => bullseyeScores(null, two)).toThrowError(expect.objectContaining({ code: "ERR_SHAPE" }));
    // @ts-expect-error no numbers
    expect(() => bullseyeScores(two, two, "5")).toThrowError(
      expect.objectContaining({ code: "ERR_ARGUMENT" }),
    );
  });
});
