/**
 * The kernel's sum over all pairs, exactly: O(N²) time, O(N) memory.
 *
 *   S(X) = Σ_{n≠m} K(‖x_n − x_m‖²),   ∇S = 4 Lap(K′) X
 *
 * Every symmetric repulsion with equal weights is a function of S alone, so that a faster, approximate S can take
 * its place without the model knowing.
 */
import type { Kernel, PlaneSum } from "../kernels/pair-function.js";
import { allPairs } from "../pair-rows.js";
import { type EnergyTerm, PairSum } from "../pair-sum.js";

export class ExactKernelSum extends PairSum {
  private readonly planeSum: PlaneSum | undefined;

  constructor(
    kernel: Kernel,
    private readonly points: number,
    dimensions: number,
  ) {
    super(allPairs(points), kernel, dimensions);
    this.planeSum = dimensions === 2 ? kernel.planeSum : undefined;
  }

  override evaluate(X: Float64Array, gradient?: Float64Array): number {
    return this.planeSum === undefined
      ? super.evaluate(X, gradient)
      : this.planeSum(X, this.points, gradient);
  }
}

/** E⁻ = w⁻ S: the repulsion of unnormalised models whose repulsive weights are all w⁻. */
export class ConstantRepulsion implements EnergyTerm {
  constructor(
    private readonly sum: EnergyTerm,
    private readonly weight: number,
  ) {}

  evaluate(X: Float64Array, gradient?: Float64Array): number {
    const S = this.sum.evaluate(X, gradient);
    if (gradient !== undefined) this.scale(gradient);
    return this.weight * S;
  }

  hessianVector(X: Float64Array, v: Float64Array, out: Float64Array): void {
    this.sum.hessianVector(X, v, out);
    this.scale(out);
  }

  diagonalHessian(X: Float64Array, out: Float64Array): void {
    this.sum.diagonalHessian(X, out);
    this.scale(out);
  }

  curvatureWeights(X: Float64Array, out: Float64Array): void {
    this.sum.curvatureWeights(X, out);
    this.scale(out);
  }

  private scale(a: Float64Array): void {
    for (let i = 0; i < a.length; i++) a[i] *= this.weight;
  }
}
