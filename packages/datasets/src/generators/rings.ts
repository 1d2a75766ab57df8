/**
 * Concentric rings in the plane: groups that no centre tells apart.
 *
 * x = ρ (cos φ, sin φ) + noise,   ρ = 1, 2, …, rings, φ = 2π i / pointsPerRing
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

export const ringsOptions = optionTable({
  rings: integerFrom(1).default(3),
  pointsPerRing: integerFrom(1).default(200),
  ...noiseEntries(0.05),
});
export type RingsOptions = OptionsOf<typeof ringsOptions>;

/** @throws CurvatureError ERR_OPTION, ERR_MEMORY */
export function rings(options?: RingsOptions): Groups {
  const settings = ringsOptions.resolve("rings", options);
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
