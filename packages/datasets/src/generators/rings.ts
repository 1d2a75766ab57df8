/**
 * Concentric rings in the plane: groups that no centre tells apart.
 *
 * x = ρ (cos φ, sin φ) + noise,   ρ = 1, 2, …, rings, φ = 2π i / pointsPerRing
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
import type { Groups } from "./groups.js";
import { addNoise } from "./noise.js";

export interface RingsOptions {
  /** Default 3. */
  readonly rings: number;
  /** Default 200. */
  readonly pointsPerRing: number;
  /** Standard deviation of the normal noise on each coordinate. Default 0.05. */
  readonly noise: number;
  /** Default 0. */
  readonly seed: number;
}

export const ringsDefaults: RingsOptions = Object.freeze({
  rings: 3,
  pointsPerRing: 200,
  noise: 0.05,
  seed: 0,
});
const rules: Rules<RingsOptions> = {
  rings: integerFrom(1),
  pointsPerRing: integerFrom(1),
  noise: between(0, 1e100),
  seed: integerFrom(0),
};

/** @throws CurvatureError ERR_OPTION, ERR_MEMORY */
export function rings(options?: Partial<RingsOptions>): Groups {
  const settings = checkOptions("rings", options, ringsDefaults, rules);
  const { pointsPerRing, noise, seed } = settings;
  const points = zeros(settings.rings * pointsPerRing, 2);
  const labels = new Uint32Array(points.rows);
  for (let i = 0; i < points.rows; i++) {
    labels[i] = Math.floor(i / pointsPerRing);
    const radius = labels[i] + 1;
    const angle = (2 * Math.PI * (i % pointsPerRing)) / pointsPerRing;
    points.data.set([radius * cos(angle), radius * sin(angle)], 2 * i);
  }
  addNoise(points, noise, new RandomGenerator(seed));
  return { points, labels };
}
