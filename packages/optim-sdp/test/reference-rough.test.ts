// @module-tag full
/**
 * The two solvers that do not certify a small gap: Burer-Monteiro has a lower bound alone, the conditional gradients a
 * good upper bound and a poor lower one. What they say must hold all the same.
 */
import { gramOfPoints } from "@curvature/optim-sdp";
import { describe, expect, test } from "vitest";
import { referenceNames, referenceSet } from "./helpers/reference.js";
import { expectOverlap, solve } from "./helpers/solvers.js";

/** Steps of the conditional gradient: 100 outer ones. */
const STEPS = 1500;

for (const name of referenceNames) {
  const { points, problems } = referenceSet(name);
  describe(name, () => {
    const gram = gramOfPoints([...points]);
    for (const recorded of problems) {
      const { K, lower, upper } = recorded;
      test(`K = ${K}: Burer-Monteiro's value is feasible, and within 3e-3 of the optimum`, () => {
        const found = solve("bm", { gram, clusters: K }, 1e-3);
        expect(found.status).toBe("converged");
        expectOverlap(found, recorded);
        // 1e-3 in the rule that ends it, 5e-4 to 7e-4 on two rings, whose optimum is not completely positive
        expect(found.lower).toBeGreaterThanOrEqual(lower - 3e-3 * Math.abs(upper));
      });

      test(`K = ${K}: both bounds of the conditional gradient hold, the upper one to 5 %`, () => {
        const found = solve("cg", { gram, clusters: K }, 1e-4, STEPS);
        expectOverlap(found, recorded);
        expect(found.upper).toBeLessThanOrEqual(upper + 0.05 * Math.abs(upper) + 1e-9);
      });
    }
  });
}
