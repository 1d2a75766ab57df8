/**
 * The trefoil knot: a closed curve that no map to the plane keeps whole.
 *
 * x = (sin t + 2 sin 2t, cos t − 2 cos 2t, −sin 3t) + noise,   t = 2π i / count
 */
import {
  between,
  checkOptions,
  cos,
  type DenseMatrix,
  integerFrom,
  RandomGenerator,
  type Rules,
  sin,
  zeros,
} from "@curvature/linalg";
import { addNoise } from "./noise.js";

export interface TrefoilKnotOptions {
  /** Default 500. */
  readonly count: number;
  /** Standard deviation of the normal noise on each coordinate. Default 0. */
  readonly noise: number;
  /** Default 0. */
  readonly seed: number;
}

export interface Knot {
  /** count × 3. */
  readonly points: DenseMatrix;
  /** t, in radians from 0 to 2π. */
  readonly angle: Float64Array;
}

export const trefoilKnotDefaults: TrefoilKnotOptions = Object.freeze({ count: 500, noise: 0, seed: 0 });
const rules: Rules<TrefoilKnotOptions> = {
  count: integerFrom(1),
  noise: between(0, 1e100),
  seed: integerFrom(0),
};

/** @throws CurvatureError ERR_OPTION, ERR_MEMORY */
export function trefoilKnot(options?: Partial<TrefoilKnotOptions>): Knot {
  const { count, noise, seed } = checkOptions("trefoilKnot", options, trefoilKnotDefaults, rules);
  const points = zeros(count, 3);
  const angle = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const t = (2 * Math.PI * i) / count;
    points.data.set([sin(t) + 2 * sin(2 * t), cos(t) - 2 * cos(2 * t), -sin(3 * t)], 3 * i);
    angle[i] = t;
  }
  addNoise(points, noise, new RandomGenerator(seed));
  return { points, angle };
}
