/**
 * The second derivatives of the interpolated sum (see `interpolated.ts`), without what a point's own charge adds:
 *
 *   row n of ∇²S z:  2 ∇²B(x_n) z_n·(κu − κB(x_n)) + 2 ∇B(x_n)·(κu′ − κ∇B(x_n)·z_n),   u′_a = Σ_n ∇B_a(x_n)·z_n
 *   its diagonal:    2 ∂²B(x_n)·(κu − κB(x_n)),   since the second part is the point's own alone
 */
import { SUPPORT, splineCurvatures, splineSlopes, splineWeights } from "./cubic-spline.js";
import type { KernelGrid } from "./kernel-grid.js";
import type { Placement } from "./placement.js";

type Plane = readonly Float64Array[];

/** The splines of one point along both axes: weights, slopes, curvatures per unit of length. */
class Splines {
  readonly wx = new Float64Array(SUPPORT);
  readonly wy = new Float64Array(SUPPORT);
  readonly sx = new Float64Array(SUPPORT);
  readonly sy = new Float64Array(SUPPORT);
  readonly cx = new Float64Array(SUPPORT);
  readonly cy = new Float64Array(SUPPORT);

  constructor(private readonly spacing: number) {}

  take({ rowOffset, columnOffset }: Placement, n: number): void {
    const { wx, wy, sx, sy, cx, cy, spacing } = this;
    splineWeights(rowOffset[n], wx);
    splineWeights(columnOffset[n], wy);
    splineSlopes(rowOffset[n], sx);
    splineSlopes(columnOffset[n], sy);
    splineCurvatures(rowOffset[n], cx);
    splineCurvatures(columnOffset[n], cy);
    for (let a = 0; a < SUPPORT; a++) {
      sx[a] /= spacing;
      sy[a] /= spacing;
      cx[a] /= spacing * spacing;
      cy[a] /= spacing * spacing;
    }
  }
}

/** u′ */
export function slopeCharges(grid: KernelGrid, placement: Placement, [zx, zy]: Plane): Float64Array {
  const { columns, spacing } = grid;
  const charges = new Float64Array(grid.field.length);
  const splines = new Splines(spacing);
  const { wx, wy, sx, sy } = splines;
  for (let n = 0; n < zx.length; n++) {
    if (placement.node[n] < 0) continue;
    splines.take(placement, n);
    for (let a = 0, k = placement.node[n]; a < SUPPORT; a++, k += columns)
      for (let b = 0; b < SUPPORT; b++) charges[k + b] += sx[a] * wy[b] * zx[n] + wx[a] * sy[b] * zy[n];
  }
  return charges;
}

/** Adds ∇²S z to `out`. @param second - κu′ */
export function addHessian(
  grid: KernelGrid,
  second: Float64Array,
  placement: Placement,
  [zx, zy]: Plane,
  [outX, outY]: Plane,
): void {
  const splines = new Splines(grid.spacing);
  const { wx, wy, sx, sy, cx, cy } = splines;
  const charges = new Float64Array(SUPPORT * SUPPORT);
  const first = new Float64Array(SUPPORT * SUPPORT);
  const slope = new Float64Array(SUPPORT * SUPPORT);
  for (let n = 0; n < zx.length; n++) {
    if (placement.node[n] < 0) continue;
    splines.take(placement, n);
    product(wx, wy, charges);
    othersPotential(grid, grid.field, placement.node[n], charges, first);
    for (let a = 0, k = 0; a < SUPPORT; a++)
      for (let b = 0; b < SUPPORT; b++, k++) charges[k] = sx[a] * wy[b] * zx[n] + wx[a] * sy[b] * zy[n];
    othersPotential(grid, second, placement.node[n], charges, slope);
    for (let a = 0, k = 0; a < SUPPORT; a++) {
      for (let b = 0; b < SUPPORT; b++, k++) {
        const mixed = sx[a] * sy[b];
        outX[n] += 2 * ((cx[a] * wy[b] * zx[n] + mixed * zy[n]) * first[k] + sx[a] * wy[b] * slope[k]);
        outY[n] += 2 * ((mixed * zx[n] + wx[a] * cy[b] * zy[n]) * first[k] + wx[a] * sy[b] * slope[k]);
      }
    }
  }
}

/** Adds the diagonal of ∇²S to `out`. */
export function addDiagonal(grid: KernelGrid, placement: Placement, [outX, outY]: Plane): void {
  const splines = new Splines(grid.spacing);
  const { wx, wy, cx, cy } = splines;
  const charges = new Float64Array(SUPPORT * SUPPORT);
  const first = new Float64Array(SUPPORT * SUPPORT);
  for (let n = 0; n < outX.length; n++) {
    if (placement.node[n] < 0) continue;
    splines.take(placement, n);
    product(wx, wy, charges);
    othersPotential(grid, grid.field, placement.node[n], charges, first);
    for (let a = 0, k = 0; a < SUPPORT; a++) {
      for (let b = 0; b < SUPPORT; b++, k++) {
        outX[n] += 2 * cx[a] * wy[b] * first[k];
        outY[n] += 2 * wx[a] * cy[b] * first[k];
      }
    }
  }
}

function product(w: Float64Array, v: Float64Array, out: Float64Array): void {
  for (let a = 0, k = 0; a < SUPPORT; a++) for (let b = 0; b < SUPPORT; b++, k++) out[k] = w[a] * v[b];
}

/** The potentials at a point's 4 × 4 nodes, less those of the point's own charges there. */
function othersPotential(
  { near, columns }: KernelGrid,
  field: Float64Array,
  node: number,
  charges: Float64Array,
  out: Float64Array,
): void {
  for (let a = 0, k = 0; a < SUPPORT; a++) {
    for (let b = 0; b < SUPPORT; b++, k++) {
      let own = 0;
      for (let c = 0, l = 0; c < SUPPORT; c++)
        for (let d = 0; d < SUPPORT; d++, l++)
          own += near[Math.abs(a - c) * SUPPORT + Math.abs(b - d)] * charges[l];
      out[k] = field[node + a * columns + b] - own;
    }
  }
}
