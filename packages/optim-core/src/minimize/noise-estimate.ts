/**
 * How exact the values of a function are, from seven of them on a short line.
 *
 *   σ_k² = (k!)²/(2k)! mean((Δᵏf)²),   Δᵏf the k-th differences
 *
 * Differences of a smooth function vanish with k, those of noise do not: once three σ_k in a row agree within a factor of four,
 * and the differences change their sign, the first of them is the standard deviation of the noise.
 *
 * Moré, Wild: Estimating computational noise. SIAM J. Sci. Comput. 33 (2011) 1292-1314. Differs from it: half the range of the
 * values is asked for, as `valueNoise` is, and so 2 σ; two lengths of line at most.
 */
import type { Asking } from "./differences.js";

const POINTS = 7;
/** Of the distance of two points, in units of |x_i|. */
const SPACINGS = [1e-7, 1e-4];
/** What is less is taken for the rounding of double precision. */
const LEAST = 1e-12;
const AGREE = 4;

/**
 * @param value - f(x)
 * @returns ε, relative to f(x); that of double precision where nothing more is seen
 */
export function* estimateNoise(
  x: Float64Array,
  value: number,
  lower: Float64Array,
  upper: Float64Array,
): Asking<number> {
  const size = x.reduce((most, xi) => Math.max(most, Math.abs(xi)), 0) || 1;
  for (const spacing of SPACINGS) {
    const values = [value];
    for (let k = 1; k < POINTS; k++) {
      const point = x.map((xi, i) => {
        const step = k * spacing * (Math.abs(xi) || size) * (1 + (i % 7) / 8); // not along a ray, on which some f are exact
        return xi + step <= upper[i] ? xi + step : Math.max(xi - step, Math.min(lower[i], xi));
      });
      values.push(yield point);
    }
    const sizeOfValues = Math.max(...values.map(Math.abs));
    if (!Number.isFinite(sizeOfValues) || sizeOfValues === 0) return Number.EPSILON;
    if (new Set(values).size <= POINTS / 2) continue; // steps on the line: x is less exact than the spacing
    const epsilon = 2 * noiseOfTable(values.map((each) => each / sizeOfValues));
    return epsilon > LEAST ? Math.min(epsilon, 0.1) : Number.EPSILON;
  }
  return Number.EPSILON;
}

/** σ; 0 where the differences are of no noise. */
function noiseOfTable(values: readonly number[]): number {
  const sigmas: number[] = [];
  const changes: boolean[] = [];
  let differences = values;
  let gamma = 1;
  for (let k = 1; k < values.length; k++) {
    differences = differences.slice(1).map((later, i) => later - differences[i]);
    gamma *= (0.5 * k) / (2 * k - 1);
    const squares = differences.reduce((sum, d) => sum + d * d, 0) / differences.length;
    sigmas.push(Math.sqrt(gamma * squares));
    changes.push(differences.some((d) => d > 0) && differences.some((d) => d < 0));
  }
  for (let k = 0; k + 2 < sigmas.length; k++) {
    const three = sigmas.slice(k, k + 3);
    if (changes[k] && Math.max(...three) <= AGREE * Math.min(...three)) return sigmas[k];
  }
  return 0;
}
