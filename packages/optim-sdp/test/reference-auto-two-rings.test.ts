// @module-tag full
/**
 * `auto` on two rings, whose optima are known to nine digits from their symmetry, and are not completely positive: the
 * factorisation stays 7e-4 below the one and 2e-4 below the other. With K = 16 the dual iteration cycles, and comes to its end
 * by its means.
 */
import { gramOfPoints } from "@curvature/optim-sdp";
import { expect, test } from "vitest";
import { referenceSet } from "./helpers/reference.js";
import { expectCertified, solve } from "./helpers/solvers.js";

const { points, problems } = referenceSet("two-rings-n200");

test.each(problems)("K = $K: a certified gap of 1e-4 around the optimum", (recorded) => {
  const found = solve("auto", { gram: gramOfPoints([...points]), clusters: recorded.K }, 1e-4);
  expectCertified(found, 1e-4, recorded);
  expect(found.lower).toBeLessThanOrEqual(recorded.optimum * (1 + 1e-9));
  expect(found.upper).toBeGreaterThanOrEqual(recorded.optimum * (1 - 1e-9));
});
