/**
 * The inner solver of Hessian-free optimization: conjugate gradients on a damped quadratic model, which stop when the
 * model's decrease slows down, and keep some of the points on the way.
 *
 *   minimise  φ(p) = gᵀp + ½ pᵀ(B + λ I)p   from a p₀ of the caller's
 *   stop      at iteration i > k if φ(pᵢ) < 0 and (φ(pᵢ) − φ(pᵢ₋ₖ)) / φ(pᵢ) < k ε,  k = max(10, i/10),  ε = 5e-4
 *   keep      p₁ and then each about 1.3 times as far along as the one before, and the last
 *
 * Where the curvature along a direction is not positive (B need not be a Gauss-Newton matrix) they stop where they are.
 *
 * Martens: Deep learning via Hessian-free optimization. ICML 2010, sections 4.3 and 4.6.
 */
import { axpy, dot, norm2, xpby } from "@curvature/linalg";

/** A point on the way, with B p, which costs no product here. */
export interface InnerPoint {
  readonly p: Float64Array;
  /** gᵀp + ½ pᵀBp, without the damping. */
  readonly predicted: number;
  /** pᵀBp / pᵀp */
  readonly curvature: number;
}

export interface InnerResult {
  /** The points kept, the last one last; the start itself where the first direction had no curvature. */
  readonly points: readonly InnerPoint[];
  readonly iterations: number;
  readonly hasNegativeCurvature: boolean;
  /** What is to be had along the direction that was not gone, by the size of its curvature: |r|²/2 over it; else 0. */
  readonly gainLeft: number;
}

const SLOW = 5e-4;
const MIN_LAG = 10;
const SPREAD = 1.3;

/**
 * @param product - writes B v into `out`
 * @param start - p₀; not changed
 */
export function dampedGradients(
  product: (v: Float64Array, out: Float64Array) => void,
  g: Float64Array,
  damping: number,
  start: Float64Array,
  maxIterations: number,
): InnerResult {
  const n = g.length;
  const p = start.slice();
  const Bp = new Float64Array(n);
  if (p.some((entry) => entry !== 0)) product(p, Bp);
  const r = new Float64Array(n); // −∇φ(p)
  for (let i = 0; i < n; i++) r[i] = -(g[i] + Bp[i] + damping * p[i]);
  const d = r.slice();
  const Bd = new Float64Array(n);
  let rr = dot(r, r);
  const values: number[] = [];
  const points: InnerPoint[] = [];
  const kept = (): InnerPoint => {
    const length = norm2(p);
    const unit = p.map((entry) => entry / length); // squares of short steps leave the range of numbers
    return { p: p.slice(), predicted: dot(g, p) + 0.5 * dot(p, Bp), curvature: dot(unit, Bp) / length };
  };
  let next = 1;
  let iterations = 0;
  let latest = -1;
  let hasNegativeCurvature = false;
  let gainLeft = 0;
  while (iterations < maxIterations && rr > 0) {
    product(d, Bd);
    const curvature = dot(d, Bd) + damping * dot(d, d);
    hasNegativeCurvature = !(curvature > 0);
    if (hasNegativeCurvature) {
      gainLeft = gainAlong(d, Bd, damping, norm2(r));
      break;
    }
    const alpha = rr / curvature;
    axpy(alpha, d, p);
    axpy(alpha, Bd, Bp);
    for (let i = 0; i < n; i++) r[i] -= alpha * (Bd[i] + damping * d[i]);
    iterations++;
    const before = rr;
    rr = dot(r, r);
    values.push(0.5 * (dot(g, p) - dot(r, p))); // φ(p) = ½ (gᵀp − rᵀp)
    if (iterations >= next) {
      points.push(kept());
      latest = iterations;
      next = Math.ceil(next * SPREAD);
    }
    if (hasSlowedDown(values)) break;
    xpby(r, rr / before, d);
  }
  if (latest !== iterations) points.push(kept());
  return { points, iterations, hasNegativeCurvature, gainLeft };
}

/** |r|²/2 over the size of the curvature along d, also where squares of d leave the range of numbers. */
function gainAlong(d: Float64Array, Bd: Float64Array, damping: number, residual: number): number {
  const length = norm2(d);
  let curvature = damping;
  for (let i = 0; i < d.length; i++) curvature += (d[i] / length) * (Bd[i] / length);
  return 0.5 * residual * (residual / Math.abs(curvature));
}

function hasSlowedDown(values: readonly number[]): boolean {
  const i = values.length;
  const lag = Math.max(MIN_LAG, Math.floor(i / 10));
  if (i <= lag) return false;
  const value = values[i - 1];
  return value < 0 && (value - values[i - 1 - lag]) / value < lag * SLOW;
}
