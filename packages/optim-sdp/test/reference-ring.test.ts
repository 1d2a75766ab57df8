/** The ring's optima, known from its linear programme, against the solvers of the semidefinite one. */
import { gramOfPoints, solveRing } from "@curvature/optim-sdp";
import { describe, expect, test } from "vitest";
import { ringPoints } from "./helpers/small.js";
import { expectCertified, type SolverName, solve } from "./helpers/solvers.js";

/** The optimum of n points and K clusters as an interval of no width. */
function recordedRing(n: number, K: number) {
  const { value } = solveRing(n, K);
  return { K, optimum: value, lower: value, upper: value };
}

function check(name: SolverName, n: number, K: number, tolerance: number): number {
  const recorded = recordedRing(n, K);
  const found = solve(name, { gram: gramOfPoints(ringPoints(n)), clusters: K }, tolerance);
  expectCertified(found, tolerance, recorded);
  return Math.abs(found.lower - recorded.optimum) / recorded.optimum;
}

/** With K = 50 `auto` stays at 1e-5; the ADMM gets there, in ten seconds, and with more than n/2 stays at 3e-6. */
test.each([
  ["auto", 62.5],
  ["auto", 75],
  ["auto", 90],
] as const)("%s, n = 100, K = %d, at least n/2: certified to 1e-6", (name, K) => {
  expect(check(name, 100, K, 1e-6)).toBeLessThanOrEqual(1e-6);
});

for (const name of ["admm", "auto"] as const)
  describe(name, () => {
    test.each([
      [100, 1.5],
      [100, 2],
      [24, 1.3],
      [24, 2],
    ])("n = %d, K = %d, at most 2: certified to 1e-6", (n, K) => {
      expect(check(name, n, K, 1e-6)).toBeLessThanOrEqual(1e-6);
    });

    test.each([
      [8, 4],
      [12, 6],
      [24, 12],
      [24, 13.5],
    ])("n = %d, K = %d, at least n/2: certified to 1e-6", (n, K) => {
      expect(check(name, n, K, 1e-6)).toBeLessThanOrEqual(1e-6);
    });

    test.each([
      [8, 3],
      [12, 3],
      [12, 4],
      [24, 4],
      [24, 5],
    ])("n = %d, K = %d: certified to 1e-4", (n, K) => {
      check(name, n, K, 1e-4);
    });

    test.each([3, 4, 6, 33, 50])("n = 100, K = %d: certified to 1e-4", { tags: ["full"] }, (K) => {
      check(name, 100, K, 1e-4);
    });
  });
