/**
 * Cells of a map in space: `cells.ts` has the formulas.
 *
 * | symbol                       | place in `moments`, from c · 6 | place in `fields`, from c · 9 |
 * |------------------------------|--------------------------------|-------------------------------|
 * | q_xx q_xy q_xz q_yy q_yz q_zz| 0 … 5                          |                               |
 * | g_x g_y g_z                  |                                | 0 1 2                         |
 * | h_xx h_xy h_xz h_yy h_yz h_zz|                                | 3 … 8                         |
 */
import { exp } from "@curvature/linalg";
import { type Cells, FARTHEST } from "./cells.js";
import type { PointTree } from "./point-tree.js";
import { SpacePairs } from "./space-pairs.js";

export class SpaceCells implements Cells {
  centers = new Float64Array(0);
  private moments = new Float64Array(0);
  private fields = new Float64Array(0);
  readonly pairs: SpacePairs;
  private readonly isGaussian: boolean;

  constructor(
    private readonly tree: PointTree,
    kernel: "student" | "gaussian",
  ) {
    this.pairs = new SpacePairs(tree, kernel);
    this.isGaussian = kernel === "gaussian";
  }

  measure(): void {
    const { cells } = this.tree;
    if (4 * cells > this.centers.length) {
      this.centers = new Float64Array(5 * cells);
      this.moments = new Float64Array(8 * cells);
      this.fields = new Float64Array(12 * cells);
    }
    for (let c = 0; c < cells; c++) this.measureCell(c);
  }

  private measureCell(c: number): void {
    const { x, y, z, begin, end } = this.tree;
    const first = begin[c];
    const last = end[c];
    const m = last - first;
    let cx = 0;
    let cy = 0;
    let cz = 0;
    for (let n = first; n < last; n++) {
      cx += x[n];
      cy += y[n];
      cz += z[n];
    }
    cx /= m;
    cy /= m;
    cz /= m;
    let xx = 0;
    let xy = 0;
    let xz = 0;
    let yy = 0;
    let yz = 0;
    let zz = 0;
    let farthest = 0;
    for (let n = first; n < last; n++) {
      const ax = x[n] - cx;
      const ay = y[n] - cy;
      const az = z[n] - cz;
      xx += ax * ax;
      xy += ax * ay;
      xz += ax * az;
      yy += ay * ay;
      yz += ay * az;
      zz += az * az;
      const r2 = ax * ax + ay * ay + az * az;
      if (r2 > farthest) farthest = r2;
    }
    const { centers, moments } = this;
    centers[4 * c] = cx;
    centers[4 * c + 1] = cy;
    centers[4 * c + 2] = cz;
    centers[4 * c + 3] = Math.sqrt(farthest);
    moments[6 * c] = xx / m;
    moments[6 * c + 1] = xy / m;
    moments[6 * c + 2] = xz / m;
    moments[6 * c + 3] = yy / m;
    moments[6 * c + 4] = yz / m;
    moments[6 * c + 5] = zz / m;
  }

  clearForces(): void {
    this.fields.fill(0, 0, 9 * this.tree.cells);
    this.pairs.clearForces();
  }

