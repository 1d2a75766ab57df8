import { solverConformance } from "@curvature/optim-core/conformance";
import { describe, test } from "vitest";
import { embedOptions } from "../src/embed-options.js";
import { embedSettings } from "../src/embed-settings.js";
import { HomotopyLbfgs } from "../src/homotopy-lbfgs.js";
import { namedSolver } from "../src/named-solver.js";
import { clusters, noise, smallModel, solvers, withFaults } from "./helpers/small.js";

const bytesInUse = (): number => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;

for (const solver of solvers) {
  for (const homotopy of solver === "sd" || solver === "sd-lbfgs" ? [false, true] : [false]) {
    const settings = embedSettings(
      embedOptions.resolve("embed", { solver, homotopy, maxEvaluations: 60 }),
      clusters(16),
    );
    describe(`${solver}${homotopy ? " with homotopy" : ""} conforms`, () => {
      const checks = solverConformance({
        name: solver,
        create: (seed, faults) => {
          const objective = smallModel("tsne", { N: 16 });
          const start = { rows: 16, columns: 2, data: noise(32, 0.1, seed) };
          const faulty = withFaults(objective, faults);
          return solver === "auto"
            ? new HomotopyLbfgs(faulty, start, { maxEvaluations: settings.maxEvaluations })
            : namedSolver(solver, faulty, start, settings).solver;
        },
        longSteps: 30,
        bytesInUse,
      });
      for (const { name, check } of checks) test(name, check);
    });
  }
}
