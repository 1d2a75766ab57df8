import { applyScaling, fitScaling, RandomGenerator } from "@curvature/linalg";
import { type LinearProblem, linearLoss, primalCost } from "@curvature/objectives/linear";
import { runSync } from "@curvature/optim-core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CreateLinearSolver } from "../../src/multiclass/create-solver.js";
import type { MulticlassProblem } from "../../src/multiclass/problem.js";
import { chooseLambda } from "../../src/path/choose-lambda.js";
import { crossValidateLambda } from "../../src/path/cross-validate.js";
import { defaultLambda } from "../../src/path/default-lambda.js";
import { dealFolds, split } from "../../src/path/folds.js";
import { lambdaPath } from "../../src/path/lambda-path.js";
import { type LinearTask, scoreOf } from "../../src/path/task.js";
import { DualCoordinateDescent } from "../../src/solvers/dual/dual-coordinate-descent.js";
import { Newton } from "../../src/solvers/newton/newton.js";
import { fixture, noisyHalves, sparseOf } from "../helpers/rows.js";

const dcd =
  (tolerance = 1e-6): CreateLinearSolver =>
  (problem, { shared, start }) =>
    new DualCoordinateDescent(problem, { tolerance, shared, initialDual: start?.dual });

const newton: CreateLinearSolver = (problem, { shared, start }) =>
  new Newton(problem, { tolerance: 1e-2, shared, initial: start?.parameters });

function binary(n = 60, seed = 1): LinearProblem {
  const { rows, targets } = noisyHalves(n, 5, { seed, noise: 1 });
  return { rows, targets, loss: linearLoss("squared-hinge"), lambda: 1, bias: "regularized" };
}

function threeClasses(n = 60): MulticlassProblem {
  const { rows, scores } = noisyHalves(n, 5, { noise: 0.2 });
  const labels = Int32Array.from(scores, (s) => (s < -1 ? 0 : s < 1 ? 1 : 2));
  return { ...binary(n), rows, labels, classes: 3 };
}

describe("the λ path", () => {
  test("ends where each λ alone does, and takes fewer passes", async () => {
    const { rows, labels } = fixture("spam", "train");
    const task: LinearProblem = { ...binary(), rows, targets: labels };
    const fits = await lambdaPath(task, { createSolver: dcd(1e-3), largest: 1, count: 7 });
    let [warm, cold] = [0, 0];
    for (const { lambda, parameters, result } of fits) {
      const problem = { ...task, lambda };
      const alone = runSync(new DualCoordinateDescent(problem, { tolerance: 1e-3 }));
      const P = primalCost(problem, parameters.data);
      expect(Math.abs(P / (alone.value ?? 0) - 1)).toBeLessThan(1e-3);
      warm += result.passes;
      cold += alone.passes;
    }
    expect(warm).toBeLessThan(0.7 * cold);
  });

  test("sorts the values of λ, each once", async () => {
    const fits = await lambdaPath(binary(), { createSolver: dcd(1e-2), lambdas: [0.1, 1, 0.5, 1] });
    expect(fits.map(({ lambda }) => lambda)).toEqual([1, 0.5, 0.1]);
  });

  test("begins at R²/10 and falls by √10, or as asked", async () => {
    const { rows } = binary();
    const R2 = defaultLambda(rows) * 60;
    const fits = await lambdaPath(binary(), { createSolver: dcd(), count: 3 });
    expect(fits[0].lambda).toBeCloseTo(R2 / 10, 12);
    expect(fits[2].lambda).toBeCloseTo(R2 / 100, 12);
    const asked = await lambdaPath(binary(), { createSolver: dcd(), count: 3, largest: 4, ratio: 2 });
    expect(asked.map(({ lambda }) => lambda)).toEqual([4, 2, 1]);
  });

  test("of several classes hands each class its own start", async () => {
    const seen: (number | undefined)[] = [];
    const createSolver: CreateLinearSolver = (problem, context) => {
      seen.push(context.start?.dual === undefined ? undefined : context.classIndex);
      return dcd()(problem, context);
    };
    const fits = await lambdaPath(threeClasses(), { createSolver, lambdas: [1, 0.5] });
    expect(seen).toEqual([undefined, undefined, undefined, 0, 1, 2]);
    expect(fits[1].parameters).toMatchObject({ rows: 3, columns: 6 });
  });

  test("is left by the signal, with its reason, and tells of the fits before", async () => {
    const controller = new AbortController();
    const seen: number[] = [];
    const path = lambdaPath(binary(), {
      createSolver: dcd(),
      lambdas: [1, 0.1, 0.01],
      signal: controller.signal,
      onFit: ({ lambda }) => {
        seen.push(lambda);
        if (lambda === 0.1) controller.abort(new Error("enough"));
      },
    });
    await expect(path).rejects.toThrowError("enough");
    expect(seen).toEqual([1, 0.1]);
  });
});

