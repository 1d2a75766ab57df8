/**
 * Two concentric rings of as many points each: two closed manifolds that no line separates.
 *
 * x = ρ (cos φ, sin φ) + noise,   ρ = 1 for the first ring and `ratio` for the second,   φ = 2π i / pointsPerRing or
 * uniform on [0, 2π)
 *
 * Tepper, Sengupta, Chklovskii, J. Mach. Learn. Res. 19 (2018), figure 4; `rings` has any number of them, at distance 1.
 */
import {
  between,
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

export const twoRingsOptions = optionTable({
  pointsPerRing: integerFrom(1).default(100),
  /** Radius of the second ring; that of the first is 1. */
  ratio: between(0, 1e100).default(0.5),
  ...spacingEntries(),
  ...noiseEntries(),
});
export type TwoRingsOptions = OptionsOf<typeof twoRingsOptions>;

/** @throws CurvatureError ERR_OPTION, ERR_MEMORY */
export function twoRings(options?: TwoRingsOptions): Groups {
  const settings = twoRingsOptions.resolve("twoRings", options);
  const { pointsPerRing, ratio, spacing, noise, seed } = settings;
  const random = new RandomGenerator(seed);
  const points = zeros(2 * pointsPerRing, 2);
  const labels = new Uint32Array(points.rows);
  for (let i = 0; i < points.rows; i++) {
    labels[i] = i < pointsPerRing ? 0 : 1;
    const radius = labels[i] === 0 ? 1 : ratio;
    const place = placeOf(i % pointsPerRing, pointsPerRing, spacing, random);
    const angle = (2 * Math.PI * place) / pointsPerRing;
    points.data.set([radius * cos(angle), radius * sin(angle)], 2 * i);
  }
  addNoise(points, noise, random);
  return { points, labels };
}
