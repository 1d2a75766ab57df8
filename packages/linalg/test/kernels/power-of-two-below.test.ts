import { powerOfTwoBelow } from "@curvature/linalg";
import fc from "fast-check";
import { expect, it } from "vitest";

const powers = new Set(Array.from({ length: 2098 }, (_, k) => 2 ** (k - 1074)));

it("is at most x, twice as much is above it, and it is a power of two", () => {
  const positive = fc.double({ min: Number.MIN_VALUE, max: Number.MAX_VALUE, noNaN: true });
  fc.assert(
    fc.property(positive, (x) => {
      const power = powerOfTwoBelow(x);
      expect(power).toBeLessThanOrEqual(x);
      expect(power).toBeGreaterThan(x - power);
      expect(powers.has(power)).toBe(true);
    }),
  );
});

it("has the ends of the range of doubles, and powers of two themselves", () => {
  expect(powerOfTwoBelow(Number.MIN_VALUE)).toBe(Number.MIN_VALUE);
  expect(powerOfTwoBelow(Number.MAX_VALUE)).toBe(2 ** 1023);
  for (let k = -1074; k <= 1023; k++) expect(powerOfTwoBelow(2 ** k)).toBe(2 ** k);
});

it("is 1 where there is none", () => {
  for (const x of [0, -0, -3, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
    expect(powerOfTwoBelow(x)).toBe(1);
});
