/**
 * B of sparse points without their zeros: with S sparse and c of length D,
 *
 *   B = S − 1 cᵀ,     S = X / s, c = m / s;     in a column without zeros S = (X − 1 mᵀ) / s, c = 0
 *
 * so that B v = S v − 1 ⟨c, v⟩ and Bᵀ u = Sᵀ u − c Σ u. Where a column has a zero its mean is itself a deviation, so that no
 * entry of S or c is larger than 2, and what cancels costs a digit at most. Products take 2 operations for each entry.
 */
import { checkDeviation } from "../dense/column-means.js";
import { type Deviations, inverseOf, noPairs, type PairSettings } from "../dense/deviations.js";
import { type DenseMatrix, zeros } from "../dense/matrix.js";
import { transpose } from "../dense/product.js";
import { lanczos, unlessEndless } from "../eigen/lanczos.js";
import type { SymmetricOperator } from "../eigen/operator.js";
import { project } from "../eigen/orthogonal.js";
import type { EigenPairs } from "../eigen/pairs.js";
import { CurvatureError } from "../errors.js";
import { dot, scale } from "../kernels/vector.js";
import { fillNormal, RandomGenerator } from "../random/generator.js";
import type { SparseMatrix } from "./csr.js";
import { sparseTimesBlock, sparseTimesVector } from "./products.js";

const EPSILON = 2 ** -52;
/** Of the mean of squares. */
const DRAWS = 4;

export class SparseDeviations implements Deviations {
  readonly rows: number;
  readonly columns: number;
  readonly means: Float64Array;
  readonly inverse: number;
  readonly squares: number;
  /** S */
  private readonly S: SparseMatrix;
  /** c */
  private readonly c: Float64Array;

  /** @throws CurvatureError ERR_NON_FINITE for deviations that overflow */
  constructor(
    X: SparseMatrix,
    private readonly count: number,
  ) {
    const { rows: N, columns: D, columnIndices, values } = X;
    this.rows = N;
    this.columns = D;
    const counts = new Int32Array(D);
    for (const j of columnIndices) counts[j]++;
    this.means = sparseMeans(X, counts);
    const { means } = this;
    let largest = 0;
    for (let p = 0; p < values.length; p++)
      largest = Math.max(largest, Math.abs(values[p] - means[columnIndices[p]]));
    for (let j = 0; j < D; j++) if (counts[j] < N) largest = Math.max(largest, Math.abs(means[j]));
    checkDeviation("principalComponents", largest);
    const inverse = inverseOf(largest);
    this.inverse = inverse;
    this.c = means.map((mean, j) => (counts[j] < N ? mean * inverse : 0));
    const scaled = new Float64Array(values.length);
    let squares = 0;
    for (let p = 0; p < values.length; p++) {
      const j = columnIndices[p];
      const b = (values[p] - means[j]) * inverse;
      scaled[p] = counts[j] < N ? values[p] * inverse : b;
      squares += b * b;
    }
    for (let j = 0; j < D; j++) squares += (N - counts[j]) * this.c[j] * this.c[j];
    this.squares = squares;
    this.S = { ...X, values: scaled };
  }

  pairs({ seed, tolerance, least }: PairSettings, V: DenseMatrix): EigenPairs {
    const n = Math.min(this.rows, this.columns);
    const count = Math.min(this.count, n) - V.rows;
    const search = (reached: number): EigenPairs | undefined =>
      unlessEndless(() =>
        lanczos(this.operator(V), n, { count, relativeTo: "operator", seed, tolerance: reached }),
      );
    if (V.rows === 0) return search(tolerance) ?? notToldApart(count);
    const left = this.squaresWithout(V, seed);
    if (left <= least) return noPairs(n);
    // rounding of B is that much of what is left of it
    return search(Math.max(tolerance, 100 * EPSILON * Math.sqrt(this.squares / left))) ?? noPairs(n);
  }

