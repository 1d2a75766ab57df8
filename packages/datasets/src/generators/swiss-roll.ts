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
  checkOptions,
  cos,
  integerFrom,
  RandomGenerator,
  type Rules,
  sin,
  zeros,
} from "@curvature/linalg";
import { addNoise } from "./noise.js";
import type { Sheet } from "./sheet.js";

export interface SwissRollOptions {
  /** Default 1000. */
  readonly count: number;
  /** Standard deviation of the normal noise on each coordinate. Default 0. */
  readonly noise: number;
  /** Default 0. */
  readonly seed: number;
}

export const swissRollDefaults: SwissRollOptions = Object.freeze({ count: 1000, noise: 0, seed: 0 });
const rules: Rules<SwissRollOptions> = {
  count: integerFrom(1),
  noise: between(0, 1e100),
  seed: integerFrom(0),
};

/** @throws CurvatureError ERR_OPTION, ERR_MEMORY */
export function swissRoll(options?: Partial<SwissRollOptions>): Sheet {
  const { count, noise, seed } = checkOptions("swissRoll", options, swissRollDefaults, rules);
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
