/**
 * The trefoil knot: a closed curve that no map to the plane keeps whole.
 *
 * x = (sin t + 2 sin 2t, cos t − 2 cos 2t, −sin 3t) + noise,   t = 2π i / count
 */
import {
  cos,
  type DenseMatrix,
  integerFrom,
  type OptionsOf,
  optionTable,
  RandomGenerator,
  sin,
  zeros,
} from "@curvature/linalg";
import { addNoise, noiseEntries } from "./noise.js";

export const trefoilKnotOptions = optionTable({
  count: integerFrom(1).default(500),
  ...noiseEntries(),
});
export type TrefoilKnotOptions = OptionsOf<typeof trefoilKnotOptions>;

export interface Knot {
  /** count × 3. */
  readonly points: DenseMatrix;
  /** t, in radians from 0 to 2π. */
  readonly angle: Float64Array;
}

/** @throws CurvatureError ERR_OPTION, ERR_MEMORY */
export function trefoilKnot(options?: TrefoilKnotOptions): Knot {
  const { count, noise, seed } = trefoilKnotOptions.resolve("trefoilKnot", options);
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
