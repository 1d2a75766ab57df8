/**
 * The kernel's sum over all pairs, exactly: O(N²) time, O(N) memory.
 *
 *   S(X) = Σ_{n≠m} K(‖x_n − x_m‖²),   ∇S = 4 Lap(K′) X
 *
 * Every symmetric repulsion with equal weights is a function of S alone, so that a faster, approximate S can take its
 * place without the model knowing.
 */
import { type PairKernel, type PairPrecision, PlanePairs } from "@curvature/linalg";
import type { Kernel } from "../kernels/pair-function.js";
import { allPairs } from "../pair-rows.js";
import { type EnergyTerm, PairSum } from "../pair-sum.js";
import { Planes } from "../planes.js";

/** S by the loops that serve any number of dimensions, or, in the plane, by those of linear algebra where it has them. */
export function exactKernelSum(kernel: Kernel, points: number, dimensions: number): EnergyTerm {
  const { name } = kernel;
  return dimensions === 2 && (name === "student" || name === "gaussian")
    ? new PlaneKernelSum(kernel, name, points, "double")
    : new PairSum(allPairs(points), kernel, dimensions);
}

/** Second derivatives are of double precision in any case. */
export class PlaneKernelSum extends PairSum {
  private readonly planePairs: PlanePairs;
  private readonly map: Planes;
  private readonly forces: Planes;

  constructor(kernel: Kernel, name: PairKernel, points: number, precision: PairPrecision) {
    super(allPairs(points), kernel, 2);
    this.planePairs = new PlanePairs(name, points, precision);
    this.map = new Planes(points, 2);
    this.forces = new Planes(points, 2);
  }

  override evaluate(X: Float64Array, gradient?: Float64Array): number {
    const { planePairs, map, forces } = this;
    const { 0: x, 1: y } = map.coordinates;
    const { 0: fx, 1: fy } = forces.coordinates;
    map.load(X);
    if (gradient === undefined) return 2 * planePairs.sum(x, y);
    const S = planePairs.forces(x, y, fx, fy);
    forces.store(4, gradient);
    return 2 * S;
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

  begin(X: Float64Array, withGradient: boolean): void {
    this.sum.begin?.(X, withGradient);
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
