import { cos, RandomGenerator, sin } from "@curvature/linalg";
import { expect, test } from "vitest";
import { type Scaled, ulpsBetween } from "./reference.js";

const bits = 260;
const one = 1n << BigInt(bits);
const product = (a: bigint, b: bigint): bigint => (a * b) >> BigInt(bits);

/** x = value · 2^-bits, exactly for |x| ≥ 2^-200. */
function exact(x: number): bigint {
  let exponent = bits;
  let mantissa = x;
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    exponent--;
  }
  return BigInt(mantissa) << BigInt(exponent);
}

/** arctan(1/n) */
function arctanOfInverse(n: bigint): bigint {
  let sum = 0n;
  for (let power = one / n, k = 1n; power !== 0n; power /= n * n, k += 2n)
    sum += ((k & 2n) === 0n ? power : -power) / k;
  return sum;
}

const halfPi = 2n * (4n * arctanOfInverse(5n) - arctanOfInverse(239n)); // Machin

/** The alternating series of sine (from = 1) or cosine (from = 0) at |r| ≤ π/2. */
function series(r: bigint, from: 0 | 1): bigint {
  const r2 = product(r, r);
  let sum = 0n;
  for (let term = from === 1 ? r : one, k = BigInt(from); term !== 0n && term !== -1n; k += 2n) {
    sum += term;
    term = -product(term, r2) / ((k + 1n) * (k + 2n));
  }
  return sum;
}

function reference(x: number, turns: bigint): Scaled {
  const X = exact(x);
  const k = (X - (((X % halfPi) + halfPi) % halfPi)) / halfPi;
  const r = X - k * halfPi;
  const quadrant = (((k + turns) % 4n) + 4n) % 4n;
  const value = series(r, quadrant % 2n === 0n ? 1 : 0);
  return { value: quadrant < 2n ? value : -value, bits };
}

const sinUlps = (x: number): number => ulpsBetween(sin(x), reference(x, 0n));
const cosUlps = (x: number): number => ulpsBetween(cos(x), reference(x, 1n));

function worst(count: number, draw: (random: RandomGenerator) => number): number {
  const random = new RandomGenerator(3);
  let most = 0;
  for (let n = 0; n < count; n++) {
    const x = draw(random);
    most = Math.max(most, sinUlps(x), cosUlps(x));
  }
  return most;
}

test("the reference knows the values at 1", () => {
  expect(ulpsBetween(0.8414709848078965, reference(1, 0n))).toBeLessThan(0.5);
  expect(ulpsBetween(0.5403023058681398, reference(1, 1n))).toBeLessThan(0.5);
});

test("sin and cos are within 0.8 units of the last place", () => {
  expect(worst(3000, (r) => r.uniform() * 1.6 - 0.8)).toBeLessThan(0.8);
  expect(worst(3000, (r) => r.uniform() * 40 - 20)).toBeLessThan(0.8);
  expect(worst(3000, (r) => (r.uniform() * 2 - 1) * 1_600_000)).toBeLessThan(0.8);
  expect(worst(500, (r) => r.uniform() * 2 ** -r.integer(100))).toBeLessThan(0.8);
});

test("also next to the multiples of π/2, where all leading digits cancel", () => {
  expect(worst(2000, (r) => r.integer(1_018_000) * 1.5707963267948966)).toBeLessThan(0.8);
});

test("symmetry and exact values", () => {
  expect(sin(0)).toBe(0);
  expect(sin(-0)).toBe(-0);
  expect(cos(0)).toBe(1);
  expect(sin(2 ** -60)).toBe(2 ** -60);
  for (const x of [0.3, 1, 2, 3, 4, 5, 6, 1000.5]) {
    expect(sin(-x)).toBe(-sin(x));
    expect(cos(-x)).toBe(cos(x));
  }
});

test.each([1_600_001, -1e300, Number.NaN, Number.POSITIVE_INFINITY])("%d is refused", (x) => {
  expect(() => sin(x)).toThrowError(/angles from -1600000 to 1600000 radians/);
  expect(() => cos(x)).toThrowError(/angles from -1600000 to 1600000 radians/);
});
