/** Maps by a loss of one's own, and the numbers of the solvers in the façade. */
import { RandomGenerator } from "@curvature/linalg";
import type { DifferenceLoss } from "@curvature/objectives/ordinal";
import { expect, test } from "vitest";
import { bootstrapEmbedding } from "../src/bootstrap.js";
import { chooseDimension } from "../src/dimension.js";
import { ordinalEmbedding } from "../src/ordinal-embedding.js";

const random = new RandomGenerator(11);
const points = Float64Array.from({ length: 24 }, () => random.uniform());
const answers = Array.from({ length: 400 }, () => {
  const i = random.integer(12);
  const j = (i + 1 + random.integer(11)) % 12;
  const k = [...Array(12).keys()].filter((n) => n !== i && n !== j)[random.integer(10)];
  const d = (n: number): number =>
    (points[2 * i] - points[2 * n]) ** 2 + (points[2 * i + 1] - points[2 * n + 1]) ** 2;
  return d(j) < d(k) ? [i, j, k] : [i, k, j];
});

const logistic: DifferenceLoss = {
  name: "mine",
  value: (z) => Math.max(z, 0) + Math.log1p(Math.exp(-Math.abs(z))),
  derivative: (z) => 1 / (1 + Math.exp(-z)),
};

test.each(["auto", "lbfgs", "gd", "gram"] as const)(
  "ste as one's own loss makes ste's map: %s",
  async (solver) => {
    const limits = { solver, maxIterations: 12, dimensions: 2 };
    const own = await ordinalEmbedding(answers, { ...limits, loss: logistic });
    const built = await ordinalEmbedding(answers, { ...limits, loss: "ste" });
    expect(own.options.loss).toBe("mine");
    expect(own.value).toBeCloseTo(built.value ?? Number.NaN, 10);
    expect(own.trainingError).toBe(built.trainingError);
    for (const [k, x] of own.embedding.data.entries()) expect(x).toBeCloseTo(built.embedding.data[k], 7);
  },
);

test("the bootstrap and the choice of dimensions take it, too", async () => {
  const own = await bootstrapEmbedding(answers, { loss: logistic, samples: 3 });
  const built = await bootstrapEmbedding(answers, { loss: "ste", samples: 3 });
  expect(own.spread.every((value) => value > 0)).toBe(true);
  expect(built.spread).toHaveLength(12);
  const { candidates } = await chooseDimension(answers, { loss: logistic, candidates: [1, 2] });
  const { candidates: same } = await chooseDimension(answers, { loss: "ste", candidates: [1, 2] });
  expect(candidates.map(({ error }) => error)).toEqual(same.map(({ error }) => error));
});

test("a wrong derivative is refused before anything is fitted", async () => {
  const wrong = { ...logistic, derivative: (z: number) => 1 / (1 + Math.exp(z)) };
  await expect(ordinalEmbedding(answers, { loss: wrong })).rejects.toThrow(/values rise by/);
});

test("a bootstrap of a map that is there already is that of the same answers", async () => {
  const result = await ordinalEmbedding(answers);
  const given = await bootstrapEmbedding(answers, { samples: 4, result });
  const fitted = await bootstrapEmbedding(answers, { samples: 4 });
  expect(given.covariances).toEqual(fitted.covariances);
  expect(given.embedding).toBe(result.embedding);
});

test("numbers of a solver are refused where it has none", async () => {
  await expect(ordinalEmbedding(answers, { epsilon: 1 })).rejects.toThrow(
    /epsilon must be left out: it is of svrg-sbb/,
  );
  await expect(ordinalEmbedding(answers, { solver: "lbfgs", batchSize: 3 })).rejects.toThrow(/not of lbfgs/);
  const plain = await ordinalEmbedding(answers, { solver: "svrg-sbb", maxPasses: 20 });
  const modular = await ordinalEmbedding(answers, { solver: "svrg-sbb", maxPasses: 20, epochsPerModule: 2 });
  expect(modular.embedding.data).not.toEqual(plain.embedding.data);
  const said = await ordinalEmbedding(answers, {
    solver: "svrg-sbb",
    maxPasses: 20,
    batchSize: 20,
    epochLength: 400,
  });
  expect(said.embedding.data).toEqual(plain.embedding.data); // 20 and N are what is taken anyway
});

test.each(["auto", "lbfgs", "gd", "sgd", "svrg-sbb"] as const)(
  "a loss without a least value: %s says that it is unbounded, and no map is usable",
  async (solver) => {
    const linear = { value: (z: number) => z, derivative: () => 1 };
    const { status, usable, message } = await ordinalEmbedding(answers, { solver, loss: linear });
    expect([status, usable]).toEqual(["diverged", false]);
    expect(message).toContain("unbounded below");
  },
);

