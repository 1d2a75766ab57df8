import { solverConformance } from "@curvature/optim-core/conformance";
import {
  createStochasticSolver,
  type StochasticOptions,
  stochasticSolverNames,
} from "@curvature/optim-sgdqn";
import { describe, expect, test } from "vitest";
import { smallProblem } from "./problems.js";

const bytesInUse = (): number => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;

/** Rows that make a pass of two blocks; the others have one. */
const twoBlocks = 8300;

const settings: readonly (StochasticOptions & { readonly n?: number })[] = [
  ...stochasticSolverNames.map((solver) => ({ solver })),
  { solver: "sgdqn", n: twoBlocks },
  { solver: "asgd", n: twoBlocks, validationShare: 0.001 },
  ...stochasticSolverNames.map((solver) => ({ solver, t0: "search" as const, validationShare: 0.3 })),
  { solver: "sgdqn", tolerance: 1e-4, maxPasses: 60 },
  { solver: "naive-sgd", t0: 1, step: "explicit", tolerance: 1e-9, maxPasses: 6 },
];

for (const { n = 700, ...options } of settings) {
  describe(`${JSON.stringify(options)} conforms, ${n} rows`, () => {
    const checks = solverConformance({
      name: options.solver ?? "sgdqn",
      // Rows larger than 1, so that explicit steps with t0 = 1 run away.
      create: (seed) =>
        createStochasticSolver(smallProblem({ n, d: 12, size: 9, bias: "regularized" }), {
          maxPasses: 4,
          ...options,
          seed,
        }),
      createTiny: (seed) => createStochasticSolver(smallProblem({ d: 1 }), { ...options, seed }),
      steps: 25,
      longSteps: 10,
      bytesInUse,
      // Losses are arithmetic on checked data: an evaluation neither throws nor comes from outside.
      hasFaults: false,
      sense: options.validationShare === undefined ? "minimize" : "none",
    });
    for (const { name, check } of checks) test(name, check);
  });
}

test("a snapshot that asks for more memory than the solver has is refused before anything is allocated", () => {
  const problem = smallProblem({ n: 50, d: 3 });
  const solver = createStochasticSolver(problem, { solver: "olbfgs" });
  const { state, ...snapshot } = solver.save();
  if (typeof state !== "object" || state === null) throw new Error("a state is an object");
  for (const memory of [2 ** 53 - 1, 2 ** 31, 9, 11])
    expect(() => solver.restore({ ...snapshot, state: { ...state, memory } })).toThrowError(
      expect.objectContaining({ code: "ERR_SNAPSHOT" }),
    );
});
