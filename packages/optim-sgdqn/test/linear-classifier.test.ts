import { CurvatureError, type DenseMatrix, selectRows, toDense } from "@curvature/linalg";
import { linearLoss, primalCost } from "@curvature/objectives/linear";
import {
  type ClassificationLoss,
  LinearClassifier,
  type LinearClassifierOptions,
  type LinearSolverName,
  loadModel,
  logLoss,
  saveModel,
} from "@curvature/optim-sgdqn";
import { describe, expect, test } from "vitest";
import { fixture, noisyHalves, sparseOf } from "./helpers/rows.js";

const spam = fixture("spam", "train");
const spamTest = fixture("spam", "test");
const { rows: small, targets: halves } = noisyHalves(300, 6, { seed: 4 });

describe("spam", () => {
  test("the default learns it, and reports what it did", async () => {
    const model = new LinearClassifier();
    const result = await model.fit(spam.rows, spam.labels);
    expect(model.score(spamTest.rows, spamTest.labels)).toBeGreaterThan(0.93);
    expect(model.classes).toEqual([-1, 1]);
    expect(model.features).toBe(57);
    expect(result).toMatchObject({ status: "converged", usable: true, warnings: [] });
    expect(result.gap).toBeLessThanOrEqual(1e-3);
    // λ = R²/n
    let squares = 0;
    for (const value of spam.rows.values) squares += value * value;
    expect(result.lambda / (squares / 3601 / 3601)).toBeCloseTo(1, 12);
    const problem = {
      rows: spam.rows,
      targets: spam.labels,
      loss: linearLoss("squared-hinge"),
      lambda: result.lambda,
      bias: "regularized",
    } as const;
    expect(primalCost(problem, result.x) / (result.value ?? 0)).toBeCloseTo(1, 10);
    for (const seconds of Object.values(result.phases)) expect(seconds).toBeGreaterThanOrEqual(0);
    expect(result.options).toMatchObject({
      loss: "squared-hinge",
      bias: "regularized",
      lambda: result.lambda,
    });
  });

  const solvers: readonly LinearSolverName[] = [
    "auto",
    "sgd",
    "svmsgd2",
    "sgdqn",
    "sgdqn-2009",
    "asgd",
    "dcd",
    "newton",
    "lbfgs",
  ];
  test.each(solvers)("%s learns it", async (solver) => {
    const model = new LinearClassifier({ solver, lambda: 1e-3 });
    const { value } = await model.fit(spam.rows, spam.labels);
    expect(model.score(spamTest.rows, spamTest.labels)).toBeGreaterThan(0.91);
    expect(value).toBeGreaterThan(0);
  });

  const losses: readonly ClassificationLoss[] = [
    "hinge",
    "squared-hinge",
    "smoothed-hinge",
    "logistic",
    "modified-huber",
  ];
  test.each(losses)("%s learns it", async (loss) => {
    const model = new LinearClassifier({ loss, lambda: 1e-3 });
    await model.fit(spam.rows, spam.labels);
    expect(model.score(spamTest.rows, spamTest.labels)).toBeGreaterThan(0.92);
  });

  test.each(["max-abs", "rms", "unit-rows"] as const)("scaled by %s", async (scale) => {
    const model = new LinearClassifier({ scale });
    const { lambda } = await model.fit(spam.rows, spam.labels);
    expect(model.score(spamTest.rows, spamTest.labels)).toBeGreaterThan(0.91);
    if (scale === "unit-rows") expect(lambda * 3601).toBeCloseTo(1, 2); // R² = 1, but for empty rows
  });
});

test("a9a: the default is at the error of the optimum", async () => {
  const [train, check] = [fixture("a9a", "train"), fixture("a9a", "test")];
  const model = new LinearClassifier();
  const { warnings } = await model.fit(
    { ...train.rows, values: Float32Array.from(train.rows.values) },
    train.labels,
  );
  // Other programs' optima of the squared hinge have 14.96 to 14.97 % of errors there.
  expect(Math.abs(1 - model.score(check.rows, check.labels) - 0.1497)).toBeLessThan(0.001);
  expect(warnings).toEqual([]);
});

