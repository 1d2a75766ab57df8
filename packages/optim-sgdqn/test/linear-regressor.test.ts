import { CurvatureError, type DenseMatrix } from "@curvature/linalg";
import { LinearRegressor, type LinearRegressorOptions, loadModel, saveModel } from "@curvature/optim-sgdqn";
import { expect, test } from "vitest";
import { noisyHalves } from "./helpers/rows.js";

const { rows, scores } = noisyHalves(200, 5, { seed: 8, noise: 0.2 });
const targets = scores.map((score) => 3 * score + 40);

test.each(["auto", "none"] as const)(
  "least squares: the gradient of λ/2 ‖w‖² + half the mean square vanishes, the bias is free; scale %s",
  async (scale) => {
    const lambda = 0.05;
    const model = new LinearRegressor({ lambda, tolerance: 1e-13, scale });
    const result = await model.fit(rows, targets);
    expect(result.status).toBe("converged");
    const w = model.coefficients.data;
    const residuals = model.predict(rows).map((s, i) => s - targets[i]);
    const { scaling } = model.fitted ?? {};
    expect(scaling?.method).toBe(scale === "auto" ? "standard" : undefined);
    for (let j = 0; j < 5; j++) {
      const size = scaling?.scales[j] ?? 1; // λ is on the scaled columns
      let sum = 0;
      for (let i = 0; i < 200; i++) sum += residuals[i] * rows.data[5 * i + j];
      expect(Math.abs(lambda * size * size * w[j] + sum / 200)).toBeLessThan(1e-4);
    }
    expect(Math.abs(residuals.reduce((a, b) => a + b) / 200)).toBeLessThan(1e-4);
    expect(model.intercepts.length).toBe(1);
    const mean = targets.reduce((a, b) => a + b) / 200;
    const spread = targets.reduce((sum, y) => sum + (y - mean) ** 2, 0);
    const squares = residuals.reduce((sum, r) => sum + r * r, 0);
    expect(model.score(rows, targets)).toBeCloseTo(1 - squares / spread, 12);
  },
);

test("Huber's loss shrugs off outliers that least squares follows", async () => {
  const wild = targets.map((y, i) => (i % 20 === 0 ? y + 1000 : y));
  const clean = new LinearRegressor({ lambda: 1e-3 });
  await clean.fit(rows, targets);
  const distance = async (options: LinearRegressorOptions) => {
    const model = new LinearRegressor({ lambda: 1e-3, ...options });
    await model.fit(rows, wild);
    return Math.abs(model.intercepts[0] - clean.intercepts[0]);
  };
  expect(await distance({ loss: "huber", lossWidth: 2 })).toBeLessThan(1);
  expect(await distance({})).toBeGreaterThan(20);
});

test("a target's unit and the features' do not matter with the default λ and scaling", async () => {
  const plain = new LinearRegressor({ scale: "standard", tolerance: 1e-10 });
  await plain.fit(rows, targets);
  const large = new LinearRegressor({ scale: "standard", tolerance: 1e-10 });
  const unit = { ...rows, data: rows.data.map((x, k) => x * [1e6, 1, 1e-6, 10, 0.1][k % 5]) };
  await large.fit(
    unit,
    targets.map((y) => y * 1000),
  );
  expect(
    large.score(
      unit,
      targets.map((y) => y * 1000),
    ),
  ).toBeCloseTo(plain.score(rows, targets), 6);
});

test.each(["auto", "newton", "lbfgs", "asgd"] as const)(
  "%s fits and comes back from its file",
  async (solver) => {
    const model = new LinearRegressor({ solver, scale: "rms", lambda: 1e-4, maxPasses: 100 });
    const { warnings } = await model.fit(rows, targets);
    // of ASGD's point the certificate is loose
    expect(warnings.map(({ code }) => code)).toEqual(solver === "asgd" ? ["unfinished-training"] : []);
    expect(model.score(rows, targets)).toBeGreaterThan(0.9);
    expect(loadModel(saveModel(model)).predict(rows)).toEqual(model.predict(rows));
  },
);

test("rows held out end the training", async () => {
  const model = new LinearRegressor({ solver: "asgd", maxPasses: 500, validationShare: 0.25, lambda: 1e-6 });
  const { status, passes } = await model.fit(rows, targets);
  expect(["stalled", "max-iterations"]).toContain(status);
  expect(passes).toBeLessThanOrEqual(500);
});

test("bad input is refused", async () => {
  const fit = (X: unknown, y: unknown) => new LinearRegressor().fit(X as DenseMatrix, y as number[]);
  await expect(fit([], [])).rejects.toThrowError("at least one row");
  await expect(fit([[1], [2]], [1])).rejects.toThrowError("2 numbers");
  await expect(fit([[1], [2]], [1, Number.NaN])).rejects.toThrowError("has NaN at 1");
  for (const y of [null, undefined, "ab", ["a", "b"], {}, 5])
    await expect(fit([[1], [2]], y)).rejects.toThrowError(CurvatureError);
  expect(() => new LinearRegressor().predict([[1]])).toThrowError("not fitted");
  expect(() => new LinearRegressor({ classes: [1, 2] } as LinearRegressorOptions)).toThrowError(
    "unknown option",
  );
  const model = new LinearRegressor();
  await model.fit([[1], [2]], [1, 2]);
  expect(() => model.score([[1], [2]], [3, 3])).toThrowError("all targets are equal");
});
