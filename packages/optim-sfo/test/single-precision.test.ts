/** With P in single precision a run ends at the minimum, as one in double precision does. */
import { RandomGenerator } from "@curvature/linalg";
import type { SumOfFunctions } from "@curvature/optim-core";
import { describe, expect, test } from "vitest";
import { minimizeSum } from "../src/minimize-sum.js";
import { SharedSubspace } from "../src/subspace.js";

/** fᵢ = ½ Σₖ wᵢₖ (xₖ − cᵢₖ)², with curvatures from 1 down to 1/condition; and F at its minimum. */
function springs(count: number, dimension: number, condition = 1) {
  const random = new RandomGenerator(7);
  const entries = (entry: (k: number) => number) =>
    Array.from({ length: count }, () => Float64Array.from({ length: dimension }, (_, k) => entry(k)));
  const w = entries((k) => condition ** (-k / (dimension - 1)) * (0.5 + random.uniform()));
  const c = entries(() => 2 * random.uniform() - 1);
  const sum: SumOfFunctions = {
    dimension,
    count,
    evaluate(i, x, gradient) {
      let value = 0;
      for (let k = 0; k < dimension; k++) {
        const rest = x[k] - c[i][k];
        value += 0.5 * w[i][k] * rest * rest;
        if (gradient !== undefined) gradient[k] = w[i][k] * rest;
      }
      return value;
    },
  };
  const best = Float64Array.from({ length: dimension }, (_, k) => {
    const weights = w.reduce((total, row) => total + row[k], 0);
    return w.reduce((total, row, i) => total + row[k] * c[i][k], 0) / weights;
  });
  const minimum = w.reduce((total, _, i) => total + Number(sum.evaluate(i, best)), 0);
  return { sum, minimum };
}

const cases = [
  { count: 10, dimension: 100, condition: 1, batch: 1, passes: 20 },
  { count: 10, dimension: 100, condition: 1, batch: 3, passes: 40 },
  { count: 10, dimension: 100, condition: 100, batch: 1, passes: 60 },
  { count: 2, dimension: 50, condition: 1, batch: 1, passes: 60 },
  { count: 1, dimension: 30, condition: 1, batch: 1, passes: 60 },
] as const;

describe("with precision float32", () => {
  test.each(cases)(
    "$count springs in $dimension dimensions, condition $condition, batch $batch, converge",
    { tags: ["full"] },
    async ({ count, dimension, condition, batch, passes }) => {
      const { sum, minimum } = springs(count, dimension, condition);
      for (let seed = 0; seed < 8; seed++) {
        const initial = new Float64Array(dimension);
        const result = await minimizeSum(sum, {
          initial,
          seed,
          batch,
          precision: "float32",
          maxPasses: passes,
        });
        expect(result.status, `seed ${seed}: ${result.message}`).toBe("converged");
        // The tolerance is 1e-12 of F for the decrease that is left; the model is not exact.
        expect(result.value).toBeLessThan(minimum + 1e-11 * (1 + minimum));
      }
    },
  );

  test("pairs that rounding has touched may end a run short of the tolerance, but never take it away from the minimum", {
    tags: ["full"],
  }, async () => {
    const { sum, minimum } = springs(10, 100, 100);
    for (let seed = 0; seed < 8; seed++) {
      const result = await minimizeSum(sum, {
        initial: new Float64Array(100),
        seed,
        batch: 3,
        precision: "float32",
        maxPasses: 100,
      });
      expect(["converged", "stalled", "max-iterations"]).toContain(result.status);
      // 2⁻²² is what the basis resolves; F's error is of second order in it, with room for the condition.
      expect(result.value).toBeLessThan(minimum + 1e-9 * (1 + minimum));
    }
  });

  test("what a collapse rounds away is no new direction", () => {
    const random = new RandomGenerator(1);
    const M = 400;
    const subspace = new SharedSubspace(M, 12, "float32");
    const c = new Float64Array(12);
    const vectors = Array.from({ length: 6 }, () =>
      Float64Array.from({ length: M }, () => random.uniform() - 0.5),
    );
    for (const v of vectors) subspace.expand(v, c);
    expect(subspace.K).toBe(6);
    const rotation = new Float64Array(36);
    for (let i = 0; i < 6; i++) for (let j = 0; j < 6; j++) rotation[i * 6 + j] = (i === j ? 1 : 0) - 1 / 3; // I − 2 v vᵀ, v = (1 … 1)/√6
    for (let k = 0; k < 5; k++) subspace.collapse(rotation, 6);
    for (const v of vectors) subspace.expand(v, c);
    expect(subspace.K).toBe(6);
    const part = 1e-3;
    subspace.expand(
      vectors[0].map((entry, k) => entry + part * Math.cos(k)),
      c,
    );
    expect(subspace.K).toBe(7);
  });
});