test("the coefficients on the features as given say what the scaled model says", async () => {
  const rows = toDense(small);
  for (const scale of ["max-abs", "rms", "standard"] as const) {
    const model = new LinearClassifier({ scale, tolerance: 1e-10, lambda: 1e-3 });
    const { x } = await model.fit(rows, halves);
    const scores = model.decisionFunction(rows).data;
    const scaling = model.fitted?.scaling;
    for (let i = 0; i < 300; i++) {
      let score = x[6];
      for (let j = 0; j < 6; j++)
        score += (x[j] * (rows.data[6 * i + j] - (scaling?.offsets[j] ?? 0))) / (scaling?.scales[j] ?? 1);
      expect(scores[i]).toBeCloseTo(score, 12);
    }
  }
});

test("every storage and precision of the same rows gives the same model", async () => {
  const single = Float32Array.from(small.data);
  const doubled: DenseMatrix = { ...small, data: Float64Array.from(single) };
  const sparse = sparseOf(doubled);
  const forms = [
    doubled,
    { ...small, data: single },
    sparse,
    { ...sparse, values: Float32Array.from(sparse.values) },
    Array.from({ length: 300 }, (_, i) => [...doubled.data.subarray(6 * i, 6 * i + 6)]),
    Array.from({ length: 300 }, (_, i) => single.subarray(6 * i, 6 * i + 6)),
    { rows: 300, columns: 6, get: (i: number, j: number) => doubled.data[6 * i + j] },
  ];
  const models = await Promise.all(
    forms.map(async (rows) => {
      const model = new LinearClassifier({ lambda: 0.01, tolerance: 1e-10 });
      await model.fit(rows, halves);
      return model;
    }),
  );
  for (const model of models)
    model.coefficients.data.forEach((w, j) => {
      expect(w).toBeCloseTo(models[0].coefficients.data[j], 6); // both within 1e-10 of the least P
    });
});

test("data are not touched, and the same seed gives the same bits", async () => {
  const before = structuredClone({ small, halves });
  for (const solver of ["auto", "sgdqn", "dcd"] as const) {
    const [a, b] = [new LinearClassifier({ solver, seed: 3 }), new LinearClassifier({ solver, seed: 3 })];
    await a.fit(small, halves);
    await b.fit(small, halves);
    expect(a.fitted).toEqual(b.fitted);
  }
  expect({ small, halves }).toEqual(before);
});

