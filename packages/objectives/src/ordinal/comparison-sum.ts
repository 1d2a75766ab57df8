/**
 * The objective of ordinal embedding as a sum over the comparisons, F(X) = Σ_q f_q(X),
 *
 *   f_q = s_q l(d₁, d₂) + ½ Σ_{r in q} ρ_r ‖x_r‖²,   s_q = w_q / Σ w,   ρ_r = (λ/n)/(comparisons with r in them)
 *
 *   ∂f_q/∂xᵢ += 2 s a (xᵢ − xⱼ),  ∂f_q/∂xⱼ −= the same,   ∂f_q/∂x_l += 2 s c (x_l − x_k),  ∂f_q/∂x_k −= the same
 *
 * | symbol     | variable     | shape                                                             |
 * |------------|--------------|-------------------------------------------------------------------|
 * | X          | X            | n × p row-major                                                   |
 * | d₁, d₂     | d1, d2       | one block of squared distances ‖xᵢ − xⱼ‖², ‖x_l − x_k‖²            |
 * | a, c       | a, c         | ∂l/∂d₁, ∂l/∂d₂ of the block                                       |
 * | s, ρ       | shares, ridgeShares | N (undefined: all 1/N), n (undefined: λ = 0)                |
 *
 * Blocks let the loss work on whole arrays: its loop is compiled for it alone, whatever other losses are in use.
 */
import type { SparseEvaluation, SumOfFunctions } from "@curvature/optim-core";
import { checkIndex, checkIndices, checkPoint } from "../checks.js";
import type { ComparisonData } from "./comparison-data.js";
import type { OrdinalLoss } from "./loss.js";

/**
 * The sum, and what its terms are made of, for solvers that work on the rows themselves. Not to be used from two
 * places at once: evaluations share their scratch arrays.
 */
export interface ComparisonSum extends SumOfFunctions {
  readonly fingerprint: string;
  /** n */
  readonly objects: number;
  /** p; `dimension` is n p. */
  readonly dimensions: number;
  /** i, j, l, k of each comparison, length 4N. Not to be written. */
  readonly quadruplets: Int32Array;
  readonly loss: OrdinalLoss;
  /** s, length N; undefined where all are 1/N. */
  readonly shares: Float64Array | undefined;
  /** ρ, length n; undefined without a ridge. */
  readonly ridgeShares: Float64Array | undefined;
  evaluate(index: number, X: Float64Array, gradient?: Float64Array): number;
  evaluateBatch(indices: Int32Array, X: Float64Array, gradient?: Float64Array): number;
  /** Writes up to 4p coordinates and entries. */
  evaluateSparse(
    index: number,
    X: Float64Array,
    coordinates: Int32Array,
    entries: Float64Array,
  ): SparseEvaluation;
}

const BLOCK = 256;
const WHERE = "ordinalObjective";

type ComparisonParts = Pick<ComparisonData, "comparisons" | "loss" | "dimensions" | "count" | "shares"> &
  Pick<ComparisonSum, "ridgeShares">;

export class ComparisonTerms implements ComparisonSum {
  readonly dimension: number;
  readonly count: number;
  readonly objects: number;
  readonly dimensions: number;
  readonly quadruplets: Int32Array;
  readonly loss: OrdinalLoss;
  readonly shares: Float64Array | undefined;
  readonly ridgeShares: Float64Array | undefined;
  private readonly order = new Int32Array(BLOCK);
  private readonly d1 = new Float64Array(BLOCK);
  private readonly d2 = new Float64Array(BLOCK);
  private readonly l = new Float64Array(BLOCK);
  private readonly a = new Float64Array(BLOCK);
  private readonly c = new Float64Array(BLOCK);
  private readonly rowsOfTerm = new Int32Array(4);

  constructor(
    { comparisons, loss, dimensions, count, shares, ridgeShares }: ComparisonParts,
    readonly fingerprint: string,
  ) {
    this.objects = comparisons.objects;
    this.dimensions = dimensions;
    this.dimension = comparisons.objects * dimensions;
    this.count = count;
    this.quadruplets = comparisons.quadruplets;
    this.loss = loss;
    this.shares = shares;
    this.ridgeShares = ridgeShares;
  }

  evaluate(index: number, X: Float64Array, gradient?: Float64Array): number {
    checkIndex(WHERE, index, this.count);
    this.order[0] = index;
    return this.begin(X, gradient) + this.block(1, X, gradient) + this.ridgeOfBlock(1, X, gradient);
  }

  evaluateBatch(indices: Int32Array, X: Float64Array, gradient?: Float64Array): number {
    const { order } = this;
    checkIndices(WHERE, indices, this.count);
    let value = this.begin(X, gradient);
    for (let start = 0; start < indices.length; start += BLOCK) {
      const count = Math.min(BLOCK, indices.length - start);
      for (let k = 0; k < count; k++) order[k] = indices[start + k];
      value += this.block(count, X, gradient) + this.ridgeOfBlock(count, X, gradient);
    }
    return value;
  }

  /** Σ_q s_q l_q of all terms, the ridge left out. */
  evaluateLosses(X: Float64Array, gradient?: Float64Array): number {
    const { order, count: N } = this;
    let value = this.begin(X, gradient);
    for (let start = 0; start < N; start += BLOCK) {
      const count = Math.min(BLOCK, N - start);
      for (let k = 0; k < count; k++) order[k] = start + k;
      value += this.block(count, X, gradient);
    }
    return value;
  }

