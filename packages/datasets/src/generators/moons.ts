/**
 * Two half rings that reach into each other: two open manifolds that no line separates.
 *
 * upper  x = (cos t, sin t) + noise,           t = π i / (pointsPerMoon − 1), both ends included, or uniform on [0, π)
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
import { placeOf, spacingEntries } from "./spacing.js";

export const moonsOptions = optionTable({
  pointsPerMoon: integerFrom(1).default(100),
  ...spacingEntries(),
  ...noiseEntries(0.05),
});
export type MoonsOptions = OptionsOf<typeof moonsOptions>;

/** @throws CurvatureError ERR_OPTION, ERR_MEMORY */
export function moons(options?: MoonsOptions): Groups {
  const { pointsPerMoon, spacing, noise, seed } = moonsOptions.resolve("moons", options);
  const points = zeros(2 * pointsPerMoon, 2);
  const labels = new Uint32Array(points.rows);
  const random = new RandomGenerator(seed);
  const steps = Math.max(1, pointsPerMoon - 1);
  const angleOf = (i: number): number => (Math.PI * placeOf(i, steps, spacing, random)) / steps;
  for (let i = 0; i < pointsPerMoon; i++) {
    const [upper, lower] = [angleOf(i), angleOf(i)];
    points.data.set([cos(upper), sin(upper)], 2 * i);
    points.data.set([1 - cos(lower), 0.5 - sin(lower)], 2 * (pointsPerMoon + i));
    labels[pointsPerMoon + i] = 1;
  }
  addNoise(points, noise, random);
  return { points, labels };
}
