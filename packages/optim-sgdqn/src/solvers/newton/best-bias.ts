/**
 * The bias that is best for given scores: the least of Σ cᵢ l(zᵢ + δ, yᵢ) over δ, at O(n) a value of δ.
 *
 * Smooth losses  Newton's method from δ = 0, kept within the bracket in which the slope changes its sign: while no end beyond
 *                the minimum is known, steps grow by 4 from the size of a score; where a step leaves the bracket, its middle.
 *                It ends where the slope is rounding.
 * Hinge          a piecewise linear function whose slope rises by cᵢ at δ = yᵢ − zᵢ, from −Σ cᵢ over y > 0: the first of these
 *                points from which it is not negative.
 */
import type { Derivatives, LossSweep } from "./loss-sweep.js";

const MAX_TRIALS = 200;
/** The slope's rounding, as a part of Σ |cᵢ l′ᵢ|, which the curvatures of a step bound well enough. */
const ROUNDING = 1e-16;

/**
 * @param ones - n times 1
 * @param slopeSum - Σ |cᵢ l′ᵢ| at δ = 0
 * @returns δ
 */
export function bestBias(losses: LossSweep, z: Float64Array, ones: Float64Array, slopeSum: number): number {
  const out: Derivatives = { slope: 0, curvature: 0 };
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  let delta = 0;
  let best = { delta, slope: Number.POSITIVE_INFINITY };
  let reach = 1;
  for (let trial = 0; trial < MAX_TRIALS; trial++) {
    losses.along(z, ones, delta, out);
    const { slope, curvature } = out;
    if (Math.abs(slope) < best.slope) best = { delta, slope: Math.abs(slope) };
    else if (trial > 0 && !Number.isFinite(slope)) break;
    if (Math.abs(slope) <= ROUNDING * slopeSum || slope === 0) break;
    if (slope < 0) low = delta;
    else high = delta;
    const step = curvature > 0 ? -slope / curvature : Number.POSITIVE_INFINITY;
    let next = delta + step;
    if (!(next > low && next < high)) {
      if (Number.isFinite(low) && Number.isFinite(high)) next = low + (high - low) / 2;
      else {
        next = slope < 0 ? delta + reach : delta - reach;
        reach *= 4;
      }
    } else if (!(Number.isFinite(low) && Number.isFinite(high)) && Math.abs(step) > reach) {
      next = delta + Math.sign(step) * reach;
      reach *= 4;
    }
    if (next === delta || next === low || next === high) break;
    delta = next;
  }
  return best.delta;
}

/** δ for the hinge. */
export function bestHingeBias(z: Float64Array, y: Float64Array, c: Float64Array): number {
  const points = Float64Array.from(z, (score, i) => y[i] - score);
  const order = Uint32Array.from(points.keys()).sort((i, j) => points[i] - points[j]);
  let slope = 0;
  for (let i = 0; i < c.length; i++) if (y[i] > 0) slope -= c[i];
  let delta = points[order[0]];
  for (const i of order) {
    if (slope >= 0) break;
    slope += c[i];
    delta = points[i];
  }
  return delta;
}

/** Σ cᵢ max(0, 1 − yᵢ (zᵢ + δ)) */
export function hingeSum(z: Float64Array, y: Float64Array, c: Float64Array, delta: number): number {
  let sum = 0;
  for (let i = 0; i < z.length; i++) sum += c[i] * Math.max(0, 1 - y[i] * (z[i] + delta));
  return sum;
}
