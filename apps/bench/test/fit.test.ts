import fc from "fast-check";
import { expect, test } from "vitest";
import { powerLaw } from "../src/fit.ts";

test("an exact power law gives its exponent, without error, whatever the units", () => {
  fc.assert(
    fc.property(
      fc.double({ min: -3, max: 3, noNaN: true }),
      fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
      (exponent, factor) => {
        const points = [1, 2, 5, 40].map((x) => [x, factor * x ** exponent] as const);
        const found = powerLaw(points);
        expect(found.exponent).toBeCloseTo(exponent, 9);
        expect(found.error).toBeLessThan(1e-7);
      },
    ),
  );
});

test("the error is that of the slope of a line through noise", () => {
  // y: 1, 2, 2 at x: e⁰, e¹, e² — slope ln 2 / 2, rests −r, 2r, −r with r = ln 2 / 6
  const points = [0, 1, 2].map((k) => [Math.exp(k), k === 0 ? 1 : 2] as const);
  const { exponent, error } = powerLaw(points);
  expect(exponent).toBeCloseTo(Math.log(2) / 2, 12);
  const r = Math.log(2) / 6;
  expect(error).toBeCloseTo(Math.sqrt((6 * r * r) / 1 / 2), 12);
});
