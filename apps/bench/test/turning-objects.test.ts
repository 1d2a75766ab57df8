import { describe, expect, it } from "vitest";
import { turningObjects } from "../src/data/turning-objects.ts";

const squared = (a: Float64Array, b: Float64Array): number =>
  a.reduce((sum, x, k) => sum + (x - b[k]) * (x - b[k]), 0);

describe("turningObjects", () => {
  for (const turning of ["object", "lamp"] as const) {
    const { points, labels, angle } = turningObjects({ objects: 3, poses: 24, side: 16, turning, seed: 5 });
    const image = (i: number): Float64Array => points.data.subarray(i * 256, (i + 1) * 256);

    it(`draws grey images of each object in turn (${turning})`, () => {
      expect(points).toMatchObject({ rows: 72, columns: 256 });
      expect(Array.from(labels)).toEqual([0, 1, 2].flatMap((g) => Array<number>(24).fill(g)));
      expect(angle[30]).toBe((2 * Math.PI * 6) / 24);
      for (const grey of points.data) expect(grey >= 0 && grey <= 1).toBe(true);
    });

    it(`closes a loop: poses are nearest to those beside them, the last to the first (${turning})`, () => {
      for (let i = 0; i < 72; i++) {
        const first = 24 * labels[i];
        const other = (by: number): Float64Array => image(first + ((i - first + by) % 24));
        const beside = Math.max(squared(image(i), other(1)), squared(image(i), other(23)));
        expect(squared(image(i), other(12))).toBeGreaterThan(beside);
      }
    });
  }

  it("is the same for the same seed, and another for another", () => {
    const draw = (seed: number): Float64Array => turningObjects({ objects: 1, poses: 2, seed }).points.data;
    expect(draw(1)).toEqual(draw(1));
    expect(squared(draw(1), draw(2))).toBeGreaterThan(1);
  });
});
