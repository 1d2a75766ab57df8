/** Classes, their weights and their probabilities in `LinearClassifier`. */
import { selectRows } from "@curvature/linalg";
import { LinearClassifier, type LinearClassifierOptions, logLoss } from "@curvature/optim-sgdqn";
import { describe, expect, test, vi } from "vitest";
import { fixture, noisyHalves } from "./helpers/rows.js";

const spam = fixture("spam", "train");
const spamTest = fixture("spam", "test");
const { rows: small, targets: halves } = noisyHalves(300, 6, { seed: 4 });

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
    const model = new LinearClassifier({ bias: "none", scale: "none" });
    await model.fit(small, halves);
    expect(model.predict([[0, 0, 0, 0, 0, 0]])).toEqual([-1]);
    const three = new LinearClassifier({ bias: "none", scale: "none" });
    await three.fit(
      small,
      Array.from(halves, (_, i) => i % 3),
    );
    expect(three.predict([[0, 0, 0, 0, 0, 0]])).toEqual([0]);
  });

  test("more than two: one score each, the largest decides", { tags: ["full"] }, async () => {
    const pen = fixture("pendigits", "train");
    const penTest = fixture("pendigits", "test");
    const squared = new LinearClassifier({
      loss: "squared-hinge",
      lambda: 1e-3,
      scale: "none",
      bias: "regularized",
    });
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
    const options = { loss: "squared-hinge", lambda: 0.05, tolerance: 1e-10 } as const;
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
    const options = { lambda: 0.01, tolerance: 1e-13 } as const;
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
    const model = new LinearClassifier({ loss: "squared-hinge", probabilities: true, lambda: 1e-3 });
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

  const lasting = { loss: "squared-hinge", probabilities: true, lambda: 1e-3, solver: "sgd" } as const;

  test.each<[string, (abort: () => void) => void]>([
    ["before its fits", (abort) => abort()],
    ["during them", (abort) => void setTimeout(abort, 0)],
  ])("a calibration that is aborted %s leaves the model", async (_, soon) => {
    const controller = new AbortController();
    const model = new LinearClassifier({ ...lasting, maxPasses: 5000 });
    const result = await model.fit(small, halves, {
      signal: controller.signal,
      onIteration: ({ outcome }) => void (outcome !== undefined && soon(() => controller.abort())),
    });
    expect([result.status, result.passes]).toEqual(["max-iterations", 5000]);
    expect(result.warnings).toEqual([
      {
        code: "uncalibrated",
        message: expect.stringContaining("Probabilities were not learned: The signal was aborted"),
      },
    ]);
    expect(model.fitted?.calibration).toBeUndefined();
    expect(model.score(small, halves)).toBeGreaterThan(0.7);
  });

  test("of a fit that is aborted are not learned, and it says so", async () => {
    const model = new LinearClassifier({ ...lasting, maxPasses: 50 });
    const { warnings } = await model.fit(small, halves, { onIteration: ({ index }) => index < 3 });
    expect(warnings).toEqual([
      { code: "uncalibrated", message: "Probabilities were not learned: The listener asked to stop." },
    ]);
  });

  test("a limit of time holds for each of the fits", async () => {
    let now = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now++); // a millisecond a look
    const model = new LinearClassifier({ ...lasting, maxPasses: 1e7, maxSeconds: 0.05 });
    const { status, phases, warnings } = await model.fit(small, halves);
    expect([status, warnings]).toEqual(["time-limit", []]);
    expect(phases.calibration).toBeLessThan(3);
    expect(model.fitted?.calibration).toHaveLength(1);
    const chosen = new LinearClassifier({ ...lasting, lambda: "auto", maxPasses: 1e7, maxSeconds: 0.02 });
    expect((await chosen.fit(small, halves)).phases.lambda).toBeLessThan(5);
    clock.mockRestore();
  });

  test("without calibration there are none", async () => {
    const model = new LinearClassifier({ loss: "squared-hinge" });
    await model.fit(small, halves);
    expect(() => model.predictProbabilities(small)).toThrowError("Fit with probabilities: true");
  });
});
