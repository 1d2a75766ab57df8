/** With SIMD the subspace lies in another memory; a run has the same bits, and goes on from either form to the other. */
import { RandomGenerator } from "@curvature/linalg";
import { disableSimd, enableSimd } from "@curvature/linalg/simd";
import type { SumOfFunctions } from "@curvature/optim-core";
import { afterEach, expect, test, vi } from "vitest";
import { limitMemories } from "../../linalg/test/simd/limited-memories.js";
import { minimizeSum } from "../src/minimize-sum.js";
import { Sfo } from "../src/sfo.js";

afterEach(() => {
  vi.unstubAllGlobals();
  disableSimd();
});

/** Σᵢ Σₖ wᵢₖ (√(1 + (xₖ − cᵢₖ)²) − 1): curved otherwise at every point. */
function bowls(count: number, dimension: number): SumOfFunctions {
  const random = new RandomGenerator(3);
  const drawn = (): Float64Array => Float64Array.from({ length: dimension }, () => 0.5 + random.uniform());
  const w = Array.from({ length: count }, drawn);
  const c = Array.from({ length: count }, drawn);
  return {
    dimension,
    count,
    evaluate(i, x, gradient) {
      let value = 0;
      for (let k = 0; k < dimension; k++) {
        const rest = x[k] - c[i][k];
        const root = Math.sqrt(1 + rest * rest);
        value += w[i][k] * (root - 1);
        if (gradient !== undefined) gradient[k] = (w[i][k] * rest) / root;
      }
      return value;
    },
  };
}

const STEPS = 60;

/** Values of all evaluations and the last point; from step `cut` on in the other form. */
function run(precision: "float64" | "float32", begin: () => unknown, cut = STEPS, goOn = begin): number[] {
  const sum = bowls(5, 700);
  const made = (): Sfo => new Sfo(sum, new Float64Array(700), { precision, seed: 1, tolerance: 0 });
  begin();
  let solver = made();
  const values: number[] = [];
  for (let k = 0; k < STEPS; k++) {
    if (k === cut) {
      goOn();
      const next = made();
      next.restore(solver.save());
      solver = next;
    }
    for (const { index, point, ticket } of solver.ask()) {
      const gradient = new Float64Array(700);
      values.push(Number(sum.evaluate(index, point, gradient)));
      solver.tell(ticket, values[values.length - 1], gradient);
    }
  }
  return [...values, ...solver.last.x];
}

test.each(["float64", "float32"] as const)("%s", { tags: ["full"] }, (precision) => {
  const expected = run(precision, disableSimd);
  expect(run(precision, enableSimd)).toEqual(expected);
  expect(run(precision, enableSimd, 37, disableSimd)).toEqual(expected);
  expect(run(precision, disableSimd, 23, enableSimd)).toEqual(expected);
});

test("a subspace that outgrows WebAssembly's memory goes over to TypeScript, and the result says so", async () => {
  const problem = { ...bowls(5, 700), initial: new Float64Array(700) };
  disableSimd();
  const expected = await minimizeSum(problem, { maxPasses: 6 });
  expect(expected.warnings).toEqual([]);
  enableSimd();
  limitMemories(2);
  const { x, warnings } = await minimizeSum(problem, { maxPasses: 6 });
  expect(warnings).toMatchObject([
    { code: "basis-outgrown", message: expect.stringContaining("has outgrown WebAssembly's memory") },
  ]);
  expect(x).toEqual(expected.x);
});
