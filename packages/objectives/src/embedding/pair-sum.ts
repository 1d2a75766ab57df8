/**
 * A weighted sum of a function of the squared distances, over all ordered pairs, and its derivatives.
 *
 *   F(X)   = Σ_{n≠m} w_nm φ(t_nm),   t_nm = ‖x_n − x_m‖²,   w symmetric
 *   ∇F     = 4 Lap(w φ′) X,          row n: 4 Σ_m w φ′ δ
 *   ∇²F v  = 4 Lap(w φ′) v + 8 L^xx[w φ″] v,   row n: Σ_m 4 w φ′ u + 8 w φ″ (δ·u) δ,   δ = x_n − x_m, u = v_n − v_m
 *
 * | symbol      | variable | shape                                           |
 * |-------------|----------|-------------------------------------------------|
 * | X, v        | x, v     | N × d, as d arrays of length N                  |
 * | w           | pairs    | the pairs m < n; each counts twice in F         |
 * | t, wφ′, wφ″ | t, a, b  | one block of one row                            |
 *
 * Vladymyrov, Carreira-Perpiñán: Partial-Hessian strategies for fast learning of nonlinear embeddings, ICML 2012,
 * section 2 (gradient and Hessian of the general embedding; the paper writes X as d × N).
 */
import type { PairFunction, WeightedPlaneRow } from "./kernels/pair-function.js";
import { addDiagonal, addForces, BLOCK, type PairRows, pairDistances, slopesAlong } from "./pair-rows.js";
import { Planes } from "./planes.js";

/** A part of E: what an objective needs of its attraction and of its repulsion. All arrays are overwritten. */
export interface EnergyTerm {
  /** The value, and with an array the gradient. Allocates nothing. */
  evaluate(X: Float64Array, gradient?: Float64Array): number;
  /** Says that this X is about to be evaluated, with its gradient or without, for terms that another thread evaluates. */
  begin?(X: Float64Array, withGradient: boolean): void;
  hessianVector(X: Float64Array, v: Float64Array, out: Float64Array): void;
  diagonalHessian(X: Float64Array, out: Float64Array): void;
  /** The weights f2 of the part 8 L^xx[f2] of the Hessian, N × N. */
  curvatureWeights(X: Float64Array, out: Float64Array): void;
}

export class PairSum implements EnergyTerm {
  private readonly x: Planes;
  private readonly v: Planes;
  private readonly result: Planes;
  /** The loops for d = 2, where φ has them. */
  private readonly inPlane: WeightedPlaneRow | undefined;
  private readonly t = new Float64Array(BLOCK);
  private readonly a = new Float64Array(BLOCK);
  private readonly b = new Float64Array(BLOCK);
  private readonly r = new Float64Array(BLOCK);

  constructor(
    private readonly pairs: PairRows,
    private readonly phi: PairFunction,
    dimensions: number,
  ) {
    this.x = new Planes(pairs.points, dimensions);
    this.v = new Planes(pairs.points, dimensions);
    this.result = new Planes(pairs.points, dimensions);
    this.inPlane = dimensions === 2 ? phi.inPlane : undefined;
  }

  evaluate(X: Float64Array, gradient?: Float64Array): number {
    return gradient === undefined ? this.value(X) : this.valueAndGradient(X, gradient);
  }

  private value(X: Float64Array): number {
    const { pairs, phi, x, t, inPlane } = this;
    const { count, columns, columnStart, values, valueStart } = pairs;
    const { 0: x0, 1: x1 } = x.coordinates;
    x.load(X);
    let F = 0;
    for (let n = 0; n < pairs.points; n++) {
      if (inPlane !== undefined) {
        F += inPlane.sum(x0, x1, n, columns, columnStart[n], values, valueStart[n], count[n]);
        continue;
      }
      for (let o = 0; o < count[n]; o += BLOCK) {
        const size = Math.min(BLOCK, count[n] - o);
        pairDistances(x.coordinates, n, columns, columnStart[n] + o, size, t);
        F += phi.sum(t, values, valueStart[n] + o, size);
      }
    }
    return 2 * F;
  }

