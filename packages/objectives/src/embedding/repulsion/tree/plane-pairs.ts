/**
 * Points of a map in the plane, pair by pair: for cells that are too close, or of too few points, for the expansion of `cells.ts`.
 *
 *   V = Σ K(‖x_n − x_m‖²),   ½ ∂V/∂x_n = Σ_m K′ (x_n − x_m),   K′ = −K² for Student's kernel, −K for the Gaussian
 */
import { exp } from "@curvature/linalg";
import type { Pairs } from "./cells.js";
import type { PointTree } from "./point-tree.js";

export class PlanePairs implements Pairs {
  /** What pairs add to ½ ∂V/∂x, N each. */
  readonly fx: Float64Array;
  readonly fy: Float64Array;
  private readonly isGaussian: boolean;

  constructor(
    private readonly tree: PointTree,
    kernel: "student" | "gaussian",
  ) {
    this.isGaussian = kernel === "gaussian";
    this.fx = new Float64Array(tree.order.length);
    this.fy = new Float64Array(tree.order.length);
  }

  clearForces(): void {
    this.fx.fill(0);
    this.fy.fill(0);
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
    const { x, y, begin, end } = this.tree;
    let sum = 0;
    for (let n = begin[a]; n < end[a]; n++) {
      const xn = x[n];
      const yn = y[n];
      const stop = a === b ? n : end[b];
      for (let m = begin[b]; m < stop; m++) {
        const dx = xn - x[m];
        const dy = yn - y[m];
        sum += 1 / (1 + dx * dx + dy * dy);
      }
    }
    return sum;
  }

  private studentForces(a: number, b: number): number {
    const { x, y, begin, end } = this.tree;
    const { fx, fy } = this;
    const first = begin[b];
    const last = end[b];
    let sum = 0;
    for (let n = begin[a]; n < end[a]; n++) {
      const xn = x[n];
      const yn = y[n];
      const stop = a === b ? n : last;
      let forceX = 0;
      let forceY = 0;
      for (let m = first; m < stop; m++) {
        const dx = xn - x[m];
        const dy = yn - y[m];
        const k = 1 / (1 + dx * dx + dy * dy);
        const k2 = k * k;
        sum += k;
        forceX -= k2 * dx;
        forceY -= k2 * dy;
        fx[m] += k2 * dx;
        fy[m] += k2 * dy;
      }
      fx[n] += forceX;
      fy[n] += forceY;
    }
    return sum;
  }

  private gaussianSum(a: number, b: number): number {
    const { x, y, begin, end } = this.tree;
    let sum = 0;
    for (let n = begin[a]; n < end[a]; n++) {
      const xn = x[n];
      const yn = y[n];
      const stop = a === b ? n : end[b];
      for (let m = begin[b]; m < stop; m++) {
        const dx = xn - x[m];
        const dy = yn - y[m];
        sum += exp(-(dx * dx + dy * dy));
      }
    }
    return sum;
  }

  private gaussianForces(a: number, b: number): number {
    const { x, y, begin, end } = this.tree;
    const { fx, fy } = this;
    const first = begin[b];
    const last = end[b];
    let sum = 0;
    for (let n = begin[a]; n < end[a]; n++) {
      const xn = x[n];
      const yn = y[n];
      const stop = a === b ? n : last;
      let forceX = 0;
      let forceY = 0;
      for (let m = first; m < stop; m++) {
        const dx = xn - x[m];
        const dy = yn - y[m];
        const k = exp(-(dx * dx + dy * dy));
        sum += k;
        forceX -= k * dx;
        forceY -= k * dy;
        fx[m] += k * dx;
        fy[m] += k * dy;
      }
      fx[n] += forceX;
      fy[n] += forceY;
    }
    return sum;
  }
}
