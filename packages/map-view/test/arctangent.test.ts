import { expect, test } from "vitest";
import { degreesOf } from "../src/arctangent.js";

test("the angle is that of Math.atan2, to 1e-9 degrees, in every direction and size", () => {
  for (let k = 0; k < 2000; k++) {
    const angle = (k / 2000) * 2 * Math.PI + 1e-4;
    for (const size of [1, 1e-200, 1e200]) {
      const [x, y] = [size * Math.cos(angle), size * Math.sin(angle)];
      expect(Math.abs(degreesOf(x, y) - (Math.atan2(y, x) * 180) / Math.PI)).toBeLessThan(1e-9);
    }
  }
  expect([degreesOf(1, 0), degreesOf(0, 1), degreesOf(-1, 0), degreesOf(0, -1), degreesOf(0, 0)]).toEqual([
    0, 90, 180, -90, 0,
  ]);
});
