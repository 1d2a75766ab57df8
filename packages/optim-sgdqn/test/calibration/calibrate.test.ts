import { LinearClassifier } from "@curvature/optim-sgdqn";
import { expect, test } from "vitest";
import { calibrate } from "../../src/calibration/calibrate.js";
import { noisyHalves } from "../helpers/rows.js";

test("a fold's fit that is not usable means no calibration, and a warning says so", async () => {
  const { rows, targets } = noisyHalves(50, 3);
  const model = new LinearClassifier({ solver: "sgd", lambda: 1e-3 });
  await model.fit(rows, targets);
  const { settings, fitted } = model;
  if (fitted === undefined) throw new Error("not fitted");
  const places = Int32Array.from(targets, (y) => (y > 0 ? 1 : 0));
  const huge = { ...rows, data: rows.data.map((value) => 1e200 * value) };
  const task = { settings, rows: huge, targets: [targets], importances: undefined, places };
  const { sigmoids, warnings } = await calibrate(task, fitted, undefined, undefined);
  expect(sigmoids).toBeUndefined();
  expect(warnings.join()).toMatch(
    /^Probabilities were not learned: a fit on a part of the rows is not usable/,
  );
});
