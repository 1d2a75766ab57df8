import { maxIterations, runSync } from "@curvature/optim-core";
import { solverConformance } from "@curvature/optim-core/conformance";
import { describe, expect, test } from "vitest";
import { gramOfMatrix, gramOfPoints } from "../../src/gram.js";
import { solveRing } from "../../src/ring.js";
import { Multipliers } from "../../src/solvers/multipliers.js";
import { randomGram, ringPoints } from "../helpers/small.js";
import { worstViolation } from "../helpers/verify.js";

const bytesInUse = (): number => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
const ring = (n: number) => gramOfPoints(ringPoints(n), { scale: "none" });

for (const mode of ["paper", "exact"] as const) {
  describe(`multipliers with the ${mode} gradient conform`, () => {
    const checks = solverConformance({
      name: mode,
      create: (seed) =>
        new Multipliers(
          { gram: randomGram(12, 3, 1), clusters: 3.5 },
          { mode, seed, innerSteps: 4, boundsEvery: 2, tolerance: 1e-2 },
        ),
      createTiny: () => new Multipliers({ gram: gramOfPoints([[1]]), clusters: 1 }, { mode }),
      sense: "none", // the objective of an infeasible P + E exceeds the best lower bound
      hasFaults: false, // nothing of the user's is evaluated
      longSteps: 100,
      bytesInUse,
    });
    for (const { name, check } of checks) test(name, check);
  });

  describe(`multipliers with the ${mode} gradient`, () => {
    test("bound a ring's optimum from both sides, by feasible points", { tags: ["full"] }, () => {
      const problem = { gram: ring(20), clusters: 4 };
      const solver = new Multipliers(problem, { mode });
      const { history, value } = runSync(solver, { stop: maxIterations(3000), history: 1 });
      const { lower, upper } = history[0].details;
      const right = solveRing(20, 4).value;
      expect(lower).toBe(value);
      expect(lower).toBeLessThanOrEqual(right + 1e-9);
      expect(upper).toBeGreaterThanOrEqual(right - 1e-9);
      expect(upper).toBeLessThan(1.02 * right); // 200 outer steps: the rate is 1/t
      expect(worstViolation({ rows: 20, columns: 20, data: solver.best.x }, 4)).toBeLessThan(1e-12);
    });

    test("end by violation where nothing is negative, K = 1 and K <= 2 on a ring included", () => {
      for (const K of [1, 1.5, 20]) {
        const solver = new Multipliers({ gram: ring(20), clusters: K }, { mode, stop: "violation" });
        const { status, value } = runSync(solver, { stop: maxIterations(15_000) });
        expect(status).toBe("converged");
        expect(value).toBeLessThanOrEqual(solveRing(20, K).value + 1e-9);
      }
    });

    test("take points and their Gram matrix alike", () => {
      const points = ring(15);
      const values = [points, gramOfMatrix(points.dense())].map(
        (gram) =>
          runSync(new Multipliers({ gram, clusters: 3 }, { mode }), { stop: maxIterations(60), history: 1 })
            .history[0].value ?? 0,
      );
      expect(Math.abs(values[1] / values[0] - 1)).toBeLessThan(1e-6);
    });
  });
}
