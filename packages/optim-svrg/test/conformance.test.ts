import { ordinalObjective } from "@curvature/objectives/ordinal";
import { type ConformanceCase, solverConformance } from "@curvature/optim-core/conformance";
import { createOrdinalSolver, type OrdinalSolverName, Svrg, type SvrgOptions } from "@curvature/optim-svrg";
import { describe, test } from "vitest";
import { eurodist } from "./fixtures.js";
import { leastSquares } from "./sums.js";

const bytesInUse = (): number => {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

const sums = leastSquares(60, 8, 3);
const start = new Float64Array(8).fill(2);

/** On a sum of small terms; `best` is the least snapshot, and only snapshots have values. */
const onSum = (
  name: string,
  form: "dense" | "sparse" | "batched",
  options: SvrgOptions,
): ConformanceCase => ({
  name,
  create: (seed, faults) => new Svrg(faults.sum(sums[form]), start, { ...options, seed }),
  createTiny: (seed) => new Svrg(leastSquares(9, 1).dense, Float64Array.of(4), { ...options, seed }),
  longSteps: 300,
  bytesInUse,
});

const europe = eurodist();
const few = { objects: europe.objects, quadruplets: europe.train.quadruplets.slice(0, 4 * 300) };
/** More than a step's worth of comparisons. */
const many = {
  objects: europe.objects,
  quadruplets: Int32Array.from({ length: 4 * 9000 }, (_, k) => europe.train.quadruplets[k % (4 * 1999)]),
};

const cases: readonly ConformanceCase[] = [
  onSum("SVRG-SBB, dense", "dense", { batchSize: 4 }),
  onSum("SVRG-SBB, batched", "batched", {}),
  onSum("SVRG-SBB, sparse", "sparse", { batchSize: 3 }),
  onSum("SVRG-BB, sparse, in modules", "sparse", { stepRule: "bb", restartEvery: 2 }),
  onSum("SVRG, fixed step", "sparse", { stepRule: "fixed", initialStep: 0.3 }),
  {
    name: "SVRG-SBB on comparisons, epochs of several steps",
    create: (seed, faults) => {
      const { sum } = ordinalObjective(many, "gnmds", 2, { ridge: 0.01 });
      return new Svrg(faults.sum(sum), europe.starts[0], { epsilon: 0.01, seed });
    },
    steps: 16, // two epochs
    longSteps: 60,
    bytesInUse,
  },
  ...(["svrg-sbb", "svrg-sbb0", "svrg-bb", "svrg", "sgd", "gd", "lbfgs"] as const).map(
    (solver: OrdinalSolverName): ConformanceCase => ({
      name: `the ordinal solver ${solver}`,
      create: (seed) =>
        createOrdinalSolver(ordinalObjective(few, "tste", 2), europe.starts[0], { solver, seed }),
      hasFaults: false,
      steps: 20,
      longSteps: 100,
      bytesInUse,
    }),
  ),
];

for (const given of cases)
  describe(given.name, () => {
    for (const { name, check } of solverConformance(given)) test(name, check);
  });
