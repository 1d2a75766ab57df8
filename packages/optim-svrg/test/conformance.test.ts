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
  ...(options.initialStep === undefined
    ? { createOnSum: (on, x, seed) => new Svrg(on, x, { ...options, seed }) }
    : {}),
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
  "svrg-sbb": "aebac24225f9a86d66b1921d8c63d8aa",
  "svrg-sbb0": "2091a4758707462a848bb886d3e3f564",
  "svrg-bb": "2091a4758707462a848bb886d3e3f564",
  svrg: "98e1db72cff5a8c310cd81f8cb8df8fb",
  sgd: "a0d3ab36fd09ebe0f2783d3f567686d6",
  gd: "9e131a4746faec5f44d5a0e6bc5f7000",
  lbfgs: "8b32af135bb2be3e0fadd168ec3b0460",
};
const bitsOfLosses: Readonly<Record<OrdinalLossName, string>> = {
  gnmds: "dc29294f5893ec47c64e2f2a44e58252",
  ckl: "e9a2685e56087feec923d291b50e2776",
  ste: "12f6cf521d6dd0318bbbf2fc9b2e0e60",
  tste: "7fb30260bdb97568ea2c2270f6a3fced",
  soe: "c2351cbb7e47d0ef54eb8a5fc481a957",
  logistic: "749614dfe756d1aa8b40b3d41dd77f09",
  "smooth-hinge": "e871ddcddef830dd0c769c15d73a9d42",
};

const cases: readonly ConformanceCase[] = [
  onSum("SVRG-SBB, dense", "dense", { batchSize: 4 }),
  onSum("SVRG-SBB, batched", "batched", {}),
  onSum("SVRG-SBB, sparse", "sparse", { batchSize: 3 }),
  onSum("SVRG-BB, sparse, in modules", "sparse", { stepRule: "bb", restartEvery: 2 }),
  { ...onSum("SVRG-SBB, a drawn iterate", "sparse", { output: "random" }), sense: "none" },
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
