import { LinearClassifier, linearFitOptions } from "@curvature/optim-sgdqn";
import { expect, test } from "vitest";
import { calibrate } from "../../src/calibration/calibrate.js";
import { linearRun } from "../../src/fit/train.js";
import { noisyHalves } from "../helpers/rows.js";

test("a fold's fit that is not usable means no calibration, and a warning says so", async () => {
  const { rows, targets } = noisyHalves(50, 3);
  const model = new LinearClassifier({ loss: "squared-hinge", solver: "sgd", lambda: 1e-3, scale: "none" });
  await model.fit(rows, targets);
  const { settings, fitted } = model;
  if (fitted === undefined) throw new Error("not fitted");
  const classOfRow = Int32Array.from(targets, (y) => (y > 0 ? 1 : 0));
  const huge = { ...rows, data: rows.data.map((value) => 1e200 * value) };
  const task = {
    settings,
    rows: huge,
    targets: [targets],
    weights: undefined,
    importances: undefined,
    classes: model.classes,
    classOfRow,
  };
  const run = linearRun(linearFitOptions.defaults, settings);
  const whole = { status: "converged", message: "" } as const;
  expect(await calibrate(task, fitted, run, whole, undefined)).toBeUndefined();
  expect(run.warnings).toEqual([
    {
      code: "uncalibrated",
      message: expect.stringMatching(
        /^Probabilities were not learned: a fit on a part of the rows is not usable/,
      ),
    },
  ]);
});