describe("folds", () => {
  test("have a share of every class within one row, whatever the classes", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 2, maxLength: 60 }),
        fc.integer({ min: 2, max: 10 }),
        fc.integer({ min: 0, max: 1000 }),
        (labels, k, seed) => {
          fc.pre(k <= labels.length);
          const foldOf = dealFolds(labels.length, k, new RandomGenerator(seed), (i) => labels[i]);
          const within = (members: readonly number[]) => {
            const sizes = Array.from({ length: k }, (_, f) => members.filter((i) => foldOf[i] === f).length);
            return Math.max(...sizes) - Math.min(...sizes) <= 1;
          };
          const rows = labels.map((_, i) => i);
          expect(within(rows)).toBe(true);
          for (let c = 0; c < 5; c++) expect(within(rows.filter((i) => labels[i] === c))).toBe(true);
        },
      ),
    );
  });

  test("a split has every row once, a share of them held, and never all or none", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 80 }),
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        fc.integer({ min: 0, max: 1000 }),
        (n, share, seed) => {
          const { training, held } = split(n, share, new RandomGenerator(seed), (i) => i % 3);
          expect([...training, ...held].sort((a, b) => a - b)).toEqual(
            Array.from({ length: n }, (_, i) => i),
          );
          expect(held.length).toBeGreaterThan(0);
          expect(training.length).toBeGreaterThan(0);
          expect(Math.abs(held.length - share * n)).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});

describe("cross-validation", () => {
  test("scores each row by the fit that has not seen it", async () => {
    const task = binary(40);
    const { lambdas, errors, losses, meanErrors, folds, lambda, refit } = await crossValidateLambda(task, {
      createSolver: dcd(1e-9),
      folds: 4,
      lambdas: [1, 0.1],
    });
    expect(lambdas).toEqual([1, 0.1]);
    const held = Array.from(folds.keys()).filter((i) => folds[i] === 2);
    const rest = Array.from(folds.keys()).filter((i) => folds[i] !== 2);
    const partOf = (indices: readonly number[]): LinearProblem => ({
      ...task,
      lambda: 0.1,
      rows: {
        rows: indices.length,
        columns: 5,
        data: Float64Array.from(
          indices.flatMap((i) =>
            Array.from(noisyHalves(40, 5, { noise: 1 }).rows.data.slice(5 * i, 5 * i + 5)),
          ),
        ),
      },
      targets: Float64Array.from(indices, (i) => task.targets[i]),
    });
    const { x } = runSync(new DualCoordinateDescent(partOf(rest), { tolerance: 1e-9 }));
    const meanLoss = primalCost(partOf(held), x) - 0.05 * x.reduce((sum, w) => sum + w * w, 0);
    expect(losses.data[1 * 4 + 2]).toBeCloseTo(meanLoss, 4); // both fits within √(2 gap P/λ) ≈ 1e-4
    const means = [0, 1].map((l) => errors.data.slice(4 * l, 4 * l + 4).reduce((s, e) => s + e / 4, 0));
    expect(meanErrors[0]).toBeCloseTo(means[0], 12);
    expect(meanErrors[1]).toBeCloseTo(means[1], 12);
    expect(lambda).toBe(means[1] < means[0] ? 0.1 : 1);
    expect(refit.lambda).toBe(lambda);
    expect(primalCost({ ...task, lambda }, refit.parameters.data)).toBe(refit.result.value);
  });

  test("of equal errors takes the larger λ", async () => {
    const rows = { rows: 6, columns: 1, data: Float64Array.of(1, 2, 3, -1, -2, -3) };
    const targets = Float64Array.of(1, 1, 1, -1, -1, -1);
    const task: LinearProblem = { ...binary(), rows, targets, bias: "none" };
    const { meanErrors, lambda } = await crossValidateLambda(task, {
      createSolver: dcd(),
      folds: 3,
      lambdas: [1e-3, 1, 1e-2],
    });
    expect(Array.from(meanErrors)).toEqual([0, 0, 0]);
    expect(lambda).toBe(1);
  });

  test("is the same again with the same seed, and has other folds with another", async () => {
    const run = (seed: number) => crossValidateLambda(binary(), { createSolver: dcd(), count: 2, seed });
    const [a, b, c] = [await run(3), await run(3), await run(4)];
    expect(a.folds).toEqual(b.folds);
    expect(a.losses).toEqual(b.losses);
    expect(a.refit.parameters).toEqual(b.refit.parameters);
    expect(a.folds).not.toEqual(c.folds);
  });

  test("weighs errors by importances: rows of none do not count", async () => {
    const task = binary(40);
    const importances = Float64Array.from({ length: 40 }, (_, i) => (i < 30 ? 1 : 0));
    const flipped = { ...task, importances, targets: task.targets.map((y, i) => (i < 30 ? y : -y)) };
    const options = { createSolver: dcd(), folds: 2, lambdas: [0.1], seed: 5 };
    // the same folds: stratified by class, so the classes must be the same
    const foldsOf = await crossValidateLambda({ ...task, importances }, options);
    const again = await crossValidateLambda({ ...flipped, targets: task.targets }, options);
    expect(again.meanErrors).toEqual(foldsOf.meanErrors);
    const silent = await crossValidateLambda({ ...task, importances: new Float64Array(40) }, options);
    expect(Array.from(silent.meanErrors)).toEqual([0]);
  });

  test("goes through with classes rarer than folds, folds of one class, one row to a fold, and sparse rows", async () => {
    const rare = { ...binary(12), targets: Float64Array.from({ length: 12 }, (_, i) => (i === 0 ? 1 : -1)) };
    const options = { createSolver: dcd(1e-3), lambdas: [0.1] };
    expect((await crossValidateLambda(rare, { ...options, folds: 5 })).errors.columns).toBe(5);
    expect((await crossValidateLambda(rare, { ...options, folds: 12 })).errors.columns).toBe(12);
    const { rows } = noisyHalves(60, 5, { density: 0.3 });
    const sparse = await crossValidateLambda({ ...binary(), rows: sparseOf(rows) }, options);
    expect(sparse.refit.parameters.columns).toBe(6);
    const single = { ...sparseOf(rows), values: Float32Array.from(sparseOf(rows).values) };
    expect((await crossValidateLambda({ ...binary(), rows: single }, options)).lambda).toBe(0.1);
    const oneSign = { ...binary(), targets: new Float64Array(60).fill(1) };
    expect(Array.from((await crossValidateLambda(oneSign, options)).meanErrors)).toEqual([0]);
  });

  test("of several classes and of regression", async () => {
    const several = await crossValidateLambda(threeClasses(), { createSolver: dcd(1e-3), count: 4 });
    expect(several.refit.parameters.rows).toBe(3);
    expect(Math.min(...several.meanErrors)).toBeLessThan(0.3);
    const { rows, scores } = noisyHalves(60, 5);
    const task: LinearProblem = { ...binary(), rows, targets: scores, loss: linearLoss("squared-error") };
    const { meanErrors, meanLosses } = await crossValidateLambda(task, { createSolver: dcd(), count: 3 });
    for (let l = 0; l < 3; l++) expect(meanErrors[l]).toBeCloseTo(2 * meanLosses[l], 12); // l = ½ r²
  });
});