describe("classes", () => {
  test("strings and numbers, in their order", async () => {
    const names = Array.from(halves, (y) => (y > 0 ? "yes" : "no"));
    const model = new LinearClassifier({ lambda: 0.01 });
    await model.fit(small, names);
    expect(model.classes).toEqual(["no", "yes"]);
    expect(model.score(small, names)).toBeGreaterThan(0.8);
    const numbers = new LinearClassifier({ lambda: 0.01 });
    await numbers.fit(
      small,
      Array.from(halves, (y) => (y > 0 ? 10 : 9)),
    );
    expect(numbers.classes).toEqual([9, 10]);
    expect(numbers.fitted?.parameters).toEqual(model.fitted?.parameters);
  });

  test("a score of 0 is of the first class, equal scores are of the first of them", async () => {
    const model = new LinearClassifier({ bias: "none" });
    await model.fit(small, halves);
    expect(model.predict([[0, 0, 0, 0, 0, 0]])).toEqual([-1]);
    const three = new LinearClassifier({ bias: "none" });
    await three.fit(
      small,
      Array.from(halves, (_, i) => i % 3),
    );
    expect(three.predict([[0, 0, 0, 0, 0, 0]])).toEqual([0]);
  });

  test("more than two: one score each, the largest decides", async () => {
    const pen = fixture("pendigits", "train");
    const penTest = fixture("pendigits", "test");
    const squared = new LinearClassifier({ lambda: 1e-3 });
    await squared.fit(pen.rows, pen.labels);
    // Another program's optimum has 11.1 % of errors.
    expect(Math.abs(squared.score(penTest.rows, penTest.labels) - 0.889)).toBeLessThan(0.005);
    const model = new LinearClassifier({ loss: "logistic", scale: "max-abs", tolerance: 0.01 });
    const some = Int32Array.from({ length: 1000 }, (_, i) => i);
    const result = await model.fit(selectRows(pen.rows, some), pen.labels.subarray(0, 1000));
    expect(model.classes).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(model.coefficients).toMatchObject({ rows: 10, columns: 16 });
    expect(model.intercepts.length).toBe(10);
    const scores = model.decisionFunction(penTest.rows);
    expect(scores).toMatchObject({ rows: 3498, columns: 10 });
    const predicted = model.predict(penTest.rows);
    for (let i = 0; i < 3498; i++) {
      const row = [...scores.data.subarray(10 * i, 10 * i + 10)];
      expect(predicted[i]).toBe(row.indexOf(Math.max(...row)));
    }
    const probabilities = model.predictProbabilities(penTest.rows);
    for (let i = 0; i < 3498; i++) {
      const row = [...probabilities.data.subarray(10 * i, 10 * i + 10)];
      expect(row.reduce((a, b) => a + b)).toBeCloseTo(1, 12);
      expect(predicted[i]).toBe(row.indexOf(Math.max(...row))); // the sigmoid rises
    }
    expect(result.x.length).toBe(170);
  });

  test("one binary model for each class is what the classifier of several is", async () => {
    const labels = Array.from(halves, (_, i) => ["a", "b", "c"][i % 3]);
    const options = { lambda: 0.05, tolerance: 1e-10 } as const;
    const all = new LinearClassifier(options);
    await all.fit(small, labels);
    for (const [k, name] of ["a", "b", "c"].entries()) {
      const one = new LinearClassifier(options);
      await one.fit(
        small,
        labels.map((label) => (label === name ? 1 : 0)),
      );
      for (let j = 0; j < 6; j++)
        expect(all.coefficients.data[6 * k + j]).toBeCloseTo(one.coefficients.data[j], 6);
    }
  });

  test("class weights move the border, balanced ones make classes equal", async () => {
    const rare = Array.from(halves, (y, i) => (y > 0 && i % 5 === 0 ? "rare" : "usual"));
    const recall = async (classWeights: LinearClassifierOptions["classWeights"]) => {
      const model = new LinearClassifier({ lambda: 0.01, classWeights });
      await model.fit(small, rare);
      const predicted = model.predict(small);
      return rare.filter((label, i) => label === "rare" && predicted[i] === "rare").length;
    };
    const [plain, balanced, heavy] = [
      await recall(undefined),
      await recall("balanced"),
      await recall({ rare: 50 }),
    ];
    expect(balanced).toBeGreaterThan(plain);
    expect(heavy).toBeGreaterThanOrEqual(balanced);
    const count = rare.filter((label) => label === "rare").length;
    const same = new LinearClassifier({
      lambda: 0.01,
      tolerance: 1e-9,
      classWeights: { rare: 300 / (2 * count), usual: 300 / (2 * (300 - count)) },
    });
    const named = new LinearClassifier({ lambda: 0.01, tolerance: 1e-9, classWeights: "balanced" });
    await same.fit(small, rare);
    await named.fit(small, rare);
    named.coefficients.data.forEach((w, j) => void expect(w).toBeCloseTo(same.coefficients.data[j], 9));
  });

  test("a weight of 2 is the row twice", async () => {
    const twice = {
      rows: 400,
      columns: 6,
      data: Float64Array.of(...small.data, ...small.data.subarray(0, 600)),
    };
    const labels = [...halves, ...halves.subarray(0, 100)];
    const options = { lambda: 0.01, tolerance: 1e-10 } as const;
    const [a, b] = [new LinearClassifier(options), new LinearClassifier(options)];
    await a.fit(twice, labels);
    await b.fit(small, halves, { sampleWeights: Array.from(halves, (_, i) => (i < 100 ? 14 : 7)) });
    a.coefficients.data.forEach((w, j) => void expect(w).toBeCloseTo(b.coefficients.data[j], 6));
  });
});

