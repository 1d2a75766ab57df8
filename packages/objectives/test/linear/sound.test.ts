import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { areFinite32, areFinite64, isPattern } from "../../src/linear/rows/sound.js";

describe("entries", () => {
  const odd = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const extremes = [0, -0, 1, -1, 3.4e38, -3.4e38, 1e-45, -1e-45];

  test("are finite up to the largest and down to the least", () => {
    expect(areFinite32(Float32Array.from(extremes), 8)).toBe(true);
    expect(areFinite64(Float64Array.of(...extremes, Number.MAX_VALUE, -Number.MIN_VALUE), 10)).toBe(true);
  });

  test.each(odd)("%s is found at every place, but not beyond the count", (entry) => {
    for (let k = 0; k < extremes.length; k++) {
      const entries = extremes.with(k, entry);
      expect(areFinite32(Float32Array.from(entries), 8)).toBe(false);
      expect(areFinite64(Float64Array.from(entries), 8)).toBe(false);
      expect(areFinite32(Float32Array.from(entries), k)).toBe(true);
      expect(areFinite64(Float64Array.from(entries), k)).toBe(true);
    }
  });

  test("are those of a view", () => {
    const buffer = Float32Array.of(Number.NaN, 1, 2, Number.NaN).buffer;
    expect(areFinite32(new Float32Array(buffer, 4, 2), 2)).toBe(true);
    expect(areFinite32(new Float32Array(buffer, 4, 3), 3)).toBe(false);
  });
});

test("a pattern is one by its definition", () => {
  const small = fc.integer({ min: -1, max: 4 });
  fc.assert(
    fc.property(
      fc.array(small, { minLength: 1, maxLength: 4 }),
      fc.array(small, { minLength: 6, maxLength: 6 }),
      (ends, indices) => {
        const pointers = Int32Array.of(0, ...ends);
        const stored = pointers[ends.length];
        const isSound = ends.every((end, i) => {
          const start = pointers[i];
          const row = indices.slice(start, end);
          return (
            end >= start && end <= stored && row.every((j, k) => j > (k === 0 ? -1 : row[k - 1]) && j < 4)
          );
        });
        expect(isPattern(ends.length, 4, pointers, Int32Array.from(indices))).toBe(isSound);
      },
    ),
    { numRuns: 2000, seed: 1 },
  );
});
