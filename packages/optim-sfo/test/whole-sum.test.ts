/** What follows SFO: sums whose models are wrong together, in any unit, at once or by promises, cut short and resumed. */
import { RandomGenerator } from "@curvature/linalg";
import type { SumOfFunctions } from "@curvature/optim-core";
import { type MinimizeSumOptions, minimizeSum } from "@curvature/optim-sfo";
import { describe, expect, test } from "vitest";

const M = 6;

/** Linear terms bᵢ·x, and one bowl ½ k ‖x − c‖²: the minimum is at c − Σ bᵢ/k. In units of F and x. */
function bowl(linear: number, { ofF = 1, ofX = 1 } = {}) {
  const random = new RandomGenerator(4);
  const slopes = Array.from({ length: linear }, () =>
    Float64Array.from({ length: M }, () => random.uniform() - 0.5),
  );
  const k = 3;
  const c = Float64Array.from({ length: M }, (_, j) => j - 2);
  const total = c.map((_, j) => slopes.reduce((sum, slope) => sum + slope[j], 0));
  const sum: SumOfFunctions & { readonly initial: Float64Array } = {
    dimension: M,
    count: linear + 1,
    initial: new Float64Array(M).fill(2 * ofX),
    evaluate(i, x, gradient) {
      let f = 0;
      for (let j = 0; j < M; j++) {
        const y = x[j] / ofX;
        f += i < linear ? slopes[i][j] * y : 0.5 * k * (y - c[j]) ** 2;
        if (gradient !== undefined) gradient[j] = (ofF / ofX) * (i < linear ? slopes[i][j] : k * (y - c[j]));
      }
      return ofF * f;
    },
  };
  return { sum, minimum: c.map((cj, j) => ofX * (cj - total[j] / k)) };
}

const distance = (a: Float64Array, b: Float64Array): number => Math.hypot(...a.map((x, j) => x - b[j]));

describe("linear terms and a bowl", () => {
  test.each([5, 29])(
    "%d terms: their curvature of 0 is information, and the minimum is found",
    async (linear) => {
      const { sum, minimum } = bowl(linear);
      for (let seed = 0; seed < 6; seed++) {
        const { status, x, passes, gradientNorm } = await minimizeSum(sum, { seed, maxPasses: 100 });
        expect([seed, status]).toEqual([seed, "converged"]);
        expect(distance(x, minimum)).toBeLessThan(1e-6);
        expect(passes).toBeLessThan(40);
        expect(gradientNorm).toBeLessThan(1e-5);
      }
    },
  );

  test.each([
    { ofF: 1e-12, ofX: 1 },
    { ofF: 1e12, ofX: 1 },
    { ofF: 1, ofX: 1e-6 },
    { ofF: 1, ofX: 1e6 },
    { ofF: 1e6, ofX: 1e-6 },
  ])("in units of %o", async (units) => {
    const { sum, minimum } = bowl(29, units);
    const { status, x } = await minimizeSum(sum, { maxPasses: 100 });
    expect(status).toBe("converged");
    expect(distance(x, minimum)).toBeLessThan(1e-6 * units.ofX);
  });
});

test("promises give the bits of values, side by side as one by one", async () => {
  const { sum } = bowl(12);
  const promised: SumOfFunctions & { readonly initial: Float64Array } = {
    ...sum,
    evaluate: async (i, x, gradient) => {
      await Promise.resolve();
      return sum.evaluate(i, x, gradient);
    },
  };
  const options: MinimizeSumOptions = { batch: 4, maxPasses: 60, seed: 2 };
  const atOnce = await minimizeSum(sum, options);
  for (const concurrency of [1, 4]) {
    const later = await minimizeSum(promised, { ...options, concurrency });
    expect(later.x).toEqual(atOnce.x);
    expect([later.status, later.passes, later.value]).toEqual([atOnce.status, atOnce.passes, atOnce.value]);
  }
});

test("a run resumed in any iteration ends with the same bits", async () => {
  const { sum } = bowl(12);
  const saved: Uint8Array[] = [];
  const phases: string[] = [];
  const checkpoint = { write: (bytes: Uint8Array) => void saved.push(bytes.slice()), everyIterations: 1 };
  const whole = await minimizeSum(sum, {
    maxPasses: 60,
    checkpoint,
    onIteration: ({ phase }) => void phases.push(phase),
  });
  const first = phases.indexOf("whole sum");
  expect(first).toBeGreaterThan(0);
  for (const at of [first - 1, first, first + 1, saved.length - 2]) {
    const again = await minimizeSum(sum, { maxPasses: 60, resume: saved[at] });
    expect(again.x).toEqual(whole.x);
    expect([again.status, again.message, again.passes]).toEqual([whole.status, whole.message, whole.passes]);
  }
});

test("no more passes than are allowed, also within a step; an unconfirmed minimum is not called one", async () => {
  const { sum } = bowl(12);
  for (let maxPasses = 4; maxPasses < 16; maxPasses += 0.5) {
    const { passes, status, value = Number.NaN } = await minimizeSum(sum, { maxPasses, seed: 1 });
    expect(passes).toBeLessThan(maxPasses + 1);
    expect(["max-iterations", "converged"]).toContain(status);
    const first = Array.from({ length: sum.count }, (_, i) => Number(sum.evaluate(i, sum.initial)));
    expect(value).toBeLessThanOrEqual(first.reduce((a, b) => a + b, 0));
  }
});

test("what is thrown in an evaluation of the whole sum ends the run as failed, with the best point", async () => {
  const { sum, minimum } = bowl(12);
  let isWhole = false;
  const breaking = {
    ...sum,
    evaluate(i: number, x: Float64Array, gradient?: Float64Array) {
      if (isWhole && i === 3) throw new Error("the server is gone");
      return sum.evaluate(i, x, gradient);
    },
  };
  const { status, x, message } = await minimizeSum(breaking, {
    maxPasses: 60,
    finalize: false,
    onIteration: ({ phase }) => {
      if (phase === "whole sum") isWhole = true;
    },
  });
  expect(status).toBe("failed");
  expect(message).toContain("the server is gone");
  expect(distance(x, minimum)).toBeLessThan(1);
});
