import { type OrdinalLossName, ordinalLossNames, ordinalObjective } from "@curvature/objectives/ordinal";
import { type ConformanceCase, solverConformance } from "@curvature/optim-core/conformance";
import { createOrdinalSolver, type OrdinalSolverName, Svrg, type SvrgOptions } from "@curvature/optim-svrg";
import { describe, expect, test } from "vitest";
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

/** The bits after 20 steps; Node 20 and 24 gave them. A change of them is a change of results. */
const bits: Readonly<Record<OrdinalSolverName, string>> = {
  "svrg-sbb": "6b3b8fbfb28652f80459715f6e59eb5c",
  "svrg-sbb0": "7515ee6ff78061c077156a32d05ec0cf",
  "svrg-bb": "7515ee6ff78061c077156a32d05ec0cf",
  svrg: "f56a182de7415cd2cc92aa77e328ddb0",
  sgd: "c7be36baee2a21eafc1ecd2df8587807",
  gd: "15e52987de2e27b6fdd9f9f24c5ac812",
  lbfgs: "b4212bfb74fddb98c065a5cb327f4ffe",
};
const bitsOfLosses: Readonly<Record<OrdinalLossName, string>> = {
  gnmds: "f35bf9d21404c3b77c818b812d7464c9",
  ckl: "a1d51217e4405bd20b50912996022834",
  ste: "7439c659420f8b34b959f96751331c4c",
  tste: "e08ed0e8d128b82ca3f9e2b456572866",
  soe: "fb01c45f505fc1565026574aaafa5764",
  logistic: "1f969e6dfb64413719f1298e78e8401e",
  "smooth-hinge": "6042a3362ff5e2c9836caeeef93e88ba",
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
      bits: bits[solver],
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

test.each(ordinalLossNames)(
  "the bits of a run with the loss %s are those of every other engine",
  async (loss) => {
    const given: ConformanceCase = {
      name: loss,
      create: (seed) =>
        new Svrg(ordinalObjective(few, loss, 2).sum, europe.starts[0], { epsilon: 0.02, seed }),
      steps: 20,
      bits: bitsOfLosses[loss],
    };
    const checks = solverConformance(given).filter(({ name }) => name.includes("every other engine"));
    for (const { check } of checks) await check();
    expect(checks).toHaveLength(1);
  },
);
