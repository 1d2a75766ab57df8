// @module-tag full
/**
 * The ADMM on problems whose optima other programs certified, to a certified 1e-4; the trefoil has a file of its own. Not in
 * the tests, for their time: two rings, the grid in ten dimensions and the double Swiss roll take some 16, 18 and 26 seconds of
 * a processor to 1e-4, and two rings with K = 16 stay at 1.3e-4 for 40 seconds. `auto` takes 3 to 10 seconds to 1e-4 on each of
 * these, see `reference-auto-*.test.ts`.
 */

import { maxIterations, runSync } from "@curvature/optim-core";
import { Admm, componentsOf, gramOfPoints } from "@curvature/optim-sdp";
import { describe, expect, test } from "vitest";
import { referenceSet } from "./helpers/reference.js";
import { expectCertified, solve } from "./helpers/solvers.js";

const tolerance = 1e-4;

for (const name of ["blobs-n120", "ring-n100", "moons-n200", "digits0-n178"] as const) {
  const { points, problems } = referenceSet(name);
  describe(name, () => {
    const gram = gramOfPoints([...points]);
    for (const recorded of problems)
      test(`K = ${recorded.K}: a certified gap of ${tolerance}`, () => {
        expectCertified(solve("admm", { gram, clusters: recorded.K }, tolerance), tolerance, recorded);
      });
  });
}

test("the six blobs are the components of its nonnegative copy", () => {
  const { points, labels = [] } = referenceSet("blobs-n120");
  const solver = new Admm({ gram: gramOfPoints([...points]), clusters: 6 }, { tolerance });
  runSync(solver, { stop: maxIterations(1000) });
  const { count, labels: found } = componentsOf(solver.nonnegativePoint(), 1e-2);
  expect(count).toBe(6);
  labels.forEach((label, i) => {
    expect(found[i]).toBe(found[labels.indexOf(label)]);
  });
});
