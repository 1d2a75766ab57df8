import { CurvatureError } from "@curvature/linalg";
import {
  areaUnderCurve,
  classificationReport,
  confusionMatrix,
  errorRate,
  logLoss,
  regressionReport,
} from "@curvature/optim-sgdqn";
import fc from "fast-check";
import { expect, test } from "vitest";

const truth = ["cat", "cat", "cat", "cat", "dog", "dog", "bird", "bird"];
const predicted = ["cat", "cat", "dog", "bird", "dog", "cat", "bird", "bird"];

test("confusion matrix, precision, recall and F1 by hand", () => {
  expect(confusionMatrix(truth, predicted)).toEqual({
    classes: ["bird", "cat", "dog"],
    counts: [
      [2, 0, 0],
      [1, 2, 1],
      [0, 1, 1],
    ],
  });
  const report = classificationReport(truth, predicted);
  expect(report.error).toBe(3 / 8);
  expect(errorRate(truth, predicted)).toBe(3 / 8);
  expect(report.classes).toEqual([
    { label: "bird", precision: 2 / 3, recall: 1, f1: 4 / 5, count: 2 },
    { label: "cat", precision: 2 / 3, recall: 1 / 2, f1: 4 / 7, count: 4 },
    { label: "dog", precision: 1 / 2, recall: 1 / 2, f1: 1 / 2, count: 2 },
  ]);
  expect(report.macro.precision).toBeCloseTo((2 / 3 + 2 / 3 + 1 / 2) / 3, 15);
  expect(report.macro.recall).toBeCloseTo(2 / 3, 15);
  expect(report.macro.f1).toBeCloseTo((4 / 5 + 4 / 7 + 1 / 2) / 3, 15);
});

test("as many classes as rows: the report takes them, the table is refused and names the report", () => {
  const labels = Float64Array.from({ length: 30_000 }, (_, i) => i / 7);
  const { classes, error, macro } = classificationReport(labels, labels);
  expect([classes.length, error, macro.f1]).toEqual([30_000, 0, 1]);
  expect(() => confusionMatrix(labels, labels)).toThrow(
    expect.objectContaining({ code: "ERR_MEMORY", message: expect.stringContaining("regressionReport") }),
  );
});

test("what is 0/0 is undefined, and no part of the mean", () => {
  const { classes, macro } = classificationReport([1, 1, 2], [1, 1, 1]);
  expect(classes[1]).toEqual({ label: 2, precision: undefined, recall: 0, f1: 0, count: 1 });
  expect(macro.precision).toBe(2 / 3);
  const foreign = classificationReport([1, 1], [1, 3]);
  expect(foreign.classes[1]).toEqual({ label: 3, precision: 0, recall: undefined, f1: 0, count: 0 });
});

test("labels are sorted by size, not as text", () => {
  expect(confusionMatrix([10, 9, -1], [10, 9, -1]).classes).toEqual([-1, 9, 10]);
});

test("area under the curve by hand, with ties", () => {
  // positives .8 .4, others .4 .2 .6: of six pairs .8 wins three, .4 wins one, ties one and loses one
  expect(areaUnderCurve([1, 1, 0, 0, 0], [0.8, 0.4, 0.4, 0.2, 0.6], 1)).toBe(4.5 / 6);
  expect(areaUnderCurve(["n", "p"], [0, 1], "p")).toBe(1);
  expect(areaUnderCurve(["n", "p"], [1, 0], "p")).toBe(0);
  expect(areaUnderCurve(["n", "p", "p"], [5, 5, 5], "p")).toBe(0.5);
  expect(areaUnderCurve([1, 1], [0.3, 0.4], 1)).toBeUndefined();
  expect(areaUnderCurve([1, 1], [0.3, 0.4], 2)).toBeUndefined();
});

test("the area is the share of pairs in order", () => {
  const rows = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: -3, max: 3 })), {
    minLength: 1,
    maxLength: 40,
  });
  fc.assert(
    fc.property(rows, (pairs) => {
      const labels = pairs.map(([isPositive]) => (isPositive ? 1 : 0));
      const scores = pairs.map(([, score]) => score);
      let wins = 0;
      let count = 0;
      for (const [p, s] of pairs)
        for (const [q, t] of pairs)
          if (p && !q) {
            count++;
            wins += s > t ? 1 : s === t ? 0.5 : 0;
          }
      const area = areaUnderCurve(labels, scores, 1);
      if (count === 0) expect(area).toBeUndefined();
      else expect(area).toBeCloseTo(wins / count, 14);
    }),
  );
});

test("log loss by hand", () => {
  const probabilities = { rows: 2, columns: 2, data: Float64Array.of(0.25, 0.75, 0.5, 0.5) };
  expect(logLoss(["b", "a"], probabilities, ["a", "b"])).toBeCloseTo(
    -(Math.log(0.75) + Math.log(0.5)) / 2,
    14,
  );
  const sure = { rows: 1, columns: 2, data: Float64Array.of(1, 0) };
  expect(logLoss(["b"], sure, ["a", "b"])).toBeCloseTo(15 * Math.LN10, 12);
  expect(logLoss(["a"], sure, ["a", "b"])).toBe(0);
});