  /** ‖B (I − Vᵀ V)‖_F², about: the mean of ‖B (I − Vᵀ V) w‖² for normal w. */
  private squaresWithout(V: DenseMatrix, seed: number): number {
    const random = new RandomGenerator(seed);
    const w = new Float64Array(this.columns);
    const u = new Float64Array(this.rows);
    let sum = 0;
    for (let draw = 0; draw < DRAWS; draw++) {
      fillNormal(random, w);
      project({ data: V.data, count: V.rows }, w, new Float64Array(V.rows));
      this.times(w, u);
      sum += dot(u, u);
    }
    return sum / DRAWS;
  }

  private operator(V: DenseMatrix): SymmetricOperator {
    const found = { data: V.data, count: V.rows };
    const shares = new Float64Array(V.rows);
    const inner = new Float64Array(this.columns);
    if (this.columns <= this.rows) {
      const u = new Float64Array(this.rows);
      return (v, out) => {
        inner.set(v);
        project(found, inner, shares);
        this.times(inner, u);
        this.transposeTimes(u, out);
        project(found, out, shares);
      };
    }
    return (u, out) => {
      this.transposeTimes(u, inner);
      project(found, inner, shares);
      this.times(inner, out);
    };
  }

  /** u ← B v */
  private times(v: Float64Array, u: Float64Array): void {
    sparseTimesVector(this.S, v, u);
    const shift = dot(this.c, v);
    for (let i = 0; i < u.length; i++) u[i] -= shift;
  }

  combined({ rows: k, data }: DenseMatrix): DenseMatrix {
    const { rows: N, columns: D } = this;
    const V = zeros(k, D);
    for (let a = 0; a < k; a++)
      this.transposeTimes(data.subarray(a * N, (a + 1) * N), V.data.subarray(a * D, (a + 1) * D));
    return V;
  }

  /** v ← Bᵀ u */
  private transposeTimes(u: Float64Array, v: Float64Array): void {
    const { rowPointers, columnIndices, values } = this.S;
    v.fill(0);
    let sum = 0;
    for (let i = 0; i < u.length; i++) {
      const factor = u[i];
      sum += factor;
      for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++) v[columnIndices[p]] += factor * values[p];
    }
    for (let j = 0; j < v.length; j++) v[j] -= sum * this.c[j];
  }

  scores(V: DenseMatrix): DenseMatrix {
    const k = V.rows;
    const Y = zeros(this.rows, k);
    if (this.columns === 0) return Y;
    sparseTimesBlock(this.S, transpose(V).data, k, Y.data);
    for (let a = 0; a < k; a++) {
      const shift = dot(this.c, V.data.subarray(a * this.columns, (a + 1) * this.columns));
      for (let i = 0; i < this.rows; i++) Y.data[i * k + a] -= shift;
    }
    scale(1 / this.inverse, Y.data);
    return Y;
  }

  end(): void {} // no thread was started
}

function notToldApart(count: number): never {
  throw new CurvatureError(
    "ERR_NO_CONVERGENCE",
    `the ${count} largest variances of data, or those behind them, lie so near one another that they could not be told apart. Ask for fewer components, or give the points as a dense matrix.`,
    { where: "principalComponents", path: "data", received: count },
  );
}

/** Means of columns with so many entries each, by two rounds of corrections: exact for constant columns. */
function sparseMeans(X: SparseMatrix, counts: Int32Array): Float64Array {
  const { rows: N, columns: D, columnIndices, values } = X;
  const means = new Float64Array(D);
  for (let p = 0; p < X.rowPointers[Math.min(1, N)]; p++) {
    const j = columnIndices[p];
    if (counts[j] === N) means[j] = values[p];
  }
  const correction = new Float64Array(D);
  for (let round = 0; round < 2; round++) {
    for (let j = 0; j < D; j++) correction[j] = -means[j] * ((N - counts[j]) / N);
    for (let p = 0; p < values.length; p++) {
      const j = columnIndices[p];
      correction[j] += (values[p] - means[j]) / N;
    }
    for (let j = 0; j < D; j++) means[j] += correction[j];
  }
  return means;
}
