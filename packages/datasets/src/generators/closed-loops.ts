/**
 * Closed loops in many dimensions, as the images of turning objects make them (COIL-20: 20 objects, 72 poses each).
 *
 * x = c_g + cos φ u_g + sin φ v_g + noise,   φ = 2π i / pointsPerLoop or uniform on [0, 2π)
 *
 * c_g is normal with deviation `separation` on each coordinate; u_g, v_g are a random orthonormal pair.
 *
 * Nene, Nayar, Murase: Columbia object image library (COIL-20). Technical report CUCS-005-96 (1996).
 */
import {
  axpy,
  between,
  cos,
  dot,
  fillNormal,
  integerFrom,
  norm2,
  type OptionsOf,
  optionTable,
  RandomGenerator,
  scale,
  sin,
  zeros,
} from "@curvature/linalg";
import type { Groups } from "./groups.js";
import { addNoise, noiseEntries } from "./noise.js";
import { placeOf, spacingEntries } from "./spacing.js";

export const closedLoopsOptions = optionTable({
  loops: integerFrom(1).default(20),
  pointsPerLoop: integerFrom(1).default(72),
  /** At least 2. */
  dimensions: integerFrom(2).default(50),
  /** Standard deviation of each coordinate of the centres; the loops' radius is 1. */
  separation: between(0, 1e100).default(1),
  ...spacingEntries(),
  ...noiseEntries(),
});
export type ClosedLoopsOptions = OptionsOf<typeof closedLoopsOptions>;

/** @throws CurvatureError ERR_OPTION, ERR_MEMORY */
export function closedLoops(options?: ClosedLoopsOptions): Groups {
  const settings = closedLoopsOptions.resolve("closedLoops", options);
  const { loops, pointsPerLoop, dimensions, separation, spacing, noise, seed } = settings;
  const random = new RandomGenerator(seed);
  const points = zeros(loops * pointsPerLoop, dimensions);
  const labels = new Uint32Array(points.rows);
  const [c, u, v] = [0, 1, 2].map(() => new Float64Array(dimensions));
  for (let g = 0; g < loops; g++) {
    fillNormal(random, c);
    orthonormalPair(u, v, random);
    for (let p = 0; p < pointsPerLoop; p++) {
      const i = g * pointsPerLoop + p;
      const angle = (2 * Math.PI * placeOf(p, pointsPerLoop, spacing, random)) / pointsPerLoop;
      const x = points.data.subarray(i * dimensions, (i + 1) * dimensions);
      axpy(separation, c, x);
      axpy(cos(angle), u, x);
      axpy(sin(angle), v, x);
      labels[i] = g;
    }
  }
  addNoise(points, noise, random);
  return { points, labels };
}

/** Two normal vectors, made orthonormal; drawn again in the near-impossible case that they are almost parallel. */
function orthonormalPair(u: Float64Array, v: Float64Array, random: RandomGenerator): void {
  for (;;) {
    fillNormal(random, u);
    fillNormal(random, v);
    const size = norm2(u);
    if (size === 0) continue;
    scale(1 / size, u);
    axpy(-dot(u, v), u, v);
    axpy(-dot(u, v), u, v);
    const rest = norm2(v);
    if (rest < 1e-8) continue;
    scale(1 / rest, v);
    return;
  }
}