describe("probabilities", () => {
  test("of the logistic loss are its own", async () => {
    const model = new LinearClassifier({ loss: "logistic", lambda: 0.01 });
    await model.fit(small, halves);
    const { data } = model.predictProbabilities(small);
    const scores = model.decisionFunction(small).data;
    for (let i = 0; i < 300; i++) {
      expect(data[2 * i + 1]).toBeCloseTo(1 / (1 + Math.exp(-scores[i])), 13);
      expect(data[2 * i] + data[2 * i + 1]).toBe(1);
    }
  });

  test("of other losses are calibrated on held-out rows, rise with the score and predict new rows", async () => {
    const model = new LinearClassifier({ probabilities: true, lambda: 1e-3 });
    const { phases } = await model.fit(spam.rows, spam.labels);
    expect(phases.calibration).toBeGreaterThan(0);
    const p = model.predictProbabilities(spamTest.rows);
    const scores = model.decisionFunction(spamTest.rows).data;
    const order = Array.from(scores.keys()).sort((a, b) => scores[a] - scores[b]);
    for (let k = 1; k < order.length; k++)
      expect(p.data[2 * order[k] + 1]).toBeGreaterThanOrEqual(p.data[2 * order[k - 1] + 1]);
    // The entropy of 39 % spam is 0.67; a logistic model of these features has about 0.2.
    expect(logLoss(spamTest.labels, p, model.classes)).toBeLessThan(0.25);
    // Of the rows said to be spam with 20 to 80 %, about as many are as were said.
    const unsure = order.filter((i) => p.data[2 * i + 1] > 0.2 && p.data[2 * i + 1] < 0.8);
    const said = unsure.reduce((sum, i) => sum + p.data[2 * i + 1], 0);
    const are = unsure.filter((i) => spamTest.labels[i] === 1).length;
    expect(Math.abs(said - are)).toBeLessThan(4 * Math.sqrt(unsure.length / 4)); // four standard deviations
  });

  test("for several classes their sum is 1", async () => {
    const model = new LinearClassifier({ probabilities: true, lambda: 0.01, loss: "hinge" });
    await model.fit(
      small,
      Array.from(halves, (y, i) => (y > 0 ? "a" : i % 2 === 0 ? "b" : "c")),
    );
    const p = model.predictProbabilities(small);
    for (let i = 0; i < 300; i++)
      expect(p.data[3 * i] + p.data[3 * i + 1] + p.data[3 * i + 2]).toBeCloseTo(1, 13);
  });

  test("without calibration there are none", async () => {
    const model = new LinearClassifier();
    await model.fit(small, halves);
    expect(() => model.predictProbabilities(small)).toThrowError("Fit with probabilities: true");
  });
});