  far(A: Int32Array, B: Int32Array, count: number, forces: boolean): number {
    const { centers, moments, fields, isGaussian } = this;
    const { begin, end } = this.tree;
    let sum = 0;
    for (let k = 0; k < count; k++) {
      const a = A[k];
      const b = B[k];
      const mA = end[a] - begin[a];
      const mB = end[b] - begin[b];
      const rx = centers[4 * a] - centers[4 * b];
      const ry = centers[4 * a + 1] - centers[4 * b + 1];
      const rz = centers[4 * a + 2] - centers[4 * b + 2];
      const t = rx * rx + ry * ry + rz * rz;
      if (t >= FARTHEST) {
        if (!isGaussian) sum += mA * mB * (1 / (1 + t));
        continue;
      }
      const f = isGaussian ? exp(-t) : 1 / (1 + t);
      const f1 = isGaussian ? -f : -f * f;
      const f2 = isGaussian ? f : -2 * f * f1;
      const f3 = isGaussian ? -f : -3 * f * f2;
      const u = 6 * a;
      const v = 6 * b;
      const qxx = moments[u] + moments[v];
      const qxy = moments[u + 1] + moments[v + 1];
      const qxz = moments[u + 2] + moments[v + 2];
      const qyy = moments[u + 3] + moments[v + 3];
      const qyz = moments[u + 4] + moments[v + 4];
      const qzz = moments[u + 5] + moments[v + 5];
      const qrx = qxx * rx + qxy * ry + qxz * rz;
      const qry = qxy * rx + qyy * ry + qyz * rz;
      const qrz = qxz * rx + qyz * ry + qzz * rz;
      const rqr = rx * qrx + ry * qry + rz * qrz;
      const trace = qxx + qyy + qzz;
      sum += mA * mB * (f + f1 * trace + 2 * f2 * rqr);
      if (!forces) continue;
      const along = f1 + f2 * trace + 2 * f3 * rqr;
      const gx = along * rx + 2 * f2 * qrx;
      const gy = along * ry + 2 * f2 * qry;
      const gz = along * rz + 2 * f2 * qrz;
      const hxx = f1 + 2 * f2 * rx * rx;
      const hxy = 2 * f2 * rx * ry;
      const hxz = 2 * f2 * rx * rz;
      const hyy = f1 + 2 * f2 * ry * ry;
      const hyz = 2 * f2 * ry * rz;
      const hzz = f1 + 2 * f2 * rz * rz;
      const i = 9 * a;
      fields[i] += mB * gx;
      fields[i + 1] += mB * gy;
      fields[i + 2] += mB * gz;
      fields[i + 3] += mB * hxx;
      fields[i + 4] += mB * hxy;
      fields[i + 5] += mB * hxz;
      fields[i + 6] += mB * hyy;
      fields[i + 7] += mB * hyz;
      fields[i + 8] += mB * hzz;
      const j = 9 * b;
      fields[j] -= mA * gx;
      fields[j + 1] -= mA * gy;
      fields[j + 2] -= mA * gz;
      fields[j + 3] += mA * hxx;
      fields[j + 4] += mA * hxy;
      fields[j + 5] += mA * hxz;
      fields[j + 6] += mA * hyy;
      fields[j + 7] += mA * hyz;
      fields[j + 8] += mA * hzz;
    }
    return 2 * sum;
  }

  own(c: number, forces: boolean): number {
    const { moments, fields } = this;
    const m = this.tree.end[c] - this.tree.begin[c];
    if (forces) {
      fields[9 * c + 3] -= m;
      fields[9 * c + 6] -= m;
      fields[9 * c + 8] -= m;
    }
    const trace = moments[6 * c] + moments[6 * c + 3] + moments[6 * c + 5];
    return m * m - m - 2 * m * m * trace;
  }

  storeForces(out: Float64Array): void {
    const { centers, fields: f } = this;
    const { fx, fy, fz } = this.pairs;
    const { cells, begin, end, right, x, y, z, order } = this.tree;
    for (let c = 0; c < cells; c++) {
      if (right[c] > 0) {
        this.pass(c, c + 1);
        this.pass(c, right[c]);
        continue;
      }
      const i = 9 * c;
      for (let n = begin[c]; n < end[c]; n++) {
        const ax = x[n] - centers[4 * c];
        const ay = y[n] - centers[4 * c + 1];
        const az = z[n] - centers[4 * c + 2];
        const at = 3 * order[n];
        out[at] = 4 * (fx[n] + f[i] + f[i + 3] * ax + f[i + 4] * ay + f[i + 5] * az);
        out[at + 1] = 4 * (fy[n] + f[i + 1] + f[i + 4] * ax + f[i + 6] * ay + f[i + 7] * az);
        out[at + 2] = 4 * (fz[n] + f[i + 2] + f[i + 5] * ax + f[i + 7] * ay + f[i + 8] * az);
      }
    }
  }

  /** The field of a cell, taken on by its child. */
  private pass(from: number, to: number): void {
    const { centers, fields: f } = this;
    const ax = centers[4 * to] - centers[4 * from];
    const ay = centers[4 * to + 1] - centers[4 * from + 1];
    const az = centers[4 * to + 2] - centers[4 * from + 2];
    const i = 9 * from;
    const j = 9 * to;
    f[j] += f[i] + f[i + 3] * ax + f[i + 4] * ay + f[i + 5] * az;
    f[j + 1] += f[i + 1] + f[i + 4] * ax + f[i + 6] * ay + f[i + 7] * az;
    f[j + 2] += f[i + 2] + f[i + 5] * ax + f[i + 7] * ay + f[i + 8] * az;
    for (let k = 3; k < 9; k++) f[j + k] += f[i + k];
  }
}
