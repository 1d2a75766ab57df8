import { linearLoss } from "@curvature/objectives/linear";
import { solverConformance } from "@curvature/optim-core/conformance";
import { describe, expect, test } from "vitest";
import { createLinearSolver } from "../../src/create-solver.js";
import { withoutHeldOut } from "../../src/fit/holdout.js";
import { ValidatedSolver } from "../../src/fit/validated.js";
import { noisyHalves } from "../helpers/rows.js";

function validated(n: number, d: number, seed: number, solver: "sgdqn" | "newton" | "dcd" = "sgdqn") {
  const { rows, targets } = noisyHalves(n, d, { seed: 2 });
  const problem = {
    rows,
    targets,
    loss: linearLoss("squared-hinge"),
    lambda: 1e-4,
    bias: d === 1 ? "none" : "regularized",
  } as const;
  const places = Int32Array.from(targets, (y) => (y > 0 ? 1 : 0));
  const { training, heldOut } = withoutHeldOut([problem], places, 0.25, 7);
  const limits = solver === "sgdqn" ? { maxPasses: 40 } : { tolerance: 1e-12 };
  return {
    solver: new ValidatedSolver(createLinearSolver(training[0], { solver, seed, ...limits }), heldOut),
    heldOut,
  };
}

describe("a solver that rows held out may end conforms", () => {
  const checks = solverConformance({
    name: "sgdqn",
    create: (seed) => validated(400, 8, seed).solver,
    createTiny: (seed) => validated(8, 1, seed).solver,
    steps: 25,
    longSteps: 10,
    bytesInUse: () => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers,
    hasFaults: false,
    sense: "none",
  });
  for (const { name, check } of checks) test(name, check);
});

test("the best parameters are those of the least error on the held-out rows", async () => {
  for (const kind of ["sgdqn", "newton", "dcd"] as const) {
    const { solver, heldOut } = validated(400, 8, 1, kind);
    const [{ rows, targets }] = heldOut;
    const error = (w: Float64Array) => {
      let wrong = 0;
      for (let i = 0; i < rows.rows; i++) {
        let score = w[8];
        for (let j = 0; j < 8; j++) score += w[j] * ("data" in rows ? rows.data[8 * i + j] : 0);
        if (score > 0 !== targets[i] > 0) wrong++;
      }
      return wrong;
    };
    let least = Number.POSITIVE_INFINITY;
    for (let k = 0; k < 200; k++) {
      const iteration = await solver.step();
      const now = error(solver.last.x);
      if (iteration.phase === "pass" || kind !== "sgdqn") least = Math.min(least, now);
      if (iteration.outcome !== undefined) break;
    }
    expect(error(solver.best.x)).toBeGreaterThanOrEqual(least);
    if (kind === "sgdqn") expect(error(solver.best.x)).toBe(least);
  }
});

test("a quarter of each class is held out", () => {
  const { rows, targets } = noisyHalves(400, 3);
  const rare = targets.map((_, i) => (i % 20 === 0 ? 1 : -1));
  const problem = { rows, targets: rare, loss: linearLoss("hinge"), lambda: 1, bias: "none" } as const;
  const places = Int32Array.from(rare, (y) => (y > 0 ? 1 : 0));
  const { training, heldOut } = withoutHeldOut([problem], places, 0.25, 0);
  const count = (part: typeof training) => part[0].targets.filter((y) => y > 0).length;
  expect([training[0].targets.length, heldOut[0].targets.length]).toEqual([300, 100]);
  expect(Math.abs(count(heldOut) - 5)).toBeLessThanOrEqual(1);
  expect(count(training) + count(heldOut)).toBe(20);
});
