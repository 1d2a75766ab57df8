/**
 * How far apart two values may be that are equal but for the rounding of the objective.
 *
 *   noise(x) = 4 ε |f(x)| + ε² max |f|        ε: `valueNoise`; the maximum over the accepted points so far
 *
 * The second term serves f → 0: below ε² of the first values there is nothing to find.
 */
import { between } from "@curvature/linalg";

/**
 * ε, the relative error of the objective's values: that of double precision, 2^-23 for values that are computed in single
 * precision, its tolerance for a simulation.
 */
export const valueNoise = between(Number.EPSILON, 0.1).default(Number.EPSILON);

export const noiseOf = (epsilon: number, value: number, largest: number): number =>
  4 * epsilon * Math.abs(value) + epsilon * epsilon * largest;

/** A decrease below so many times the noise is none that a run goes on for. */
const CLEAR = 100;

/** What an expected decrease must stay below for a point to count as a minimum. */
export const clearOf = (noise: number): number => CLEAR * noise;