describe("runs", () => {
  test("listeners, history and limits", async () => {
    const seen: number[] = [];
    const model = new LinearClassifier({ solver: "svmsgd2", maxPasses: 3 });
    const result = await model.fit(small, halves, {
      onIteration: ({ index }) => void seen.push(index),
      history: true,
    });
    expect(seen.length).toBe(result.iterations);
    expect(result.history.length).toBe(result.iterations);
    expect(result.passes).toBe(3);
    expect(result.t0).toBeGreaterThan(0);
    const without = await new LinearClassifier({ solver: "svmsgd2", maxPasses: 3 }).fit(small, halves);
    expect(without.history).toEqual([]);
    expect(without.x).toEqual(result.x);
  });

  test("an aborted fit keeps what there is, or says why there is nothing", async () => {
    const model = new LinearClassifier({ solver: "svmsgd2", maxPasses: 50 });
    const result = await model.fit(small, halves, { onIteration: ({ index }) => index < 3 });
    expect(result.status).toBe("aborted");
    expect(model.predict(small).length).toBe(300);
    const signal = AbortSignal.abort(new Error("never mind"));
    await expect(new LinearClassifier().fit(small, halves, { signal })).rejects.toThrowError("never mind");
  });

  test.each(["auto", "sgdqn", "dcd"] as const)(
    "%s: an interrupted fit ends where it would have",
    async (solver) => {
      for (const labels of [halves, Float64Array.from(halves, (_, i) => i % 4)]) {
        const options = { solver, lambda: 1e-3, tolerance: 1e-8, maxPasses: 20 } as const;
        const whole = new LinearClassifier(options);
        const expected = await whole.fit(small, labels);
        const saved: Uint8Array[] = [];
        await new LinearClassifier(options).fit(small, labels, {
          onIteration: ({ index }) => index < 2,
          checkpoint: { write: (bytes) => void saved.push(bytes) },
        });
        const model = new LinearClassifier(options);
        const { x, value, gap } = await model.fit(small, labels, { resume: saved[saved.length - 1] });
        expect([x, value, gap]).toEqual([expected.x, expected.value, expected.gap]);
      }
    },
  );

  test("rows held out end the training, and the best parameters are kept", async () => {
    const model = new LinearClassifier({
      solver: "sgdqn",
      maxPasses: 200,
      validationShare: 0.3,
      lambda: 1e-5,
    });
    const result = await model.fit(spam.rows, spam.labels);
    expect(result.status).toBe("converged");
    expect(result.message).toContain("has not fallen for 3 passes");
    expect(result.passes).toBeLessThan(200);
    expect(model.score(spamTest.rows, spamTest.labels)).toBeGreaterThan(0.9);
    const saved: Uint8Array[] = [];
    const options = { solver: "sgdqn", maxPasses: 200, validationShare: 0.3, lambda: 1e-5 } as const;
    await new LinearClassifier(options).fit(spam.rows, spam.labels, {
      onIteration: ({ index }) => index < 2,
      checkpoint: { write: (bytes) => void saved.push(bytes) },
    });
    const resumed = await new LinearClassifier(options).fit(spam.rows, spam.labels, { resume: saved[0] });
    expect([resumed.x, resumed.passes]).toEqual([result.x, result.passes]);
  });

  test("a model that was saved and loaded predicts the same bits", async () => {
    const model = new LinearClassifier({ scale: "rms", probabilities: true });
    await model.fit(spam.rows, spam.labels);
    const loaded = loadModel(saveModel(model));
    if (loaded.task !== "classification") throw new Error("not a classifier");
    expect(loaded.decisionFunction(spamTest.rows)).toEqual(model.decisionFunction(spamTest.rows));
    expect(loaded.predictProbabilities(spamTest.rows)).toEqual(model.predictProbabilities(spamTest.rows));
    await expect(loaded.partialFit(spam.rows, spam.labels)).rejects.toThrowError(
      "goes on from partialFit or fitStream",
    );
  });
});

test("columns of very different sizes: advice", async () => {
  const data = small.data.map((x, k) => (k % 6 === 0 ? 1e4 * x : x));
  const { warnings } = await new LinearClassifier().fit({ ...small, data }, halves);
  expect(warnings[0]).toContain('scale: "rms"');
  expect((await new LinearClassifier({ scale: "rms" }).fit({ ...small, data }, halves)).warnings).toEqual([]);
});

