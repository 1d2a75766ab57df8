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
  checkOptions,
  cos,
  integerFrom,
  RandomGenerator,
  type Rules,
  sin,
  zeros,
} from "@curvature/linalg";
import type { Arc } from "./arc.js";
import { addNoise } from "./noise.js";

export interface RingOptions {
  /** Default 200. */
  readonly count: number;
  /** Standard deviation of the normal noise on each coordinate; the radius is 1. Default 0. */
  readonly noise: number;
  /** Default 0. */
  readonly seed: number;
}

export const ringDefaults: RingOptions = Object.freeze({ count: 200, noise: 0, seed: 0 });
const rules: Rules<RingOptions> = { count: integerFrom(1), noise: between(0, 1e100), seed: integerFrom(0) };

/** @throws CurvatureError ERR_OPTION, ERR_MEMORY */
export function ring(options?: Partial<RingOptions>): Arc {
  const settings = checkOptions("ring", options, ringDefaults, rules);
  return arc(settings, (i) => (2 * Math.PI * i) / settings.count);
}

/** @throws CurvatureError ERR_OPTION, ERR_MEMORY */
export function halfRing(options?: Partial<RingOptions>): Arc {
  const settings = checkOptions("halfRing", options, ringDefaults, rules);
  return arc(settings, (i) => (Math.PI * i) / Math.max(1, settings.count - 1));
}

function arc({ count, noise, seed }: RingOptions, angleOf: (i: number) => number): Arc {
  const points = zeros(count, 2);
  const angle = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    angle[i] = angleOf(i);
    points.data.set([cos(angle[i]), sin(angle[i])], 2 * i);
  }
  addNoise(points, noise, new RandomGenerator(seed));
  return { points, angle };
}
