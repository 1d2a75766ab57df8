/** Intervals against published ones, and how often they hold the truth. */
import { normal, RandomGenerator } from "@curvature/linalg";
import { areaInterval, lossInterval, shareInterval } from "@curvature/optim-sgdqn";
import { expect, test } from "vitest";

test("Wilson's intervals of textbooks, and the ends", () => {
  // Newcombe (Statistics in Medicine 17, 1998), table I
  for (const [count, rows, low, high] of [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ]) {
    const [a, b] = shareInterval(count, rows);
    expect(a).toBeCloseTo(low, 4);
    expect(b).toBeCloseTo(high, 4);
  }
  expect(shareInterval(20, 20)[1]).toBe(1);
  expect(() => shareInterval(3, 2)).toThrow("count");
  expect(lossInterval([1])).toBe(undefined);
  expect(lossInterval([0, 0])).toBe(undefined);
  expect(lossInterval([2, 2])).toEqual([2, 2]);
  expect(() => lossInterval([1, -1])).toThrow("row 1");
});

const DRAWS = 1000;

function covered(
  draw: (random: RandomGenerator) => readonly [number, number] | undefined,
  truth: number,
): number {
  const random = new RandomGenerator(6);
  let [held, known] = [0, 0];
  for (let k = 0; k < DRAWS; k++) {
    const interval = draw(random);
    if (interval === undefined) continue;
    known++;
    if (interval[0] <= truth && truth <= interval[1]) held++;
  }
  return held / known;
}

// Of 1000 draws at 95 %, the share is within 2.1 points of it (3 deviations); half the width would hold 67 %.

test.each([
  [50, 0.05],
  [50, 0.3],
  [500, 0.01],
])("errors: of %i rows at %f", (n, p) => {
  const share = covered((random) => {
    let count = 0;
    for (let i = 0; i < n; i++) if (random.uniform() < p) count++;
    return shareInterval(count, n);
  }, p);
  expect(share).toBeGreaterThan(0.93);
  expect(share).toBeLessThan(0.985);
});

test.each([
  [40, 40, 1, 0.925],
  [200, 200, 0, 0.925],
  // DeLong's variance is of few rows: it holds 90 % here.
  [20, 200, 2, 0.88],
])("areas: %i and %i rows, %f deviations apart", (positives, others, apart, least) => {
  // P(normal(apart, 1) > normal(0, 1)) = Φ(apart/√2)
  const truth = [0.5, 0.7602499389, 0.9213503965][apart];
  const share = covered((random) => {
    const labels = Array.from({ length: positives + others }, (_, i) => Number(i < positives));
    return areaInterval(
      labels,
      labels.map((y) => y * apart + normal(random)),
      1,
    );
  }, truth);
  expect(share).toBeGreaterThan(least);
  expect(share).toBeLessThan(0.98);
});

test.each([100, 1000])("log losses: of %i rows", (n) => {
  // Rows of p = 0.8 and 0.3 in turn, predicted as they are.
  const entropy = (p: number): number => -p * Math.log(p) - (1 - p) * Math.log(1 - p);
  const share = covered(
    (random) =>
      lossInterval(
        Array.from({ length: n }, (_, i) => {
          const p = i % 2 === 0 ? 0.8 : 0.3;
          return -Math.log(random.uniform() < p ? p : 1 - p);
        }),
      ),
    (entropy(0.8) + entropy(0.3)) / 2,
  );
  expect(share).toBeGreaterThan(0.925);
  expect(share).toBeLessThan(0.975);
});

// Of scores that are 2.5 times too large, and of a model that is nearly always right: a few rows have most of the loss.
test.each([
  [50, 6, 2.5, 0.9],
  [200, 6, 2.5, 0.925],
  [200, 16, 1, 0.925],
])("log losses stay above 0: %i rows, scores over %f, times %f", (n, width, times, least) => {
  const probability = (score: number): number => 1 / (1 + Math.exp(-score));
  const loss = (random: RandomGenerator): number => {
    const score = width * (random.uniform() - 0.5);
    const isOne = random.uniform() < probability(score);
    return -Math.log(probability((isOne ? 1 : -1) * times * score));
  };
  // The mean loss, by the midpoints of 20,000 scores
  let truth = 0;
  for (let k = 0; k < 20_000; k++) {
    const score = width * ((k + 0.5) / 20_000 - 0.5);
    const [p, q] = [probability(score), probability(times * score)];
    truth -= (p * Math.log(q) + (1 - p) * Math.log(1 - q)) / 20_000;
  }
  let lowest = Number.POSITIVE_INFINITY;
  const share = covered((random) => {
    const interval = lossInterval(Array.from({ length: n }, () => loss(random)));
    lowest = Math.min(lowest, interval?.[0] ?? lowest);
    return interval;
  }, truth);
  expect(lowest).toBeGreaterThan(0);
  expect(share).toBeGreaterThan(least);
  expect(share).toBeLessThan(0.975);
});
