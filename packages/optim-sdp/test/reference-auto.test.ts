// @module-tag full
/** `auto` on every problem whose optimum other programs certified: its interval overlaps theirs, and is as tight as requested. */
import { gramOfPoints } from "@curvature/optim-sdp";
import { describe, test } from "vitest";
import { referenceNames, referenceSet } from "./helpers/reference.js";
import { expectCertified, solve } from "./helpers/solvers.js";

const tolerance = 1e-3;

for (const name of referenceNames) {
  const { points, problems } = referenceSet(name);
  describe(name, () => {
    const gram = gramOfPoints([...points]);
    for (const recorded of problems)
      test(`K = ${recorded.K}: a certified gap of ${tolerance}`, () => {
        expectCertified(solve("auto", { gram, clusters: recorded.K }, tolerance), tolerance, recorded);
      });
  });
}
