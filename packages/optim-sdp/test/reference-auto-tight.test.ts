/**
 * `auto` to a certified 1e-4 where that takes seconds; two rings have a file of their own. It takes the trefoil half a minute
 * (`Admm` is quicker there, see `reference-admm-trefoil.test.ts`), and the double Swiss roll longer than that.
 */
import { gramOfPoints } from "@curvature/optim-sdp";
import { describe, test } from "vitest";
import { referenceSet } from "./helpers/reference.js";
import { expectCertified, solve } from "./helpers/solvers.js";

const tolerance = 1e-4;

for (const name of ["blobs-n120", "moons-n200", "ring-n100", "grid10d-n196"] as const) {
  const { points, problems } = referenceSet(name);
  describe(name, () => {
    const gram = gramOfPoints([...points]);
    for (const recorded of problems)
      test(`K = ${recorded.K}: a certified gap of ${tolerance}`, () => {
        expectCertified(solve("auto", { gram, clusters: recorded.K }, tolerance), tolerance, recorded);
      });
  });
}
