/**
 * The trefoil knot: a closed curve that no map to the plane keeps whole.
 *
 * x = (sin t + 2 sin 2t, cos t − 2 cos 2t, −sin 3t) + noise,   t = 2π i / count
 *
 * That is even in t, in which the curve is up to 1.6 times as fast at one place as at another: |x′|² = 17 + 8 cos 3t + 9 cos² 3t,
 * from 137/9 to 34. At random places points are uniform along its length: t is uniform on [0, 2π), and kept with the probability
 * |x′(t)| / √34.
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
import { spacingEntries } from "./spacing.js";

export const trefoilKnotOptions = optionTable({
  count: integerFrom(1).default(500),
  ...spacingEntries(),
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
  const { count, spacing, noise, seed } = trefoilKnotOptions.resolve("trefoilKnot", options);
  const points = zeros(count, 3);
  const angle = new Float64Array(count);
  const random = new RandomGenerator(seed);
  for (let i = 0; i < count; i++) {
    const t = spacing === "even" ? (2 * Math.PI * i) / count : randomAngle(random);
    points.data.set([sin(t) + 2 * sin(2 * t), cos(t) - 2 * cos(2 * t), -sin(3 * t)], 3 * i);
    angle[i] = t;
  }
  addNoise(points, noise, random);
  return { points, angle };
}

/** By rejection, at most 1.6 times as many draws as results in the mean. */
function randomAngle(random: RandomGenerator): number {
  for (;;) {
    const t = 2 * Math.PI * random.uniform();
    const c = cos(3 * t);
    if (random.uniform() * Math.sqrt(34) < Math.sqrt(17 + 8 * c + 9 * c * c)) return t;
  }
}
