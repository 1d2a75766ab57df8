/** SVRG against its definition, on sums whose answers are known. */
import { norm2, RandomGenerator } from "@curvature/linalg";
import { ordinalLossNames, ordinalObjective } from "@curvature/objectives/ordinal";
import { asObjective, type Iteration, type SumOfFunctions } from "@curvature/optim-core";
import { Svrg, type SvrgDetails, type SvrgOptions } from "@curvature/optim-svrg";
import { describe, expect, test } from "vitest";
import { eurodist, synthetic } from "./fixtures.js";
import { leastSquares, linearSum } from "./sums.js";

/** Steps until the snapshot after `epochs` inner loops is measured. */
function advance(solver: Svrg, epochs: number): readonly Iteration<SvrgDetails>[] {
  const iterations: Iteration<SvrgDetails>[] = [];
  for (;;) {
    const iteration = solver.step();
    iterations.push(iteration);
    if (iteration.outcome !== undefined) return iterations;
    if (iteration.phase === "snapshot" && iteration.details.epoch >= epochs) return iterations;
  }
}

const largestDifference = (a: Float64Array, b: Float64Array): number =>
  a.reduce((most, entry, i) => Math.max(most, Math.abs(entry - b[i])), 0);

/** The same sum without the parts that let a solver be quick. */
const denseOnly = (
  { dimension, count, evaluate }: SumOfFunctions,
  owner: SumOfFunctions,
): SumOfFunctions => ({
  dimension,
  count,
  evaluate: (q, x, gradient) => evaluate.call(owner, q, x, gradient),
});

describe("the output of theorems 1 and 2", () => {
  // One term: x goes to 0 by the same factor with every iterate, which its size therefore names.
  const square: SumOfFunctions = {
    dimension: 1,
    count: 1,
    evaluate(_index, [x], gradient) {
      gradient?.fill(x);
      return 0.5 * x * x;
    },
  };
  const options = { stepRule: "fixed", initialStep: 0.4, epochLength: 4, batchSize: 1 } as const;
  const start = Float64Array.of(1);

  test("is any of the iterates so far, each as often", () => {
    const counts = new Int32Array(12);
    const draws = 3000;
    for (let seed = 0; seed < draws; seed++) {
      const solver = new Svrg(square, start, { ...options, output: "random", seed });
      advance(solver, 3);
      counts[Math.round(Math.log(solver.best.x[0]) / Math.log(0.9)) - 1]++;
    }
    const expected = draws / 12;
    const chi2 = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    expect(chi2).toBeLessThan(31.3); // 11 degrees of freedom: exceeded by chance once in a thousand
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(draws);
  });

  test("changes nothing of the way, and has no value", () => {
    const sum = linearSum(60, 7);
    const X = Float64Array.from({ length: 7 }, (_, i) => i - 2);
    const [usual, drawn] = (["last", "random"] as const).map(
      (output) => new Svrg(sum, X, { output, seed: 3 }),
    );
    advance(usual, 5);
    advance(drawn, 5);
    expect(largestDifference(drawn.last.x, usual.last.x)).toBeLessThan(1e-12 * norm2(usual.last.x) + 1e-12);
    expect(drawn.best.value).toBeUndefined();
    expect(drawn.best.x).not.toEqual(usual.best.x);
  });
});

test("without variance an epoch is X − B g, whatever b and m are", () => {
  const sum = linearSum(60, 7);
  const X = Float64Array.from({ length: 7 }, (_, i) => i - 2);
  const g = new Float64Array(7);
  asObjective(sum).evaluate(X, g);
  for (const [batchSize, epochLength] of [
    [1, 60],
    [5, 60],
    [20, 60],
    [7, 60],
    [20, 240],
    [60, 60],
    [100, 30],
  ]) {
    const solver = new Svrg(sum, X, {
      batchSize,
      epochLength,
      initialStep: 1.7,
      epsilon: 0.1,
      output: "last",
    });
    advance(solver, 1);
    expect(
      largestDifference(
        solver.best.x,
        X.map((x, i) => x - 1.7 * g[i]),
      ),
    ).toBeLessThan(1e-13);
  }
});

test("evaluations are N + 2 b ⌊m/b⌋ in each epoch, and N for the probe", () => {
  const { dense } = leastSquares(50, 4);
  const solver = new Svrg(dense, new Float64Array(4).fill(2), { batchSize: 8 });
  const iterations = advance(solver, 3);
  const last = iterations[iterations.length - 1];
  expect(last.evaluations).toBe(50 + 50 + 3 * (2 * 8 * 6 + 50));
  expect(last.passes).toBe(last.evaluations / 50);
  expect(iterations.filter(({ phase }) => phase === "probe")).toHaveLength(1);
});

