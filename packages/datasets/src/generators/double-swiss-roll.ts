/**
 * Two spirals in the plane, one the other turned by half a turn: two open manifolds wound into each other.
 *
 * x = ±t (cos t, sin t) + noise,   π ≤ t ≤ 4π, equally spaced along the spiral: s(t) = s(π) + (s(4π) − s(π)) i / (m − 1),
 * s(t) = ½ (t √(1 + t²) + log(t + √(1 + t²))), the length of the spiral from 0 to t, m = pointsPerRoll
 *
 * At random places s is uniform between its ends, and the two rolls have places of their own.
 * s is increasing and convex, so that Newton's iteration falls to its root from any start above it.
 *
 * Tepper, Sengupta, Chklovskii, J. Mach. Learn. Res. 19 (2018), figure 9. Neighbours lie at some 0.75 of each other along a
 * roll of 100 points, and the rolls at π.
 */
import {
  cos,
  integerFrom,
  log,
  type OptionsOf,
  optionTable,
  RandomGenerator,
  sin,
  zeros,
} from "@curvature/linalg";
import type { Groups } from "./groups.js";
import { addNoise, noiseEntries } from "./noise.js";
import { placeOf, spacingEntries } from "./spacing.js";

export const doubleSwissRollOptions = optionTable({
  pointsPerRoll: integerFrom(1).default(100),
  ...spacingEntries(),
  ...noiseEntries(),
});
export type DoubleSwissRollOptions = OptionsOf<typeof doubleSwissRollOptions>;

export interface DoubleSwissRoll extends Groups {
  /** t, in radians from π to 4π, of each point. */
  readonly angle: Float64Array;
}

const FIRST = Math.PI;
const LAST = 4 * Math.PI;

/** @throws CurvatureError ERR_OPTION, ERR_MEMORY */
export function doubleSwissRoll(options?: DoubleSwissRollOptions): DoubleSwissRoll {
  const settings = doubleSwissRollOptions.resolve("doubleSwissRoll", options);
  const { pointsPerRoll: m, spacing, noise, seed } = settings;
  const random = new RandomGenerator(seed);
  const points = zeros(2 * m, 2);
  const labels = new Uint32Array(2 * m);
  const angle = new Float64Array(2 * m);
  const [from, to] = [lengthTo(FIRST), lengthTo(LAST)];
  const steps = Math.max(1, m - 1);
  for (let i = 0; i < 2 * m; i++) {
    labels[i] = i < m ? 0 : 1;
    const sign = i < m ? 1 : -1;
    const place = placeOf(i % m, steps, spacing, random);
    const t = place === 0 ? FIRST : angleAt(from + ((to - from) * place) / steps);
    points.data.set([sign * (t * cos(t)), sign * (t * sin(t))], 2 * i);
    angle[i] = t;
  }
  addNoise(points, noise, random);
  return { points, labels, angle };
}

/** s(t) */
function lengthTo(t: number): number {
  const root = Math.sqrt(1 + t * t);
  return 0.5 * (t * root + log(t + root));
}

/** The t of a length between s(π) and s(4π), by Newton's iteration from above, with s′(t) = √(1 + t²). */
function angleAt(length: number): number {
  let t = LAST;
  for (;;) {
    const next = t - (lengthTo(t) - length) / Math.sqrt(1 + t * t);
    if (!(next < t - 4 * Number.EPSILON * LAST)) return t;
    t = next;
  }
}