  evaluateSparse(
    index: number,
    X: Float64Array,
    coordinates: Int32Array,
    entries: Float64Array,
  ): SparseEvaluation {
    const { dimensions: p, quadruplets, rowsOfTerm, order, a, c, ridgeShares } = this;
    checkIndex(WHERE, index, this.count);
    checkPoint(WHERE, X, undefined, this.dimension);
    order[0] = index;
    this.measure(1, X);
    this.loss.valuesAndSlopes(1, this.d1, this.d2, this.l, a, c);
    const share = this.shareOf(index);
    let value = share * this.l[0];
    const rows = this.rowsOf(index);
    for (let r = 0; r < rows; r++) {
      const row = rowsOfTerm[r] * p;
      const rho = ridgeShares === undefined ? 0 : ridgeShares[rowsOfTerm[r]];
      for (let t = 0; t < p; t++) {
        coordinates[r * p + t] = row + t;
        entries[r * p + t] = rho * X[row + t];
        value += 0.5 * rho * X[row + t] * X[row + t];
      }
    }
    const near = 2 * share * a[0];
    const far = 2 * share * c[0];
    const at = 4 * index;
    const i = quadruplets[at];
    const j = quadruplets[at + 1];
    const l = quadruplets[at + 2];
    const k = quadruplets[at + 3];
    const placeL = (l === i ? 0 : l === j ? 1 : 2) * p; // the places that `rowsOf` gave them
    const placeK = (k === i ? 0 : k === j ? 1 : rows - 1) * p;
    for (let t = 0; t < p; t++) {
      const u = near * (X[i * p + t] - X[j * p + t]);
      const w = far * (X[l * p + t] - X[k * p + t]);
      entries[t] += u;
      entries[p + t] -= u;
      entries[placeL + t] += w;
      entries[placeK + t] -= w;
    }
    return { value, touched: rows * p };
  }

  private begin(X: Float64Array, gradient: Float64Array | undefined): 0 {
    checkPoint(WHERE, X, gradient, this.dimension);
    gradient?.fill(0);
    return 0;
  }

  private shareOf(index: number): number {
    return this.shares === undefined ? 1 / this.count : this.shares[index];
  }

  /** d₁ and d₂ of the first `count` terms in `order`. */
  private measure(count: number, X: Float64Array): void {
    const { quadruplets, order, d1, d2, dimensions: p } = this;
    for (let q = 0; q < count; q++) {
      const at = 4 * order[q];
      const i = quadruplets[at] * p;
      const j = quadruplets[at + 1] * p;
      const l = quadruplets[at + 2] * p;
      const k = quadruplets[at + 3] * p;
      let near = 0;
      let far = 0;
      for (let t = 0; t < p; t++) {
        const u = X[i + t] - X[j + t];
        const w = X[l + t] - X[k + t];
        near += u * u;
        far += w * w;
      }
      d1[q] = near;
      d2[q] = far;
    }
  }

  /** Σ s l of the first `count` terms in `order`, and their gradients added to `gradient`. */
  private block(count: number, X: Float64Array, gradient: Float64Array | undefined): number {
    const { order, l, a, c, d1, d2, shares, loss } = this;
    this.measure(count, X);
    if (gradient === undefined) loss.values(count, d1, d2, l);
    else loss.valuesAndSlopes(count, d1, d2, l, a, c);
    const even = 1 / this.count;
    let value = 0;
    for (let q = 0; q < count; q++) value += (shares === undefined ? even : shares[order[q]]) * l[q];
    if (gradient === undefined) return value;
    for (let q = 0; q < count; q++) {
      const twice = 2 * (shares === undefined ? even : shares[order[q]]);
      a[q] *= twice;
      c[q] *= twice;
    }
    this.scatter(count, X, gradient);
    return value;
  }

  private scatter(count: number, X: Float64Array, gradient: Float64Array): void {
    const { quadruplets, order, a, c, dimensions: p } = this;
    for (let q = 0; q < count; q++) {
      const at = 4 * order[q];
      const i = quadruplets[at] * p;
      const j = quadruplets[at + 1] * p;
      const l = quadruplets[at + 2] * p;
      const k = quadruplets[at + 3] * p;
      const near = a[q];
      const far = c[q];
      for (let t = 0; t < p; t++) {
        const u = near * (X[i + t] - X[j + t]);
        const w = far * (X[l + t] - X[k + t]);
        gradient[i + t] += u;
        gradient[j + t] -= u;
        gradient[l + t] += w;
        gradient[k + t] -= w;
      }
    }
  }

  private ridgeOfBlock(count: number, X: Float64Array, gradient: Float64Array | undefined): number {
    const { ridgeShares, rowsOfTerm, order, dimensions: p } = this;
    if (ridgeShares === undefined) return 0;
    let value = 0;
    for (let q = 0; q < count; q++) {
      const rows = this.rowsOf(order[q]);
      for (let r = 0; r < rows; r++) {
        const rho = ridgeShares[rowsOfTerm[r]];
        const start = rowsOfTerm[r] * p;
        for (let at = start; at < start + p; at++) {
          value += 0.5 * rho * X[at] * X[at];
          if (gradient !== undefined) gradient[at] += rho * X[at];
        }
      }
    }
    return value;
  }

  /** Writes the different rows of a term, and says how many they are. */
  private rowsOf(index: number): number {
    const { quadruplets, rowsOfTerm } = this;
    const at = 4 * index;
    const i = quadruplets[at];
    const j = quadruplets[at + 1];
    const l = quadruplets[at + 2];
    const k = quadruplets[at + 3];
    let rows = 2;
    rowsOfTerm[0] = i;
    rowsOfTerm[1] = j;
    if (l !== i && l !== j) rowsOfTerm[rows++] = l;
    if (k !== i && k !== j) rowsOfTerm[rows++] = k;
    return rows;
  }
}
