/**
 * Cells of a map in the plane: `cells.ts` has the formulas.
 *
 * | symbol        | place in `moments`, from c · 3  | place in `fields`, from c · 5 |
 * |---------------|---------------------------------|-------------------------------|
 * | q_xx q_xy q_yy| 0 1 2                           |                               |
 * | g_x g_y       |                                 | 0 1                           |
 * | h_xx h_xy h_yy|                                 | 2 3 4                         |
 */
import { exp } from "@curvature/linalg";
import { type Cells, FARTHEST } from "./cells.js";
import { PlanePairs } from "./plane-pairs.js";
import type { PointTree } from "./point-tree.js";

export class PlaneCells implements Cells {
  centers = new Float64Array(0);
  private moments = new Float64Array(0);
  private fields = new Float64Array(0);
  readonly pairs: PlanePairs;
  private readonly isGaussian: boolean;

  constructor(
    private readonly tree: PointTree,
    kernel: "student" | "gaussian",
  ) {
    this.pairs = new PlanePairs(tree, kernel);
    this.isGaussian = kernel === "gaussian";
  }

  measure(): void {
    const { cells } = this.tree;
    if (4 * cells > this.centers.length) {
      this.centers = new Float64Array(5 * cells);
      this.moments = new Float64Array(4 * cells);
      this.fields = new Float64Array(7 * cells);
    }
    for (let c = 0; c < cells; c++) this.measureCell(c);
  }

  private measureCell(c: number): void {
    const { x, y, begin, end } = this.tree;
    const first = begin[c];
    const last = end[c];
    const m = last - first;
    let cx = 0;
    let cy = 0;
    for (let n = first; n < last; n++) {
      cx += x[n];
      cy += y[n];
    }
    cx /= m;
    cy /= m;
    let xx = 0;
    let xy = 0;
    let yy = 0;
    let farthest = 0;
    for (let n = first; n < last; n++) {
      const ax = x[n] - cx;
      const ay = y[n] - cy;
      xx += ax * ax;
      xy += ax * ay;
      yy += ay * ay;
      const r2 = ax * ax + ay * ay;
      if (r2 > farthest) farthest = r2;
    }
    const { centers, moments } = this;
    centers[4 * c] = cx;
    centers[4 * c + 1] = cy;
    centers[4 * c + 3] = Math.sqrt(farthest);
    moments[3 * c] = xx / m;
    moments[3 * c + 1] = xy / m;
    moments[3 * c + 2] = yy / m;
  }

  clearForces(): void {
    this.fields.fill(0, 0, 5 * this.tree.cells);
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
      const t = rx * rx + ry * ry;
      if (t >= FARTHEST) {
        if (!isGaussian) sum += mA * mB * (1 / (1 + t));
        continue;
      }
      const f = isGaussian ? exp(-t) : 1 / (1 + t);
      const f1 = isGaussian ? -f : -f * f;
      const f2 = isGaussian ? f : -2 * f * f1;
      const f3 = isGaussian ? -f : -3 * f * f2;
      const qxx = moments[3 * a] + moments[3 * b];
      const qxy = moments[3 * a + 1] + moments[3 * b + 1];
      const qyy = moments[3 * a + 2] + moments[3 * b + 2];
      const qrx = qxx * rx + qxy * ry;
      const qry = qxy * rx + qyy * ry;
      const rqr = rx * qrx + ry * qry;
      const trace = qxx + qyy;
      sum += mA * mB * (f + f1 * trace + 2 * f2 * rqr);
      if (!forces) continue;
      const along = f1 + f2 * trace + 2 * f3 * rqr;
      const gx = along * rx + 2 * f2 * qrx;
      const gy = along * ry + 2 * f2 * qry;
      const hxx = f1 + 2 * f2 * rx * rx;
      const hxy = 2 * f2 * rx * ry;
      const hyy = f1 + 2 * f2 * ry * ry;
      const i = 5 * a;
      fields[i] += mB * gx;
      fields[i + 1] += mB * gy;
      fields[i + 2] += mB * hxx;
      fields[i + 3] += mB * hxy;
      fields[i + 4] += mB * hyy;
      const j = 5 * b;
      fields[j] -= mA * gx;
      fields[j + 1] -= mA * gy;
      fields[j + 2] += mA * hxx;
      fields[j + 3] += mA * hxy;
      fields[j + 4] += mA * hyy;
    }
    return 2 * sum;
  }

  own(c: number, forces: boolean): number {
    const { moments, fields } = this;
    const m = this.tree.end[c] - this.tree.begin[c];
    if (forces) {
      fields[5 * c + 2] -= m;
      fields[5 * c + 4] -= m;
    }
    return m * m - m - 2 * m * m * (moments[3 * c] + moments[3 * c + 2]);
  }

  storeForces(out: Float64Array): void {
    const { centers, fields } = this;
    const { fx, fy } = this.pairs;
    const { cells, begin, end, right, x, y, order } = this.tree;
    for (let c = 0; c < cells; c++) {
      if (right[c] > 0) {
        this.pass(c, c + 1);
        this.pass(c, right[c]);
        continue;
      }
      const cx = centers[4 * c];
      const cy = centers[4 * c + 1];
      const i = 5 * c;
      for (let n = begin[c]; n < end[c]; n++) {
        const ax = x[n] - cx;
        const ay = y[n] - cy;
        const at = 2 * order[n];
        out[at] = 4 * (fx[n] + fields[i] + fields[i + 2] * ax + fields[i + 3] * ay);
        out[at + 1] = 4 * (fy[n] + fields[i + 1] + fields[i + 3] * ax + fields[i + 4] * ay);
      }
    }
  }

  /** The field of a cell, taken on by its child. */
  private pass(from: number, to: number): void {
    const { centers, fields } = this;
    const ax = centers[4 * to] - centers[4 * from];
    const ay = centers[4 * to + 1] - centers[4 * from + 1];
    const i = 5 * from;
    const j = 5 * to;
    fields[j] += fields[i] + fields[i + 2] * ax + fields[i + 3] * ay;
    fields[j + 1] += fields[i + 1] + fields[i + 3] * ax + fields[i + 4] * ay;
    fields[j + 2] += fields[i + 2];
    fields[j + 3] += fields[i + 3];
    fields[j + 4] += fields[i + 4];
  }
}
