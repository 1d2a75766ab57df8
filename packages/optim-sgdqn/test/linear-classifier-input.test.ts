/** What `LinearClassifier` says of data, options and models that are wrong. */
import { CurvatureError, type DenseMatrix, type SparseMatrix } from "@curvature/linalg";
import { LinearClassifier, type LinearClassifierOptions, LinearRegressor } from "@curvature/optim-sgdqn";
import { describe, expect, test } from "vitest";
import { noisyHalves, sparseOf } from "./helpers/rows.js";

const { rows: small, targets: halves } = noisyHalves(300, 6, { seed: 4 });

describe("columns of very different sizes", () => {
  const uneven = { ...small, data: small.data.map((x, k) => (k % 6 === 0 ? 1e4 * x : x)) };
  const fitted = async (options: LinearClassifierOptions, rows: DenseMatrix | SparseMatrix = uneven) => {
    const model = new LinearClassifier(options);
    const { warnings, options: used } = await model.fit(rows, halves);
    return { warnings, scale: used.scale, parameters: model.fitted?.parameters };
  };

  test.each([
    ["dense", "standard", "free", uneven],
    ["sparse", "deviation", "free", sparseOf(uneven)],
    ["sparse", "rms", "regularized", sparseOf(uneven)],
  ] as const)(
    "are brought to one size, without a word: %s rows, %s, bias %s",
    async (_, scale, bias, rows) => {
      const automatic = await fitted({ bias }, rows);
      expect(automatic.scale).toBe(scale);
      expect(automatic.warnings).toEqual([]);
      const asked = await fitted({ scale, bias }, rows);
      expect(asked.warnings).toEqual([]);
      expect(asked.parameters).toEqual(automatic.parameters);
    },
  );

  test("with a λ of the user's too, which is then that of the scaled columns", async () => {
    expect(await fitted({ lambda: 1e-3 })).toMatchObject({ scale: "standard", warnings: [] });
  });

  test("are left where the user says so: with advice", async () => {
    for (const options of [{ scale: "none" }, { scale: "none", lambda: 1e-3 }] as const) {
      const { scale, warnings } = await fitted(options);
      expect(scale).toBe("none");
      expect(warnings).toEqual([
        expect.objectContaining({
          code: "unequal-columns",
          message: expect.stringContaining('Scale them (leave out scale: "none") unless that is meant'),
        }),
      ]);
    }
  });

  test("two of them are enough", async () => {
    const two = { rows: 300, columns: 2, data: uneven.data.filter((_, k) => k % 6 < 2) };
    expect((await fitted({ scale: "none" }, two)).warnings).toHaveLength(1);
  });

  test("columns of one size are scaled too, and left as they are without a word", async () => {
    expect(await fitted({}, small)).toMatchObject({ scale: "standard", warnings: [] });
    expect(await fitted({ scale: "none" }, small)).toMatchObject({ scale: "none", warnings: [] });
  });
});

test("a column ten times as large as the others is warned of, however rare; rare columns of ones are not", async () => {
  const classes = Array.from({ length: 60 }, (_, i) => i % 2);
  const sizes = async (X: number[][]) => {
    const { warnings } = await new LinearClassifier({ scale: "none" }).fit(X, classes);
    return warnings.filter(({ code }) => code === "unequal-columns").map(({ message }) => message);
  };
  const fruit = classes.map((k, i) => [
    5 + k + Math.sin(i),
    7 - k,
    i % 20 === 0 ? 0 : 150 + 20 * Math.cos(i),
  ]);
  expect((await sizes(fruit))[0]).toContain("times as large as the median of them");
  const words = classes.map((k, i) => [1, k, ...Array.from({ length: 30 }, (_, j) => (i === j ? 1 : 0))]);
  expect(await sizes(words)).toEqual([]);
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
    for (const classes of [[1], [1, 2, 2]])
      expect(() => new LinearClassifier({ classes })).toThrowError("at least two classes, no two the same");
    const strays = {
      rows: 2,
      columns: 2 ** 31 - 1,
      rowPointers: Int32Array.of(0, 1, 2),
      columnIndices: Int32Array.of(0, 2 ** 31 - 2),
      values: Float64Array.of(1, 1),
    };
    await expect(fit(strays, [0, 1])).rejects.toThrowError("2147483647 columns");
    await expect(fit([[1e200], [-1e200]], [0, 1], { scale: "none" })).rejects.toThrowError(CurvatureError);
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

test("row numbers as a feature, and numbers as classes, are among the warnings of a fit", async () => {
  const rows = Array.from({ length: 40 }, (_, i) => [Math.sin(i * i), i]);
  const ofData = ["distinct-labels", "numbers-as-classes", "counting-column", "constant-columns"];
  const codes = async (labels: readonly (number | string)[]) =>
    (await new LinearClassifier().fit(rows, labels as number[])).warnings
      .map(({ code }) => code)
      .filter((code) => ofData.includes(code));
  expect(await codes(rows.map((_, i) => i % 2))).toEqual(["counting-column"]);
  const asClasses = ["numbers-as-classes", "counting-column"];
  expect(await codes(rows.map((_, i) => i / 8))).toEqual(asClasses);
  expect(await codes(rows.map((_, i) => i >> 1))).toEqual(["counting-column"]);
  expect(await codes(rows.map((_, i) => Math.min(i, 20)))).toEqual(asClasses); // 21 whole numbers
  expect(await codes(rows.map((_, i) => String(i / 8)))).toEqual(asClasses);
  expect(await codes(rows.map((_, i) => `row ${i}`))).toEqual(["distinct-labels", "counting-column"]);
  const { warnings } = await new LinearRegressor().fit(
    rows,
    rows.map((_, i) => i / 8),
  );
  expect(warnings.map(({ code }) => code)).toEqual(["leaking-columns", "counting-column"]);
});