  private valueAndGradient(X: Float64Array, gradient: Float64Array): number {
    const { pairs, phi, x, result, t, a, inPlane } = this;
    const { count, columns, columnStart, values, valueStart } = pairs;
    const { 0: x0, 1: x1 } = x.coordinates;
    const { 0: f0, 1: f1 } = result.coordinates;
    x.load(X);
    result.clear();
    let F = 0;
    for (let n = 0; n < pairs.points; n++) {
      if (inPlane !== undefined) {
        F += inPlane.forces(x0, x1, n, columns, columnStart[n], values, valueStart[n], count[n], f0, f1);
        continue;
      }
      for (let o = 0; o < count[n]; o += BLOCK) {
        const size = Math.min(BLOCK, count[n] - o);
        const first = columnStart[n] + o;
        pairDistances(x.coordinates, n, columns, first, size, t);
        F += phi.slopes(t, values, valueStart[n] + o, size, a);
        addForces(x.coordinates, n, columns, first, size, a, result.coordinates);
      }
    }
    result.store(4, gradient);
    return 2 * F;
  }

  hessianVector(X: Float64Array, v: Float64Array, out: Float64Array): void {
    const { pairs, x, result, a, b, r } = this;
    const { columns, columnStart, count } = pairs;
    x.load(X);
    this.v.load(v);
    result.clear();
    for (let n = 0; n < pairs.points; n++) {
      for (let o = 0; o < count[n]; o += BLOCK) {
        const size = this.curvaturesOf(n, o);
        const first = columnStart[n] + o;
        slopesAlong(x.coordinates, this.v.coordinates, n, columns, first, size, r);
        for (let j = 0; j < size; j++) b[j] *= 2 * r[j];
        addForces(this.v.coordinates, n, columns, first, size, a, result.coordinates);
        addForces(x.coordinates, n, columns, first, size, b, result.coordinates);
      }
    }
    result.store(4, out);
  }

  diagonalHessian(X: Float64Array, out: Float64Array): void {
    const { pairs, x, result, a, b } = this;
    x.load(X);
    result.clear();
    for (let n = 0; n < pairs.points; n++) {
      for (let o = 0; o < pairs.count[n]; o += BLOCK) {
        const size = this.curvaturesOf(n, o);
        for (let j = 0; j < size; j++) b[j] *= 2;
        addDiagonal(
          x.coordinates,
          n,
          pairs.columns,
          pairs.columnStart[n] + o,
          size,
          a,
          b,
          result.coordinates,
        );
      }
    }
    result.store(4, out);
  }

  curvatureWeights(X: Float64Array, out: Float64Array): void {
    const { pairs, b } = this;
    const N = pairs.points;
    this.x.load(X);
    out.fill(0);
    for (let n = 0; n < N; n++) {
      for (let o = 0; o < pairs.count[n]; o += BLOCK) {
        const size = this.curvaturesOf(n, o);
        for (let j = 0; j < size; j++) {
          const m = pairs.columns[pairs.columnStart[n] + o + j];
          out[n * N + m] = b[j];
          out[m * N + n] = b[j];
        }
      }
    }
  }

  /** w φ′ of every pair, each at the place of its weight in the pairs' `values`. */
  slopeWeights(X: Float64Array, out: Float64Array): void {
    const { pairs, phi, x, t, a } = this;
    const { count, columns, columnStart, values, valueStart } = pairs;
    x.load(X);
    for (let n = 0; n < pairs.points; n++) {
      for (let o = 0; o < count[n]; o += BLOCK) {
        const size = Math.min(BLOCK, count[n] - o);
        pairDistances(x.coordinates, n, columns, columnStart[n] + o, size, t);
        phi.slopes(t, values, valueStart[n] + o, size, a);
        for (let j = 0; j < size; j++) out[valueStart[n] + o + j] = a[j];
      }
    }
  }

  /** w φ′ into a and w φ″ into b for the block of row n from pair o on; returns its size. */
  private curvaturesOf(n: number, o: number): number {
    const { pairs, phi, x, t, a, b } = this;
    const size = Math.min(BLOCK, pairs.count[n] - o);
    pairDistances(x.coordinates, n, pairs.columns, pairs.columnStart[n] + o, size, t);
    phi.curvatures(t, pairs.values, pairs.valueStart[n] + o, size, a, b);
    return size;
  }
}
