import { driveSum, maxIterations, runSync } from "@curvature/optim-core";
import { minimizeSum, Sfo } from "@curvature/optim-sfo";
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

test("where squares of the gradients overflow, a run that finds nothing lower says so, in few parameters as in many", async () => {
  for (const dimension of [2, 156, 300]) {
    const sum = {
      dimension,
      count: 25,
      initial: new Float64Array(dimension),
      evaluate(i: number, x: Float64Array, gradient?: Float64Array): number {
        const row = Float64Array.from(x, (_, j) => 1e160 * Math.sin(3.1 * i + 1.7 * j));
        const z = row.reduce((all, a, j) => all + a * x[j], 0);
        gradient?.set(row.map((a) => a / (1 + Math.exp(-z))));
        return Math.max(z, 0) + Math.log1p(Math.exp(-Math.abs(z)));
      },
    };
    const { status, value, warnings } = await minimizeSum(sum);
    expect(status).not.toBe("converged");
    expect(value).toBeCloseTo(25 * Math.log(2), 12);
    expect(warnings.map(({ code }) => code)).toContain("no-decrease");
  }
});
