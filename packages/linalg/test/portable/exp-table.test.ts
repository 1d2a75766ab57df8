import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { powersOfTwo128 } from "../../src/portable/exp.js";

test("the table has the doubles that it had when it was written down, with 300 bits", () => {
  expect(powersOfTwo128.length).toBe(256);
  expect([...powersOfTwo128.subarray(0, 4)]).toEqual([1, 0, 1.0054299011128027, 9.499186535455032e-17]);
  expect([...powersOfTwo128.subarray(128, 130)]).toEqual([Math.SQRT2, -9.667293313452913e-17]);
  expect([...powersOfTwo128.subarray(254)]).toEqual([1.9891988469672663, 8.2051326383692e-18]);
  const hash = createHash("sha256").update(powersOfTwo128.join()).digest("hex");
  expect(hash).toBe("6358dc37ae6b20c5e631b64c846899e5f32d27dda1043ac8f972e934cda22d28");
});

test("an entry and its rest are 2^(j/128) to 105 bits", () => {
  const one = 1n << 160n;
  for (let j = 0; j < 128; j++) {
    const [nearest, rest] = powersOfTwo128.subarray(2 * j, 2 * j + 2);
    expect(nearest + rest).toBe(nearest);
    const sum = BigInt(nearest * 2 ** 160) + BigInt(rest * 2 ** 160);
    const deviation = sum ** 128n / one ** 127n / (1n << BigInt(j)) - one; // 128 times that of the sum
    expect(Math.abs(Number(deviation))).toBeLessThan(128 * 2 ** (160 - 105));
  }
});
