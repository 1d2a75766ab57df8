/**
 * Two half rings that reach into each other: two open manifolds that no line separates.
 *
 * upper  x = (cos t, sin t) + noise,           t = π i / (pointsPerMoon − 1), both ends included
 * lower  x = (1 − cos t, ½ − sin t) + noise
 *
 * The sizes are those of scikit-learn's `make_moons`; Tepper, Sengupta, Chklovskii (J. Mach. Learn. Res. 19, 2018, figure 5
 * and section 3.2) take them without noise as two half rings.
 */
import {
  cos,
  integerFrom,
  type OptionsOf,
  optionTable,
  RandomGenerator,
  sin,
  zeros,
} from "@curvature/linalg";
import type { Groups } from "./groups.js";
import { addNoise, noiseEntries } from "./noise.js";

export const moonsOptions = optionTable({
  pointsPerMoon: integerFrom(1).default(100),
  ...noiseEntries(0.05),
});
export type MoonsOptions = OptionsOf<typeof moonsOptions>;

/** @throws CurvatureError ERR_OPTION, ERR_MEMORY */
export function moons(options?: MoonsOptions): Groups {
  const { pointsPerMoon, noise, seed } = moonsOptions.resolve("moons", options);
  const points = zeros(2 * pointsPerMoon, 2);
  const labels = new Uint32Array(points.rows);
  for (let i = 0; i < pointsPerMoon; i++) {
    const t = (Math.PI * i) / Math.max(1, pointsPerMoon - 1);
    points.data.set([cos(t), sin(t)], 2 * i);
    points.data.set([1 - cos(t), 0.5 - sin(t)], 2 * (pointsPerMoon + i));
    labels[pointsPerMoon + i] = 1;
  }
  addNoise(points, noise, new RandomGenerator(seed));
  return { points, labels };
}
