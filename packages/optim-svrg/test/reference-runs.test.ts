/** The recorded runs of SVRG-SBB, and the recorded errors of what it is compared with. */
import { RandomGenerator } from "@curvature/linalg";
import { errorShare, type OrdinalLossName, ordinalObjective } from "@curvature/objectives/ordinal";
import { maxIterations, maxPasses, run } from "@curvature/optim-core";
import { createOrdinalSolver, Svrg } from "@curvature/optim-svrg";
import { describe, expect, test } from "vitest";
import { errorsAfter } from "./errors-after.js";
import { eurodist, synthetic } from "./fixtures.js";

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

/** The mean test error over the first `starts` starts after 4, 8 and 20 epochs, by the script's steps. */
function recordedRun(
  loss: OrdinalLossName,
  epsilon: number,
  initialStep: number,
  batchSize = 20,
  starts = 3,
) {
  const data = synthetic();
  const { sum } = ordinalObjective(data.train, loss, data.dimensions);
  const runs = data.starts
    .slice(0, starts)
    .map((X) => errorsAfter(new Svrg(sum, X, { epsilon, initialStep, batchSize }), data, [4, 8, 20]));
  return [0, 1, 2].map((k) => mean(runs.map((errors) => errors[k])));
}

describe("the recorded runs on the synthetic set of section 5.1", () => {
  // Recorded with another generator, which is worth 0.01: STE 0.163, 0.073, 0.048; GNMDS 0.153, 0.085, 0.065;
  // TSTE 0.149, 0.091, 0.075.
  test.each([
    ["ste", 2.5e-3, [0.17, 0.09, 0.055]],
    ["gnmds", 2.5e-3, [0.163, 0.095, 0.075]],
    ["tste", 2.5e-4, [0.159, 0.101, 0.08]],
  ] as const)("%s", (loss, epsilon, bounds) => {
    const errors = recordedRun(loss, epsilon, 50);
    errors.forEach((error, k) => {
      expect(error, `the errors are ${errors}`).toBeLessThanOrEqual(bounds[k]);
    });
  });

  test("the size of the batch makes no difference to the errors", { tags: ["full"] }, () => {
    const [one, five, twenty] = [1, 5, 20].map((b) => recordedRun("ste", 2.5e-3, 50, b));
    for (const k of [1, 2]) {
      expect(Math.abs(one[k] - twenty[k])).toBeLessThan(0.01);
      expect(Math.abs(five[k] - twenty[k])).toBeLessThan(0.01);
    }
  });

  test("CKL has its optimum at the test error 0.177, by whatever solver", async () => {
    const data = synthetic();
    const objective = ordinalObjective(data.train, "ckl", data.dimensions);
    for (const solver of ["svrg-sbb", "lbfgs"] as const) {
      const { x } = await run(createOrdinalSolver(objective, data.starts[0], { solver }), {
        stop: solver === "lbfgs" ? maxIterations(120) : maxPasses(120),
      });
      expect(Math.abs(errorShare(data.test, x) - 0.177)).toBeLessThan(0.004);
    }
  });
});

test("Europe: STE comes to a test error of at most 0.05 from every start", async () => {
  const data = eurodist();
  const objective = ordinalObjective(data.train, "ste", 2);
  for (const start of data.starts) {
    const { x } = await run(createOrdinalSolver(objective, start), { stop: maxPasses(120) });
    expect(errorShare(data.test, x)).toBeLessThan(0.05);
  }
});

/**
 * The least of the recorded mean test errors of L-BFGS run to its end, of SVRG with a fixed step and of SVRG-SBB with
 * an ε, both tuned by test error: what nobody has to tune must come within 0.01 of it.
 */
describe("with its defaults, SVRG-SBB comes to the recorded errors of what was tuned", () => {
  test.each([
    ["gnmds", 0.0519],
    ["ckl", 0.1767],
    ["ste", 0.0549],
    ["tste", 0.0714],
  ] as const)("synthetic, %s", { tags: ["full"] }, async (loss, recorded) => {
    const data = synthetic();
    const objective = ordinalObjective(data.train, loss, data.dimensions);
    const errors: number[] = [];
    for (const start of data.starts) {
      const { x } = await run(createOrdinalSolver(objective, start), { stop: maxPasses(120) });
      errors.push(errorShare(data.test, x));
    }
    expect(mean(errors)).toBeLessThanOrEqual(recorded + 0.01);
  });

  test.each([
    ["gnmds", 0.0487],
    ["ckl", 0.0636],
    ["ste", 0.0463],
    ["tste", 0.0629],
  ] as const)("Europe, %s", async (loss, recorded) => {
    const data = eurodist();
    const objective = ordinalObjective(data.train, loss, data.dimensions);
    const errors: number[] = [];
    for (const start of data.starts) {
      const { x } = await run(createOrdinalSolver(objective, start), { stop: maxPasses(180) });
      errors.push(errorShare(data.test, x));
    }
    expect(mean(errors)).toBeLessThanOrEqual(recorded + 0.01);
  });
});

test("a million answers on ten thousand objects: little memory beside the answers, and short steps", {
  tags: ["full"],
}, () => {
  const [objects, count] = [10_000, 1_000_000];
  const random = new RandomGenerator(1);
  const places = Float64Array.from({ length: 2 * objects }, () => random.uniform());
  const distance = (i: number, j: number): number => {
    const [u, w] = [places[2 * i] - places[2 * j], places[2 * i + 1] - places[2 * j + 1]];
    return u * u + w * w;
  };
  const quadruplets = new Int32Array(4 * count);
  for (let at = 0; at < quadruplets.length; ) {
    const [i, j, k] = [random.integer(objects), random.integer(objects), random.integer(objects)];
    if (i === j || i === k || j === k) continue;
    const isNear = distance(i, j) < distance(i, k);
    quadruplets[at++] = i;
    quadruplets[at++] = isNear ? j : k;
    quadruplets[at++] = i;
    quadruplets[at++] = isNear ? k : j;
  }
  const before = process.memoryUsage().arrayBuffers;
  const objective = ordinalObjective({ objects, quadruplets }, "ste", 2);
  const start = Float64Array.from(places, () => random.uniform());
  const solver = new Svrg(objective.sum, start, { epsilon: 0.1 / objects });
  for (let steps = 1; ; steps++) {
    const { phase, evaluations } = solver.step();
    expect(evaluations).toBeLessThanOrEqual(8192 * steps);
    if (phase === "epoch") break;
  }
  // X some ten times over; the answers themselves are 16 MB.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8e6);
  expect(errorShare(objective.comparisons, solver.last.x)).toBeLessThan(0.49);
});
