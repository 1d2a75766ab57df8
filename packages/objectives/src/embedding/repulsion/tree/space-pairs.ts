/**
 * Points of a map in space, pair by pair: for cells that are too close, or of too few points, for the expansion of `cells.ts`.
 *
 *   V = Σ K(‖x_n − x_m‖²),   ½ ∂V/∂x_n = Σ_m K′ (x_n − x_m),   K′ = −K² for Student's kernel, −K for the Gaussian
 */
import { exp } from "@curvature/linalg";
import type { Pairs } from "./cells.js";
import type { PointTree } from "./point-tree.js";

export class SpacePairs implements Pairs {
  /** What pairs add to ½ ∂V/∂x, N each. */
  readonly fx: Float64Array;
  readonly fy: Float64Array;
  readonly fz: Float64Array;
  private readonly isGaussian: boolean;

  constructor(
    private readonly tree: PointTree,
    kernel: "student" | "gaussian",
  ) {
    this.isGaussian = kernel === "gaussian";
    this.fx = new Float64Array(tree.order.length);
    this.fy = new Float64Array(tree.order.length);
    this.fz = new Float64Array(tree.order.length);
  }

  clearForces(): void {
    this.fx.fill(0);
    this.fy.fill(0);
    this.fz.fill(0);
  }

  near(A: Int32Array, B: Int32Array, count: number, forces: boolean): number {
    let sum = 0;
    if (this.isGaussian) {
      for (let k = 0; k < count; k++)
        sum += forces ? this.gaussianForces(A[k], B[k]) : this.gaussianSum(A[k], B[k]);
    } else {
      for (let k = 0; k < count; k++)
        sum += forces ? this.studentForces(A[k], B[k]) : this.studentSum(A[k], B[k]);
    }
    return 2 * sum;
  }

  private studentSum(a: number, b: number): number {
    const { x, y, z, begin, end } = this.tree;
    let sum = 0;
    for (let n = begin[a]; n < end[a]; n++) {
      const xn = x[n];
      const yn = y[n];
      const zn = z[n];
      const stop = a === b ? n : end[b];
      for (let m = begin[b]; m < stop; m++) {
        const dx = xn - x[m];
        const dy = yn - y[m];
        const dz = zn - z[m];
        sum += 1 / (1 + dx * dx + dy * dy + dz * dz);
      }
    }
    return sum;
  }

  private studentForces(a: number, b: number): number {
    const { x, y, z, begin, end } = this.tree;
    const { fx, fy, fz } = this;
    const first = begin[b];
    const last = end[b];
    let sum = 0;
    for (let n = begin[a]; n < end[a]; n++) {
      const xn = x[n];
      const yn = y[n];
      const zn = z[n];
      const stop = a === b ? n : last;
      let forceX = 0;
      let forceY = 0;
      let forceZ = 0;
      for (let m = first; m < stop; m++) {
        const dx = xn - x[m];
        const dy = yn - y[m];
        const dz = zn - z[m];
        const k = 1 / (1 + dx * dx + dy * dy + dz * dz);
        const k2 = k * k;
        sum += k;
        forceX -= k2 * dx;
        forceY -= k2 * dy;
        forceZ -= k2 * dz;
        fx[m] += k2 * dx;
        fy[m] += k2 * dy;
        fz[m] += k2 * dz;
      }
      fx[n] += forceX;
      fy[n] += forceY;
      fz[n] += forceZ;
    }
    return sum;
  }

  private gaussianSum(a: number, b: number): number {
    const { x, y, z, begin, end } = this.tree;
    let sum = 0;
    for (let n = begin[a]; n < end[a]; n++) {
      const xn = x[n];
      const yn = y[n];
      const zn = z[n];
      const stop = a === b ? n : end[b];
      for (let m = begin[b]; m < stop; m++) {
        const dx = xn - x[m];
        const dy = yn - y[m];
        const dz = zn - z[m];
        sum += exp(-(dx * dx + dy * dy + dz * dz));
      }
    }
    return sum;
  }

  private gaussianForces(a: number, b: number): number {
    const { x, y, z, begin, end } = this.tree;
    const { fx, fy, fz } = this;
    const first = begin[b];
    const last = end[b];
    let sum = 0;
    for (let n = begin[a]; n < end[a]; n++) {
      const xn = x[n];
      const yn = y[n];
      const zn = z[n];
      const stop = a === b ? n : last;
      let forceX = 0;
      let forceY = 0;
      let forceZ = 0;
      for (let m = first; m < stop; m++) {
        const dx = xn - x[m];
        const dy = yn - y[m];
        const dz = zn - z[m];
        const k = exp(-(dx * dx + dy * dy + dz * dz));
        sum += k;
        forceX -= k * dx;
        forceY -= k * dy;
        forceZ -= k * dz;
        fx[m] += k * dx;
        fy[m] += k * dy;
        fz[m] += k * dz;
      }
      fx[n] += forceX;
      fy[n] += forceY;
      fz[n] += forceZ;
    }
    return sum;
  }
}