describe("three ways to the same iterates", () => {
  const options: SvrgOptions = { initialStep: 0.5, epsilon: 0.1, seed: 3 };

  test.each([1, 4, 20])("dense, batched and lazy, b = %i", (batchSize) => {
    const { dense, batched, sparse } = leastSquares(300, 12, 3);
    const X = new Float64Array(12).fill(1);
    const [a, b, c] = [dense, batched, sparse].map((sum) => {
      const solver = new Svrg(sum, X, { ...options, batchSize });
      advance(solver, 4);
      return solver.best.x;
    });
    expect(largestDifference(a, b)).toBeLessThan(1e-13);
    expect(largestDifference(a, c)).toBeLessThan(1e-13);
  });

  test.each(ordinalLossNames)("rows of an ordinal objective, lazy and dense, %s", (loss) => {
    const random = new RandomGenerator(8);
    const { train, objects, dimensions, starts } = eurodist();
    const quadruplets = train.quadruplets.slice(0, 800);
    const weights = Float64Array.from({ length: 200 }, () => random.uniform());
    for (const ridge of [0, 0.3])
      for (const batchSize of [1, 7]) {
        const comparisons = { objects, quadruplets, ...(ridge > 0 ? { weights } : {}) };
        const { sum } = ordinalObjective(comparisons, loss, dimensions, { ridge });
        const forms = [
          sum,
          { ...denseOnly(sum, sum), evaluateSparse: sum.evaluateSparse.bind(sum) },
          denseOnly(sum, sum),
        ];
        const [rows, sparse, dense] = forms.map((form) => {
          const solver = new Svrg(form, starts[0], {
            initialStep: 2,
            epsilon: 0.1,
            batchSize,
            output: "last",
          });
          advance(solver, 3);
          return solver.best.x;
        });
        const size = norm2(dense);
        expect(largestDifference(rows, dense)).toBeLessThan(1e-10 * size);
        expect(largestDifference(sparse, dense)).toBeLessThan(1e-10 * size);
      }
  });
});

test("the centroid of an embedding stays where it is", () => {
  const { train, dimensions, objects, starts } = synthetic();
  const centroid = (X: Float64Array): Float64Array => {
    const mean = new Float64Array(dimensions);
    X.forEach((x, i) => {
      mean[i % dimensions] += x / objects;
    });
    return mean;
  };
  const solver = new Svrg(ordinalObjective(train, "ste", dimensions).sum, starts[0], { epsilon: 0.0025 });
  advance(solver, 3);
  expect(largestDifference(centroid(solver.best.x), centroid(starts[0]))).toBeLessThan(1e-10);
});

test("it converges to the solution of a consistent system, linearly", () => {
  const { dense, sparse, solution } = leastSquares(400, 10);
  for (const sum of [dense, sparse]) {
    const solver = new Svrg(sum, new Float64Array(10));
    advance(solver, 40);
    expect(largestDifference(solver.best.x, solution)).toBeLessThan(1e-9);
  }
});

test("steps: at most 1/ε, fixed where they are to be, and the secant's where they are free", () => {
  const { dense } = leastSquares(100, 6);
  const X = new Float64Array(6).fill(3);
  const stepsOf = (options: SvrgOptions): number[] =>
    advance(new Svrg(dense, X, { initialStep: 0.4, ...options }), 6)
      .filter(({ phase }) => phase === "snapshot")
      .map(({ details }) => details.step);
  expect(stepsOf({ stepRule: "fixed" })).toEqual(new Array(7).fill(0.4));
  expect(Math.max(...stepsOf({ epsilon: 2 }))).toBeLessThanOrEqual(0.5);
  expect(stepsOf({ epsilon: 0, maxStep: 0.1 })[3]).toBe(0.1);
  // A convex F: raw and stabilised steps without ε are the same, and between 1/L and 1/μ of its Hessian.
  expect(stepsOf({ stepRule: "bb", epsilon: 0 })).toEqual(stepsOf({ stepRule: "sbb", epsilon: 0 }));
  const modules = stepsOf({ epsilon: 0, restartEvery: 2 });
  expect(modules[2]).toBe(modules[1]);
  expect(modules[4]).toBe(modules[3]);
  expect(modules[1]).not.toBe(modules[0]);
});

test("a step that is far too long is cut until the numbers stay finite", () => {
  const growing: SumOfFunctions = {
    dimension: 1,
    count: 40,
    evaluate(_, x, gradient) {
      const power = x[0] ** 4;
      gradient?.fill((4 * x[0] ** 3) / 40);
      return power / 40;
    },
  };
  const tamed = new Svrg(growing, Float64Array.of(1), {
    initialStep: 2,
    epsilon: 0,
    batchSize: 1,
    epochLength: 40,
  });
  const cut = new Svrg(growing, Float64Array.of(1), {
    initialStep: 400,
    maxStep: 400,
    epsilon: 0,
    batchSize: 1,
  });
  expect(advance(tamed, 3).at(-1)?.outcome).toBeUndefined();
  const iterations = advance(cut, 2);
  expect(iterations.some(({ details }) => details.failedEpochs > 0)).toBe(true);
  expect(iterations.at(-1)?.outcome).toBeUndefined();
  expect(Math.abs(cut.best.x[0])).toBeLessThanOrEqual(1);
  const hopeless = new Svrg(growing, Float64Array.of(1), { initialStep: 1e9, maxStep: 1e9, batchSize: 1 });
  const last = advance(hopeless, 2).at(-1);
  expect(last?.outcome?.status).toBe("diverged");
  expect(hopeless.best.x).toEqual(Float64Array.of(1));
});

