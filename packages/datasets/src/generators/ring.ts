/**
 * A ring, which is a closed manifold of one dimension, and its upper half, which is an open one.
 *
 * x = (cos φ, sin φ) + noise,   ring:  φ = 2π i / count,   halfRing:  φ = π i / (count − 1), both ends included;   at random
 * places φ is uniform on [0, 2π) or [0, π)
 *
 * Tepper, Sengupta, Chklovskii: Clustering is semidefinitely not that hard: nonnegative SDP for manifold disentangling.
 * J. Mach. Learn. Res. 19 (2018), sections 2 and 3.2.
 */
import {
  between,
  cos,
  integerFrom,
  type OptionsOf,
  optionTable,
  RandomGenerator,
  type SettingsOf,
  sin,
  zeros,
} from "@curvature/linalg";
import type { Arc } from "./arc.js";
import { addNoise } from "./noise.js";
import { placeOf, spacingEntries } from "./spacing.js";

export const ringOptions = optionTable({
  count: integerFrom(1).default(200),
  ...spacingEntries(),
  /** Standard deviation of the normal noise on each coordinate; the radius is 1. */
  noise: between(0, 1e100).default(0),
  /** Of the random numbers. */
  seed: integerFrom(0).default(0),
});
export type RingOptions = OptionsOf<typeof ringOptions>;

/** @throws CurvatureError ERR_OPTION, ERR_MEMORY */
export function ring(options?: RingOptions): Arc {
  const settings = ringOptions.resolve("ring", options);
  return arc(settings, settings.count, 2 * Math.PI);
}

/** @throws CurvatureError ERR_OPTION, ERR_MEMORY */
export function halfRing(options?: RingOptions): Arc {
  const settings = ringOptions.resolve("halfRing", options);
  return arc(settings, Math.max(1, settings.count - 1), Math.PI);
}

/** @param steps - from φ = 0 to φ = `range` */
function arc(
  { count, spacing, noise, seed }: SettingsOf<typeof ringOptions>,
  steps: number,
  range: number,
): Arc {
  const random = new RandomGenerator(seed);
  const points = zeros(count, 2);
  const angle = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    angle[i] = (range * placeOf(i, steps, spacing, random)) / steps;
    points.data.set([cos(angle[i]), sin(angle[i])], 2 * i);
  }
  addNoise(points, noise, random);
  return { points, angle };
}