describe("choosing λ", () => {
  const standardised = ({ rows, ...rest }: LinearProblem): LinearProblem => ({
    ...rest,
    bias: "free",
    loss: linearLoss("logistic"),
    rows: applyScaling(fitScaling(rows, "data" in rows ? "standard" : "deviation"), rows),
  });

  test("on spam finds an error within a point of the best there is", async () => {
    const [train, check] = [fixture("spam", "train"), fixture("spam", "test")];
    const scaling = fitScaling(train.rows, "deviation");
    const task: LinearProblem = {
      ...binary(),
      rows: applyScaling(scaling, train.rows),
      targets: train.labels,
      loss: linearLoss("logistic"),
      bias: "free",
    };
    const { lambda, anchor, tried, leftOut, isSeparable } = await chooseLambda(task);
    expect(anchor).toBe(1 / 3601);
    expect(isSeparable).toBe(false);
    expect(tried).toHaveLength(13);
    for (let k = 1; k < tried.length; k++)
      expect(tried[k - 1].lambda / tried[k].lambda).toBeCloseTo(Math.sqrt(10), 10);
    const fits = await lambdaPath(task, { createSolver: newton, lambdas: tried.map((each) => each.lambda) });
    const held = { ...task, rows: applyScaling(scaling, check.rows), targets: check.labels };
    const errors = fits.map(({ parameters }) => scoreOf(held, parameters).error);
    const chosen = errors[tried.findIndex((each) => each.lambda === lambda)];
    expect(chosen).toBeLessThan(Math.min(...errors) + 0.01);
    expect(Math.abs((leftOut?.error ?? 1) - chosen)).toBeLessThan(0.02);
  });

  test("is the anchor's neighbour where rows say nothing, and the least where asked", async () => {
    const noise = standardised({ ...binary(200), targets: binary(200, 9).targets });
    const { lambda, anchor, tried } = await chooseLambda(noise);
    const least = await chooseLambda(noise, { least: true });
    expect(anchor).toBe(1 / 200);
    expect(least.lambda).toBe(tried.reduce((a, b) => (b.loss < a.loss ? b : a)).lambda);
    expect(Math.abs(Math.log(lambda / anchor))).toBeLessThanOrEqual(
      Math.abs(Math.log(least.lambda / anchor)),
    );
  });

  test("leaves each row out: least squares exactly, and a path of the user's is taken in any order", async () => {
    const { rows, scores } = noisyHalves(30, 4, { seed: 3 });
    const task: LinearProblem = {
      ...binary(),
      rows,
      targets: scores,
      loss: linearLoss("squared-error"),
      bias: "free",
    };
    const { tried, leftOut } = await chooseLambda(task, { lambdas: [0.01, 1, 0.1] });
    expect(tried.map(({ lambda }) => lambda)).toEqual([1, 0.1, 0.01]);
    const { lambda } = await chooseLambda(task, { lambdas: [0.1] });
    expect(lambda).toBe(0.1);
    const chosen = await chooseLambda(task, { lambdas: [0.1] });
    for (const i of [0, 7, 29]) {
      const importances = new Float64Array(30).fill(1);
      importances[i] = 0;
      const { x } = runSync(new Newton({ ...task, importances, lambda: 0.1 }, { tolerance: 1e-14 }));
      let score = x[4];
      for (let j = 0; j < 4; j++) score += x[j] * rows.data[4 * i + j];
      expect(chosen.leftOut?.scores[i]).toBeCloseTo(score, 4); // the path's fits are within 1e-6 of P
    }
    expect(leftOut?.scores).toHaveLength(30);
  });

  test("sees that rows can be separated", async () => {
    const { rows, scores } = noisyHalves(60, 5, { noise: 0 });
    const task = standardised({ ...binary(), rows, targets: scores.map((s) => (s > 0 ? 1 : -1)) });
    expect((await chooseLambda(task)).isSeparable).toBe(true);
    expect((await chooseLambda(standardised(binary(200)))).isSeparable).toBe(false);
  });

  test("is left by the signal, with its reason", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(chooseLambda(binary(), { signal })).rejects.toThrowError("enough");
  });

  test("defaultLambda is R²/n, and 1/n for empty rows", () => {
    const rows = { rows: 2, columns: 2, data: Float64Array.of(1, 2, 3, 4) };
    expect(defaultLambda(rows)).toBe(15 / 2);
    expect(defaultLambda({ ...rows, data: new Float64Array(4) })).toBe(0.5);
  });
});

