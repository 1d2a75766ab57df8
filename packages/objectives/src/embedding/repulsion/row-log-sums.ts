/**
 * The repulsion of the normalised nonsymmetric models.
 *
 *   E⁻    = Σ_n log S_n,   S_n = Σ_m K(t_nm),   r_n = 1 / S_n
 *   ∇E⁻   : row n: 2 Σ_m (r_n + r_m) K′ δ,   δ = x_n − x_m
 *   ∇²E⁻  = Σ_n ( ∇²S_n / S_n − ∇S_n ∇S_nᵀ / S_n² ),   where ∇S_n is 2 Σ_m K′ δ at point n and −2 K′ δ at each point m
 *
 * | symbol        | variable | shape                 |
 * |---------------|----------|-----------------------|
 * | r_n           | r        | N                     |
 * | ∇S_n·v / S_n² | c        | N                     |
 * | Σ_m K′ δ      | own      | d arrays of length N  |
 * | K, K′, K″     | f, a, b  | one block of one row  |
 *
 * The weights r_n + r_m of the pairs are known only after a first pass over all pairs; the kernel is computed again in
 * the second one rather than kept, since that would take N² / 2 numbers.
 */
import { log } from "@curvature/linalg";
import type { Kernel, SharedPlaneRow, WeightedPlaneRow } from "../kernels/pair-function.js";
import { addForces, allPairs, BLOCK, type PairRows, pairDistances, slopesAlong } from "../pair-rows.js";
import type { EnergyTerm } from "../pair-sum.js";
import { Planes } from "../planes.js";

export class RowLogSumsRepulsion implements EnergyTerm {
  /** All pairs; the column at place m is m. */
  private readonly pairs: PairRows;
  private readonly x: Planes;
  private readonly v: Planes;
  private readonly own: Planes;
  private readonly result: Planes;
  private readonly r: Float64Array;
  private readonly c: Float64Array;
  /** The weights r_n + r_m of row n. */
  private readonly weights: Float64Array;
  /** The loops for d = 2, where the kernel has them. */
  private readonly allInPlane: SharedPlaneRow | undefined;
  private readonly inPlane: WeightedPlaneRow | undefined;
  private readonly t = new Float64Array(BLOCK);
  private readonly f = new Float64Array(BLOCK);
  private readonly a = new Float64Array(BLOCK);
  private readonly b = new Float64Array(BLOCK);

  constructor(
    private readonly kernel: Kernel,
    private readonly points: number,
    dimensions: number,
  ) {
    this.pairs = allPairs(points);
    this.x = new Planes(points, dimensions);
    this.v = new Planes(points, dimensions);
    this.own = new Planes(points, dimensions);
    this.result = new Planes(points, dimensions);
    this.r = new Float64Array(points);
    this.c = new Float64Array(points);
    this.weights = new Float64Array(points);
    this.allInPlane = dimensions === 2 ? kernel.allInPlane : undefined;
    this.inPlane = dimensions === 2 ? kernel.inPlane : undefined;
  }

  evaluate(X: Float64Array, gradient?: Float64Array): number {
    const { points: N, x, result } = this;
    x.load(X);
    const value = this.rowSums();
    if (gradient === undefined) return value;
    result.clear();
    for (let n = 1; n < N; n++) this.addForcesOf(n);
    result.store(2, gradient);
    return value;
  }

  hessianVector(X: Float64Array, v: Float64Array, out: Float64Array): void {
    const { points: N, pairs, x, result, r, c, t, a, b, f } = this;
    x.load(X);
    this.v.load(v);
    this.rowSums();
    this.rowSlopes();
    result.clear();
    for (let n = 1; n < N; n++) {
      for (let first = 0; first < n; first += BLOCK) {
        const size = this.curvatures(n, first);
        slopesAlong(x.coordinates, this.v.coordinates, n, pairs.columns, first, size, t);
        for (let j = 0; j < size; j++) {
          const m = first + j;
          const weight = r[n] + r[m];
          f[j] = weight * a[j];
          b[j] = 2 * weight * b[j] * t[j] - (c[n] + c[m]) * a[j]; // −Σ_n c_n ∇S_n in the last term
        }
        addForces(this.v.coordinates, n, pairs.columns, first, size, f, result.coordinates);
        addForces(x.coordinates, n, pairs.columns, first, size, b, result.coordinates);
      }
    }
    result.store(2, out);
  }

  diagonalHessian(X: Float64Array, out: Float64Array): void {
    const { points: N, pairs, x, own, result } = this;
    x.load(X);
    this.rowSums();
    own.clear();
    result.clear();
    for (let n = 1; n < N; n++) {
      for (let first = 0; first < n; first += BLOCK) {
        const size = this.curvatures(n, first);
        addForces(x.coordinates, n, pairs.columns, first, size, this.a, own.coordinates);
        this.addDiagonal(n, first, size);
      }
    }
    this.subtractOwnSquares();
    result.store(2, out);
  }

