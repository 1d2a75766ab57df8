// @module-tag full
/** `auto` to a certified 1e-4 on problems whose optima other programs certified; curves have files of their own. */
import { gramOfPoints } from "@curvature/optim-sdp";
import { describe, test } from "vitest";
import { referenceSet } from "./helpers/reference.js";
import { expectCertified, solve } from "./helpers/solvers.js";

const tolerance = 1e-4;

for (const name of ["blobs-n120", "moons-n200", "ring-n100", "grid10d-n196", "digits0-n178"] as const) {
  const { points, problems } = referenceSet(name);
  describe(name, () => {
    const gram = gramOfPoints([...points]);
    for (const recorded of problems)
      test(`K = ${recorded.K}: a certified gap of ${tolerance}`, () => {
        expectCertified(solve("auto", { gram, clusters: recorded.K }, tolerance), tolerance, recorded);
      });
  });
}
