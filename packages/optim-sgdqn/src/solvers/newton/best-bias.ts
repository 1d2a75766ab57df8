/**
 * The bias that is best for given scores: the least of Σ cᵢ l(zᵢ + δ, yᵢ) over δ, at O(n) a value of δ.
 *
 * Smooth losses  Newton's method from δ = 0, kept within the bracket in which the slope changes its sign: while no end beyond
 *                the minimum is known, steps grow by 4 from the size of a score; where a step leaves the bracket, its middle.
 *                It ends where the slope is rounding.
 * Hinge          a piecewise linear function whose slope is Σ cᵢ over the points δᵢ = yᵢ − zᵢ < δ with y < 0, less Σ cᵢ over
 *                those > δ with y > 0. Both sums are made from their ends, so that a slope of 0 is one in doubles, too: of the
 *                δ that are equally good it is the nearest to 0. Far away, P would have the rounding of scores that large.
 */
import type { LinearLoss } from "@curvature/objectives/linear";
import type { Derivatives, LossSweep } from "./loss-sweep.js";

const MAX_TRIALS = 200;
/** The slope's rounding, as a part of Σ |cᵢ l′ᵢ|, which the curvatures of a step bound well enough. */
const ROUNDING = 1e-16;

/**
 * @param ones - n times 1
 * @param first - the sum's derivatives at δ = 0
 * @param slopeSum - Σ |cᵢ l′ᵢ| at δ = 0
 * @returns δ
 */
export function bestBias(
  losses: LossSweep,
  z: Float64Array,
  ones: Float64Array,
  first: Derivatives,
  slopeSum: number,
): number {
  const out: Derivatives = { ...first };
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  let delta = 0;
  let best = { delta, slope: Number.POSITIVE_INFINITY };
  let reach = 1;
  for (let trial = 0; trial < MAX_TRIALS; trial++) {
    if (trial > 0) losses.along(z, ones, delta, out);
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
  const order = Uint32Array.from(points.keys())
    .filter((i) => c[i] > 0)
    .sort((i, j) => points[i] - points[j]);
  let [next, last] = [0, order.length - 1];
  let [below, above] = [0, 0];
  while (next <= last) {
    // Where both are equal, first the ends that add nothing: the minimum is not beyond them.
    if (above < below || (above === below && y[order[last]] < 0)) {
      const i = order[last--];
      if (y[i] > 0) above += c[i];
    } else {
      const i = order[next++];
      if (y[i] < 0) below += c[i];
    }
  }
  const low = last < 0 ? Number.NEGATIVE_INFINITY : points[order[last]];
  const high = next === order.length ? Number.POSITIVE_INFINITY : points[order[next]];
  if (below !== above) return below < above ? high : low;
  return Math.min(high, Math.max(low, 0));
}

/** Σ cᵢ l(zᵢ + δ, yᵢ) */
export function lossSum(
  loss: LinearLoss,
  z: Float64Array,
  y: Float64Array,
  c: Float64Array,
  delta: number,
): number {
  let sum = 0;
  for (let i = 0; i < z.length; i++) sum += c[i] * loss.value(z[i] + delta, y[i]);
  return sum;
}
