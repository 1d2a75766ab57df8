/**
 * A kernel's sum over all pairs of a map in the plane or in space, by cells that meet cells: O(N log N) to part the points,
 * about O(N) for the rest.
 *
 *   S(X)  ≈ Σ over pairs of cells (A, B) of  Σ_{n∈A, m∈B} K(‖x_n − x_m‖²),   each pair of points in exactly one of them
 *
 * Two cells whose radii ρ (the farthest point's distance from the centre of mass) are small beside their distance R take
 * K by its Taylor expansion about R up to the second order, where first moments vanish at the centres (`cells.ts`):
 *
 *   accepted where  ρ_A + ρ_B ≤ θ √(1 + ν R²),   ν = 1 for Student's kernel, 2/5 for the Gaussian
 *
 * The root stands for the kernel's own width: unlike gravity, K is smooth where points meet, so that cells smaller than it
 * take each other, and themselves, as a whole, however close they are. A Gaussian of cells farther apart than `REACH` is
 * left out. Leaves that are too close, and cells of so few points that it is cheaper, meet point by point.
 *
 * The gradient is that of the expansions themselves, with what moves the cells' centres and moments: value and gradient
 * agree to rounding and forces add up to zero, which the usual sum over pairs of a point and a cell, whose forces are not the
 * gradient of its value, does not offer. What remains are jumps where the tree or what is accepted changes. Line searches that
 * know of rounding alone get by with them: on MNIST (2,000 points: "auto", SD, SD-LBFGS, L-BFGS, CG; 5,000: "auto") none
 * stalled on t-SNE; on s-SNE and EE the last iterations of some ended early, at the same value to 1e-5, and a slack of
 * 1e-6 |E| made no difference.
 *
 * Measured on 22 maps of 4,000 and 5,000 points (clusters, squares and cubes of many widths, finished maps of MNIST; both
 * kernels, plane and space), the worst of them; jumps of log S along a line, root mean square:
 *
 * | θ                                       | 0.3    | 0.4    | 0.5    | 0.7    | 0.9    |
 * |-----------------------------------------|--------|--------|--------|--------|--------|
 * | forces, of their root mean square: worst| 1.1 %  | 2.2 %  | 3.8 %  | 8.5 %  | 27 %   |
 * | the same: median                        | 0.2 %  | 0.7 %  | 1.3 %  | 3.5 %  | 9 %    |
 * | log S: worst                            | 1.2e-4 | 4.7e-4 | 1.3e-3 | 5.5e-3 | 1.6e-2 |
 * | its jumps: worst                        | 5e-6   | 2e-5   | 1.4e-4 | 2e-4   | 1e-3   |
 *
 * Errors of the usual maps cancel; those of points on a lattice add up (log S to 4e-3 at θ = 0.4, Gaussian), and where forces
 * nearly cancel their errors are a larger share of them: at θ = 0.3, for 1,500 points on a line or a ring 5 to 8 %, for 75
 * copies of each of 20 points 11 % (log S 2.5e-3). Mostly S comes out too small, so that a divergence does by the same amount.
 *
 * Barnes, Hut: A hierarchical O(N log N) force-calculation algorithm. Nature 324 (1986) 446-449. van der Maaten:
 * Accelerating t-SNE using tree-based algorithms. JMLR 15 (2014) 3221-3245. Cells that meet cells with equal and opposite
 * forces: Dehnen: A hierarchical O(N) force calculation algorithm. J. Comput. Phys. 179 (2002) 27-42, sections 2 and 3;
 * it expands to the third order and takes forces apart from potentials.
 */
import type { EnergyTerm } from "../../pair-sum.js";
import type { Cells } from "./cells.js";
import { PlaneCells } from "./plane-cells.js";
import { PointTree } from "./point-tree.js";
import { SpaceCells } from "./space-cells.js";

/** Points of a leaf. */
const LEAF = 10;
/** Diagonal of the boxes that are not halved, as a share of θ: far below what two of them may measure. */
const SMALL = 0.25;
/** Pairs of points that cost no more than an expansion. */
const FEW = { student: 16, gaussian: 8 };
/** ν: how the cells that are taken as a whole grow with their distance. */
const GROWTH = { student: 1, gaussian: 0.4 };
/** Distances beyond which a Gaussian is left out: it is below 1e-8, and 0. */
const REACH = 4.3;
const WHOLE_REACH = 27.3;
/** S / N below which what is left out might matter: then the reach is that of floating-point numbers. */
const SPARSE = 1e-3;
/** Pairs of cells that are summed at a time. */
const BATCH = 1024;

