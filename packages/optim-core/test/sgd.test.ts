/** Stochastic gradient descent: its steps by hand, its two forms against each other, and the conformance suite. */
import { RandomGenerator } from "@curvature/linalg";
import {
  driveSum,
  Sgd,
  type SgdOptions,
  type Solver,
  SparseSgd,
  type SparseSum,
  type SumOfFunctions,
  sgd,
} from "@curvature/optim-core";
import { type ConformanceCase, solverConformance } from "@curvature/optim-core/conformance";
import { describe, expect, test } from "vitest";

/** Σ ½ w_q (x_i − q)², i = q mod dimension: each term touches one coordinate. */
function springs(count: number, dimension: number): SparseSum {
  const random = new RandomGenerator(2);
  const stiffness = Array.from({ length: count }, () => 0.5 + random.uniform());
  return {
    dimension,
    count,
    evaluate(q, x, gradient) {
      const i = q % dimension;
      const d = x[i] - q;
      if (gradient !== undefined) gradient.fill(0)[i] = stiffness[q] * d;
      return 0.5 * stiffness[q] * d * d;
    },
    evaluateSparse(q, x, coordinates, entries) {
      const i = q % dimension;
      const d = x[i] - q;
      coordinates[0] = i;
      entries[0] = stiffness[q] * d;
      return { value: 0.5 * stiffness[q] * d * d, touched: 1 };
    },
  };
}

const denseOnly = ({ dimension, count, evaluate }: SumOfFunctions): SumOfFunctions => ({
  dimension,
  count,
  evaluate,
});

function passes(solver: Solver, count: number): Float64Array {
  for (;;) {
    const iteration = solver.step();
    if (iteration instanceof Promise) throw new Error("a promise");
    if (iteration.outcome !== undefined || iteration.passes >= count) return solver.best.x;
  }
}

test("a pass of one term at a time moves by −B/(1 + δ k) ∇f in the order of a permutation", () => {
  const sum: SumOfFunctions = {
    dimension: 3,
    count: 3,
    evaluate(q, x, gradient) {
      gradient?.fill(0).set([x[q]], q);
      return 0.5 * x[q] ** 2;
    },
  };
  const solver = sgd(sum, Float64Array.of(1, 2, 3), { initialStep: 0.5, decay: 1 });
  expect(Array.from(passes(solver, 1))).toEqual([0.5, 1, 1.5]); // every term once
  expect(Array.from(passes(solver, 2))).toEqual([0.375, 0.75, 1.125]); // with half the step
});

describe.each(["permutation", "replacement"] as const)("sampling by %s", (sampling) => {
  test.each([1, 4, 7, 30])("sparse and dense steps are the same, b = %i", (batchSize) => {
    const sum = springs(30, 6);
    const options: SgdOptions = { initialStep: 0.2, batchSize, sampling, seed: 5 };
    const X = new Float64Array(6);
    const sparse = passes(new SparseSgd(sum, X, options), 3);
    const dense = passes(driveSum(new Sgd(denseOnly(sum), X, options), sum), 3);
    expect(Array.from(sparse)).toEqual(Array.from(dense));
  });

  test("it comes near the minimum", () => {
    const sum = springs(60, 3);
    const solver = sgd(sum, new Float64Array(3), { initialStep: 0.2, decay: 1, sampling });
    const x = passes(solver, 400);
    const gradient = new Float64Array(3);
    const term = new Float64Array(3);
    for (let q = 0; q < 60; q++) {
      expect(sum.evaluate(q, x, term)).toBeGreaterThanOrEqual(0);
      for (let i = 0; i < 3; i++) gradient[i] += term[i];
    }
    expect(Math.max(...gradient.map(Math.abs))).toBeLessThan(20); // at the start: about 600
  });
});

test("even draws use every term about equally often", () => {
  const counts = new Array(10).fill(0);
  const sum: SumOfFunctions = {
    dimension: 1,
    count: 10,
    evaluate(q, _, gradient) {
      counts[q]++;
      gradient?.fill(0);
      return 0;
    },
  };
  passes(sgd(sum, Float64Array.of(1), { sampling: "replacement" }), 1000);
  expect(counts.reduce((a, b) => a + b)).toBe(10_000);
  for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150); // 5 standard deviations
});

test("a step that is too long ends the run, with the last finite point", () => {
  for (const sum of [springs(10, 2), denseOnly(springs(10, 2))]) {
    const solver = sgd(sum, Float64Array.of(1, 1), { initialStep: 1e300 });
    const x = passes(solver, 100);
    expect(x.every(Number.isFinite)).toBe(true);
    expect(solver.step()).toMatchObject({ outcome: { status: "diverged" } });
  }
});

test("evaluations that are promises are awaited", async () => {
  const sum = springs(12, 3);
  const slow: SumOfFunctions = {
    ...denseOnly(sum),
    evaluate: async (q, x, gradient) => sum.evaluate(q, x, gradient),
  };
  const options: SgdOptions = { initialStep: 0.1, seed: 3 };
  const solver = sgd(slow, new Float64Array(3), options);
  for (let k = 0; k < 24; k++) await solver.step();
  expect(Array.from(solver.best.x)).toEqual(
    Array.from(passes(sgd(denseOnly(sum), new Float64Array(3), options), 2)),
  );
});

test("bad arguments, and tickets that do not wait, are refused in words", () => {
  const sum = springs(5, 2);
  expect(() => sgd(sum, new Float64Array(3))).toThrow(/length 2/);
  expect(() => sgd(sum, new Float64Array(2), { initialStep: 0 })).toThrow(/initialStep/);
  expect(() => Reflect.apply(sgd, undefined, [null, new Float64Array(2)])).toThrow(/sum must have/);
  const solver = new Sgd(sum, new Float64Array(2), { batchSize: 2 });
  expect(() => solver.tell(0, 1, new Float64Array(2))).toThrow(/ticket 0/);
  solver.ask();
  solver.tell(0, 1, new Float64Array(2));
  expect(() => solver.tell(0, 1, new Float64Array(2))).toThrow(/ticket 0/);
});

const bytesInUse = (): number => {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

const forms = (["permutation", "replacement"] as const).flatMap((sampling) =>
  [1, 4].flatMap((batchSize) =>
    ["sparse", "dense"].map((form): ConformanceCase => {
      const sum = springs(14, 3);
      const used = form === "sparse" ? sum : denseOnly(sum);
      const options: SgdOptions = { initialStep: 0.1, sampling, batchSize };
      return {
        name: `SGD, ${form} terms, ${sampling}, b = ${batchSize}`,
        create: (seed, faults) => sgd(faults.sum(used), new Float64Array(3).fill(9), { ...options, seed }),
        createTiny: (seed) => sgd(springs(4, 1), Float64Array.of(3), { ...options, seed }),
        bytesInUse,
      };
    }),
  ),
);

for (const given of forms)
  describe(given.name, () => {
    for (const { name, check } of solverConformance(given)) test(name, check);
  });
