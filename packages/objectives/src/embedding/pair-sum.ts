/**
 * A weighted sum of a function of the squared distances, over all ordered pairs, and its derivatives.
 *
 *   F(X)   = Σ_{n≠m} w_nm φ(t_nm),   t_nm = ‖x_n − x_m‖²,   w symmetric
 *   ∇F     = 4 Lap(w φ′) X,          row n: 4 Σ_m w φ′ (x_n − x_m)
 *   ∇²F v  = 4 Lap(w φ′) v + 8 L^xx[w φ″] v,   row n: Σ_m 4 w φ′ u + 8 w φ″ (δ·u) δ,   δ = x_n − x_m, u = v_n − v_m
 *
 * | symbol   | variable  | shape                                          |
 * |----------|-----------|------------------------------------------------|
 * | X, v     | X, v      | N × d, row-major                               |
 * | w        | pairs     | the pairs n < m; each counts twice in F        |
 * | φ, φ′, φ″ | f, f1, f2 | one block of one row                           |
 *
 * Vladymyrov, Carreira-Perpiñán: Partial-Hessian strategies for fast learning of nonlinear embeddings, ICML 2012,
 * section 2 (gradient and Hessian of the general embedding; the paper writes X as d × N).
 */
import type { PairFunction } from "./kernels/pair-function.js";
import { addCurvature, addDiagonal, addForces, BLOCK, type PairRows, pairDistances } from "./pair-rows.js";

/** A part of E: what an objective needs of its attraction and of its repulsion. All arrays are overwritten. */
export interface EnergyTerm {
  /** The value, and with an array the gradient. Allocates nothing. */
  evaluate(X: Float64Array, gradient?: Float64Array): number;
  hessianVector(X: Float64Array, v: Float64Array, out: Float64Array): void;
  diagonalHessian(X: Float64Array, out: Float64Array): void;
  /** The weights f2 of the part 8 L^xx[f2] of the Hessian, N × N. */
  curvatureWeights(X: Float64Array, out: Float64Array): void;
}

export class PairSum implements EnergyTerm {
  private readonly t = new Float64Array(BLOCK);
  private readonly f = new Float64Array(BLOCK);
  private readonly f1 = new Float64Array(BLOCK);
  private readonly f2 = new Float64Array(BLOCK);

  constructor(
    private readonly pairs: PairRows,
    private readonly phi: PairFunction,
    private readonly dimensions: number,
  ) {}

  evaluate(X: Float64Array, gradient?: Float64Array): number {
    const { pairs, phi, t, f, f1, dimensions: d } = this;
    const { count, columns, columnStart, values, valueStart } = pairs;
    gradient?.fill(0);
    let F = 0;
    for (let n = 0; n < pairs.points; n++) {
      for (let o = 0; o < count[n]; o += BLOCK) {
        const size = Math.min(BLOCK, count[n] - o);
        const first = columnStart[n] + o;
        pairDistances(X, d, n, columns, first, size, t);
        if (gradient === undefined) {
          phi.values(t, f, size);
        } else {
          phi.slopes(t, f, f1, size);
          scale(f1, 4, values, valueStart[n] + o, size);
          addForces(X, d, n, columns, first, size, f1, gradient);
        }
        F += weightedSum(values, valueStart[n] + o, f, size);
      }
    }
    return 2 * F;
  }

  hessianVector(X: Float64Array, v: Float64Array, out: Float64Array): void {
    const { pairs, f1, f2, dimensions: d } = this;
    out.fill(0);
    for (let n = 0; n < pairs.points; n++) {
      for (let o = 0; o < pairs.count[n]; o += BLOCK) {
        const size = this.curvaturesOf(X, n, o);
        addCurvature(X, v, d, n, pairs.columns, pairs.columnStart[n] + o, size, f1, f2, out);
      }
    }
  }

  diagonalHessian(X: Float64Array, out: Float64Array): void {
    const { pairs, f1, f2, dimensions: d } = this;
    out.fill(0);
    for (let n = 0; n < pairs.points; n++) {
      for (let o = 0; o < pairs.count[n]; o += BLOCK) {
        const size = this.curvaturesOf(X, n, o);
        addDiagonal(X, d, n, pairs.columns, pairs.columnStart[n] + o, size, f1, f2, out);
      }
    }
  }

  curvatureWeights(X: Float64Array, out: Float64Array): void {
    const { pairs, f2 } = this;
    const N = pairs.points;
    out.fill(0);
    for (let n = 0; n < N; n++) {
      for (let o = 0; o < pairs.count[n]; o += BLOCK) {
        const size = this.curvaturesOf(X, n, o);
        for (let j = 0; j < size; j++) {
          const m = pairs.columns[pairs.columnStart[n] + o + j];
          out[n * N + m] = f2[j] / 8;
          out[m * N + n] = f2[j] / 8;
        }
      }
    }
  }

  /** w φ′ of every pair, each at the place of its weight in the pairs' `values`. */
  slopeWeights(X: Float64Array, out: Float64Array): void {
    const { pairs, phi, t, f, f1, dimensions: d } = this;
    const { count, columns, columnStart, values, valueStart } = pairs;
    for (let n = 0; n < pairs.points; n++) {
      for (let o = 0; o < count[n]; o += BLOCK) {
        const size = Math.min(BLOCK, count[n] - o);
        pairDistances(X, d, n, columns, columnStart[n] + o, size, t);
        phi.slopes(t, f, f1, size);
        scale(f1, 1, values, valueStart[n] + o, size);
        out.set(f1.subarray(0, size), valueStart[n] + o);
      }
    }
  }

  /** 4 w φ′ into f1 and 8 w φ″ into f2 for the block of row n from pair o on; returns its size. */
  private curvaturesOf(X: Float64Array, n: number, o: number): number {
    const { pairs, phi, t, f, f1, f2 } = this;
    const size = Math.min(BLOCK, pairs.count[n] - o);
    pairDistances(X, this.dimensions, n, pairs.columns, pairs.columnStart[n] + o, size, t);
    phi.curvatures(t, f, f1, f2, size);
    scale(f1, 4, pairs.values, pairs.valueStart[n] + o, size);
    scale(f2, 8, pairs.values, pairs.valueStart[n] + o, size);
    return size;
  }
}

/** f_j ← factor · w_j · f_j */
function scale(f: Float64Array, factor: number, w: Float64Array, start: number, count: number): void {
  for (let j = 0; j < count; j++) f[j] *= factor * w[start + j];
}

/** Σ w_j f_j over the pairs of positive weight: a pair that is infinitely far counts only where it has a weight. */
function weightedSum(w: Float64Array, start: number, f: Float64Array, count: number): number {
  let sum = 0;
  for (let j = 0; j < count; j++) {
    const weight = w[start + j];
    if (weight > 0) sum += weight * f[j];
  }
  return sum;
}
