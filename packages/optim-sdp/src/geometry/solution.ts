/**
 * A feasible Q as it is read from: as n × n numbers, or as Q = F Fᵀ + diag(δ) + γ 1 1ᵀ/n without ever forming it.
 *
 * | symbol | variable          | shape           |
 * |--------|-------------------|-----------------|
 * | Q      | Q                 | n × n           |
 * | F      | factor            | n × r, F ≥ 0    |
 * | δ, γ   | diagonal, constant | n, a number     |
 *
 * Products cost 2 n² and 4 n r; sums over clusters n² and 2 n r k.
 */
import {
  type Components,
  type DenseMatrix,
  dot,
  matrixTimesVector,
  multiply,
  multiplyTranspose,
  symmetricTimesVector,
  transposeTimesVector,
  zeros,
} from "@curvature/linalg";
import { checkDense } from "../arguments.js";
import { checkFactored, type FactoredPoint } from "../bounds/factored-point.js";
import { atOnce, type Steps } from "../steps.js";
import { componentsOf, factoredComponents } from "./components.js";

export interface Solution {
  readonly n: number;
  /** Q_ii */
  readonly diagonal: Float64Array;
  /** Q v into `out`. */
  multiply(v: Float64Array, out: Float64Array): void;
  /** Column p of Q into `out`. */
  column(p: number, out: Float64Array): void;
  /** Σ_j Q_ij over the points j of each cluster, n × k. */
  sumsOver(labels: Int32Array, k: number): DenseMatrix;
  /** min Q_ij */
  smallestEntry(): number;
  /** i and j are joined where Q_ij > threshold · √(Q_ii Q_jj). */
  components(threshold: number): Components;
  /** The block of these rows and columns. */
  restrictedTo(rows: Int32Array): Solution;
}

/** A Q that a caller gives, dense or as a factor. @throws CurvatureError ERR_SHAPE, ERR_ARGUMENT */
export function solutionFrom(where: string, Q: DenseMatrix | FactoredPoint): Solution {
  if (typeof Q === "object" && Q !== null && "factor" in Q) {
    checkFactored(where, Q);
    return new FactoredSolution(Q);
  }
  checkDense(where, "Q", Q);
  checkDense(where, "Q", Q, Q.rows, Q.rows);
  return new DenseSolution(Q);
}

/** max_i |Σ_j Q_ij − 1| */
export function rowSumErrorOf(solution: Solution): number {
  const sums = new Float64Array(solution.n);
  solution.multiply(new Float64Array(solution.n).fill(1), sums);
  return sums.reduce((worst, sum) => Math.max(worst, Math.abs(sum - 1)), 0);
}

/** Q, n × n: the solution's own array, or formed. */
export const denseOf = (solution: Solution): DenseMatrix => atOnce(formed(solution));

/** `denseOf`, in steps. */
export function* formed(solution: Solution): Steps<DenseMatrix> {
  if (solution instanceof DenseSolution) return solution.Q;
  const { n } = solution;
  const Q = zeros(n, n);
  for (let p = 0; p < n; p++) {
    if (p % ROWS === 0) yield p / n;
    solution.column(p, Q.data.subarray(p * n, (p + 1) * n));
  }
  return Q;
}

export class DenseSolution implements Solution {
  readonly n: number;
  readonly diagonal: Float64Array;

  constructor(readonly Q: DenseMatrix) {
    const n = Q.rows;
    this.n = n;
    this.diagonal = Float64Array.from({ length: n }, (_, i) => Q.data[i * n + i]);
  }

  multiply(v: Float64Array, out: Float64Array): void {
    symmetricTimesVector(this.Q, v, out);
  }

  column(p: number, out: Float64Array): void {
    out.set(this.Q.data.subarray(p * this.n, (p + 1) * this.n)); // Q is symmetric
  }