test("where F turns from concave to convex, no snapshot lies above the start", () => {
  // F = x⁴ − 4x² + 5 has F'' = 0 at √⅔ and its minimum 1 at √2: the secant around √⅔ has no curvature.
  const well: SumOfFunctions = {
    dimension: 1,
    count: 30,
    evaluate(_, x, gradient) {
      gradient?.fill((4 * x[0] ** 3 - 8 * x[0]) / 30);
      return (x[0] ** 4 - 4 * x[0] ** 2 + 5) / 30;
    },
  };
  for (const stepRule of ["sbb", "bb"] as const)
    for (const start of [0.3, 0.5, 0.6, 0.7, 0.75]) {
      const solver = new Svrg(well, Float64Array.of(start), { stepRule, initialStep: 0.05, epsilon: 1e-3 });
      const iterations = advance(solver, 40);
      const values = iterations.map(({ value }) => value).filter((value) => value !== undefined);
      expect(Math.max(...values)).toBe(values[0]);
      expect(Math.abs(Math.abs(solver.best.x[0]) - Math.SQRT2)).toBeLessThan(1e-6);
    }
});

test("a start that nothing is below of ends the run with words, not for ever", () => {
  const rising: SumOfFunctions = {
    dimension: 1,
    count: 5,
    // The gradient points the wrong way, so that every step leads uphill.
    evaluate(_, x, gradient) {
      gradient?.fill(-0.2);
      return 0.2 * x[0];
    },
  };
  const last = advance(new Svrg(rising, Float64Array.of(1), { initialStep: 1 }), 2).at(-1);
  expect(last?.outcome?.status).toBe("stalled");
  expect(last?.details.failedEpochs).toBe(10);
});

test("what is not finite at the start, and a gradient of zero, end the run", () => {
  const { dense } = leastSquares(10, 3);
  const broken: SumOfFunctions = { ...dense, evaluate: () => Number.NaN };
  expect(new Svrg(broken, new Float64Array(3)).step().outcome?.status).toBe("diverged");
  const zero: SumOfFunctions = {
    dimension: 3,
    count: 10,
    evaluate: (_, __, g) => Number(g?.fill(0)[0]) + 0.1,
  };
  const solver = new Svrg(zero, new Float64Array(3));
  expect(solver.step()).toMatchObject({ gradientNorm: 0, outcome: { status: "converged" } });
});

test("promises, terms that wander and bad arguments are refused in words", () => {
  const { dense, sparse } = leastSquares(10, 3);
  const x = new Float64Array(3);
  const slow: SumOfFunctions = { ...dense, evaluate: async () => 1 };
  expect(() => new Svrg(slow, x).step()).toThrow(/not by promises/);
  let calls = 0;
  const wandering: SumOfFunctions = {
    ...sparse,
    evaluateSparse(_, __, coordinates, entries) {
      coordinates[0] = calls++ % 3;
      entries[0] = 1;
      return { value: 1, touched: 1 };
    },
  };
  expect(() => advance(new Svrg(wandering, x, { batchSize: 1 }), 3)).toThrow(/same coordinates everywhere/);
  expect(() => new Svrg(dense, new Float64Array(2))).toThrow(/length 3/);
  expect(() => new Svrg(dense, Float64Array.of(0, Number.NaN, 0))).toThrow(/NaN at 1/);
  expect(() => new Svrg(dense, x, { epsilon: -1 })).toThrow(/epsilon/);
  expect(() => new Svrg(dense, x, { batchSize: 0 })).toThrow(/batchSize/);
  expect(() => new Svrg(dense, x, { batchSize: 1e12, epochLength: 1e12 })).not.toThrow();
  expect(() => Reflect.construct(Svrg, [dense, x, { batch: 3 }])).toThrow(/Did you mean|unknown option/);
  expect(() => Reflect.construct(Svrg, [null, x])).toThrow(/sum must have/);
});

test("a gradient that is not written is no minimum", () => {
  const { dimension, count } = linearSum(60, 7);
  const forgetful: SumOfFunctions = { dimension, count, evaluate: (_, x) => x[0] ** 2 };
  const [iteration] = advance(new Svrg(forgetful, new Float64Array(7).fill(1)), 1).slice(-1);
  expect(iteration.outcome?.status).toBe("diverged");
  expect(iteration.outcome?.message).toContain("write every entry of the gradient");
});
