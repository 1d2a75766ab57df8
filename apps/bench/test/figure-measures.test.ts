import { describe, expect, it } from "vitest";
import {
  explained,
  inkFeatures,
  leakage,
  loopKept,
  purity,
  relativeDifference,
} from "../src/experiments/sdp/figure-measures.ts";

const circle = Array.from({ length: 40 }, (_, k): [number, number] => [
  3 + Math.cos((2 * Math.PI * k) / 40),
  Math.sin((2 * Math.PI * k) / 40) - 1,
]);

describe("measures of NOMAD's figures", () => {
  it("finds a circle kept whole from any place and in both senses, and a shuffled one not", () => {
    expect(loopKept(circle)).toBe(1);
    expect(loopKept([...circle.slice(7), ...circle.slice(0, 7)].reverse())).toBe(1);
    expect(loopKept(circle.map((_, k) => circle[(7 * k) % 40]))).toBe(0);
    const swapped = [...circle];
    [swapped[10], swapped[11]] = [swapped[11], swapped[10]];
    expect(loopKept(swapped)).toBe(38 / 40);
  });

  it("tells mass between classes, and mixed components", () => {
    const Q = { rows: 2, columns: 2, data: Float64Array.of(0.75, 0.25, 0.25, 0.75) };
    expect(leakage(Q, [0, 1])).toBe(0.25);
    expect(leakage(Q, [1, 1])).toBe(0);
    expect(purity(Int32Array.of(0, 0, 1, 1), [0, 0, 0, 1])).toBe(0.5);
    expect(relativeDifference(Q, Q)).toBe(0);
    expect(relativeDifference({ ...Q, data: Q.data.map((q) => 3 * q) }, Q)).toBeCloseTo(2, 14);
  });

  it("explains what is linear in the map, and nothing that is even in it", () => {
    const linear = circle.map(([x, y]) => 2 - 3 * x + 0.5 * y);
    expect(explained(circle, linear)).toBeCloseTo(1, 12);
    const even = circle.map(([x]) => (x - 3) ** 2);
    expect(explained(circle, even)).toBeCloseTo(0, 12);
    expect(
      explained(
        circle,
        circle.map(() => 1),
      ),
    ).toBe(0);
  });

  it("measures slant and elongation of strokes", () => {
    const stroke = (at: (row: number) => number): number[] =>
      Array.from({ length: 64 }, (_, k) => (Math.abs((k % 8) - at(Math.floor(k / 8))) < 1 ? 1 : 0));
    const data = Float64Array.from([
      ...stroke(() => 3.5),
      ...stroke((row) => row),
      ...stroke((row) => 7 - row),
    ]);
    const { slant, elongation, ink } = inkFeatures({ rows: 3, columns: 64, data });
    expect(slant[0]).toBeCloseTo(0, 12);
    expect(slant[1]).toBeCloseTo(1, 12);
    expect(slant[2]).toBeCloseTo(-1, 12);
    expect(elongation[0]).toBeGreaterThan(elongation[1]);
    expect(Array.from(ink)).toEqual([16, 8, 8]);
  });
});
