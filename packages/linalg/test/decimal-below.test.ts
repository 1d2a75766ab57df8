import { decimalBelow, RandomGenerator } from "@curvature/linalg";
import { describe, expect, test } from "vitest";

/** x as a whole number of 2^-1074, exactly. */
function whole(x: number): bigint {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, x);
  const word = bits.getBigUint64(0);
  const exponent = Number((word >> 52n) & 0x7ffn);
  const fraction = word & 0xfffffffffffffn;
  const size = exponent === 0 ? fraction : (fraction | 0x10000000000000n) << BigInt(exponent - 1);
  return x < 0 ? -size : size;
}

/** Whether units × 10^exponent ≤ x. */
function isBelow(units: bigint, exponent: number, x: number): boolean {
  const one = 1n << 1074n;
  return exponent >= 0
    ? units * 10n ** BigInt(exponent) * one <= whole(x)
    : units * one <= whole(x) * 10n ** BigInt(-exponent);
}

describe("decimalBelow", () => {
  test.each([
    [179.99999999997, 7, 179.9999],
    [180, 7, 180],
    [99.9999999, 5, 99.999],
    [100.0000001, 5, 100],
    [0.99999999, 4, 0.9999],
    [1e-300, 3, 1e-300],
    [1.2345678e-290, 3, 1.23e-290],
    [Number.MAX_VALUE, 2, 1.7e308],
    [-1.23456, 3, -1.24],
    [-9.999, 2, -10],
    [0, 7, 0],
    [Number.POSITIVE_INFINITY, 7, Number.POSITIVE_INFINITY],
    [Number.NaN, 7, Number.NaN],
  ])("of %f to %i digits is %f", (x, digits, expected) => {
    expect(decimalBelow(x, digits)).toBe(expected);
  });

  test("no larger decimal of these digits is at most x, in exact arithmetic", () => {
    const random = new RandomGenerator(4107);
    for (let trial = 0; trial < 4000; trial++) {
      const digits = 1 + Math.floor(random.uniform() * 12);
      const power = 10 ** Math.floor(random.uniform() * 40 - 20);
      const near = Math.round(random.uniform() * 1000) * power; // decimals, and numbers a little beside them
      const x =
        trial % 2 === 0 ? near * (1 - 1e-13 * Math.floor(random.uniform() * 3)) : random.uniform() * power;
      if (x === 0) continue;
      const [mantissa = "", exponent = ""] = decimalBelow(x, digits)
        .toExponential(digits - 1)
        .split("e");
      const units = BigInt(mantissa.replace(".", ""));
      const last = Number(exponent) - digits + 1;
      // what is printed as x itself is x to the last bit
      expect(decimalBelow(x, digits) === x || isBelow(units, last, x)).toBe(true);
      expect(isBelow(units + 1n, last, x)).toBe(false);
    }
  });
});
