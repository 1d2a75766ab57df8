import { exp, log, log1p, RandomGenerator } from "@curvature/linalg";
import fc from "fast-check";
import { expect, test } from "vitest";
import { exactExp, exactLog, ulpsBetween } from "./reference.js";

const worst = (
  count: number,
  draw: (random: RandomGenerator) => number,
  ulps: (x: number) => number,
): number => {
  const random = new RandomGenerator(1);
  let most = 0;
  for (let n = 0; n < count; n++) most = Math.max(most, ulps(draw(random)));
  return most;
};
const expUlps = (x: number): number => ulpsBetween(exp(x), exactExp(x));
const logUlps = (x: number): number => ulpsBetween(log(x), exactLog(x, 0));
const log1pUlps = (x: number): number => ulpsBetween(log1p(x), exactLog(x, 1));
/** Spread over all magnitudes between 2^low and 2^high. */
const scattered = (random: RandomGenerator, low: number, high: number): number =>
  (1 + random.uniform()) * 2 ** (low + random.integer(high - low));
const sign = (random: RandomGenerator): number => 1 - 2 * random.integer(2);

test("the reference itself knows e and log 2 and their last places", () => {
  expect(ulpsBetween(Math.E, exactExp(1))).toBeLessThan(0.5);
  expect(ulpsBetween(Math.LN2, exactLog(2, 0))).toBeLessThan(0.5);
  expect(ulpsBetween(Math.LN10, exactLog(9, 1))).toBeLessThan(0.5);
  expect(ulpsBetween(1 + 2 ** -52, exactExp(0))).toBe(1);
});

test("exp is within 0.53 units of the last place where its result is normal", () => {
  expect(worst(4000, (r) => r.uniform() * 1416 - 708, expUlps)).toBeLessThan(0.53);
  expect(worst(4000, (r) => -r.uniform() * 5, expUlps)).toBeLessThan(0.53);
  expect(worst(2000, (r) => sign(r) * scattered(r, -80, 0), expUlps)).toBeLessThan(0.53);
  expect(worst(300, (r) => 708 + r.uniform() * 1.7, expUlps)).toBeLessThan(0.53);
});

test("exp rounds gracefully into the subnormal numbers", () => {
  expect(worst(1000, (r) => -708 - r.uniform() * 37, expUlps)).toBeLessThan(1);
});

test("log is within 0.9 units of the last place, subnormal and huge arguments included", {
  tags: ["full"],
}, () => {
  expect(worst(3000, (r) => r.uniform() * 3, logUlps)).toBeLessThan(0.9);
  expect(worst(1000, (r) => 1 + sign(r) * scattered(r, -50, -1), logUlps)).toBeLessThan(0.9);
  expect(worst(500, (r) => scattered(r, -1074, 1023), logUlps)).toBeLessThan(0.9);
  expect(worst(100, (r) => scattered(r, -1074, -1021), logUlps)).toBeLessThan(0.9);
  expect(worst(100, (r) => scattered(r, 1021, 1024), logUlps)).toBeLessThan(0.9);
});

test("log1p is within 0.9 units of the last place, also where 1 + x rounds", () => {
  expect(worst(3000, (r) => r.uniform() * 3 - 0.999, log1pUlps)).toBeLessThan(0.9);
  expect(worst(2000, (r) => sign(r) * scattered(r, -60, 0), log1pUlps)).toBeLessThan(0.9);
  expect(worst(1000, (r) => scattered(r, 0, 60), log1pUlps)).toBeLessThan(0.9);
  expect(worst(300, (r) => sign(r) * scattered(r, -1074, -50), log1pUlps)).toBeLessThan(0.9);
  expect(worst(300, (r) => -1 + scattered(r, -53, 0) / 2, log1pUlps)).toBeLessThan(0.9);
});

test.each([
  [0, 1],
  [-0, 1],
  [Number.NaN, Number.NaN],
  [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  [Number.NEGATIVE_INFINITY, 0],
  [709.782712893384, 1.7976931348622732e308],
  [709.7827128933841, Number.POSITIVE_INFINITY],
  [1e300, Number.POSITIVE_INFINITY],
  [-745.1332191019411, Number.MIN_VALUE],
  [-745.1332191019412, 0],
  [-1e300, 0],
  [Number.MIN_VALUE, 1],
])("exp(%d) is %d", (x, y) => {
  expect(exp(x)).toBe(y);
});

test.each([
  [1, 0],
  [0, Number.NEGATIVE_INFINITY],
  [-0, Number.NEGATIVE_INFINITY],
  [-1, Number.NaN],
  [Number.NEGATIVE_INFINITY, Number.NaN],
  [Number.NaN, Number.NaN],
  [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  [Math.E, 1],
  [2, Math.LN2],
  [Number.MIN_VALUE, -744.4400719213812],
  [Number.MAX_VALUE, 709.782712893384],
])("log(%d) is %d", (x, y) => {
  expect(log(x)).toBe(y);
});

test.each([
  [0, 0],
  [-0, -0],
  [-1, Number.NEGATIVE_INFINITY],
  [-1.5, Number.NaN],
  [Number.NEGATIVE_INFINITY, Number.NaN],
  [Number.NaN, Number.NaN],
  [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  [Number.MIN_VALUE, Number.MIN_VALUE],
  [-Number.MIN_VALUE, -Number.MIN_VALUE],
  [1e-200, 1e-200],
  [Number.MAX_VALUE, 709.782712893384],
])("log1p(%d) is %d", (x, y) => {
  expect(log1p(x)).toBe(y);
});

test("exp, log and log1p grow with their arguments", () => {
  fc.assert(
    fc.property(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.double({ min: 1e-9, max: 10, noNaN: true }),
      (x, step) => {
        const y = x + step * Math.abs(x);
        expect(exp(x)).toBeLessThanOrEqual(exp(y));
        if (x > 0) expect(log(x)).toBeLessThanOrEqual(log(y));
        if (x > -1) expect(log1p(x)).toBeLessThanOrEqual(log1p(y));
      },
    ),
  );
});

test("the bits are these on every engine", () => {
  const random = new RandomGenerator(5);
  let hash = 0;
  const words = new Int32Array(2);
  const view = new Float64Array(words.buffer);
  for (let n = 0; n < 20_000; n++) {
    const x = (random.uniform() - 0.5) * 60;
    for (const y of [exp(x), log(Math.abs(x)), log1p(Math.abs(x))]) {
      view[0] = y;
      hash = (Math.imul(hash ^ words[0], 0x9e3779b1) ^ Math.imul(words[1], 0x85ebca6b)) | 0;
    }
  }
  expect(hash).toBe(949693232);
});
