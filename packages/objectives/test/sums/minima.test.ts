/** Solvers of optim-core find the recorded minima of the convex problems, and go downhill on the others. */
import { gradientNormBelow, Lbfgs, maxIterations, runSync } from "@curvature/optim-core";
import { describe, expect, test } from "vitest";
import { models } from "./models.js";
import { problems, recorded } from "./sfo-problems.js";

test.each(["logistic-breast-cancer", "logistic-digits-parity", "softmax-digits"])(
  "%s: F*",
  { tags: ["full"] },
  (name) => {
    const { fstar = Number.NaN } = recorded(name);
    const { whole, initial } = problems[name]();
    const { value = Number.NaN } = runSync(new Lbfgs(whole, initial), { stop: gradientNormBelow(1e-6) });
    // F − F* ≤ ‖∇F‖² / (2 N λ), and N λ ≥ 0.01 here: 5e-11, and rounding of F
    expect(Math.abs(value - fstar)).toBeLessThanOrEqual(1e-10);
  },
);

describe.each(models)("$label", ({ make, data }) => {
  test("L-BFGS goes downhill from the start", () => {
    const { whole, initial } = make(data, 3);
    const { value } = runSync(new Lbfgs(whole, initial), { stop: maxIterations(30) });
    expect(value).toBeLessThan(0.95 * whole.evaluate(initial) - 1e-3);
  });
});