test.each([
  ["1e-6 z", (z: number) => 1e-6 * z, () => 1e-6],
  ["1e-9 z³", (z: number) => 1e-9 * z ** 3, (z: number) => 3e-9 * z * z],
  ["1e9 z", (z: number) => 1e9 * z, () => 1e9],
] as const)("%s is unbounded below, however small it is beside a ridge", async (_, value, derivative) => {
  const { status, usable, message } = await ordinalEmbedding(answers, { loss: { value, derivative } });
  expect([status, usable]).toEqual(["diverged", false]);
  expect(message).toContain("unbounded below");
});

/** Some are wrong, so that the loss has a least value above 0. */
const mixed = answers.map(([i, j, k], q) => (q % 8 === 0 ? [i, k, j] : [i, j, k]));

/** The squared hinge of z + 1, times c. */
const hinge = (c: number): DifferenceLoss => ({
  value: (z) => c * Math.max(0, z + 1) ** 2,
  derivative: (z) => 2 * c * Math.max(0, z + 1),
});

test.each([
  ["auto", 2 ** -20],
  ["auto", 2 ** 20],
  ["auto", 1e-6],
  ["auto", 1e6],
  ["lbfgs", 1e-6],
  ["gd", 1e-6],
  ["svrg-sbb", 1e6],
  ["gram", 1e-6],
] as const)("the map is the same, whatever a loss is multiplied by: %s, %f", async (solver, c) => {
  const limits = { solver, maxPasses: solver === "auto" ? 200 : 20 };
  const one = await ordinalEmbedding(mixed, { ...limits, loss: hinge(1) });
  const many = await ordinalEmbedding(mixed, { ...limits, loss: hinge(c) });
  for (const [k, x] of many.embedding.data.entries())
    expect(x).toBeCloseTo(one.embedding.data[k], Math.log2(c) % 1 === 0 ? 15 : 5);
  expect((many.value ?? 0) / c / (one.value ?? 0)).toBeCloseTo(1, 9);
  expect(many.ridge).toBeCloseTo(c * one.ridge, 9);
  expect(many.passes).toBe(one.passes);
  const given = { ...limits, maxPasses: 10, ridge: 0.25 };
  const plain = await ordinalEmbedding(mixed, { ...given, loss: hinge(1) });
  const scaled = await ordinalEmbedding(mixed, { ...given, ridge: 0.25 * c, loss: hinge(c) });
  expect((scaled.value ?? 0) / c / (plain.value ?? 0)).toBeCloseTo(1, 9);
  expect(scaled.ridge).toBeCloseTo(0.25 * c, 9);
});

test("with a ridge that outweighs the loss all objects are in one place, and the map is not usable", async () => {
  for (const loss of ["ste", logistic] as const) {
    const { status, usable, message } = await ordinalEmbedding(answers, { loss, ridge: 1000 });
    expect([status, usable]).toEqual(["stalled", false]);
    expect(message).toContain("All objects are in one place: with the ridge 1000");
  }
});

const growing: DifferenceLoss = {
  value: (z) => Math.exp(Math.min(z, 500)),
  derivative: (z) => Math.exp(Math.min(z, 500)),
};

test.each(["lbfgs", "gd", "gram"] as const)(
  "a limit of passes is kept within a line search and the look for an end, of all starts together: %s",
  async (solver) => {
    for (const maxPasses of [1, 2, 5, 100])
      for (const restarts of [1, 2]) {
        const options = { solver, restarts, maxPasses, loss: growing, tolerance: 0 };
        const { passes, status } = await ordinalEmbedding(answers, options);
        expect(passes).toBe(maxPasses);
        expect(status).toBe("max-iterations");
      }
    const { passes } = await ordinalEmbedding(answers, { solver, loss: growing, tolerance: 0 });
    expect(passes).toBeLessThanOrEqual(300);
  },
);

test("a step that the limit cuts short is no convergence", async () => {
  for (let maxPasses = 2; maxPasses <= 20; maxPasses++) {
    const { passes, status } = await ordinalEmbedding(mixed, { solver: "lbfgs", maxPasses });
    expect([passes, status]).toEqual([maxPasses, "max-iterations"]);
  }
});

test("the recipe exceeds a limit of passes by less than two evaluations", async () => {
  for (let maxPasses = 1; maxPasses <= 24; maxPasses++) {
    const { passes } = await ordinalEmbedding(answers, { maxPasses });
    expect(passes).toBeGreaterThanOrEqual(maxPasses);
    expect(passes).toBeLessThan(maxPasses + 2);
  }
});

test.each([1, 20])(
  "a limit of passes is kept within an epoch of many, with batches of %i",
  async (batchSize) => {
    const longEpoch = { solver: "svrg-sbb", epochLength: 400_000, batchSize, maxPasses: 10 } as const;
    const { passes } = await ordinalEmbedding(answers, longEpoch);
    expect(passes).toBeGreaterThanOrEqual(10);
    expect(passes).toBeLessThanOrEqual(13);
  },
);
