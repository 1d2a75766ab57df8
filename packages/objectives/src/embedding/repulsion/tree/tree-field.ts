/**
 * What the points of a map that stays as it is do to a place x in its plane or space, by cells: `cells.ts` has the formulas, of
 * which x is a cell of one point. The tree is made once.
 *
 *   S(x) = Σ_m K(‖x − x_m‖²)  ≈ Σ over cells C of m_C (f + f₁ tr q + 2 f₂ Rᵀ q R),   R = x − c
 *   F(x) = Σ_m K′ (x − x_m)   = ½ ∇S
 *
 *   accepted where  ρ ≤ θ √(1 + ν R²), as in `tree-sum.ts`
 *
 * Cells lie depth first, so that a walk needs no stack: from a cell to its left child, which is the next one, or past all that is
 * below it. Time O(log N) for a place.
 */
import { type DenseMatrix, exp } from "@curvature/linalg";
import { FARTHEST } from "./cells.js";
import { PointTree } from "./point-tree.js";

/** Points of a leaf. */
const LEAF = 10;
/** As in `tree-sum.ts`. */
const SMALL = 0.25;
const GROWTH = { student: 1, gaussian: 0.4 };

export class TreeField {
  /** F of the last place, d numbers. */
  readonly force: Float64Array;
  private readonly tree: PointTree;
  /** Per cell: its centre (z = 0 in the plane), ρ², its number of points. */
  private readonly centers: Float64Array;
  /** q_xx q_xy q_yy q_xz q_yz q_zz */
  private readonly moments: Float64Array;
  /** The cell after all that is below a cell. */
  private readonly after: Int32Array;

  /** @param map - N × 2 or N × 3 */
  constructor(
    private readonly kernel: "student" | "gaussian",
    { rows, columns, data }: DenseMatrix,
    private readonly theta: number,
  ) {
    this.force = new Float64Array(columns);
    this.tree = new PointTree(rows, columns, LEAF, SMALL * theta);
    this.tree.build(data);
    const { cells } = this.tree;
    this.centers = new Float64Array(5 * cells);
    this.moments = new Float64Array(6 * cells);
    this.after = new Int32Array(cells);
    for (let c = 0; c < cells; c++) this.measure(c);
    this.link();
  }

  private measure(cell: number): void {
    const { x, y, z, begin, end } = this.tree;
    const [first, last] = [begin[cell], end[cell]];
    const m = last - first;
    let [cx, cy, cz] = [0, 0, 0];
    for (let n = first; n < last; n++) {
      cx += x[n];
      cy += y[n];
      cz += z[n];
    }
    cx /= m;
    cy /= m;
    cz /= m;
    const q = this.moments.subarray(6 * cell, 6 * cell + 6);
    let farthest = 0;
    for (let n = first; n < last; n++) {
      const ax = x[n] - cx;
      const ay = y[n] - cy;
      const az = z[n] - cz;
      q[0] += (ax * ax) / m;
      q[1] += (ax * ay) / m;
      q[2] += (ay * ay) / m;
      q[3] += (ax * az) / m;
      q[4] += (ay * az) / m;
      q[5] += (az * az) / m;
      farthest = Math.max(farthest, ax * ax + ay * ay + az * az);
    }
    this.centers.set([cx, cy, cz, farthest, m], 5 * cell);
  }

  /** A left child is followed by its sibling, a right child by what follows its parent. */
  private link(): void {
    const { cells, right } = this.tree;
    this.after[0] = cells;
    for (let c = 0; c < cells; c++) {
      if (right[c] === 0) continue;
      this.after[c + 1] = right[c];
      this.after[right[c]] = this.after[c];
    }
  }

  /** S at the d numbers of X from `offset` on; leaves F in `force`. */
  at(X: Float64Array, offset: number): number {
    const { centers, moments, after, theta, force } = this;
    const { right, begin, end, cells, x: xs, y: ys, z: zs } = this.tree;
    const isGaussian = this.kernel === "gaussian";
    const growth = GROWTH[this.kernel];
    const theta2 = theta * theta;
    const x = X[offset];
    const y = X[offset + 1];
    const z = force.length === 3 ? X[offset + 2] : 0;
    let S = 0;
    let fx = 0;
    let fy = 0;
    let fz = 0;
    for (let c = 0; c < cells; ) {
      const i = 5 * c;
      const rx = x - centers[i];
      const ry = y - centers[i + 1];
      const rz = z - centers[i + 2];
      const t = rx * rx + ry * ry + rz * rz;
      if (centers[i + 3] <= theta2 * (1 + growth * t)) {
        const m = centers[i + 4];
        const f = isGaussian ? exp(-t) : 1 / (1 + t);
        if (m === 1 || t >= FARTHEST) {
          const slope = t >= FARTHEST ? 0 : isGaussian ? -f : -f * f;
          S += m * f;
          fx += slope * rx;
          fy += slope * ry;
          fz += slope * rz;
        } else {
          const f1 = isGaussian ? -f : -f * f;
          const f2 = isGaussian ? f : -2 * f * f1;
          const f3 = isGaussian ? -f : -3 * f * f2;
          const k = 6 * c;
          const qx = moments[k] * rx + moments[k + 1] * ry + moments[k + 3] * rz;
          const qy = moments[k + 1] * rx + moments[k + 2] * ry + moments[k + 4] * rz;
          const qz = moments[k + 3] * rx + moments[k + 4] * ry + moments[k + 5] * rz;
          const rqr = rx * qx + ry * qy + rz * qz;
          const trace = moments[k] + moments[k + 2] + moments[k + 5];
          S += m * (f + f1 * trace + 2 * f2 * rqr);
          const along = m * (f1 + f2 * trace + 2 * f3 * rqr);
          const across = 2 * m * f2;
          fx += along * rx + across * qx;
          fy += along * ry + across * qy;
          fz += along * rz + across * qz;
        }
        c = after[c];
      } else if (right[c] > 0) {
        c++;
      } else {
        for (let n = begin[c]; n < end[c]; n++) {
          const dx = x - xs[n];
          const dy = y - ys[n];
          const dz = z - zs[n];
          const s = dx * dx + dy * dy + dz * dz;
          const f = isGaussian ? exp(-s) : 1 / (1 + s);
          const slope = s >= FARTHEST ? 0 : isGaussian ? -f : -f * f;
          S += f;
          fx += slope * dx;
          fy += slope * dy;
          fz += slope * dz;
        }
        c = after[c];
      }
    }
    force[0] = fx;
    force[1] = fy;
    if (force.length === 3) force[2] = fz;
    return S;
  }
}
