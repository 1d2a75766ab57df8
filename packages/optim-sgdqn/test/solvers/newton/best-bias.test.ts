import fc from "fast-check";
import { expect, test } from "vitest";
import { bestHingeBias } from "../../../src/solvers/newton/best-bias.js";

const hingeSum = (z: Float64Array, y: Float64Array, c: Float64Array, delta: number): number =>
  z.reduce((sum, score, i) => sum + c[i] * Math.max(0, 1 - y[i] * (score + delta)), 0);

test("of all biases that the hinge has at its least, the best one is the nearest to the one given", () => {
  const row = fc.record({
    score: fc.integer({ min: -8, max: 8 }),
    target: fc.constantFrom(-1, 1),
    importance: fc.integer({ min: 0, max: 3 }),
  });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 12 }), (rows) => {
      const [z, y, c] = (["score", "target", "importance"] as const).map((key) =>
        Float64Array.from(rows, (r) => r[key]),
      );
      // kinks lie at whole numbers, and beyond 9 there is none
      const deltas = Array.from({ length: 41 }, (_, k) => (k % 2 ? 1 : -1) * Math.ceil(k / 2));
      const least = Math.min(...deltas.map((delta) => hingeSum(z, y, c, delta)));
      const nearest = deltas.find((delta) => hingeSum(z, y, c, delta) === least);
      const found = bestHingeBias(z, y, c);
      expect(Math.abs(found)).toBe(Math.abs(nearest ?? Number.NaN));
      expect(hingeSum(z, y, c, found)).toBe(least);
    }),
  );
});

test("classes that are apart keep the bias between them, though one has scores in the thousands", () => {
  const z = Float64Array.of(-1, 8032.8, -1.0000000005);
  const y = Float64Array.of(-1, 1, -1);
  expect(bestHingeBias(z, y, new Float64Array(3).fill(1 / 3))).toBe(0);
});
