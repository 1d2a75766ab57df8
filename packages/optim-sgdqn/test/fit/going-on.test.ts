import { LinearClassifier, type LinearClassifierOptions } from "@curvature/optim-sgdqn";
import { describe, expect, test } from "vitest";
import { noisyHalves } from "../helpers/rows.js";

const { rows, targets: halves, scores } = noisyHalves(400, 8, { seed: 4 });
const quarters = Float64Array.from(halves, (_, i) => i % 4);

/** The checkpoint at the end of a fit. */
async function lastOf(
  options: LinearClassifierOptions,
  labels: Float64Array,
  ending = "max-iterations",
): Promise<Uint8Array> {
  const saved: Uint8Array[] = [];
  const { status } = await new LinearClassifier(options).fit(rows, labels, {
    checkpoint: { write: (bytes) => void saved.push(bytes) },
  });
  expect(status).toBe(ending);
  return saved[saved.length - 1];
}

describe("a fit that its limit of passes has ended", () => {
  const solvers = [
    "newton",
    "dcd",
    "lbfgs",
    "sgdqn",
    "sgdqn-2009",
    "svmsgd2",
    "sgd",
    "asgd",
    "olbfgs",
  ] as const;
  const cases = solvers.flatMap((solver) => [
    { solver, classes: 2, labels: halves },
    { solver, classes: 4, labels: quarters },
  ]);
  test.each(cases)(
    "$solver, $classes classes: goes on where more are allowed",
    { tags: ["full"] },
    async ({ solver, labels }) => {
      const options = { solver, lambda: 1e-4, tolerance: 0 } as const;
      const saved = await lastOf({ ...options, maxPasses: 3 }, labels);
      const whole = await new LinearClassifier({ ...options, maxPasses: 6 }).fit(rows, labels);
      const more = new LinearClassifier({ ...options, maxPasses: 6 });
      const result = await more.fit(rows, labels, { resume: saved });
      expect(whole.passes).toBeGreaterThan(3);
      if (solver === "dcd") {
        // P is measured at the first limit too, and a better point there is kept.
        expect(result.value).toBeLessThanOrEqual(whole.value ?? 0);
        expect(result.passes).toBeGreaterThan(5);
      } else expect([result.x, result.value, result.passes]).toEqual([whole.x, whole.value, whole.passes]);
    },
  );

  test.each(cases)("$solver, $classes classes: stays ended where no more are", async ({ solver, labels }) => {
    const options = { solver, lambda: 1e-4, tolerance: 0, maxPasses: 3 } as const;
    const saved = await lastOf(options, labels);
    const whole = await new LinearClassifier(options).fit(rows, labels);
    const again = await new LinearClassifier(options).fit(rows, labels, { resume: saved });
    expect([again.x, again.status, again.passes, again.iterations, again.message]).toEqual([
      whole.x,
      whole.status,
      whole.passes,
      whole.iterations,
      whole.message,
    ]);
  });

  test("with rows held out", async () => {
    const options = { solver: "sgdqn", lambda: 1e-4, validationShare: 0.3 } as const;
    const saved = await lastOf({ ...options, maxPasses: 2 }, halves);
    const whole = await new LinearClassifier({ ...options, maxPasses: 9 }).fit(rows, halves);
    const result = await new LinearClassifier({ ...options, maxPasses: 9 }).fit(rows, halves, {
      resume: saved,
    });
    expect([result.x, result.passes, result.monitoringEvaluations]).toEqual([
      whole.x,
      whole.passes,
      whole.monitoringEvaluations,
    ]);
  });

  test("on a stream", async () => {
    const batches = () => [{ rows, labels: halves }];
    const saved: Uint8Array[] = [];
    const options = { lambda: 1e-4 } as const;
    await new LinearClassifier({ ...options, maxPasses: 2 }).fitStream(batches, {
      checkpoint: { write: (bytes) => void saved.push(bytes) },
    });
    const whole = await new LinearClassifier({ ...options, maxPasses: 4 }).fitStream(batches);
    const model = new LinearClassifier({ ...options, maxPasses: 4 });
    const result = await model.fitStream(batches, { resume: saved[saved.length - 1] });
    expect([result.x, result.passes, result.iterations]).toEqual([whole.x, 4, whole.iterations]);
  });
});

describe("a fit that has converged", () => {
  const bands = scores.map((score) => (score < -2 ? 0 : score < 0 ? 1 : score < 2 ? 2 : 3));
  const solvers = ["auto", "newton", "dcd", "lbfgs"] as const;
  const cases = solvers.flatMap((solver) => [
    { solver, classes: 2, labels: halves },
    { solver, classes: 4, labels: bands },
  ]);
  const coarse = 0.1;
  const options = { lambda: 1e-2, bias: "regularized" } as const;

  test.each(cases)(
    "$solver, $classes classes: goes on to a smaller tolerance",
    async ({ solver, labels }) => {
      const saved = await lastOf({ ...options, solver, tolerance: coarse }, labels, "converged");
      const short = await new LinearClassifier({ ...options, solver, tolerance: coarse }).fit(rows, labels);
      const fine = new LinearClassifier({ ...options, solver, tolerance: 1e-9 });
      const whole = await fine.fit(rows, labels);
      const result = await fine.fit(rows, labels, { resume: saved });
      expect(result.status).toBe("converged");
      expect(result.gap).toBeLessThanOrEqual(1e-9);
      expect(result.iterations).toBeGreaterThan(short.iterations);
      expect(Math.abs((result.value ?? 0) / (whole.value ?? 1) - 1)).toBeLessThan(2e-9);
    },
  );

  test.each(cases)(
    "$solver, $classes classes: has ended for the same tolerance",
    async ({ solver, labels }) => {
      for (const tolerance of [coarse, ...(solver === "newton" ? [0] : [])]) {
        const model = new LinearClassifier({ ...options, solver, tolerance });
        // no gap of 0 can be claimed in doubles
        const saved = await lastOf(model.settings, labels, tolerance === 0 ? "stalled" : "converged");
        const whole = await model.fit(rows, labels);
        const heard: number[] = [];
        const again = await model.fit(rows, labels, {
          resume: saved,
          onIteration: ({ index }) => void heard.push(index),
        });
        expect([again.x, again.status, again.iterations, again.message]).toEqual([
          whole.x,
          whole.status,
          whole.iterations,
          whole.message,
        ]);
        expect(heard.every((index) => index === whole.iterations)).toBe(true);
      }
    },
  );

  test("is asked again with rows held out too, unless they have ended it", async () => {
    const held = { ...options, solver: "newton", validationShare: 0.3 } as const;
    const saved = await lastOf({ ...held, tolerance: coarse }, halves, "converged");
    const fine = new LinearClassifier({ ...held, tolerance: 1e-9 });
    const short = await new LinearClassifier({ ...held, tolerance: coarse }).fit(rows, halves);
    const result = await fine.fit(rows, halves, { resume: saved });
    expect(result.iterations).toBeGreaterThan(short.iterations);
    const patient = { ...held, solver: "dcd", lambda: 1e-4 } as const;
    const ended = await lastOf({ ...patient, tolerance: 1e-6 }, halves, "stalled");
    const before = await new LinearClassifier({ ...patient, tolerance: 1e-6 }).fit(rows, halves);
    expect(before.message).toContain("has not fallen");
    const after = new LinearClassifier({ ...patient, tolerance: 1e-9 });
    expect((await after.fit(rows, halves, { resume: ended })).iterations).toBe(before.iterations);
  });
});
