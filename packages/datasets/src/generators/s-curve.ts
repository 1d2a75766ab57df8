/**
 * The S-curve: a rectangle bent to an S.
 *
 * x = (sin t, h, sign(t) (cos t − 1)) + noise,   t uniform on [−3π/2, 3π/2), h uniform on [0, 2)
 *
 * Roweis, Saul: Nonlinear dimensionality reduction by locally linear embedding. Science 290 (2000) 2323-2326.
 */
import {
  between,
  cos,
  integerFrom,
  type OptionsOf,
  optionTable,
  RandomGenerator,
  sin,
  zeros,
} from "@curvature/linalg";
import { addNoise } from "./noise.js";
import type { Sheet } from "./sheet.js";

export const sCurveOptions = optionTable({
  count: integerFrom(1).default(1000),
  /** Standard deviation of the normal noise on each coordinate. */
  noise: between(0, 1e100).default(0),
  /** Of the random numbers. */
  seed: integerFrom(0).default(0),
});
export type SCurveOptions = OptionsOf<typeof sCurveOptions>;

/** @throws CurvatureError ERR_OPTION, ERR_MEMORY */
export function sCurve(options?: SCurveOptions): Sheet {
  const { count, noise, seed } = sCurveOptions.resolve("sCurve", options);
  const random = new RandomGenerator(seed);
  const points = zeros(count, 3);
  const [along, across] = [new Float64Array(count), new Float64Array(count)];
  for (let i = 0; i < count; i++) {
    const t = 3 * Math.PI * (random.uniform() - 0.5);
    const h = 2 * random.uniform();
    points.data.set([sin(t), h, Math.sign(t) * (cos(t) - 1)], 3 * i);
    along[i] = t;
    across[i] = h;
  }
  addNoise(points, noise, random);
  return { points, along, across };
}