describe("bad input", () => {
  const fit = (X: unknown, y: unknown, options?: LinearClassifierOptions, run?: object) =>
    new LinearClassifier(options).fit(X as DenseMatrix, y as number[], run);

  test("data", async () => {
    await expect(fit([], [])).rejects.toThrowError("at least one row and one column");
    await expect(fit([[], []], [0, 1])).rejects.toThrowError("at least one row and one column");
    await expect(fit([[1], [2, 3]], [0, 1])).rejects.toThrowError("is ragged: row 1");
    await expect(fit([[1], [Number.NaN]], [0, 1])).rejects.toThrowError("NaN at row 1, column 0");
    await expect(fit([[1], [Number.POSITIVE_INFINITY]], [0, 1])).rejects.toThrowError("Infinity at row 1");
    await expect(fit([[1], [2]], [1, 1])).rejects.toThrowError("all labels are 1");
    await expect(fit([[1], [2]], [1])).rejects.toThrowError("one label for each of the 2 rows");
    await expect(fit([[1], [2]], [1, "a"])).rejects.toThrowError("all must be numbers, or all strings");
    await expect(fit([[1], [2]], [1, 3], { classes: [1, 2] })).rejects.toThrowError(
      "none of the classes 1, 2",
    );
    await expect(fit([[1], [2]], [1, 2], { classes: [1] })).rejects.toThrowError("at least two classes");
    await expect(fit([[1], [2]], [1, 2], { classes: [1, 2, 2] })).rejects.toThrowError("one class twice");
    await expect(fit([[1e200], [-1e200]], [0, 1])).rejects.toThrowError(CurvatureError);
    const hostile: unknown[] = [
      null,
      undefined,
      5,
      "x",
      {},
      { rows: 2, columns: 1, data: null },
      [null],
      [[{}]],
      { rowPointers: 3 },
      new Map(),
    ];
    for (const X of hostile) await expect(fit(X, [0, 1])).rejects.toThrowError(CurvatureError);
    for (const y of [null, undefined, 5, "ab", {}, [Number.NaN, 1], [null, 1], [[0], [1]], new Map()])
      await expect(fit([[1], [2]], y)).rejects.toThrowError(CurvatureError);
  });

  test("options", async () => {
    const wrong: readonly [unknown, string][] = [
      [{ los: "hinge" }, 'Did you mean "loss"?'],
      [{ loss: "squared-error" }, "loss must be one of"],
      [{ lambda: 0 }, "lambda must be"],
      [{ lambda: "best" }, "lambda must be"],
      [{ scale: "log" }, "scale must be one of"],
      [{ seed: -1 }, "seed must be"],
      [{ classWeights: 5 }, "classWeights must be"],
      [{ classWeights: { a: Number.NaN } }, "classWeights"],
      [{ validationShare: 1 }, "validationShare must be"],
      [null, "options must be an object"],
    ];
    for (const [options, message] of wrong)
      expect(() => new LinearClassifier(options as object)).toThrowError(message);
    await expect(fit(small, halves, { classWeights: { 7: 1 } })).rejects.toThrowError(
      "classWeights must be by class",
    );
    await expect(fit(small, halves, { solver: "newton", t0: 5 })).rejects.toThrowError("t0");
    await expect(fit(sparseOf(small), halves, { scale: "standard" })).rejects.toThrowError(
      "every zero would become",
    );
  });

  test("what fit takes beside the data", async () => {
    await expect(fit(small, halves, {}, { sampleWeight: [1] })).rejects.toThrowError(
      'Did you mean "sampleWeights"?',
    );
    await expect(fit(small, halves, {}, { signal: {} })).rejects.toThrowError(
      "signal must be an AbortSignal",
    );
    await expect(fit(small, halves, {}, { history: -1 })).rejects.toThrowError("history must be");
    await expect(fit(small, halves, {}, { resume: new Uint8Array(40) })).rejects.toThrowError(CurvatureError);
    const measured = Float64Array.from({ length: 20_000 }, (_, i) => i / 7);
    const rows = { rows: 20_000, columns: 1, data: measured };
    await expect(fit(rows, measured)).rejects.toThrowError("take LinearRegressor");
  });

  test("a checkpoint of another seed or problem is refused", async () => {
    const saved: Uint8Array[] = [];
    await fit(
      small,
      halves,
      { solver: "sgdqn" },
      { checkpoint: { write: (bytes: Uint8Array) => void saved.push(bytes) } },
    );
    const resume = saved[saved.length - 1];
    const others = [{ seed: 1 }, { lambda: 1 }, { loss: "hinge" }, { scale: "rms" }, { t0: 77 }] as const;
    for (const other of others)
      await expect(fit(small, halves, { solver: "sgdqn", ...other }, { resume })).rejects.toMatchObject({
        code: "ERR_CHECKPOINT",
      });
    await expect(fit(small, halves, { solver: "sgdqn" }, { resume })).resolves.toMatchObject({
      usable: true,
    });
  });

  test("weights", async () => {
    for (const sampleWeights of [[1], [1, -1], [0, 0], [1, Number.NaN], "ab", 5])
      await expect(fit([[1], [2]], [0, 1], {}, { sampleWeights })).rejects.toThrowError(CurvatureError);
  });

  test("a model that is not fitted says so", () => {
    const model = new LinearClassifier();
    expect([model.classes, model.features, model.fitted]).toEqual([[], 0, undefined]);
    for (const ask of [
      () => model.predict([[1]]),
      () => model.decisionFunction([[1]]),
      () => model.predictProbabilities([[1]]),
      () => model.score([[1]], [1]),
      () => model.coefficients,
      () => model.intercepts,
      () => model.unseenFeatures([[1]]),
    ])
      expect(ask).toThrowError("not fitted");
  });

  test("rows to predict", async () => {
    const model = new LinearClassifier();
    await model.fit(small, halves);
    expect(() => model.predict([[Number.NaN]])).toThrowError("NaN at row 0, column 0");
    const most = Array.from(model.coefficients.data, (w) => 1.7e308 * Math.sign(w));
    expect(() => model.predict([[0], most])).toThrowError(CurvatureError); // ragged
    expect(() => model.predict([most.map(() => 0), most])).toThrowError("The score of row 1");
    const hostile: unknown[] = [null, undefined, 5, "x", {}, { rows: 2, columns: 1, data: null }, [null]];
    for (const X of hostile) expect(() => model.predict(X as DenseMatrix)).toThrowError(CurvatureError);
    expect(() => model.score([[1, 2, 3, 4, 5, 6]], [1, 2])).toThrowError("one label for each of the 1 rows");
    expect(() => model.score([[1, 2, 3, 4, 5, 6]], ["1"])).toThrowError("the predicted ones numbers");
    expect(() => model.score([], [])).toThrowError("at least one row");
  });
});

