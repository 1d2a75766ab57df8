import { regressionReport } from "@curvature/optim-sgdqn";
import { expect, test } from "vitest";

test("R², RMSE and MAE by hand", () => {
  // residuals 1, 0, −1, −2; squares 6; around the mean 2.5: 2.25 + 0.25 + 0.25 + 2.25 = 5
  const report = regressionReport([1, 2, 3, 4], [0, 2, 4, 6]);
  expect(report.r2).toBeCloseTo(1 - 6 / 5, 15);
  expect(report.rootMeanSquaredError).toBeCloseTo(Math.sqrt(1.5), 15);
  expect(report.meanAbsoluteError).toBe(1);
  expect(regressionReport([1, 2], [1, 2])).toEqual({ r2: 1, rootMeanSquaredError: 0, meanAbsoluteError: 0 });
});

test("without spread there is no R²", () => {
  expect(regressionReport([0.1, 0.1, 0.1], [0, 0.1, 0.2]).r2).toBeUndefined();
});

test("far from zero the spread keeps its digits", () => {
  const truth = [1e9 + 1, 1e9 + 2, 1e9 + 3];
  expect(regressionReport(truth, [1e9 + 1, 1e9 + 2, 1e9 + 4]).r2).toBeCloseTo(0.5, 12);
});

test("bad input is refused", () => {
  expect(() => regressionReport([], [])).toThrowError("at least one number");
  expect(() => regressionReport([1], [1, 2])).toThrowError("1 numbers");
  expect(() => regressionReport([1, Number.NaN], [1, 2])).toThrowError("has NaN at 1");
});
