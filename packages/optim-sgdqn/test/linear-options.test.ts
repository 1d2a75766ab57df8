/** What models and fits take: labels of every type, limits without an end, points as any numbers, options where they belong. */
import { linearLoss } from "@curvature/objectives/linear";
import {
  createLinearSolver,
  DualCoordinateDescent,
  type FittedModel,
  LinearClassifier,
  LinearRegressor,
  loadModel,
  saveModel,
} from "@curvature/optim-sgdqn";
import { describe, expect, expectTypeOf, test } from "vitest";
import { noisyHalves } from "./helpers/rows.js";

const { rows, targets } = noisyHalves(120, 4, { seed: 5 });

describe("labels", () => {
  const truth = Array.from(targets, (y) => y > 0);

  test("booleans, in a file too", async () => {
    const model = new LinearClassifier<boolean>();
    const { x } = await model.fit(rows, truth);
    expect(model.classes).toEqual([false, true]);
    const predicted = model.predict(rows);
    expectTypeOf(predicted).toEqualTypeOf<boolean[]>();
    expect(model.score(rows, truth)).toBeGreaterThan(0.6);
    const signs = new LinearClassifier();
    expect((await signs.fit(rows, targets)).x).toEqual(x);
    const loaded = loadModel(saveModel(model));
    expect(loaded.predict(rows)).toEqual(predicted);
    expect(loaded.task === "classification" && loaded.classes).toEqual([false, true]);
  });

  test("booleans in streams, with weights by class", async () => {
    const model = new LinearClassifier<boolean>({ classes: [true, false], classWeights: { true: 2 } });
    await model.fitStream([{ rows, labels: truth }]);
    await model.partialFit(rows, truth);
    expectTypeOf(model.classes).toEqualTypeOf<readonly boolean[]>();
    expectTypeOf(model.fitted).toEqualTypeOf<FittedModel<boolean> | undefined>();
    expect(model.classes).toEqual([false, true]);
  });

  test("beside others are refused", async () => {
    await expect(new LinearClassifier().fit([[1], [2]], [true, 1])).rejects.toThrowError(
      "all must be numbers, or all strings, or all booleans",
    );
  });
});

test("limits without an end stay so in a file", async () => {
  const endless = { maxPasses: Number.POSITIVE_INFINITY, maxSeconds: Number.POSITIVE_INFINITY };
  const model = new LinearClassifier(endless);
  expect((await model.fit(rows, targets)).status).toBe("converged");
  expect(loadModel(saveModel(model)).settings).toMatchObject(endless);
});

test("an option is sent to its home", async () => {
  const strange = (options: object) => options;
  expect(() => new LinearClassifier(strange({ onIteration: () => undefined }))).toThrowError(
    "LinearClassifier: onIteration is an option of fit. Give it there.",
  );
  expect(() => new LinearRegressor(strange({ histroy: 3 }))).toThrowError(
    'Did you mean "history", an option of fit?',
  );
  await expect(new LinearClassifier().fit(rows, targets, strange({ maxPasses: 3 }))).rejects.toThrowError(
    "LinearClassifier.fit: maxPasses is an option of new LinearClassifier. Give it there.",
  );
  await expect(new LinearRegressor().fit(rows, targets, strange({ los: "huber" }))).rejects.toThrowError(
    'LinearRegressor.fit: unknown option "los". Did you mean "loss", an option of new LinearRegressor?',
  );
});

test("first points are any arrays of numbers", () => {
  const problem = { rows, targets, loss: linearLoss("squared-hinge"), lambda: 0.1, bias: "none" } as const;
  const start = [0.5, 0, -0.25, 1];
  for (const solver of ["newton", "lbfgs", "auto", "sgdqn"] as const)
    for (const initial of [start, Float32Array.from(start), Float64Array.from(start)])
      expect(createLinearSolver(problem, { solver, initial }).last.x).toEqual(Float64Array.from(start));
  const dual = Array.from({ length: 120 }, () => 0.1);
  const started = new DualCoordinateDescent(problem, { initialDual: dual }).last.x;
  expect(started).toEqual(
    new DualCoordinateDescent(problem, { initialDual: Float64Array.from(dual) }).last.x,
  );
});

test("a training is shown iteration by iteration", async () => {
  const model = new LinearClassifier({ solver: "asgd", maxPasses: 5 });
  const passes: number[] = [];
  for await (const { iteration, last } of model.iterate(rows, targets)) {
    passes.push(iteration.passes);
    expect(last.x.length).toBe(5);
  }
  expect(passes).toEqual([1, 2, 3, 4, 5]);
  expect(model.score(rows, targets)).toBeGreaterThan(0.6);
});
