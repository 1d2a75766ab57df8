import { createHash } from "node:crypto";
import { curves, curvesOptions } from "@curvature/datasets";
import type { DenseMatrix } from "@curvature/linalg";
import { expect, test } from "vitest";

const hash = ({ data }: DenseMatrix): string =>
  createHash("sha256").update(new Uint8Array(data.buffer)).digest("hex").slice(0, 16);

test("the same bits for the same seed on every engine, others for others", () => {
  const { points, controls } = curves({ count: 50 });
  expect([points.rows, points.columns, controls.rows, controls.columns]).toEqual([50, 784, 50, 6]);
  expect(curves({ ...curvesOptions.defaults, count: 50 })).toEqual({ points, controls });
  expect(curves({ count: 50, seed: 1 }).points).not.toEqual(points);
  expect([hash(points), hash(controls)]).toEqual(["74b6cbee49d11155", "d8a15eb63bd7cb8d"]);
});

test("fewer images are the first of more", () => {
  expect(curves({ count: 3 }).points.data).toEqual(curves({ count: 5 }).points.data.subarray(0, 3 * 784));
});

test("the curve starts and ends in black at its outer points, and stays within the margin", () => {
  const side = 20;
  const { points, controls } = curves({ count: 30, side, penRadius: 1 });
  for (let i = 0; i < 30; i++) {
    const grey = (x: number, y: number): number => points.data[i * side * side + y * side + x];
    const p = controls.data.subarray(6 * i, 6 * i + 6);
    // a pixel's centre lies within √½ of a point, and the pen is black up to 0.5
    expect(grey(Math.round(p[0]), Math.round(p[1]))).toBeGreaterThanOrEqual(1.5 - Math.SQRT1_2);
    expect(grey(Math.round(p[4]), Math.round(p[5]))).toBeGreaterThanOrEqual(1.5 - Math.SQRT1_2);
    for (const at of [...p]) expect(at >= 2 && at <= side - 3).toBe(true);
    for (let k = 0; k < side; k++) expect([grey(k, 0), grey(0, k), grey(side - 1, k)]).toEqual([0, 0, 0]);
  }
});

test("grey values are those of the distance to the curve, found by brute force", () => {
  const { points, controls } = curves({ count: 4, penRadius: 0.8 });
  for (let i = 0; i < 4; i++) {
    const p = controls.data.subarray(6 * i, 6 * i + 6);
    for (let e = 0; e < 784; e++) {
      let d = Number.POSITIVE_INFINITY;
      for (let k = 0; k <= 2000; k++) {
        const t = k / 2000;
        const at = (o: number): number => (1 - t) ** 2 * p[o] + 2 * t * (1 - t) * p[o + 2] + t * t * p[o + 4];
        d = Math.min(d, Math.hypot((e % 28) - at(0), Math.floor(e / 28) - at(1)));
      }
      const expected = Math.min(1, Math.max(0, 1.3 - d));
      // a chord of 1/32 lies within |c″|/8 · (1/32)² < 0.02 of the curve (|c″| ≤ 4 · 23 √2)
      expect(Math.abs(points.data[784 * i + e] - expected)).toBeLessThanOrEqual(0.02);
    }
  }
});

test("refuses options that make no sense", () => {
  expect(() => curves({ count: 0 })).toThrowError(/count must be a whole number from 1/);
  expect(() => curves({ side: 7 })).toThrowError(/side must be a whole number from 8/);
  expect(() => curves({ penRadius: -1 })).toThrowError(/penRadius must be/);
  expect(() => curves({ count: 2 ** 50 })).toThrowError(/no memory/);
  const misspelt: object = { sid: 1 };
  expect(() => curves(misspelt)).toThrowError(/Did you mean "side"/);
});
