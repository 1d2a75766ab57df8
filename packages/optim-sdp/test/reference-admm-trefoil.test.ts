// @module-tag full
/** The ADMM on the trefoil knot, whose optimum is not completely positive: the tail in which its lower bound comes right. */
import { gramOfPoints } from "@curvature/optim-sdp";
import { expect, test } from "vitest";
import { referenceSet } from "./helpers/reference.js";
import { expectCertified, solve } from "./helpers/solvers.js";

test("a certified gap of 1e-4, where no factor of nonnegative numbers has the value", () => {
  const { points, problems } = referenceSet("trefoil-n200");
  const [recorded] = problems;
  const problem = { gram: gramOfPoints([...points]), clusters: recorded.K };
  const found = solve("admm", problem, 1e-4);
  expectCertified(found, 1e-4, recorded);
  expect(found.lower).toBeGreaterThan(recorded.upper * (1 - 1e-4));
});
