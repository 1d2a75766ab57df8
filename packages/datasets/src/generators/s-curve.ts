/**
 * The S-curve: a rectangle bent to an S.
 *
 * x = (sin t, h, sign(t) (cos t − 1)) + noise,   t uniform on [−3π/2, 3π/2), h uniform on [0, 2)
 *
 * Roweis, Saul: Nonlinear dimensionality reduction by locally linear embedding. Science 290 (2000) 2323-2326.
 */
import { cos, integerFrom, type OptionsOf, optionTable, sin } from "@curvature/linalg";
import { noiseEntries } from "./noise.js";
import { noisySheet, type Sheet } from "./sheet.js";

export const sCurveOptions = optionTable({
  count: integerFrom(1).default(1000),
  ...noiseEntries(),
});
export type SCurveOptions = OptionsOf<typeof sCurveOptions>;

/** @throws CurvatureError ERR_OPTION, ERR_MEMORY */
export function sCurve(options?: SCurveOptions): Sheet {
  return noisySheet(
    sCurveOptions.resolve("sCurve", options),
    (random) => [3 * Math.PI * (random.uniform() - 0.5), 2 * random.uniform()],
    (t, h) => [sin(t), h, Math.sign(t) * (cos(t) - 1)],
  );
}
