import { permutation, RandomGenerator, sampleWithoutReplacement, shuffle } from "@curvature/linalg";
import fc from "fast-check";
import { expect, test } from "vitest";
import { chiSquare } from "./chi-square.js";

test("a permutation has every number once", () => {
  fc.assert(
    fc.property(fc.nat(200), fc.nat(), (n, seed) => {
      const order = permutation(new RandomGenerator(seed), n);
      expect(Array.from(order).sort((a, b) => a - b)).toEqual(Array.from({ length: n }, (_, i) => i));
    }),
  );
});

test("all 24 orders of four things come equally often", () => {
  const random = new RandomGenerator(1);
  const counts = new Map<string, number>();
  for (let n = 0; n < 24 * 400; n++) {
    const letters = ["a", "b", "c", "d"];
    shuffle(random, letters);
    const order = letters.join("");
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  expect(counts.size).toBe(24);
  expect(chiSquare(Float64Array.from(counts.values()), 400)).toBeLessThan(23 + 4 * Math.sqrt(46));
});

test("a sample has different numbers of the range, as many as asked for", () => {
  fc.assert(
    fc.property(fc.nat(100), fc.nat(100), fc.nat(), (a, b, seed) => {
      const [count, n] = a < b ? [a, b] : [b, a];
      const sample = sampleWithoutReplacement(new RandomGenerator(seed), count, n);
      expect(new Set(sample).size).toBe(count);
      expect(sample.every((i) => i >= 0 && i < n)).toBe(true);
    }),
  );
});

test("all 20 ordered pairs of five numbers come equally often", () => {
  const random = new RandomGenerator(2);
  const counts = new Float64Array(25);
  for (let n = 0; n < 20 * 400; n++) {
    const [i, j] = sampleWithoutReplacement(random, 2, 5);
    counts[5 * i + j] += 1;
  }
  const pairs = counts.filter((_, k) => k % 6 !== 0); // off the diagonal
  expect(chiSquare(pairs, 400)).toBeLessThan(19 + 4 * Math.sqrt(38));
});

test("a few of very many cost no memory for the many", () => {
  const sample = sampleWithoutReplacement(new RandomGenerator(3), 5, 2 ** 31 - 1);
  expect(new Set(sample).size).toBe(5);
});

test.each([-1, 1.5, Number.NaN, 2 ** 31])("permutation(%d) is refused", (n) => {
  expect(() => permutation(new RandomGenerator(0), n)).toThrowError(
    "must be a whole number from 0 to 2147483647",
  );
});

test("more than there are cannot be drawn", () => {
  expect(() => sampleWithoutReplacement(new RandomGenerator(0), 4, 3)).toThrowError(
    "count must be a whole number from 0 to 3; received 4",
  );
});
