// @module-tag full
/** `auto` on the trefoil knot and the double Swiss roll, whose solutions have ranks near n/2: a certified 1e-4 by tail and means. */
import { gramOfPoints } from "@curvature/optim-sdp";
import { expect, test } from "vitest";
import { referenceSet } from "./helpers/reference.js";
import { expectCertified, solve } from "./helpers/solvers.js";

test.each(["trefoil-n200", "double-swiss-roll-n200"])("%s: a certified gap of 1e-4", (name) => {
  const { points, problems } = referenceSet(name);
  const [recorded] = problems;
  const found = solve("auto", { gram: gramOfPoints([...points]), clusters: recorded.K }, 1e-4);
  expectCertified(found, 1e-4, recorded);
  expect(found.lower).toBeGreaterThanOrEqual(recorded.lower * (1 - 1e-4));
});
