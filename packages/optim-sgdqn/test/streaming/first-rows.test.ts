/** What the first rows of a stream decide: scales of columns, the unit of targets, where the bias begins. */
import { RandomGenerator, type SparseMatrix } from "@curvature/linalg";
import { LinearClassifier, LinearRegressor, loadModel, saveModel } from "@curvature/optim-sgdqn";
import { describe, expect, test } from "vitest";

const solvers = ["asgd", "sgd", "svmsgd2", "sgdqn", "sgdqn-2009", "olbfgs"] as const;
type Table = readonly (readonly number[])[];

/** Scores of standard normal columns with noise; of the columns one has an offset of 1e3, and the scales go from 1e-3 to 1e3. */
function drawn(n: number, seed: number) {
  const random = new RandomGenerator(seed);
  const normal = (): number => Array.from({ length: 12 }, () => random.uniform()).reduce((a, b) => a + b) - 6;
  const plain = Array.from({ length: n }, () => Array.from({ length: 5 }, normal));
  const scores = plain.map(([a, b, c, d, e]) => a - b + 0.5 * c - 0.7 * d + 0.3 * e);
  const noisy = scores.map((score) => score + 0.5 * normal());
  const moved = plain.map((row) => row.map((x, j) => (j % 2 === 0 ? 1e3 : -1e3) + 10 ** (1.5 * j - 3) * x));
  return { plain, moved, scores, noisy, random };
}

const pieces = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, k) => all.slice(k * size, (k + 1) * size));

const targetBatches = (X: Table, y: readonly number[], size: number) => {
  const targets = pieces(y, size);
  return pieces(X, size).map((rows, k) => ({ rows: rows.map((row) => [...row]), targets: targets[k] }));
};

const labelBatches = (X: Table, y: readonly string[], size: number) => {
  const labels = pieces(y, size);
  return pieces(X, size).map((rows, k) => ({ rows: rows.map((row) => [...row]), labels: labels[k] }));
};

const rowsOf = (X: Table): number[][] => X.map((row) => [...row]);

function logLoss(model: LinearClassifier<string>, X: Table, y: readonly string[]): number {
  const { data, columns } = model.predictProbabilities(rowsOf(X));
  return (
    y.reduce((sum, label, i) => sum - Math.log(data[i * columns + model.classes.indexOf(label)]), 0) /
    y.length
  );
}

describe.each(solvers)(
  "%s: stream, partialFit and fit agree with Newton, whatever the columns' offsets and scales",
  (solver) => {
    const { moved, scores, noisy, random } = drawn(2400, 1);
    const [X, rest] = [moved.slice(0, 1600), moved.slice(1600)];
    const lambda = 0.01;
    // SGD-QN, whose gains are set by single rows, is farther from the optimum after ten passes, in streams and in memory alike.
    const allowed = { sgdqn: 0.04, "sgdqn-2009": 0.1 }[String(solver)] ?? 0.01;

    test.each(["squared-error", "huber"] as const)("%s, targets about 1,000", async (loss) => {
      const y = noisy.map((score) => 1000 + score);
      const [known, asked] = [y.slice(0, 1600), y.slice(1600)];
      const newton = new LinearRegressor({ loss, lambda });
      await newton.fit(rowsOf(X), known);
      const best = newton.score(rowsOf(rest), asked);
      const options = { loss, lambda, solver, maxPasses: 10 };
      const batch = new LinearRegressor(options);
      await batch.fit(rowsOf(X), known);
      const stream = new LinearRegressor(options);
      const { warnings, status } = await stream.fitStream(targetBatches(X, known, 50));
      const called = new LinearRegressor(options);
      for (let pass = 0; pass < 10; pass++)
        for (const { rows, targets } of targetBatches(X, known, 50)) await called.partialFit(rows, targets);
      expect([status, warnings]).toEqual(["max-iterations", []]);
      expect(called.fitted).toEqual(stream.fitted);
      for (const model of [batch, stream])
        expect(Math.abs(model.score(rowsOf(rest), asked) - best)).toBeLessThan(allowed);
    });

    test.each(["two classes", "three classes"])("%s", async (which) => {
      const y = scores.map((score) => {
        const s = score + 2 * random.uniform() - 1;
        if (which === "two classes") return s > 1 ? "high" : "low";
        return s > 1 ? "high" : s < -1 ? "low" : "middle";
      });
      const [known, asked] = [y.slice(0, 1600), y.slice(1600)];
      const newton = new LinearClassifier<string>({ lambda, solver: "lbfgs" }); // each class against the rest, as in streams
      await newton.fit(rowsOf(X), known);
      const best = logLoss(newton, rest, asked);
      const options = { lambda, solver, maxPasses: 10, classes: newton.classes };
      const batch = new LinearClassifier<string>(options);
      await batch.fit(rowsOf(X), known);
      const stream = new LinearClassifier<string>(options);
      await stream.fitStream(labelBatches(X, known, 50));
      for (const model of [batch, stream])
        expect(Math.abs(logLoss(model, rest, asked) - best)).toBeLessThan(allowed);
    });
  },
);