export class TreeKernelSum implements EnergyTerm {
  private readonly tree: PointTree;
  private readonly cells: Cells;
  /** Pairs of cells to be looked at. */
  private stackA = new Int32Array(256);
  private stackB = new Int32Array(256);
  private readonly farA = new Int32Array(BATCH);
  private readonly farB = new Int32Array(BATCH);
  private readonly nearA = new Int32Array(BATCH);
  private readonly nearB = new Int32Array(BATCH);

  /**
   * @param dimensions - 2 or 3
   * @param exact - the same sum, exactly: for second derivatives, in O(N²)
   * @param theta - θ ≥ 0; at 0 nothing but points in one place is taken as a whole
   */
  constructor(
    private readonly kernel: "student" | "gaussian",
    private readonly points: number,
    dimensions: number,
    private readonly exact: EnergyTerm,
    private readonly theta: number,
  ) {
    this.tree = new PointTree(points, dimensions, LEAF, SMALL * theta);
    this.cells = dimensions === 2 ? new PlaneCells(this.tree, kernel) : new SpaceCells(this.tree, kernel);
  }

  evaluate(X: Float64Array, gradient?: Float64Array): number {
    const { tree, cells, points } = this;
    const forces = gradient !== undefined;
    tree.build(X);
    cells.measure();
    let S = this.sum(forces, REACH);
    if (this.kernel === "gaussian" && S < SPARSE * points) S = this.sum(forces, WHOLE_REACH);
    if (gradient !== undefined) cells.storeForces(gradient);
    return S;
  }

  hessianVector(X: Float64Array, v: Float64Array, out: Float64Array): void {
    this.exact.hessianVector(X, v, out);
  }

  diagonalHessian(X: Float64Array, out: Float64Array): void {
    this.exact.diagonalHessian(X, out);
  }

  curvatureWeights(X: Float64Array, out: Float64Array): void {
    this.exact.curvatureWeights(X, out);
  }

  /** Walks through the pairs of cells from the root and itself on. */
  private sum(forces: boolean, reach: number): number {
    const { cells, farA, farB, nearA, nearB } = this;
    const { centers } = cells;
    const { begin, end, right, depth } = this.tree;
    const isGaussian = this.kernel === "gaussian";
    const theta2 = this.theta * this.theta;
    const growth = GROWTH[this.kernel];
    const few = FEW[this.kernel];
    this.makeRoom(3 * depth + 4);
    const { stackA, stackB } = this;
    if (forces) cells.clearForces();
    let S = 0;
    let far = 0;
    let near = 0;
    let waiting = 1;
    stackA[0] = 0;
    stackB[0] = 0;
    while (waiting > 0) {
      waiting -= 1;
      const a = stackA[waiting];
      const b = stackB[waiting];
      const dx = centers[4 * a] - centers[4 * b];
      const dy = centers[4 * a + 1] - centers[4 * b + 1];
      const dz = centers[4 * a + 2] - centers[4 * b + 2];
      const t = dx * dx + dy * dy + dz * dz;
      const radii = centers[4 * a + 3] + centers[4 * b + 3];
      if (isGaussian && t > (reach + radii) * (reach + radii)) continue;
      const pairs = (end[a] - begin[a]) * (end[b] - begin[b]);
      const isAccepted = radii * radii <= theta2 * (1 + growth * t);
      if (pairs <= few || (!isAccepted && right[a] === 0 && right[b] === 0)) {
        nearA[near] = a;
        nearB[near++] = b;
        if (near === BATCH) {
          S += cells.pairs.near(nearA, nearB, near, forces);
          near = 0;
        }
      } else if (isAccepted && a !== b) {
        farA[far] = a;
        farB[far++] = b;
        if (far === BATCH) {
          S += cells.far(farA, farB, far, forces);
          far = 0;
        }
      } else if (isAccepted) {
        S += cells.own(a, forces);
      } else if (a === b) {
        stackA[waiting] = a + 1;
        stackB[waiting++] = a + 1;
        stackA[waiting] = a + 1;
        stackB[waiting++] = right[a];
        stackA[waiting] = right[a];
        stackB[waiting++] = right[a];
      } else {
        // the larger one is halved
        const isFirst = right[b] === 0 || (right[a] > 0 && centers[4 * a + 3] >= centers[4 * b + 3]);
        const whole = isFirst ? b : a;
        const halved = isFirst ? a : b;
        stackA[waiting] = halved + 1;
        stackB[waiting++] = whole;
        stackA[waiting] = right[halved];
        stackB[waiting++] = whole;
      }
    }
    S += cells.far(farA, farB, far, forces);
    return S + cells.pairs.near(nearA, nearB, near, forces);
  }

  /** A pair gives way to two, or three if it is a cell and itself, one level further down in one of the two. */
  private makeRoom(pairs: number): void {
    if (this.stackA.length >= pairs) return;
    this.stackA = new Int32Array(2 * pairs);
    this.stackB = new Int32Array(2 * pairs);
  }
}