  curvatureWeights(X: Float64Array, out: Float64Array): void {
    const { points: N, x, r, b } = this;
    x.load(X);
    this.rowSums();
    out.fill(0);
    for (let n = 1; n < N; n++) {
      for (let first = 0; first < n; first += BLOCK) {
        const size = this.curvatures(n, first);
        for (let j = 0; j < size; j++) {
          const m = first + j;
          const weight = 0.5 * (r[n] + r[m]) * b[j];
          out[n * N + m] = weight;
          out[m * N + n] = weight;
        }
      }
    }
  }

  /** First pass: r_n = 1 / S_n; returns Σ log S_n, +∞ where a point is beyond the kernel's reach of all others. */
  private rowSums(): number {
    const { points: N, r, allInPlane } = this;
    const { 0: x0, 1: x1 } = this.x.coordinates;
    r.fill(0);
    for (let n = 1; n < N; n++) {
      r[n] += allInPlane === undefined ? this.sumShared(n) : allInPlane.sumShared(x0, x1, n, r);
    }
    let value = 0;
    for (let n = 0; n < N; n++) {
      value += r[n] === 0 ? Number.POSITIVE_INFINITY : log(r[n]);
      r[n] = 1 / r[n];
    }
    return value;
  }

  /** Σ_{m<n} K, each of them added to r_m too. */
  private sumShared(n: number): number {
    const { kernel, r, t, f } = this;
    let row = 0;
    for (let first = 0; first < n; first += BLOCK) {
      const size = this.distances(n, first);
      kernel.values(t, size, f);
      for (let j = 0; j < size; j++) {
        row += f[j];
        r[first + j] += f[j];
      }
    }
    return row;
  }

  /** Second pass, row n: (r_n + r_m) K′ δ of the pairs m < n. */
  private addForcesOf(n: number): void {
    const { pairs, x, result, r, weights, a, inPlane } = this;
    const { 0: x0, 1: x1 } = x.coordinates;
    const { 0: f0, 1: f1 } = result.coordinates;
    for (let m = 0; m < n; m++) weights[m] = r[n] + r[m];
    if (inPlane !== undefined) {
      inPlane.forces(x0, x1, n, pairs.columns, 0, weights, 0, n, f0, f1);
      return;
    }
    for (let first = 0; first < n; first += BLOCK) {
      const size = this.slopes(n, first);
      for (let j = 0; j < size; j++) a[j] *= weights[first + j];
      addForces(x.coordinates, n, pairs.columns, first, size, a, result.coordinates);
    }
  }

  /** c_n = ∇S_n·v / S_n², where ∇S_n·v = 2 Σ_m K′ δ·u */
  private rowSlopes(): void {
    const { points: N, pairs, x, v, r, c, t, a } = this;
    c.fill(0);
    for (let n = 1; n < N; n++) {
      for (let first = 0; first < n; first += BLOCK) {
        const size = this.slopes(n, first);
        slopesAlong(x.coordinates, v.coordinates, n, pairs.columns, first, size, t);
        for (let j = 0; j < size; j++) {
          const slope = 2 * a[j] * t[j];
          c[n] += slope;
          c[first + j] += slope;
        }
      }
    }
    for (let n = 0; n < N; n++) c[n] *= r[n] * r[n];
  }

  /** Half the diagonal, all but the squares of each point's own 2 Σ_m K′ δ. */
  private addDiagonal(n: number, first: number, size: number): void {
    const { x, result, r, a, b } = this;
    for (let i = 0; i < x.coordinates.length; i++) {
      const plane = x.coordinates[i];
      const h = result.coordinates[i];
      for (let j = 0; j < size; j++) {
        const m = first + j;
        const delta2 = (plane[n] - plane[m]) * (plane[n] - plane[m]);
        const both = (r[n] + r[m]) * (a[j] + 2 * b[j] * delta2);
        // ∇S_m at point n is −2 K′ δ: its square belongs to the diagonal of point n, and the other way round
        const square = 2 * a[j] * a[j] * delta2;
        h[n] += both - square * r[m] * r[m];
        h[m] += both - square * r[n] * r[n];
      }
    }
  }

  private subtractOwnSquares(): void {
    const { points: N, own, result, r } = this;
    for (let i = 0; i < own.coordinates.length; i++) {
      const force = own.coordinates[i];
      const h = result.coordinates[i];
      for (let n = 0; n < N; n++) h[n] -= 2 * (force[n] * r[n]) * (force[n] * r[n]);
    }
  }

  /** t of the block of pairs of n with the points from `first` on; returns its size, as the next two do. */
  private distances(n: number, first: number): number {
    const size = Math.min(BLOCK, n - first);
    pairDistances(this.x.coordinates, n, this.pairs.columns, first, size, this.t);
    return size;
  }

  /** K′ into a. */
  private slopes(n: number, first: number): number {
    const size = this.distances(n, first);
    this.kernel.slopes(this.t, this.pairs.values, 0, size, this.a);
    return size;
  }

  /** K′ into a, K″ into b. */
  private curvatures(n: number, first: number): number {
    const size = this.distances(n, first);
    this.kernel.curvatures(this.t, this.pairs.values, 0, size, this.a, this.b);
    return size;
  }
}
