/**
 * A ring, which is a closed manifold of one dimension, and its upper half, which is an open one.
 *
 * x = (cos φ, sin φ) + noise,   ring:  φ = 2π i / count,   halfRing:  φ = π i / (count − 1), both ends included
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

export const ringOptions = optionTable({
  count: integerFrom(1).default(200),
  /** Standard deviation of the normal noise on each coordinate; the radius is 1. */
  noise: between(0, 1e100).default(0),
  /** Of the random numbers. */
  seed: integerFrom(0).default(0),
});
export type RingOptions = OptionsOf<typeof ringOptions>;

/** @throws CurvatureError ERR_OPTION, ERR_MEMORY */
export function ring(options?: RingOptions): Arc {
  const settings = ringOptions.resolve("ring", options);
  return arc(settings, (i) => (2 * Math.PI * i) / settings.count);
}

/** @throws CurvatureError ERR_OPTION, ERR_MEMORY */
export function halfRing(options?: RingOptions): Arc {
  const settings = ringOptions.resolve("halfRing", options);
  return arc(settings, (i) => (Math.PI * i) / Math.max(1, settings.count - 1));
}

function arc({ count, noise, seed }: SettingsOf<typeof ringOptions>, angleOf: (i: number) => number): Arc {
  const points = zeros(count, 2);
  const angle = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    angle[i] = angleOf(i);
    points.data.set([cos(angle[i]), sin(angle[i])], 2 * i);
  }
  addNoise(points, noise, new RandomGenerator(seed));
  return { points, angle };
}
