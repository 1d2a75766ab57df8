/** Pairs that single precision proposes: none that matters is left out, and distances are those of direct differences. */
import { fillNormal, type NearPairs, nearPairs, RandomGenerator } from "@curvature/linalg";
import { disableSimd, enableSimd } from "@curvature/linalg/simd";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";

afterEach(disableSimd);

function proposer(exact: Float64Array, centred: Float64Array, D: number): NearPairs {
  expect(enableSimd()).toBe(true);
  const near = nearPairs(exact, centred, D);
  if (near === undefined) throw new Error("there is no form for these points");
  return near;
}

/** Four partial sums, entry by entry. */
function distance2(points: Float64Array, a: number, b: number, D: number): number {
  const sums = [0, 0, 0, 0];
  for (let k = 0; k < D; k++) {
    const t = points[a * D + k] - points[b * D + k];
    sums[k < D - (D % 4) ? k % 4 : 0] += t * t;
  }
  return sums[0] + sums[1] + (sums[2] + sums[3]);
}

/** Clouds whose sizes and places differ by many orders of magnitude, some of them one point many times. */
function clouds(N: number, D: number, seed: number, scale: number): Float64Array {
  const random = new RandomGenerator(seed);
  const points = new Float64Array(N * D);
  fillNormal(random, points);
  const places = new Float64Array(4 * D);
  fillNormal(random, places);
  for (let n = 0; n < N; n++) {
    const cloud = random.integer(4);
    for (let k = 0; k < D; k++) {
      const spread = [1, 1e-3, 0, 1e3][cloud];
      points[n * D + k] =
        scale * (spread * points[n * D + k] + [0, 10, 1e4, 1][cloud] * places[cloud * D + k]);
    }
  }
  return points;
}

const cases = fc.record({
  N: fc.integer({ min: 1, max: 70 }),
  D: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constantFrom(50, 131)),
  seed: fc.nat(10_000),
  scale: fc.constantFrom(1, 1e-30, 1e60, 1e-90),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  way: fc.constantFrom<("visitors" | "both" | "after")[]>("visitors", "both", "after"),
});

test("every pair within the worst distance of either is proposed once, and measured by direct differences", {
  tags: ["full"],
}, () => {
  fc.assert(
    fc.property(cases, ({ N, D, seed, scale, share, way }) => {
      const points = clouds(N, D, seed, scale);
      const near = proposer(points, points, D);
      const random = new RandomGenerator(seed + 1);
      // Worst distances that occur, so that ties with them do too; some infinite, some 0.
      const worst = Float64Array.from({ length: N }, (_, n) =>
        random.uniform() < 0.2 ? Number.POSITIVE_INFINITY : distance2(points, n, random.integer(N), D),
      );
      const from = Math.floor(share * N);
      const visitors = Int32Array.from({ length: Math.min(N, 64) }, (_, i) =>
        way === "after" ? i : random.integer(N),
      );
      near.setColumns(from, N);
      const count = near.find(visitors, worst, way);
      const wrong: string[] = [];
      const proposed = new Map<string, number>();
      for (let c = 0; c < count; c++) {
        const [a, b] = [near.first[c], near.second[c]];
        const isColumn = b >= from && b < N && (way !== "after" || b > a);
        if (!isColumn || near.distances[c] !== distance2(points, a, b, D)) wrong.push(`${a} ${b}`);
        proposed.set(`${a} ${b}`, (proposed.get(`${a} ${b}`) ?? 0) + 1);
      }
      for (const a of new Set(visitors)) {
        const times = visitors.filter((visitor) => visitor === a).length;
        for (let b = way === "after" ? Math.max(from, a + 1) : from; b < N; b++) {
          const limit = way === "visitors" ? worst[a] : Math.max(worst[a], worst[b]);
          const isNear = distance2(points, a, b, D) <= limit;
          if (isNear && proposed.get(`${a} ${b}`) !== times) wrong.push(`${a} ${b}`);
        }
      }
      expect(wrong).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test("of points of one size few pairs are proposed in vain", () => {
  const [N, D] = [256, 50];
  const points = new Float64Array(N * D);
  fillNormal(new RandomGenerator(2), points);
  const near = proposer(points, points, D);
  const worst = new Float64Array(N).fill(80);
  near.setColumns(0, N);
  let count = 0;
  let within = 0;
  for (let a = 0; a < N; a += 64) {
    const visitors = Int32Array.from({ length: 64 }, (_, i) => a + i);
    const found = near.find(visitors, worst, "after");
    for (let c = 0; c < found; c++) if (near.distances[c] <= 80) within++;
    count += found;
  }
  expect(within).toBeGreaterThan(1000);
  expect(count - within).toBeLessThan(within / 100);
});

test("points of extreme sizes, of too many entries, or all in one place have no such form; nor has TypeScript", () => {
  const one = Float64Array.of(1, 2, 3, 4);
  enableSimd();
  expect(nearPairs(one, one, 2)).toBeDefined();
  for (const factor of [1e150, 1e-150, 0]) {
    const points = one.map((y) => factor * y);
    expect(nearPairs(points, points, 2)).toBeUndefined();
  }
  const long = new Float64Array(2 ** 16 + 2).fill(1);
  expect(nearPairs(long, long, 2 ** 15 + 1)).toBeUndefined();
  disableSimd();
  expect(nearPairs(one, one, 2)).toBeUndefined();
});