test.each([1, 2, 32, 500])(
  "targets about a billion in batches of %i rows, and the model's file",
  async (size) => {
    const { plain, noisy } = drawn(1500, 2);
    const y = noisy.map((score) => 1.7e9 + score);
    const model = new LinearRegressor();
    await model.fitStream(targetBatches(plain, y, size));
    expect(model.score(rowsOf(plain), y)).toBeGreaterThan(0.89); // least squares: 0.91
    const again = loadModel(saveModel(model));
    expect(again.predict(rowsOf(plain))).toEqual(model.predict(rowsOf(plain)));
  },
);

test("a regularized bias begins at the mean, no bias at 0", async () => {
  const { plain, noisy } = drawn(1500, 3);
  const y = noisy.map((score) => 100 + score); // of which λ takes 0.05
  for (const [bias, least] of [
    ["regularized", 0.8],
    ["free", 0.89],
  ] as const) {
    const model = new LinearRegressor({ bias });
    await model.fitStream(targetBatches(plain, y, 50));
    expect(model.score(rowsOf(plain), y)).toBeGreaterThan(least);
  }
  const through = new LinearRegressor({ bias: "none" });
  await through.fitStream(targetBatches(plain, noisy, 50));
  expect(through.intercepts[0]).toBeCloseTo(
    -through.coefficients.data.reduce((sum, w, j) => sum + w * mean(plain.slice(0, 50), j), 0),
    10,
  );
});

const mean = (X: Table, j: number): number => X.reduce((sum, row) => sum + row[j] / X.length, 0);

test("Huber: wild targets do not set the unit, and delta is in the targets' unit", async () => {
  const { plain, noisy } = drawn(1600, 4);
  const y = noisy.map((score, i) => (i % 20 === 3 ? 1e9 : 2e5 + 5e4 * score));
  const model = new LinearRegressor({ loss: "huber" });
  const { options } = await model.fitStream(targetBatches(plain, y, 100));
  const kept = [...y.keys()].filter((i) => i % 20 !== 3);
  expect(
    model.score(
      kept.map((i) => [...plain[i]]),
      kept.map((i) => y[i]),
    ),
  ).toBeGreaterThan(0.85);
  expect(Number(options.lossWidth)).toBeGreaterThan(5e4);
  expect(Number(options.lossWidth)).toBeLessThan(2e5);
});

