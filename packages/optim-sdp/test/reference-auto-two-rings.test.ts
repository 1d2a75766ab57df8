/**
 * `auto` on two rings with K = 8, whose optimum is known to nine digits from its symmetry, and is not completely positive:
 * the factorisation stays 5e-4 below it.
 */
import { gramOfPoints } from "@curvature/optim-sdp";
import { expect, test } from "vitest";
import { referenceSet } from "./helpers/reference.js";
import { expectCertified, solve } from "./helpers/solvers.js";

test("a certified gap of 1e-4 around the optimum", () => {
  const { points, problems } = referenceSet("two-rings-n200");
  const [recorded] = problems;
  expect(recorded.K).toBe(8);
  const found = solve("auto", { gram: gramOfPoints([...points]), clusters: 8 }, 1e-4);
  expectCertified(found, 1e-4, recorded);
  expect(found.lower).toBeLessThanOrEqual(recorded.optimum * (1 + 1e-9));
  expect(found.upper).toBeGreaterThanOrEqual(recorded.optimum * (1 - 1e-9));
});
