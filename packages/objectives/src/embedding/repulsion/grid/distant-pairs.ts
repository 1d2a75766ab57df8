/**
 * The pairs with at least one point outside the grid, one by one: few points lie outside.
 *
 *   Σ K(t_nm) over ordered pairs, ∇: row n: 4 Σ_m K′ δ, ∇² z: row n: Σ_m 4 K′ ζ + 8 K″ (δ·ζ) δ,   δ = x_n − x_m, ζ = z_n − z_m
 */
import type { Placement } from "./placement.js";
import type { RadialKernel } from "./radial-kernels.js";

type Plane = readonly Float64Array[];

/** The pairs' sum; with `forces`, adds 4 Σ K′ δ to each point's row. */
export function distantSum(
  kernel: RadialKernel,
  [x, y]: Plane,
  placement: Placement,
  forces?: Plane,
): number {
  let sum = 0;
  forEachPair(placement, (n, m) => {
    const dx = x[n] - x[m];
    const dy = y[n] - y[m];
    const t = dx * dx + dy * dy;
    sum += 2 * kernel.value(t);
    if (forces === undefined) return;
    const slope = 4 * kernel.slope(t);
    add(forces, n, m, slope * dx, slope * dy);
  });
  return sum;
}

/** Adds the pairs' part of ∇² z to `out`. */
export function distantHessian(
  kernel: RadialKernel,
  [x, y]: Plane,
  [zx, zy]: Plane,
  placement: Placement,
  out: Plane,
): void {
  forEachPair(placement, (n, m) => {
    const dx = x[n] - x[m];
    const dy = y[n] - y[m];
    const ex = zx[n] - zx[m];
    const ey = zy[n] - zy[m];
    const t = dx * dx + dy * dy;
    const slope = 4 * kernel.slope(t);
    const along = 8 * kernel.curvature(t) * (dx * ex + dy * ey);
    add(out, n, m, slope * ex + along * dx, slope * ey + along * dy);
  });
}

/** Adds the pairs' part of the diagonal of ∇² to `out`. */
export function distantDiagonal(kernel: RadialKernel, [x, y]: Plane, placement: Placement, out: Plane): void {
  forEachPair(placement, (n, m) => {
    const dx = x[n] - x[m];
    const dy = y[n] - y[m];
    const t = dx * dx + dy * dy;
    const slope = 4 * kernel.slope(t);
    const curvature = 8 * kernel.curvature(t);
    for (const k of [n, m]) {
      out[0][k] += slope + curvature * dx * dx;
      out[1][k] += slope + curvature * dy * dy;
    }
  });
}

function add([fx, fy]: Plane, n: number, m: number, x: number, y: number): void {
  fx[n] += x;
  fy[n] += y;
  fx[m] -= x;
  fy[m] -= y;
}

/** Each pair once: an outside point with those inside, and with the outside ones before it. */
function forEachPair(
  { node, outside, outsideCount }: Placement,
  visit: (n: number, m: number) => void,
): void {
  for (let k = 0; k < outsideCount; k++) {
    const n = outside[k];
    for (let m = 0; m < node.length; m++) if (m !== n && (node[m] >= 0 || m < n)) visit(n, m);
  }
}
