import {
  areaUnderCurve,
  calibrationCurve,
  chooseThreshold,
  precisionRecallCurve,
  rocCurve,
} from "@curvature/optim-sgdqn";
import fc from "fast-check";
import { expect, test } from "vitest";

const rows = fc
  .array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 6 })), { minLength: 2, maxLength: 40 })
  .map((pairs) => ({ truth: pairs.map(([y]) => y), scores: pairs.map(([, s]) => s / 4) }));

test("the area below the curve is that of the ranks", () => {
  fc.assert(
    fc.property(rows, ({ truth, scores }) => {
      const points = rocCurve(truth, scores, true);
      const area = areaUnderCurve(truth, scores, true);
      if (area === undefined) {
        expect(points).toEqual([]);
        return;
      }
      expect(points.at(0)).toEqual({ x: 0, y: 0 });
      expect(points.at(-1)).toEqual({ x: 1, y: 1 });
      const below = points
        .slice(1)
        .reduce((sum, { x, y }, k) => sum + ((x - points[k].x) * (y + points[k].y)) / 2, 0);
      expect(below).toBeCloseTo(area, 12);
    }),
  );
});

test("no threshold is better than the one that was chosen", () => {
  const costs = fc.record({
    falsePositive: fc.integer({ min: 0, max: 9 }),
    falseNegative: fc.integer({ min: 1, max: 9 }),
  });
  fc.assert(
    fc.property(rows, fc.oneof(fc.constant("f1" as const), costs), ({ truth, scores }, by) => {
      if (!truth.includes(true)) {
        expect(() => chooseThreshold(truth, scores, true, by)).toThrow("no row is of class true");
        return;
      }
      const valueAt = (threshold: number): number => {
        let [tp, fp, fn] = [0, 0, 0];
        for (const [i, y] of truth.entries()) {
          const taken = scores[i] > threshold;
          if (y && taken) tp++;
          else if (taken) fp++;
          else if (y) fn++;
        }
        return by === "f1"
          ? (2 * tp) / (2 * tp + fp + fn)
          : (fp * by.falsePositive + fn * by.falseNegative) / truth.length;
      };
      const { threshold, value } = chooseThreshold(truth, scores, true, by);
      expect(valueAt(threshold)).toBeCloseTo(value, 12);
      for (let other = -0.125; other < 2; other += 0.25)
        if (by === "f1") expect(valueAt(other)).toBeLessThanOrEqual(value + 1e-12);
        else expect(valueAt(other)).toBeGreaterThanOrEqual(value - 1e-12);
    }),
  );
});

test("precision and recall; bins of probabilities", () => {
  expect(precisionRecallCurve([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1], 1)).toEqual([
    { x: 0.5, y: 1 },
    { x: 0.5, y: 0.5 },
    { x: 1, y: 2 / 3 },
    { x: 1, y: 0.5 },
  ]);
  const p = Array.from({ length: 40 }, (_, i) => (i < 20 ? 0.1 : 0.9));
  const truth = p.map((each, i) => (each > 0.5 ? i % 10 > 0 : i % 10 === 0));
  expect(calibrationCurve(truth, p, true)).toEqual(
    [0.1, 0.1, 0.9, 0.9].map((x) => ({ x: expect.closeTo(x), y: x })),
  );
});

test("a weight of 2 is the row twice, 0 is no row", () => {
  const weighted = fc
    .array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 3 })), {
      minLength: 3,
      maxLength: 60,
    })
    .filter((all) => all.some(([y, , w]) => y && w > 0) && new Set(all.map(([, s]) => s)).size === all.length)
    .map((all) => ({
      truth: all.map(([y]) => y),
      scores: all.map(([, s]) => s / 1000),
      weights: all.map(([, , w]) => w),
    }));
  const costs = { falsePositive: 1, falseNegative: 4 };
  fc.assert(
    fc.property(weighted, ({ truth, scores, weights }) => {
      const repeat = <T>(list: readonly T[]): T[] =>
        list.flatMap((each, i) => new Array<T>(weights[i]).fill(each));
      const [all, at] = [repeat(truth), repeat(scores)];
      for (const curve of [rocCurve, precisionRecallCurve, calibrationCurve]) {
        const [own, long] = [curve(truth, scores, true, weights), curve(all, at, true)];
        expect(own).toHaveLength(long.length);
        for (const [k, { x, y }] of own.entries()) {
          expect(x).toBeCloseTo(long[k].x, 12);
          expect(y).toBeCloseTo(long[k].y, 12);
        }
      }
      for (const by of ["f1", costs] as const) {
        const own = chooseThreshold(truth, scores, true, by, weights);
        const long = chooseThreshold(all, at, true, by);
        expect(own.threshold).toBe(long.threshold);
        expect(own.value).toBeCloseTo(long.value, 12);
      }
    }),
  );
});

test("weights that are none are refused", () => {
  expect(() => rocCurve([1, 0], [1, 2], 1, [1])).toThrow("2 numbers");
  expect(() => chooseThreshold([1, 0], [1, 2], 1, "f1", [1, -1])).toThrow("at least 0");
  expect(() => calibrationCurve([1, 0], [0.1, 0.2], 1, [0, 0])).toThrow("all weights are 0");
});
