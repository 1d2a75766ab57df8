/**
 * The solvers that SFO is compared with, on the problem of the breast cancer data: with the parameters that were best on a grid
 * for an independent implementation (which drew other random numbers) they reach what that one reached after 20 passes.
 */
import { createSumSolver } from "@curvature/optim-core";
import { expect, test } from "vitest";
import { breastCancer, wholeSum } from "./problems/reference.js";

const START = 17.328679513998633;

test.each([
  { name: "momentum:0.1:0.95", recorded: 1.5132 },
  { name: "adagrad:0.31622776601683794", recorded: 1.5426 },
  { name: "adam:0.03162277660168379", recorded: 1.5195 },
  { name: "sag:1", recorded: 1.5187 },
])("$name, the median of nine seeds, is within 3% of $recorded", ({ name, recorded }) => {
  const sum = breastCancer();
  const values = Array.from({ length: 9 }, (_, seed) => {
    const solver = createSumSolver(name, sum, new Float64Array(sum.dimension), { seed });
    expect(Math.abs(wholeSum(sum, solver.last.x) - START)).toBeLessThan(1e-12);
    for (;;) {
      const iteration = solver.step();
      if (iteration instanceof Promise) throw new Error("a promise");
      if (iteration.passes >= 20) return wholeSum(sum, solver.last.x);
    }
  });
  const median = values.sort((a, b) => a - b)[4];
  expect(Math.abs(median - recorded)).toBeLessThan(0.03 * recorded);
});
