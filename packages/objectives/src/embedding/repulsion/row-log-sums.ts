/**
 * The repulsion of the normalised nonsymmetric models.
 *
 *   E⁻    = Σ_n log S_n,   S_n = Σ_m K(t_nm),   r_n = 1 / S_n
 *   ∇E⁻   : row n: 2 Σ_m (r_n + r_m) K′ δ,   δ = x_n − x_m
 *   ∇²E⁻  = Σ_n ( ∇²S_n / S_n − ∇S_n ∇S_nᵀ / S_n² ),   where ∇S_n is 2 Σ_m K′ δ at point n and −2 K′ δ at each point m
 *
 * | symbol        | variable     | shape |
 * |---------------|--------------|-------|
 * | r_n           | r            | N     |
 * | ∇S_n·v / S_n² | c            | N     |
 * | 2 Σ_m K′ δ    | own          | N × d |
 *
 * The weights r_n + r_m of the pairs are known only after a first pass over all pairs; the kernel is computed again in
 * the second one rather than kept, since that would take N² / 2 numbers.
 */
import { log } from "@curvature/linalg";
import type { PairFunction } from "../kernels/pair-function.js";
import { addCurvature, addForces, BLOCK, pairDistances, slopeAlong } from "../pair-rows.js";
import type { EnergyTerm } from "../pair-sum.js";

export class RowLogSumsRepulsion implements EnergyTerm {
  private readonly columns: Int32Array;
  private readonly r: Float64Array;
  private readonly c: Float64Array;
  private readonly own: Float64Array;
  private readonly t = new Float64Array(BLOCK);
  private readonly f = new Float64Array(BLOCK);
  private readonly f1 = new Float64Array(BLOCK);
  private readonly f2 = new Float64Array(BLOCK);

  constructor(
    private readonly kernel: PairFunction,
    private readonly points: number,
    private readonly dimensions: number,
  ) {
    this.columns = Int32Array.from({ length: points }, (_, n) => n);
    this.r = new Float64Array(points);
    this.c = new Float64Array(points);
    this.own = new Float64Array(points * dimensions);
  }

  evaluate(X: Float64Array, gradient?: Float64Array): number {
    const { points: N, dimensions: d, columns, r, f1 } = this;
    const value = this.rowSums(X);
    if (gradient === undefined) return value;
    gradient.fill(0);
    for (let n = 0; n < N; n++) {
      for (let first = n + 1; first < N; first += BLOCK) {
        const size = this.slopes(X, n, first);
        for (let j = 0; j < size; j++) f1[j] *= 2 * (r[n] + r[first + j]);
        addForces(X, d, n, columns, first, size, f1, gradient);
      }
    }
    return value;
  }

  hessianVector(X: Float64Array, v: Float64Array, out: Float64Array): void {
    const { points: N, dimensions: d, columns, r, c, f1, f2 } = this;
    this.rowSums(X);
    this.rowSlopes(X, v);
    out.fill(0);
    for (let n = 0; n < N; n++) {
      for (let first = n + 1; first < N; first += BLOCK) {
        const size = this.curvatures(X, n, first);
        for (let j = 0; j < size; j++) {
          const m = first + j;
          // −Σ_n c_n ∇S_n, whose force on this pair is −2 (c_n + c_m) K′ δ
          f2[j] *= 4 * (r[n] + r[m]);
          this.t[j] = -2 * (c[n] + c[m]) * f1[j];
          f1[j] *= 2 * (r[n] + r[m]);
        }
        addCurvature(X, v, d, n, columns, first, size, f1, f2, out);
        addForces(X, d, n, columns, first, size, this.t, out);
      }
    }
  }

