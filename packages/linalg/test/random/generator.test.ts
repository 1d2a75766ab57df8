import { RandomGenerator } from "@curvature/linalg";
import { expect, test, vi } from "vitest";
import { chiSquare } from "./chi-square.js";

/** The first outputs from the state (1, 2, 3, 4), as in the tests of the Rust crate rand_xoshiro. */
const fromOneTwoThreeFour = [
  641, 1573767, 3222811527, 3517856514, 836907274, 4247214768, 3867114732, 1355841295, 495546011, 621204420,
];

test("the words are those of xoshiro128++", () => {
  const random = new RandomGenerator(0);
  random.restore([1, 2, 3, 4]);
  expect(fromOneTwoThreeFour.map(() => random.next())).toEqual(fromOneTwoThreeFour);
});

test("a generator restored from a saved state goes on with the same numbers", () => {
  const random = new RandomGenerator(7);
  random.uniform();
  const state = random.save();
  const next = [random.uniform(), random.integer(10)];
  const other = new RandomGenerator(0);
  other.restore(state);
  expect([other.uniform(), other.integer(10)]).toEqual(next);
});

test("seeds up to 2^53 − 1 are taken, and neighbours have nothing in common", () => {
  const seeds = [0, 1, 2, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 2 ** 53 - 2, 2 ** 53 - 1];
  const first = seeds.map((seed) => new RandomGenerator(seed).next());
  expect(new Set(first).size).toBe(seeds.length);
  expect(new RandomGenerator(42).next()).toBe(new RandomGenerator(42).next());
});

test("seeds above 2^32 have streams of their own, those below it the ones they have always had", () => {
  const state = (seed: number): string => new RandomGenerator(seed).save().join();
  const seeds = [0, 1, 2, 5, 2 ** 21 - 1].flatMap((high) =>
    [0, 1, 2, 0x85ebca6b, 2 ** 32 - 1].map((low) => high * 2 ** 32 + low),
  );
  expect(new Set(seeds.map(state)).size).toBe(seeds.length);
  // of these two one stream was made
  expect(state(2 ** 32)).not.toBe(state(0x85ebca6b));
  expect(state(7)).toBe("3838393609,4210744933,801465066,1648156487");
  expect(state(2 ** 32 - 1)).toBe("3950124170,4293442868,1302505678,2762329221");
  // bits that are equal in the first words of neighbours: half of them
  for (const step of [1, 2 ** 32]) {
    let equal = 0;
    for (let k = 0; k < 2000; k++) {
      const [a, b] = [k * step, (k + 1) * step].map((seed) => new RandomGenerator(2 ** 40 + seed).next());
      for (let bits = ~(a ^ b), bit = 0; bit < 32; bit++) equal += (bits >>> bit) & 1;
    }
    expect(Math.abs(equal / 64_000 - 0.5)).toBeLessThan(0.01);
  }
});

test.each([-1, 0.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY])("the seed %d is refused", (seed) => {
  expect(() => new RandomGenerator(seed)).toThrowError("seed must be a whole number from 0 to 2^53 - 1");
});

test("whole numbers are uniform: chi-square over 7 and over 1000 classes", () => {
  const random = new RandomGenerator(3);
  for (const bound of [7, 1000]) {
    const counts = new Float64Array(bound);
    const draws = bound * 200;
    for (let n = 0; n < draws; n++) counts[random.integer(bound)] += 1;
    // mean bound − 1, deviation √(2 (bound − 1)): four deviations on either side
    expect(Math.abs(chiSquare(counts, draws / bound) - (bound - 1))).toBeLessThan(
      4 * Math.sqrt(2 * (bound - 1)),
    );
  }
});

test("whole numbers have no bias where 2^32 is no multiple of the bound", () => {
  const random = new RandomGenerator(4);
  const bound = 3 * 2 ** 30; // without rejection the lowest third would come twice as often
  let low = 0;
  for (let n = 0; n < 30_000; n++) if (random.integer(bound) < 2 ** 30) low += 1;
  expect(Math.abs(low - 10_000)).toBeLessThan(4 * Math.sqrt(30_000 * (2 / 9)));
});

test.each([1, 2, 3, 7, 1000, 2 ** 30, 2 ** 31 - 1, 2 ** 31, 2 ** 31 + 1, 3 * 2 ** 30, 2 ** 32 - 1, 2 ** 32])(
  "below %d, words are taken up to the last whole multiple of it, and no further",
  (bound) => {
    const random = new RandomGenerator(6);
    const limit = Number(2n ** 32n - (2n ** 32n % BigInt(bound)));
    const words = [0, bound - 1, bound, 2 ** 32 - bound, 2 ** 32 - bound + 1, limit - 1, limit, 2 ** 32 - 1];
    for (const word of words.filter((one) => one < 2 ** 32)) {
      const given = [word, 5];
      vi.spyOn(random, "next").mockImplementation(() => given.shift() ?? Number.NaN);
      expect(random.integer(bound)).toBe((word < limit ? word : 5) % bound);
    }
  },
);

test("whole numbers reach both ends of the widest range", () => {
  const random = new RandomGenerator(5);
  const draws = Array.from({ length: 2000 }, () => random.integer(2 ** 32));
  expect(Math.min(...draws)).toBeLessThan(2 ** 32 / 100);
  expect(Math.max(...draws)).toBeGreaterThan(2 ** 32 * 0.99);
  expect(random.integer(1)).toBe(0);
});

test.each([0, -1, 1.5, 2 ** 32 + 1, Number.NaN])("integer(%d) is refused", (bound) => {
  expect(() => new RandomGenerator(0).integer(bound)).toThrowError("bound must be from 1 to 2^32");
});

test("uniform numbers lie in [0, 1) with mean 1/2 and variance 1/12", () => {
  const random = new RandomGenerator(6);
  const draws = Array.from({ length: 50_000 }, () => random.uniform());
  const mean = draws.reduce((a, b) => a + b) / draws.length;
  const variance = draws.reduce((a, b) => a + (b - mean) ** 2, 0) / draws.length;
  expect(draws.every((u) => u >= 0 && u < 1)).toBe(true);
  expect(Math.abs(mean - 0.5)).toBeLessThan(4 * Math.sqrt(1 / 12 / draws.length));
  expect(Math.abs(variance - 1 / 12)).toBeLessThan(4 * Math.sqrt(1 / 180 / draws.length));
});

test.each([
  ["three words", [1, 2, 3]],
  ["five words", [1, 2, 3, 4, 5]],
  ["nothing but zeros", [0, 0, 0, 0]],
  ["a fraction", [1, 2, 3, 0.5]],
  ["a NaN", [1, 2, 3, Number.NaN]],
  ["a word of more than 32 bits", [1, 2, 3, 2 ** 32]],
  ["a negative word", [1, 2, 3, -1]],
])("a state of %s is refused, and the generator is as it was", (_, words) => {
  const random = new RandomGenerator(1);
  const before = random.save();
  expect(() => random.restore(words)).toThrowError("four 32-bit words, not all zero");
  expect(random.save()).toEqual(before);
});
