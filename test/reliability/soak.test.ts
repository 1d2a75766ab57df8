/** A round of the soak test runs, and its slope test can tell growth from noise; memory itself is for `npm run soak`. */
import { expect, test } from "vitest";
import { growth, slope, soakRound } from "./soak.ts";

test("a round of everything runs", soakRound);

test("the slope is that of the least-squares line", () => {
  expect(slope([3, 5, 7, 9])).toBe(2);
  expect(slope([1, 2, 1, 2, 1])).toBe(0);
  expect(slope([4])).toBe(0);
});

test("a leak of 100 kB a sample is found in 100 samples, a warm-up and noise are not", () => {
  const samples = (leak: number) =>
    Array.from({ length: 100 }, (_, k) => ({
      heapBytes: 2e7 + leak * k + (k < 20 ? k * 1e6 : 2e7) + 3e5 * (k % 2),
      arrayBytes: 1e6,
      residentBytes: 2e8,
      handles: 2,
    }));
  const found = (leak: number) =>
    growth(samples(leak))
      .filter(({ isTooMuch }) => isTooMuch)
      .map(({ name }) => name);
  expect(found(1e5)).toEqual(["heapBytes"]);
  expect(found(0)).toEqual([]);
});
