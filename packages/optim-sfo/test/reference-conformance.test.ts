// @module-tag full
import { driveSum, type SumOfFunctions } from "@curvature/optim-core";
import { type ConformanceCase, type Faults, solverConformance } from "@curvature/optim-core/conformance";
import { Sfo, type SfoOptions } from "@curvature/optim-sfo";
import { describe, test } from "vitest";
import { quadraticSum } from "./problems/quadratic.js";
import { rosenbrockChain } from "./problems/rosenbrock.js";

const bytesInUse = (): number => {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

function made(sum: SumOfFunctions, x: Float64Array, options: SfoOptions) {
  return (seed: number, faults: Faults) => {
    const watched = faults.sum(sum);
    return driveSum(new Sfo(watched, x, { ...options, seed }), watched);
  };
}

const far = Float64Array.from({ length: 200 }, (_, k) => Math.cos(k + 1));
const chainStart = Float64Array.from({ length: 40 }, (_, k) => (k % 2 === 0 ? -1.2 : 1));
const cases: readonly ConformanceCase[] = [
  {
    name: "in a subspace",
    create: made(quadraticSum(), far, {}),
    createOnSum: (on, x, seed) => driveSum(new Sfo(on, x, { seed }), on),
    steps: 130,
    longSteps: 40,
    bytesInUse,
  },
  {
    name: "in the full space, through failures and restarts",
    create: made(rosenbrockChain(), chainStart, {}),
    steps: 150,
    longSteps: 40,
  },
  {
    name: "in batches of four, single precision",
    create: made(quadraticSum(), far, { batch: 4, precision: "float32" }),
    steps: 40,
    longSteps: 30,
  },
];

describe.each(cases)("$name", (given) => {
  for (const { name, check } of solverConformance({ ...given, sense: "none" })) test(name, check);
});
