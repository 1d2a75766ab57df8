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

test.each([1, 20])(
  "a limit of passes is kept within an epoch of many, with batches of %i",
  async (batchSize) => {
    const longEpoch = { solver: "svrg-sbb", epochLength: 400_000, batchSize, maxPasses: 10 } as const;
    const { passes } = await ordinalEmbedding(answers, longEpoch);
    expect(passes).toBeGreaterThanOrEqual(10);
    expect(passes).toBeLessThanOrEqual(13);
  },
);
