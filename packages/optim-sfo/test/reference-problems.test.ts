/**
 * The nine problems of the authors' program beside what it reached. Small ones with five seeds over 20 passes; the larger
 * ones, for their cost, with fewer: the two on digits that are convex over 10 passes, at whose end they are at the minimum
 * to four digits.
 */
import { checkGradient } from "@curvature/optim-core";
import { expect, test } from "vitest";
import { problems, references, startOf, wholeSum } from "./problems/reference.js";
import { PASSES, valuesAfterPasses } from "./problems/values-after-passes.js";

test.each(Object.keys(problems))("%s is the same problem, and its gradients are right", (name) => {
  const sum = problems[name]();
  const x0 = startOf(references[name]);
  expect(Math.abs(wholeSum(sum, x0) - references[name].F0)).toBeLessThan(1e-12 * references[name].F0);
  for (const i of [0, sum.count - 1]) {
    const part = {
      dimension: sum.dimension,
      evaluate: (x: Float64Array, g?: Float64Array) => Number(sum.evaluate(i, x, g)),
    };
    const x = x0.map((entry, k) => entry + 0.1 * Math.cos(k)); // away from where terms vanish
    expect(checkGradient(part, x, { coordinates: 10 })).toMatchObject({ isCorrect: true });
  }
});

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1];
/** At the minimum of a convex F all that is left is rounding. */
const ROUNDING = 1e-9;

function isNoWorse({ name, seeds, checks }: { name: string; seeds: number; checks: number }): void {
  const runs = Array.from({ length: seeds }, (_, seed) => valuesAfterPasses(name, seed, checks).values);
  const { max, median: usual, fstar } = references[name];
  for (let k = 0; k < checks; k++) {
    const value = median(runs.map((run) => run[k]));
    expect(value, `pass ${PASSES[k]}`).toBeLessThanOrEqual(max[k] + ROUNDING * Math.abs(max[k]));
    if (fstar !== undefined && k > 0)
      expect(Math.abs(value - usual[k]), `pass ${PASSES[k]}`).toBeLessThan(1e-3 * Math.abs(usual[k]));
    if (fstar !== undefined) expect(value).toBeGreaterThan(fstar - ROUNDING * Math.abs(fstar));
  }
}

const title = "$name: the median of $seeds seeds is no worse than the reference's worst";

test.each([
  { name: "toy-powers", seeds: 5, checks: 3 },
  { name: "rosenbrock-mixture", seeds: 5, checks: 3 },
])(title, isNoWorse);

test.each([
  { name: "demo-autoencoder", seeds: 1, checks: 3 },
  { name: "logistic-breast-cancer", seeds: 5, checks: 3 },
  { name: "logistic-digits-parity", seeds: 1, checks: 2 },
  { name: "softmax-digits", seeds: 1, checks: 2 },
  { name: "mlp-digits", seeds: 1, checks: 3 },
  { name: "rosenbrock-chain", seeds: 5, checks: 3 },
  { name: "quadratic-kappa1e6", seeds: 1, checks: 3 },
])(title, { tags: ["full"] }, isNoWorse);
