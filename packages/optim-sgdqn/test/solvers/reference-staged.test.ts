// @module-tag full
/**
 * The solver that chooses on a9a and spam at its own tolerance: costs against the least that several solvers reached in
 * runs of their own, test errors (score above 0: +1) against those of the optimum.
 */
import { type LinearLossName, linearLoss, primalCost, scores } from "@curvature/objectives/linear";
import { maxIterations, runSync } from "@curvature/optim-core";
import { createLinearSolver, StagedLinearSolver } from "@curvature/optim-sgdqn";
import { describe, expect, test } from "vitest";
import { fixture } from "../helpers/rows.js";

const forever = maxIterations(Number.POSITIVE_INFINITY);
const sets = [
  { name: "a9a", lambda: 1e-4, optimum: 0.2112397258, error: 15.0359 },
  { name: "spam", lambda: 1e-3, optimum: 0.133765177, error: 5.8 },
] as const;

for (const { name, lambda, optimum, error } of sets) {
  const train = fixture(name, "train");
  const held = fixture(name, "test");
  const problemOf = (loss: LinearLossName) =>
    ({ rows: train.rows, targets: train.labels, loss: linearLoss(loss), lambda, bias: "none" }) as const;

  describe(name, () => {
    test("within 1e-3 of the optimum, and 0.2 points of its test error", () => {
      const problem = problemOf("squared-hinge");
      const { x, status } = runSync(new StagedLinearSolver(problem), { stop: forever });
      expect(status).toBe("converged");
      expect(primalCost(problem, x) / optimum - 1).toBeLessThanOrEqual(1e-3);
      const s = scores(held.rows, x, "none", new Float64Array(held.labels.length));
      const wrong = held.labels.filter((label, i) => label > 0 !== s[i] > 0).length;
      expect(Math.abs((100 * wrong) / held.labels.length - error)).toBeLessThanOrEqual(0.2);
    });

    for (const loss of ["logistic", "smoothed-hinge", "hinge"] as const)
      test(`within 1e-3 of the optimum of the ${loss} loss`, () => {
        const problem = problemOf(loss);
        const isHinge = loss === "hinge";
        const solver = isHinge ? "dcd" : "newton";
        const exact = runSync(createLinearSolver(problem, { solver, tolerance: isHinge ? 1e-4 : 1e-10 }), {
          stop: forever,
        });
        const { x } = runSync(new StagedLinearSolver(problem, { seed: 5 }), { stop: forever });
        expect(primalCost(problem, x) / (exact.value ?? Number.NaN) - 1).toBeLessThanOrEqual(1e-3);
      });
  });
}