describe("columns that have one value in the first rows", () => {
  const { plain, scores } = drawn(1600, 5);

  test.each([
    ["0, then about 300", 0, 300],
    ["300, then about it", 300, 300],
    ["0, then Unix times", 0, 1.7e9],
  ])("%s: are learned from when they vary", async (_, before, after) => {
    const X = plain.map((row, i) => [i < 64 ? before : after + 5 * row[0], ...row.slice(1)]);
    const y = scores.map((score, i) => (i < 64 ? score - plain[i][0] : score));
    const model = new LinearRegressor();
    const { warnings } = await model.fitStream(targetBatches(X, y, 32));
    expect(warnings).toEqual([]);
    expect(model.score(X.slice(64), y.slice(64))).toBeGreaterThan(0.9);
  });

  test("are left out while they do not, and a warning names them", async () => {
    const X = plain.map((row) => [row[0], 7, row[2], 1.7e9, row[4]]);
    const model = new LinearRegressor();
    const { warnings } = await model.fitStream(targetBatches(X, scores, 32));
    expect(warnings.map(({ code }) => code)).toEqual(["constant-columns"]);
    expect(warnings[0].message).toContain("1, 3");
    const without = new LinearRegressor();
    await without.fitStream(
      targetBatches(
        X.map((row) => [row[0], row[2], row[4]]),
        scores,
        32,
      ),
    );
    expect(model.coefficients.data[1]).toBe(0);
    expect(
      Math.abs(
        model.score(X, scores) -
          without.score(
            X.map((row) => [row[0], row[2], row[4]]),
            scores,
          ),
      ),
    ).toBeLessThan(0.02);
  });

  test("an entry beyond all scales is refused, and the model stays as it was", async () => {
    const model = new LinearRegressor();
    await model.partialFit(
      plain.slice(0, 64).map((row) => [1e-200 * row[0], row[1]]),
      scores.slice(0, 64),
    );
    const before = model.fitted;
    await expect(model.partialFit([[1, 0]], [1])).rejects.toMatchObject({ code: "ERR_NON_FINITE" });
    expect(model.fitted).toEqual(before);
  });
});

describe("first rows that say nothing of the targets", () => {
  const { plain, scores } = drawn(1600, 6);

  test.each([1, 32])("targets that are the same at first, in batches of %i", async (size) => {
    const y = scores.map((score, i) => (i < 128 ? 7 : score));
    const model = new LinearRegressor();
    for (const { rows, targets } of targetBatches(plain.slice(0, 96), y, size))
      await model.partialFit(rows, targets.slice(0, rows.length));
    expect([...model.predict(rowsOf(plain.slice(0, 3)))]).toEqual([7, 7, 7]);
    const { warnings, status } = await model.fitStream(targetBatches(plain, y, size));
    expect([status, warnings]).toEqual(["max-iterations", []]);
    expect(model.score(rowsOf(plain.slice(128)), y.slice(128))).toBeGreaterThan(0.9);
  });

  test("targets that are all the same: the model says that, and a warning", async () => {
    const model = new LinearRegressor();
    const { warnings, usable } = await model.fitStream(
      targetBatches(
        plain,
        scores.map(() => 5),
        32,
      ),
    );
    expect([usable, warnings.map(({ code }) => code)]).toEqual([true, ["constant-targets"]]);
    expect([...model.predict([[9, 9, 9, 9, 9]])]).toEqual([5]);
  });

  test("one class at first, or all the time", async () => {
    const labels = scores.map((score, i) => (i < 64 || score > 0 ? "yes" : "no"));
    await expect(
      new LinearClassifier<string>().fitStream(labelBatches(plain, labels, 32)),
    ).rejects.toThrowError("name all classes by classes");
    const named = new LinearClassifier<string>({ classes: ["no", "yes"] });
    const { warnings } = await named.fitStream(labelBatches(plain, labels, 32));
    expect(warnings).toEqual([]);
    expect(named.score(rowsOf(plain.slice(64)), labels.slice(64))).toBeGreaterThan(0.95);
    const one = new LinearClassifier<string>({ classes: ["no", "yes"] });
    const ended = await one.fitStream(
      labelBatches(
        plain,
        labels.map(() => "yes"),
        32,
      ),
    );
    expect(ended.warnings.map(({ code }) => code)).toEqual(["constant-targets"]);
    expect(one.predict([[0, 0, 0, 0, 0]])).toEqual(["yes"]);
  });

  test("a stream of fewer rows than decide", async () => {
    const model = new LinearRegressor();
    const { evaluations, t0 } = await model.fitStream(
      targetBatches(plain.slice(0, 9), scores.slice(0, 9), 2),
    );
    expect([evaluations, Number.isFinite(t0)]).toEqual([9, true]);
    expect(model.score(rowsOf(plain), scores)).toBeGreaterThan(0.3);
  });
});

test("learning that makes the model worse is said so", async () => {
  const { plain, scores } = drawn(1600, 7);
  const X = plain.map((row, i) => [(i < 32 ? 1e-9 : 1) * row[0], row[1]]); // the first rows mislead about the column's size
  const { status, warnings } = await new LinearRegressor().fitStream(targetBatches(X, scores, 32));
  expect([status, warnings.map(({ code }) => code)]).toEqual(["stalled", ["worse-than-start"]]);
});

