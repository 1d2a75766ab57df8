/**
 * Newton's step where there are too many variables for a whole Hessian: conjugate gradients on  H p = −∇f(x), on products by
 * differences and with the inverse Hessian of the last steps' pairs as preconditioner.
 *
 *   H d = (∇f(x + t d) − ∇f(x)) / t,   t d as long as τ times x
 *   z = M r,   α = rᵀz / dᵀHd,   p ← p + α d,   expected decrease  ½ Σ α rᵀz
 *
 * What the pairs have seen has a curvature near 1 after preconditioning; a direction that they have not, a flat one above all,
 * stands out, and is found by a few products. A curvature that is not positive is taken by its size, and ends the iteration.
 *
 * Nocedal, Wright: Numerical Optimization, 2nd ed. (2006), section 7.1 and Algorithm 5.3.
 */
import { axpy, dot, xpby } from "@curvature/linalg";

/** A gain below this part of those before ends the iteration. */
const SLOW = 0.01;

/**
 * Writes p.
 *
 * @param product - writes H d; returns false where it cannot be had
 * @param precondition - writes M r
 * @param most - products
 * @returns the decrease expected; undefined without a product
 */
export function conjugateStep(
  product: (d: Float64Array, out: Float64Array) => boolean,
  precondition: (r: Float64Array, out: Float64Array) => void,
  g: Float64Array,
  most: number,
  p: Float64Array,
): number | undefined {
  const n = g.length;
  const r = g.map((entry) => -entry);
  const z = new Float64Array(n);
  const Hd = new Float64Array(n);
  p.fill(0);
  precondition(r, z);
  const d = z.slice();
  let rz = dot(r, z);
  let expected = 0;
  for (let k = 0; k < most; k++) {
    if (!product(d, Hd)) return k === 0 ? undefined : expected;
    const curvature = dot(d, Hd);
    if (curvature === 0 || !Number.isFinite(curvature)) return k === 0 ? undefined : expected;
    const alpha = rz / Math.abs(curvature);
    axpy(alpha, d, p);
    const gain = 0.5 * alpha * rz;
    expected += gain;
    if (curvature < 0 || gain <= SLOW * expected) break;
    axpy(-alpha, Hd, r);
    precondition(r, z);
    const before = rz;
    rz = dot(r, z);
    if (!(rz > 0)) break;
    xpby(z, rz / before, d);
  }
  return expected;
}