test("bad input is refused", () => {
  expect(() => errorRate([], [])).toThrowError("at least one row");
  expect(() => errorRate([1, 2], [1])).toThrowError("one label for each of the 2 rows; received 1");
  expect(() => errorRate([1, "a"], [1, 1])).toThrowError('label 1 (counted from 0) is the string "a"');
  expect(() => errorRate([1], ["1"])).toThrowError(
    "the true labels are numbers and the predicted ones strings",
  );
  expect(() => confusionMatrix([Number.NaN], [1])).toThrowError(
    "must be a finite number, a string or a boolean",
  );
  expect(() => areaUnderCurve([1, 2], [1, Number.NaN], 1)).toThrowError("score 1 (counted from 0) is NaN");
  expect(() => areaUnderCurve([1, 2], [1], 1)).toThrowError("one score for each of the 2 rows");
  const sure = { rows: 1, columns: 2, data: Float64Array.of(1, 0) };
  expect(() => logLoss([1, 2], sure, [1, 2])).toThrowError("must be 2 x 2; received 1 x 2");
  expect(() => logLoss([3], sure, [1, 2])).toThrowError("none of the classes 1, 2");
  expect(() => logLoss([1], { ...sure, data: Float64Array.of(2, 0) }, [1, 2])).toThrowError("no probability");
});

test("what is no list is named, whatever it is", () => {
  for (const given of [undefined, null, 5, {}, "ab"] as never[]) {
    expect(() => areaUnderCurve(given, [1], 1)).toThrowError(CurvatureError);
    expect(() => logLoss(given, { rows: 1, columns: 2, data: Float64Array.of(1, 0) }, [1, 2])).toThrowError(
      CurvatureError,
    );
    expect(() => logLoss([1], given, [1, 2])).toThrowError(CurvatureError);
    expect(() => logLoss([1], { rows: 1, columns: 2, data: Float64Array.of(1, 0) }, given)).toThrowError(
      CurvatureError,
    );
  }
});

test("a weight of 2 is the row twice, one of 0 is no row", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          truth: fc.integer({ min: 0, max: 2 }),
          predicted: fc.integer({ min: 0, max: 2 }),
          score: fc.integer({ min: 0, max: 4 }),
          weight: fc.integer({ min: 0, max: 3 }),
        }),
        { minLength: 1, maxLength: 20 },
      ),
      (rows) => {
        fc.pre(rows.some(({ weight }) => weight > 0));
        const copies = rows.flatMap((row) => Array.from({ length: row.weight }, () => row));
        const weights = rows.map(({ weight }) => weight);
        const of = (all: typeof rows, name: "truth" | "predicted" | "score"): number[] =>
          all.map((row) => row[name]);
        const pair = (all: typeof rows) => [of(all, "truth"), of(all, "predicted")] as const;
        expect(errorRate(...pair(rows), weights)).toBeCloseTo(errorRate(...pair(copies)), 12);
        const counted = confusionMatrix(...pair(rows), weights);
        const written = confusionMatrix(...pair(copies));
        expect(counted.classes.length).toBeGreaterThanOrEqual(written.classes.length);
        for (const [i, row] of written.counts.entries())
          for (const [j, count] of row.entries())
            expect(
              counted.counts[counted.classes.indexOf(written.classes[i])][
                counted.classes.indexOf(written.classes[j])
              ],
            ).toBe(count);
        const [weighted, repeated] = [
          classificationReport(...pair(rows), weights),
          classificationReport(...pair(copies)),
        ];
        expect(weighted.error).toBeCloseTo(repeated.error, 12);
        for (const each of repeated.classes)
          expect(weighted.classes.find(({ label }) => label === each.label)).toEqual(each);
        expect(areaUnderCurve(of(rows, "truth"), of(rows, "score"), 1, weights)).toBe(
          areaUnderCurve(of(copies, "truth"), of(copies, "score"), 1),
        );
        const shares = (all: typeof rows) => ({
          rows: all.length,
          columns: 3,
          data: Float64Array.from(
            all.flatMap(({ score, predicted }) =>
              [0.1, 0.2, 0.3].map((p, k) => p + (k === predicted ? score / 10 : 0)),
            ),
          ),
        });
        expect(logLoss(of(rows, "truth"), shares(rows), [0, 1, 2], weights)).toBeCloseTo(
          logLoss(of(copies, "truth"), shares(copies), [0, 1, 2]),
          12,
        );
        const [ofWeights, ofCopies] = [
          regressionReport(of(rows, "truth"), of(rows, "score"), weights),
          regressionReport(of(copies, "truth"), of(copies, "score")),
        ];
        expect(ofWeights.r2 === undefined).toBe(ofCopies.r2 === undefined);
        expect(ofWeights.r2 ?? 0).toBeCloseTo(ofCopies.r2 ?? 0, 10);
        expect(ofWeights.rootMeanSquaredError).toBeCloseTo(ofCopies.rootMeanSquaredError, 12);
        expect(ofWeights.meanAbsoluteError).toBeCloseTo(ofCopies.meanAbsoluteError, 12);
      },
    ),
  );
});

test("weights that are none are refused", () => {
  const pair = [truth, predicted] as const;
  const one = truth.map(() => 1);
  expect(() => errorRate(...pair, [1])).toThrow(expect.objectContaining({ code: "ERR_SHAPE" }));
  expect(() => errorRate(...pair, one.with(2, -1))).toThrow("the weight of row 2 (counted from 0) is -1");
  expect(() => errorRate(...pair, one.with(2, Number.NaN))).toThrow(
    expect.objectContaining({ code: "ERR_NON_FINITE" }),
  );
  expect(() =>
    errorRate(
      ...pair,
      one.map(() => 0),
    ),
  ).toThrow("all weights are 0");
});
