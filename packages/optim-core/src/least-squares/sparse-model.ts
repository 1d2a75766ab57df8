/**
 * What Levenberg-Marquardt steps are made of, where J is sparse: the linear problem of `linear-model.ts` by its normal equations.
 *
 *   (S⁻¹JᵀJ S⁻¹ + λ W²) u = −S⁻¹Jᵀ r,   u = S p,   W = D S⁻¹       S the lengths of the columns, to a power of two
 *   refined   u ← u − (S⁻¹JᵀJ S⁻¹ + λ W²)⁻¹ (S⁻¹Jᵀ(r + J p) + λ W² u), up to three times
 *
 * The residual of the refinement is made of J and not of JᵀJ, so that u is nearly as exact as by QR as long as the factor is worth
 * anything (Björck 1987). It is not where a pivot is at most 10⁻¹⁴ of its diagonal entry, or where the first refinement changes u by
 * more than a thousandth: then J counts as having lost its rank, and 10⁻¹⁰ is added to the diagonal, with more refinements.
 *
 * Björck: Stability analysis of the method of seminormal equations for linear least squares problems. Linear Algebra Appl. 88/89
 * (1987) 31-48.
 */
import { dot, norm2, powerOfTwoBelow, type SparseMatrix, sparseTimesVector } from "@curvature/linalg";
import type { StepModel } from "./linear-model.js";
import type { NormalEquations } from "./normal-equations.js";

const TRUSTED = 1e-3;
const SETTLED = 1e-12;
const REFINEMENTS = 3;
const SHIFT = 1e-10;
const SHIFTED_REFINEMENTS = 8;

export class SparseModel implements StepModel {
  readonly expected: number;
  readonly hasFullRank: boolean;
  /** S⁻¹; 0 for columns that are left out. */
  readonly scale: Float64Array;
  private readonly W: Float64Array;
  /** S⁻¹ JᵀJ S⁻¹ */
  private readonly product: Float64Array;
  /** S⁻¹ Jᵀ r */
  private readonly gradient: Float64Array;
  private readonly whole: Float64Array;
  /** What is added to the diagonal of all. */
  private shift = 0;
  private lambda = 0;

  /**
   * @param order - the columns of J that may move
   * @param lengths - of J's columns
   * @param D - one for each column of J
   */
  constructor(
    private readonly J: SparseMatrix,
    private readonly r: Float64Array,
    readonly order: Int32Array,
    lengths: Float64Array,
    D: Float64Array,
    private readonly normal: NormalEquations,
  ) {
    this.scale = new Float64Array(J.columns);
    for (const j of order) this.scale[j] = 1 / powerOfTwoBelow(lengths[j]);
    this.W = this.scale.map((s, j) => D[j] * s);
    this.product = normal.product(J, this.scale);
    this.gradient = this.scaledTranspose(r);
    let solution = this.solved(0);
    if (solution === undefined) {
      this.shift = SHIFT;
      solution = this.solved(0);
    }
    this.hasFullRank = this.shift === 0;
    this.whole = solution ?? new Float64Array(J.columns);
    const along = this.along(this.whole);
    this.expected = dot(along, along) / 2;
  }

  get factorization() {
    return this.hasFullRank ? "cholesky" : "shifted-cholesky";
  }

  get size(): number {
    return this.order.length;
  }

  scaledLength(u: Float64Array): number {
    return norm2(u.map((entry, j) => entry * this.W[j]));
  }

  /** ‖D⁻¹ Jᵀ r‖ over these columns. */
  scaledGradient(): number {
    return norm2(this.gradient.map((g, j) => (this.W[j] === 0 ? 0 : g / this.W[j])));
  }

  newton(): Float64Array {
    return this.whole;
  }

  step(lambda: number): Float64Array {
    for (let tries = 0; ; tries++) {
      const u = this.solved(lambda);
      if (u !== undefined) return u;
      if (tries === 5) return this.whole;
      this.shift = Math.max(SHIFT, 100 * this.shift);
    }
  }

  /** −(d‖D p‖/dλ) / ‖D p‖ */
  slope(u: Float64Array, lambda: number): number {
    const { W, normal } = this;
    if ((normal.owner !== this || this.lambda !== lambda) && !this.factor(lambda)) return 0;
    const length = this.scaledLength(u);
    const y = u.map((entry, j) => W[j] * ((W[j] * entry) / length));
    return dot(y, normal.solve(y));
  }

  write(u: Float64Array, p: Float64Array): void {
    for (const j of this.order) p[j] = u[j] * this.scale[j];
  }

  /** Of the inverse of S⁻¹JᵀJ S⁻¹ + δ the diagonal; undefined where that cannot be factored. */
  inverseDiagonal(delta: number): Float64Array | undefined {
    const { normal } = this;
    return normal.factor(this.product, (j) => (this.scale[j] === 0 ? 0 : delta), undefined)
      ? normal.inverseDiagonal()
      : undefined;
  }

  private factor(lambda: number): boolean {
    const { W, scale, shift } = this;
    this.lambda = lambda;
    return this.normal.factor(this.product, (j) => (scale[j] === 0 ? 0 : lambda * W[j] * W[j] + shift), this);
  }

  /** u of the step damped by λ; undefined where the factor is worth nothing. */
  private solved(lambda: number): Float64Array | undefined {
    if (!this.factor(lambda)) return undefined;
    const { W, normal, shift } = this;
    const u = normal.solve(this.gradient.map((g) => -g));
    const most = shift === 0 ? REFINEMENTS : SHIFTED_REFINEMENTS;
    for (let k = 0, before = Number.POSITIVE_INFINITY; k < most; k++) {
      const along = this.along(u);
      const rest = this.scaledTranspose(this.r.map((ri, i) => ri + along[i]));
      const change = normal.solve(rest.map((g, j) => -g - lambda * W[j] * W[j] * u[j]));
      const size = norm2(change);
      if (!(size <= before / 2)) return shift === 0 && k === 0 ? undefined : u;
      if (shift === 0 && k === 0 && size > TRUSTED * norm2(u)) return undefined;
      for (const [j, entry] of change.entries()) u[j] += entry;
      if (size <= SETTLED * norm2(u)) break;
      before = size;
    }
    return u;
  }

  /** J S⁻¹ u */
  private along(u: Float64Array): Float64Array {
    const along = new Float64Array(this.J.rows);
    sparseTimesVector(
      this.J,
      u.map((entry, j) => entry * this.scale[j]),
      along,
    );
    return along;
  }

  /** S⁻¹ Jᵀ y */
  private scaledTranspose(y: Float64Array): Float64Array {
    return transposeTimes(this.J, y).map((entry, j) => entry * this.scale[j]);
  }
}

/** Jᵀ y, its sums from the first row to the last. */
export function transposeTimes(J: SparseMatrix, y: Float64Array): Float64Array {
  const { rowPointers, columnIndices, values } = J;
  const out = new Float64Array(J.columns);
  for (let i = 0; i < y.length; i++)
    for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++) out[columnIndices[p]] += y[i] * values[p];
  return out;
}
