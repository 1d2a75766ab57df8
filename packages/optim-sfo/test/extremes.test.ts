import { driveSum, maxIterations, runSync } from "@curvature/optim-core";
import { Sfo } from "@curvature/optim-sfo";
import { expect, test } from "vitest";
import { quadraticSum } from "./problems/quadratic.js";

test("a batch larger than the sum takes all of it, and no longer", () => {
  const sum = quadraticSum();
  const run = (batch: number) => {
    const solver = driveSum(new Sfo(sum, new Float64Array(sum.dimension), { batch, seed: 1 }), sum);
    return runSync(solver, { stop: maxIterations(5) }).x;
  };
  expect(run(2 ** 31)).toEqual(run(10 * sum.count));
});
