/**
 * The normalised adjacency of a weighted graph, A = D^-1/2 W D^-1/2, as an operator, and what is known of its
 * spectrum without computing: eigenvalues in [−1, 1], and one eigenvector D^1/2 1_c of eigenvalue 1 per component c.
 */
import {
  CurvatureError,
  DenseCholesky,
  type DenseMatrix,
  SparseCholesky,
  type SparseMatrix,
  type SymmetricOperator,
  sparseTimesVector,
  symmetricTimesVector,
} from "@curvature/linalg";
import type { Weights } from "./objective.js";
import { isDense } from "./weights.js";

/** An edge this light, relative to the degrees of its ends, connects nothing that rounding would not. */
const NEGLIGIBLE = 1e-15;

export class NormalizedGraph {
  readonly size: number;
  /** d_n = Σ_m w_nm */
  readonly degrees: Float64Array;
  /** D^-1/2 */
  readonly inverseRoots: Float64Array;
  /** Component of each point, from 0 to components − 1, the largest volume Σ d_n first. */
  readonly labels: Int32Array;
  /** Σ d_n of each component. */
  readonly volumes: Float64Array;
  private readonly scaled: Float64Array;

  /** @throws CurvatureError ERR_ARGUMENT for a point without neighbours */
  constructor(readonly weights: Weights) {
    const N = weights.rows;
    this.size = N;
    this.degrees = degreesOf(weights);
    this.inverseRoots = this.degrees.map((d) => 1 / Math.sqrt(d));
    const found = labelled(weights, this.degrees);
    this.labels = found.labels;
    this.volumes = found.volumes;
    this.scaled = new Float64Array(N);
  }

  get components(): number {
    return this.volumes.length;
  }

  /** A v into `out`. */
  multiply(v: Float64Array, out: Float64Array): void {
    const { scaled, inverseRoots, weights, size } = this;
    for (let n = 0; n < size; n++) scaled[n] = inverseRoots[n] * v[n];
    if (isDense(weights)) symmetricTimesVector(weights, scaled, out);
    else sparseTimesVector(weights, scaled, out);
    for (let n = 0; n < size; n++) out[n] *= inverseRoots[n];
  }

  /** Takes from v its part along the eigenvectors D^1/2 1_c. */
  project(v: Float64Array): void {
    const { degrees, labels, volumes, size } = this;
    const sums = new Float64Array(volumes.length);
    for (let n = 0; n < size; n++) sums[labels[n]] += Math.sqrt(degrees[n]) * v[n];
    for (let n = 0; n < size; n++) v[n] -= (Math.sqrt(degrees[n]) * sums[labels[n]]) / volumes[labels[n]];
  }

  /**
   * v ↦ ((1 + σ) I − A)⁻¹ v by a Cholesky factor.
   *
   * @throws CurvatureError ERR_MEMORY when a sparse factor would be too large
   */
  shiftedInverse(sigma: number): SymmetricOperator {
    const { weights } = this;
    if (isDense(weights)) {
      const factor = new DenseCholesky(this.shiftedDense(weights, sigma), true);
      return (v, out) => {
        out.set(v);
        factor.solve(out);
      };
    }
    const factor = new SparseCholesky(this.shiftedSparse(weights, sigma));
    return (v, out) => factor.solve(v, 1, out);
  }

  private shiftedDense({ rows: N, data: W }: DenseMatrix, sigma: number): DenseMatrix {
    const { inverseRoots: s } = this;
    const data = new Float64Array(N * N);
    for (let n = 0; n < N; n++) {
      for (let m = 0; m < N; m++) data[n * N + m] = -s[n] * W[n * N + m] * s[m];
      data[n * N + n] += 1 + sigma;
    }
    return { rows: N, columns: N, data };
  }

  private shiftedSparse(W: SparseMatrix, sigma: number): SparseMatrix {
    const { inverseRoots: s, size: N } = this;
    const rowPointers = new Int32Array(N + 1);
    const columnIndices = new Int32Array(W.rowPointers[N] + N);
    const values = new Float64Array(columnIndices.length);
    let count = 0;
    for (let n = 0; n < N; n++) {
      let p = W.rowPointers[n];
      const end = W.rowPointers[n + 1];
      for (; p < end && W.columnIndices[p] < n; p++) {
        columnIndices[count] = W.columnIndices[p];
        values[count++] = -s[n] * W.values[p] * s[W.columnIndices[p]];
      }
      columnIndices[count] = n;
      values[count++] = 1 + sigma;
      if (p < end && W.columnIndices[p] === n) p += 1; // a stored zero
      for (; p < end; p++) {
        columnIndices[count] = W.columnIndices[p];
        values[count++] = -s[n] * W.values[p] * s[W.columnIndices[p]];
      }
      rowPointers[n + 1] = count;
    }
    return {
      rows: N,
      columns: N,
      rowPointers,
      columnIndices: columnIndices.slice(0, count),
      values: values.slice(0, count),
    };
  }
}

function degreesOf(weights: Weights): Float64Array {
  const degrees = new Float64Array(weights.rows);
  for (let n = 0; n < weights.rows; n++) {
    const values = rowValues(weights, n);
    for (let k = 0; k < values.length; k++) degrees[n] += values[k];
    if (!(degrees[n] > 0)) {
      throw new CurvatureError(
        "ERR_ARGUMENT",
        `Point ${n} has no neighbours: all its weights are 0. Leave it out, or connect it.`,
        { path: `row ${n}`, expected: "at least one positive weight", received: degrees[n] },
      );
    }
  }
  return degrees;
}

/** The components over edges that are not negligible, the largest volume first, at equal volume by first point. */
function labelled(weights: Weights, degrees: Float64Array): { labels: Int32Array; volumes: Float64Array } {
  const N = weights.rows;
  const found = new Int32Array(N).fill(-1);
  const queue = new Int32Array(N);
  const volumes: number[] = [];
  for (let first = 0; first < N; first++) {
    if (found[first] >= 0) continue;
    const label = volumes.push(0) - 1;
    found[first] = label;
    queue[0] = first;
    for (let head = 0, tail = 1; head < tail; head++) {
      const n = queue[head];
      volumes[label] += degrees[n];
      const values = rowValues(weights, n);
      for (let k = 0; k < values.length; k++) {
        const m = isDense(weights) ? k : weights.columnIndices[weights.rowPointers[n] + k];
        if (found[m] >= 0 || !(values[k] > NEGLIGIBLE * Math.min(degrees[n], degrees[m]))) continue;
        found[m] = label;
        queue[tail++] = m;
      }
    }
  }
  const order = volumes.map((_, label) => label).sort((a, b) => volumes[b] - volumes[a] || a - b);
  const place = new Int32Array(order.length);
  order.forEach((label, rank) => {
    place[label] = rank;
  });
  return {
    labels: found.map((label) => place[label]),
    volumes: Float64Array.from(order, (label) => volumes[label]),
  };
}

function rowValues(weights: Weights, n: number): Float64Array {
  return isDense(weights)
    ? weights.data.subarray(n * weights.columns, (n + 1) * weights.columns)
    : weights.values.subarray(weights.rowPointers[n], weights.rowPointers[n + 1]);
}
