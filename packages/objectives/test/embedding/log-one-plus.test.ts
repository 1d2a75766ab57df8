import { log1p, RandomGenerator } from "@curvature/linalg";
import { expect, test } from "vitest";
import { logOnePlus } from "../../src/embedding/kernels/attraction.js";

/** In units in the last place of `expected`. */
function error(value: number, expected: number): number {
  const ulp = 2 ** (Math.max(Math.floor(Math.log2(expected)), -1022) - 52);
  return Math.abs(value - expected) / ulp;
}

test("2 units in the last place, from the least number to the largest", { tags: ["full"] }, () => {
  const random = new RandomGenerator(1);
  for (let i = 0; i < 100_000; i++) {
    for (const t of [
      3 * random.uniform(),
      10 ** (40 * random.uniform() - 30),
      2 ** (1024 * random.uniform()),
    ])
      expect(error(logOnePlus(t), log1p(t)) <= 2, `t = ${t}`).toBe(true);
  }
  for (const t of [5e-324, 1e-310, Number.EPSILON, 1 - 2 ** -53, 1, 2 ** 53, Number.MAX_VALUE])
    expect(error(logOnePlus(t), log1p(t)), `t = ${t}`).toBeLessThanOrEqual(2);
});

test("zero, infinity, and around the ends of the table's intervals", () => {
  expect(logOnePlus(0)).toBe(0);
  expect(logOnePlus(Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY);
  for (let j = 1; j <= 512; j++) {
    const t = j / 256;
    const [before, at, after] = [t * (1 - 2 ** -52), t, t * (1 + 2 ** -52)].map(logOnePlus);
    expect(before <= at && at <= after, `around ${t}`).toBe(true);
    expect(error(before, log1p(t * (1 - 2 ** -52)))).toBeLessThanOrEqual(2);
  }
});
