/**
 * The Swiss roll: a rectangle rolled up in space.
 *
 * x = (t cos t, h, t sin t) + noise,   t uniform on [3π/2, 9π/2), h uniform on [0, 21)
 *
 * Tenenbaum, de Silva, Langford: A global geometric framework for nonlinear dimensionality reduction. Science 290
 * (2000) 2319-2323; sizes as in Marsland: Machine learning: an algorithmic perspective (2009), chapter 10.
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

export const swissRollOptions = optionTable({
  count: integerFrom(1).default(1000),
  /** Standard deviation of the normal noise on each coordinate. */
  noise: between(0, 1e100).default(0),
  /** Of the random numbers. */
  seed: integerFrom(0).default(0),
});
export type SwissRollOptions = OptionsOf<typeof swissRollOptions>;

/** @throws CurvatureError ERR_OPTION, ERR_MEMORY */
export function swissRoll(options?: SwissRollOptions): Sheet {
  const { count, noise, seed } = swissRollOptions.resolve("swissRoll", options);
  const random = new RandomGenerator(seed);
  const points = zeros(count, 3);
  const [along, across] = [new Float64Array(count), new Float64Array(count)];
  for (let i = 0; i < count; i++) {
    const t = 1.5 * Math.PI * (1 + 2 * random.uniform());
    const h = 21 * random.uniform();
    points.data.set([t * cos(t), h, t * sin(t)], 3 * i);
    along[i] = t;
    across[i] = h;
  }
  addNoise(points, noise, random);
  return { points, along, across };
}
