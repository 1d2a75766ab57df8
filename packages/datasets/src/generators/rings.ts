/**
 * Concentric rings in the plane: groups that no centre tells apart.
 *
 * x = ρ (cos φ, sin φ) + noise,   ρ = 1, 2, …, rings, φ = 2π i / pointsPerRing or uniform on [0, 2π)
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

export const ringsOptions = optionTable({
  rings: integerFrom(1).default(3),
  pointsPerRing: integerFrom(1).default(200),
  ...spacingEntries(),
  ...noiseEntries(0.05),
});
export type RingsOptions = OptionsOf<typeof ringsOptions>;

/** @throws CurvatureError ERR_OPTION, ERR_MEMORY */
export function rings(options?: RingsOptions): Groups {
  const settings = ringsOptions.resolve("rings", options);
  const { pointsPerRing, spacing, noise, seed } = settings;
  const random = new RandomGenerator(seed);
  const points = zeros(settings.rings * pointsPerRing, 2);
  const labels = new Uint32Array(points.rows);
  for (let i = 0; i < points.rows; i++) {
    labels[i] = Math.floor(i / pointsPerRing);
    const radius = labels[i] + 1;
    const place = placeOf(i % pointsPerRing, pointsPerRing, spacing, random);
    const angle = (2 * Math.PI * place) / pointsPerRing;
    points.data.set([radius * cos(angle), radius * sin(angle)], 2 * i);
  }
  addNoise(points, noise, random);
  return { points, labels };
}
