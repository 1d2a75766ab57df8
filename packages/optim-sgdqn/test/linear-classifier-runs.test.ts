/** How a fit of `LinearClassifier` is listened to, ends, goes on and is kept. */
import { LinearClassifier, loadModel, saveModel } from "@curvature/optim-sgdqn";
import { describe, expect, test } from "vitest";
import { fixture, noisyHalves } from "./helpers/rows.js";

const spam = fixture("spam", "train");
const spamTest = fixture("spam", "test");
const { rows: small, targets: halves } = noisyHalves(300, 6, { seed: 4 });

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
        const loss = solver === "dcd" ? "squared-hinge" : "logistic";
        const options = { solver, loss, lambda: 1e-3, tolerance: 1e-8, maxPasses: 20 } as const;
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
    expect(result.status).toBe("stalled"); // an error on held-out rows is no bound of P
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

// columns as they lie, of which the largest is in the thousands: most candidates run away
test.each(["sgdqn", "svmsgd2", "sgd", "asgd"] as const)(
  "%s with a search for t0 is never above w = 0 without a warning",
  async (solver) => {
    for (const [loss, atZero] of [
      ["logistic", Math.log(2)],
      ["squared-hinge", 0.5],
    ] as const)
      for (const maxPasses of [1, 3]) {
        const options = { solver, loss, maxPasses, t0: "search" } as const;
        const model = new LinearClassifier({ ...options, lambda: 1e-4, bias: "none", scale: "none" });
        const { value = Number.POSITIVE_INFINITY, warnings } = await model.fit(spam.rows, spam.labels);
        const isTold = warnings.some(({ code }) => code === "worse-than-start");
        expect(value <= atZero || isTold, `${loss}, ${maxPasses} passes: ${value}`).toBe(true);
      }
  },
);