test("weights: only their ratios count, and rows of weight 0 for nothing", async () => {
  const { plain, scores } = drawn(640, 8);
  const weights = scores.map((_, i) => i % 4);
  const trained = async (factor: number, wild: number) => {
    const model = new LinearRegressor({ shuffle: false });
    const batches = targetBatches(
      plain.map((row, i) => row.map((x) => (i % 4 === 0 ? wild * x : x))),
      scores,
      64,
    );
    const ofBatches = pieces(weights, 64);
    await model.fitStream(
      batches.map((batch, k) => ({ ...batch, sampleWeights: ofBatches[k].map((weight) => factor * weight) })),
    );
    return [...model.coefficients.data, ...model.intercepts];
  };
  const plainly = await trained(1, 1);
  const [scaled, wildly] = [await trained(1024, 1), await trained(1, 1e6)];
  expect(scaled).toEqual(plainly);
  for (const [j, w] of wildly.entries()) expect(Math.abs(w - plainly[j])).toBeLessThan(1e-9);
});

test("class weights do not change the probabilities, but for noise", async () => {
  const { plain, scores, random } = drawn(4000, 9);
  const labels = scores.map((score) => (score + 2 * random.uniform() - 1 > 1.5 ? "rare" : "usual"));
  const shareOf = async (classWeights: Record<string, number> | undefined) => {
    const model = new LinearClassifier<string>({ classWeights, classes: ["rare", "usual"] });
    await model.fitStream(labelBatches(plain, labels, 100));
    const { data } = model.predictProbabilities(rowsOf(plain));
    return labels.reduce((sum, _, i) => sum + data[2 * i] / labels.length, 0);
  };
  expect(Math.abs((await shareOf({ rare: 5 })) - (await shareOf(undefined)))).toBeLessThan(0.02);
});

test("sparse rows keep their zeros, and a full column far from 0 is moved", async () => {
  const { plain, scores } = drawn(1600, 10);
  const X = plain.map(([a, b, c]) => [1.7e9 + 1e5 * a, Math.max(0, b), c]);
  const labels = scores.map((score) => (score > 0 ? "yes" : "no"));
  const sparse = (rows: Table): SparseMatrix => {
    const stored = rows.map((row) => [...row.keys()].filter((j) => row[j] !== 0));
    return {
      rows: rows.length,
      columns: 3,
      rowPointers: Int32Array.from([0, ...stored.keys()], (_, i) => stored.slice(0, i).flat().length),
      columnIndices: Int32Array.from(stored.flat()),
      values: Float64Array.from(rows.flat().filter((x) => x !== 0)),
    };
  };
  const dense = new LinearClassifier<string>();
  await dense.fitStream(labelBatches(X, labels, 100));
  const model = new LinearClassifier<string>();
  const { options } = await model.fitStream(
    labelBatches(X, labels, 100).map(({ rows, labels: some }) => ({ rows: sparse(rows), labels: some })),
  );
  expect(options.scale).toBe("deviation");
  expect(Math.abs(model.score(X, labels) - dense.score(X, labels))).toBeLessThan(0.01);
  // A row without an entry there is far away, not in the middle.
  expect(Math.abs(model.decisionFunction([[0, 1, 1]]).data[0])).toBeGreaterThan(1e3);
});

test.each([1, 7, 40])(
  "a stream that was interrupted while its first rows are held, in batches of %i",
  async (size) => {
    const { moved, noisy } = drawn(200, 11);
    const X = moved.map((row, i) => (i < 60 ? [...row.slice(0, 4), 3] : row)); // the last column varies late
    const source = () => targetBatches(X, noisy, size);
    const whole = new LinearRegressor();
    await whole.fitStream(source());
    for (const cut of [1, 2, 3, 5]) {
      const saved: Uint8Array[] = [];
      await new LinearRegressor().fitStream(source(), {
        onIteration: ({ index }) => index < cut,
        checkpoint: { write: (bytes) => void saved.push(bytes) },
      });
      const model = new LinearRegressor();
      await model.fitStream(source(), { resume: saved[saved.length - 1] });
      expect(model.fitted).toEqual(whole.fitted);
    }
  },
);
