import { normal, RandomGenerator } from "@curvature/linalg";
import { ordinalObjective } from "@curvature/objectives/ordinal";
import type { Solver } from "@curvature/optim-core";
import { solverConformance } from "@curvature/optim-core/conformance";
import { describe, test } from "vitest";
import { analyzeAnswers } from "../../src/answers/analyze-answers.js";
import { readAnswers } from "../../src/answers/read-answers.js";
import { makePlan } from "../../src/fit/plan.js";
import { StagedFit } from "../../src/fit/staged-fit.js";
import {
  type OrdinalEmbeddingOptions,
  ordinalEmbeddingOptions,
  Svrg,
  tripletsFromPoints,
} from "../../src/index.js";

const random = new RandomGenerator(3);
const points = Array.from({ length: 14 }, () => [normal(random), normal(random)]);
const { train } = tripletsFromPoints(points, { count: 200, flip: 0.1 });
const bytesInUse = (): number => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;

/** The seed says where it starts; how answers are divided belongs to the problem, and to its fingerprint. */
function staged(options: OrdinalEmbeddingOptions, seed: number): Solver {
  const settings = ordinalEmbeddingOptions.resolve("test", options);
  const analyzed = analyzeAnswers(readAnswers(train, { where: "test" }));
  const generator = new RandomGenerator(seed);
  const data = Float64Array.from({ length: 28 }, () => 0.1 * normal(generator));
  const embedding = { rows: 14, columns: 2, data };
  const plan = makePlan(analyzed, settings, { kind: "given", embedding }, () => undefined);
  return new StagedFit(plan, {
    name: settings.solver,
    dimension: 14 * settings.dimensions,
    fingerprint: "test",
    options: {},
    tolerance: 1e-6,
    testError: (x) => x[0],
  });
}

// Which map is best is a matter of answers held out, not of the values that iterations report.
const cases = [
  { name: "the recipe", options: { restarts: 2 }, steps: 60 },
  {
    name: "stochastic epochs in two starts",
    options: { solver: "svrg-sbb", restarts: 2, maxPasses: 40 },
    steps: 60,
  },
  { name: "L-BFGS in three starts", options: { solver: "lbfgs", restarts: 3, ridge: 0.1 }, steps: 60 },
] as const;

for (const { name, options, steps } of cases)
  describe(`${name} conforms`, () => {
    const checks = solverConformance({
      name,
      create: (seed) => staged(options, seed),
      steps,
      longSteps: 100,
      sense: "none",
      hasFaults: false,
      bytesInUse,
    });
    for (const { name: what, check } of checks) test(what, check);
  });

describe("SVRG with measured steps conforms", () => {
  const start = Float64Array.from({ length: 28 }, (_, k) => 0.1 * Math.sin(k * k));
  const checks = solverConformance({
    name: "SVRG with measured steps",
    create: (seed) =>
      new Svrg(ordinalObjective(train, "ste", 2).sum, start, { stepRule: "measured", batchSize: 1, seed }),
    longSteps: 100,
    hasFaults: false,
    bytesInUse,
  });
  for (const { name, check } of checks) test(name, check);
});