describe('lambda "auto"', () => {
  test("a path on held-out rows is tried, and the least error counts", async () => {
    for (const solver of ["auto", "svmsgd2"] as const) {
      const model = new LinearClassifier({ lambda: "auto", solver });
      const { lambda, triedLambdas } = await model.fit(spam.rows, spam.labels);
      expect(triedLambdas.length).toBeGreaterThan(4);
      const least = Math.min(...triedLambdas.map(({ error }) => error));
      expect(triedLambdas.find(({ error }) => error === least)?.lambda).toBe(lambda);
      expect(model.score(spamTest.rows, spamTest.labels)).toBeGreaterThan(0.92);
    }
  });

  test("for several classes too, and the same again", async () => {
    const labels = Array.from(halves, (y, i) => (y > 0 ? "a" : i % 2 === 0 ? "b" : "c"));
    const [first, again] = [
      new LinearClassifier({ lambda: "auto" }),
      new LinearClassifier({ lambda: "auto" }),
    ];
    const result = await first.fit(small, labels);
    await again.fit(small, labels);
    expect(again.fitted).toEqual(first.fitted);
    expect(result.phases.lambda).toBeGreaterThan(0);
    await expect(new LinearClassifier({ lambda: "auto" }).fit([[1], [2]], [0, 1])).resolves.toMatchObject({
      usable: true,
    });
  });
});