  sumsOver(labels: Int32Array, k: number): DenseMatrix {
    const { n, Q } = this;
    const sums = zeros(n, k);
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) sums.data[i * k + labels[j]] += Q.data[i * n + j];
    return sums;
  }

  smallestEntry(): number {
    const { data } = this.Q;
    let least = Number.POSITIVE_INFINITY;
    for (let k = 0; k < data.length; k++) if (data[k] < least) least = data[k];
    return least;
  }

  components(threshold: number): Components {
    return componentsOf(this.Q, threshold);
  }

  restrictedTo(rows: Int32Array): Solution {
    const m = rows.length;
    const block = zeros(m, m);
    for (let i = 0; i < m; i++)
      for (let j = 0; j < m; j++) block.data[i * m + j] = this.Q.data[rows[i] * this.n + rows[j]];
    return new DenseSolution(block);
  }
}

/** Rows of Q between two turns of the event loop. */
const ROWS = 16;
/** Rows of Q that are formed at a time to find its least entry. */
const BLOCK = 256;

export class FactoredSolution implements Solution {
  readonly n: number;
  readonly diagonal: Float64Array;
  private readonly inner: Float64Array;

  constructor(readonly point: FactoredPoint) {
    const { factor, diagonal, constant } = point;
    this.n = factor.rows;
    this.inner = new Float64Array(factor.columns);
    this.diagonal = diagonal.map((entry, i) => {
      const row = rowOf(factor, i);
      return dot(row, row) + entry + constant / factor.rows;
    });
  }

  multiply(v: Float64Array, out: Float64Array): void {
    const { factor, diagonal, constant } = this.point;
    let sum = 0;
    for (let i = 0; i < v.length; i++) sum += v[i];
    transposeTimesVector(factor, v, this.inner);
    matrixTimesVector(factor, this.inner, out);
    for (let i = 0; i < v.length; i++) out[i] += diagonal[i] * v[i] + (constant * sum) / this.n;
  }

  column(p: number, out: Float64Array): void {
    const { factor, diagonal, constant } = this.point;
    matrixTimesVector(factor, rowOf(factor, p), out);
    for (let i = 0; i < out.length; i++) out[i] += constant / this.n;
    out[p] += diagonal[p];
  }

  sumsOver(labels: Int32Array, k: number): DenseMatrix {
    const { factor, diagonal, constant } = this.point;
    const r = factor.columns;
    const together = zeros(r, k);
    const sizes = new Float64Array(k);
    for (let i = 0; i < this.n; i++) {
      sizes[labels[i]]++;
      for (let c = 0; c < r; c++) together.data[c * k + labels[i]] += factor.data[i * r + c];
    }
    const sums = multiply(factor, together);
    for (let i = 0; i < this.n; i++) {
      for (let c = 0; c < k; c++) sums.data[i * k + c] += (constant * sizes[c]) / this.n;
      sums.data[i * k + labels[i]] += diagonal[i];
    }
    return sums;
  }

  /** Ends at the first pair of points that share no column: n² r operations at the most, usually few. */
  smallestEntry(): number {
    const { n } = this;
    const { factor, constant } = this.point;
    let least = Number.POSITIVE_INFINITY;
    for (let first = 0; first < n && least > 0; first += BLOCK) {
      const rows = Math.min(BLOCK, n - first);
      const data = factor.data.subarray(first * factor.columns, (first + rows) * factor.columns);
      const products = multiplyTranspose({ rows, columns: factor.columns, data }, factor);
      for (let i = 0; i < rows; i++) {
        for (let j = 0; j < n; j++) {
          const entry = products.data[i * n + j] + (first + i === j ? this.point.diagonal[j] : 0);
          least = Math.min(least, entry);
        }
      }
    }
    return least + constant / n;
  }

  components(threshold: number): Components {
    return factoredComponents(this.point, threshold);
  }

  restrictedTo(rows: Int32Array): Solution {
    const { factor, diagonal, constant, sweeps } = this.point;
    const part = zeros(rows.length, factor.columns);
    for (let i = 0; i < rows.length; i++) part.data.set(rowOf(factor, rows[i]), i * factor.columns);
    return new FactoredSolution({
      factor: part,
      diagonal: Float64Array.from(rows, (i) => diagonal[i]),
      constant: (constant * rows.length) / this.n,
      sweeps,
    });
  }
}

const rowOf = ({ columns, data }: DenseMatrix, i: number): Float64Array =>
  data.subarray(i * columns, (i + 1) * columns);