  diagonalHessian(X: Float64Array, out: Float64Array): void {
    const { points: N, dimensions: d, columns, r, own, t, f1, f2 } = this;
    this.rowSums(X);
    own.fill(0);
    out.fill(0);
    for (let n = 0; n < N; n++) {
      for (let first = n + 1; first < N; first += BLOCK) {
        const size = this.curvatures(X, n, first);
        for (let j = 0; j < size; j++) t[j] = 2 * f1[j];
        addForces(X, d, n, columns, first, size, t, own);
        for (let j = 0; j < size; j++) {
          const m = first + j;
          const weight = r[n] + r[m];
          // ∇S_m at point n is −2 K′ δ: its square belongs to the diagonal of point n, and the other way round
          const square = 4 * f1[j] * f1[j];
          for (let i = 0; i < d; i++) {
            const delta = X[d * n + i] - X[d * m + i];
            const delta2 = delta * delta;
            const h = 2 * weight * f1[j] + 4 * weight * f2[j] * delta2;
            out[d * n + i] += h - square * delta2 * r[m] * r[m];
            out[d * m + i] += h - square * delta2 * r[n] * r[n];
          }
        }
      }
    }
    for (let n = 0; n < N; n++) {
      for (let i = d * n; i < d * n + d; i++) out[i] -= own[i] * r[n] * (own[i] * r[n]);
    }
  }

  curvatureWeights(X: Float64Array, out: Float64Array): void {
    const { points: N, r, f2 } = this;
    this.rowSums(X);
    out.fill(0);
    for (let n = 0; n < N; n++) {
      for (let first = n + 1; first < N; first += BLOCK) {
        const size = this.curvatures(X, n, first);
        for (let j = 0; j < size; j++) {
          const m = first + j;
          const weight = 0.5 * (r[n] + r[m]) * f2[j];
          out[n * N + m] = weight;
          out[m * N + n] = weight;
        }
      }
    }
  }

  /** First pass: r_n = 1 / S_n into r; returns Σ log S_n, +∞ where a point is beyond the kernel's reach of all others. */
  private rowSums(X: Float64Array): number {
    const { kernel, points: N, r, t, f } = this;
    r.fill(0);
    for (let n = 0; n < N; n++) {
      let row = 0;
      for (let first = n + 1; first < N; first += BLOCK) {
        const size = this.distances(X, n, first);
        kernel.values(t, f, size);
        for (let j = 0; j < size; j++) {
          row += f[j];
          r[first + j] += f[j];
        }
      }
      r[n] += row;
    }
    let value = 0;
    for (let n = 0; n < N; n++) {
      value += r[n] === 0 ? Number.POSITIVE_INFINITY : log(r[n]);
      r[n] = 1 / r[n];
    }
    return value;
  }

  /** c_n = ∇S_n·v / S_n², where ∇S_n·v = 2 Σ_m K′ δ·u */
  private rowSlopes(X: Float64Array, v: Float64Array): void {
    const { points: N, dimensions: d, r, c, f1 } = this;
    c.fill(0);
    for (let n = 0; n < N; n++) {
      for (let first = n + 1; first < N; first += BLOCK) {
        const size = this.slopes(X, n, first);
        for (let j = 0; j < size; j++) {
          const m = first + j;
          const slope = 2 * f1[j] * slopeAlong(X, v, d, d * n, d * m);
          c[n] += slope;
          c[m] += slope;
        }
      }
    }
    for (let n = 0; n < N; n++) c[n] *= r[n] * r[n];
  }

  /** t of the block of pairs of n with the points from `first` on; returns its size, as the next two do. */
  private distances(X: Float64Array, n: number, first: number): number {
    const size = Math.min(BLOCK, this.points - first);
    pairDistances(X, this.dimensions, n, this.columns, first, size, this.t);
    return size;
  }

  private slopes(X: Float64Array, n: number, first: number): number {
    const size = this.distances(X, n, first);
    this.kernel.slopes(this.t, this.f, this.f1, size);
    return size;
  }

  private curvatures(X: Float64Array, n: number, first: number): number {
    const size = this.distances(X, n, first);
    this.kernel.curvatures(this.t, this.f, this.f1, this.f2, size);
    return size;
  }
}