describe("refuses", () => {
  const createSolver = dcd();
  const task: LinearTask = binary(10);
  const huge = { rows: 1, columns: 1, data: Float64Array.of(1e200) };
  const bad: readonly [string, () => unknown, string][] = [
    ["more folds than rows", () => crossValidateLambda(task, { createSolver, folds: 11 }), "ERR_OPTION"],
    ["one fold", () => crossValidateLambda(task, { createSolver, folds: 1 }), "ERR_OPTION"],
    ["no values of λ", () => lambdaPath(task, { createSolver, lambdas: [] }), "ERR_OPTION"],
    ["a λ of 0", () => lambdaPath(task, { createSolver, lambdas: [1, 0] }), "ERR_OPTION"],
    ["a ratio of 1", () => lambdaPath(task, { createSolver, ratio: 1 }), "ERR_OPTION"],
    ["a path that falls to 0", () => lambdaPath(task, { createSolver, count: 400, ratio: 10 }), "ERR_OPTION"],
    ["a choice among no values of λ", () => chooseLambda(task, { lambdas: [] }), "ERR_OPTION"],
    ["one row to be left out", () => chooseLambda(binary(1)), "ERR_OPTION"],
    [
      "one row that counts",
      () => chooseLambda({ ...binary(10), importances: new Float64Array(10).fill(1, 0, 1) }),
      "ERR_OPTION",
    ],
    ["what a solver is made by", () => chooseLambda(task, { createSolver } as object), "ERR_OPTION"],
    ["rows whose squares overflow", async () => defaultLambda(huge), "ERR_NON_FINITE"],
    ["no rows", async () => defaultLambda({ rows: 0, columns: 1, data: new Float64Array(0) }), "ERR_SHAPE"],
    [
      "targets that are no classes",
      () => lambdaPath({ ...binary(10), targets: new Float64Array(10) }, { createSolver }),
      "ERR_ARGUMENT",
    ],
    [
      "labels beyond the classes",
      () => crossValidateLambda({ ...threeClasses(), classes: 2 }, { createSolver }),
      "ERR_ARGUMENT",
    ],
  ];
  test.each(bad)("%s", async (_, make, code) => {
    await expect((async () => make())()).rejects.toThrowError(
      expect.objectContaining({ name: "CurvatureError", code }),
    );
  });
});
