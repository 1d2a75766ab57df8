/**
 * The Swiss roll: a rectangle rolled up in space.
 *
 * x = (t cos t, h, t sin t) + noise,   t uniform on [3π/2, 9π/2), h uniform on [0, 21)
 *
 * Tenenbaum, de Silva, Langford: A global geometric framework for nonlinear dimensionality reduction. Science 290
 * (2000) 2319-2323; sizes as in Marsland: Machine learning: an algorithmic perspective (2009), chapter 10.
 */
import { cos, integerFrom, type OptionsOf, optionTable, sin } from "@curvature/linalg";
import { noiseEntries } from "./noise.js";
import { noisySheet, type Sheet } from "./sheet.js";

export const swissRollOptions = optionTable({
  count: integerFrom(1).default(1000),
  ...noiseEntries(),
});
export type SwissRollOptions = OptionsOf<typeof swissRollOptions>;

/** @throws CurvatureError ERR_OPTION, ERR_MEMORY */
export function swissRoll(options?: SwissRollOptions): Sheet {
  return noisySheet(
    swissRollOptions.resolve("swissRoll", options),
    (random) => [1.5 * Math.PI * (1 + 2 * random.uniform()), 21 * random.uniform()],
    (t, h) => [t * cos(t), h, t * sin(t)],
  );
}
