/**
 * Preconditioners M ≈ H = Λ + Σᵢ hᵢ xᵢ xᵢᵀ of conjugate gradients.
 *
 * Sampled   M = Λ + Σᵢ kᵢ (σ/eᵢ) hᵢ xᵢ xᵢᵀ: the scores hᵢ eᵢ, eᵢ = xᵢᵀ D⁻¹ xᵢ with the diagonal D of H, laid end to end are a
 *           line, σ is its length over 4 d, and kᵢ of the 4 d points σ/2, 3σ/2, … of the line lie on row i's piece. Rows
 *           are taken in proportion to what they are in H, whatever the scale of their columns: none that rules a
 *           direction is left out. Up to 4 d rows with curvature are all taken, and then M = H.
 * Diagonal  M = Λ + diag(Σᵢ hᵢ xᵢ∘xᵢ), for many features.
 *
 * Rows are not drawn at random but evenly, which has less variance, needs no seed and gives the same bits.
 */
import type { RowAccess } from "@curvature/objectives/linear";
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import { RidgedCholesky } from "./ridged-cholesky.js";
import type { RowSweeps } from "./sweeps/sweeps.js";
import { LEAST_OUTER_PRODUCTS, RowCursor, type Work } from "./work.js";

export interface Preconditioner {
  /** Begins M for these curvatures. */
  start(h: Float64Array): void;
  /** @returns whether M is ready */
  advance(work: Work, h: Float64Array): boolean;
  /** M⁻¹ v */
  solve(v: Float64Array, out: Float64Array): void;
  /** Whether M of earlier curvatures serves for these, if the last solve took so many products. */
  serves(h: Float64Array, products: number): boolean;
  save(): { readonly [key: string]: SnapshotValue };
  restore(state: SnapshotReader): void;
}

const ROWS_PER_FEATURE = 4;
const MOST_PRODUCTS = 8;
const MOST_CHANGE = 0.3;

export class SampledPreconditioner implements Preconditioner {
  private readonly M: Float64Array;
  private readonly weights: Float64Array;
  /** The curvatures that M was made for. */
  private readonly held: Float64Array;
  private readonly cursor: RowCursor;
  private readonly factor: RidgedCholesky;
  private readonly rows: number;
  /** Whether rows were scored for M, which takes two reads of them. */
  private isScored = false;
  private isReady = false;

  /** @param cost - multiplications per row of Σ xᵢ xᵢᵀ */
  constructor(
    private readonly sweeps: RowSweeps,
    private readonly access: RowAccess,
    private readonly dimension: number,
    private readonly diagonal: Float64Array,
    cost: number,
  ) {
    const { rows } = access;
    this.rows = rows;
    this.M = new Float64Array(dimension * dimension);
    this.weights = new Float64Array(rows);
    this.held = new Float64Array(rows);
    const share = Math.min(1, (ROWS_PER_FEATURE * dimension) / rows);
    this.cursor = new RowCursor(rows, Math.max(1, share * cost), LEAST_OUTER_PRODUCTS / share);
    this.factor = new RidgedCholesky(dimension, diagonal);
  }

  start(h: Float64Array): void {
    const { weights, rows, dimension } = this;
    const points = ROWS_PER_FEATURE * dimension;
    let active = 0;
    for (let i = 0; i < rows; i++) if (h[i] !== 0) active++;
    this.M.fill(0);
    this.held.set(h);
    this.isReady = false;
    this.isScored = active > points;
    if (!this.isScored) {
      weights.set(h);
      return;
    }
    const scores = this.scores(h);
    let length = 0;
    for (let i = 0; i < rows; i++) length += h[i] * scores[i];
    const spacing = length / points;
    let end = 0;
    let before = 0;
    for (let i = 0; i < rows; i++) {
      end += h[i] * scores[i];
      const count = Math.floor(end / spacing + 0.5);
      weights[i] = count > before ? ((count - before) * spacing) / scores[i] : 0;
      before = count;
    }
  }

  /** eᵢ = xᵢᵀ D⁻¹ xᵢ of rows with curvature */
  private scores(h: Float64Array): Float64Array {
    const { access, sweeps, rows, diagonal, dimension } = this;
    const D = diagonal.slice();
    sweeps.addSquares(h, D, 0, rows);
    const inverse = D.map((entry) => (entry > 0 ? 1 / entry : 0));
    const ofBias = dimension > access.columns ? inverse[access.columns] : 0;
    const e = new Float64Array(rows);
    for (let i = 0; i < rows; i++) if (h[i] !== 0) e[i] = access.weightedSquaredNorm(i, inverse) + ofBias;
    return e;
  }

  advance(work: Work): boolean {
    const { weights, M } = this;
    const isComplete = this.cursor.sweep(work, (from, to) => {
      this.sweeps.addOuterProducts(weights, M, from, to);
      for (let i = from; i < to; i++) if (weights[i] !== 0) work.rowVisits++;
    });
    if (!isComplete) return false;
    work.left -= this.dimension ** 3 / 6;
    if (this.isScored) work.rowVisits += 2 * this.rows;
    this.isReady = this.factor.factor(M);
    return true;
  }

  solve(v: Float64Array, out: Float64Array): void {
    this.factor.solve(v, out);
  }

  serves(h: Float64Array, products: number): boolean {
    return this.isReady && products <= MOST_PRODUCTS && changeOf(this.held, h) <= MOST_CHANGE;
  }

  save(): { readonly [key: string]: SnapshotValue } {
    return {
      M: this.M.slice(),
      weights: this.weights.slice(),
      held: this.held.slice(),
      next: this.cursor.next,
      isScored: this.isScored,
      isReady: this.isReady,
    };
  }

  restore(state: SnapshotReader): void {
    const M = state.float64("M", this.M.length);
    const weights = state.float64("weights", this.rows);
    const held = state.float64("held", this.rows);
    const next = state.integer("next", 0, this.rows);
    const isScored = state.flag("isScored");
    const isReady = state.flag("isReady");
    this.M.set(M);
    this.weights.set(weights);
    this.held.set(held);
    this.cursor.next = next;
    this.isScored = isScored;
    this.isReady = isReady && this.factor.factor(this.M);
  }
}

/** Σ |hᵢ − hᵢ′| / Σ hᵢ: how far curvatures are from those before. */
export function changeOf(before: Float64Array, h: Float64Array): number {
  let change = 0;
  let sum = 0;
  for (let i = 0; i < h.length; i++) {
    change += Math.abs(h[i] - before[i]);
    sum += h[i];
  }
  return change === 0 ? 0 : change / sum;
}

export class DiagonalPreconditioner implements Preconditioner {
  private readonly M: Float64Array;
  private readonly cursor: RowCursor;

  constructor(
    private readonly sweeps: RowSweeps,
    private readonly rows: number,
    private readonly diagonal: Float64Array,
    cost: number,
  ) {
    this.M = new Float64Array(diagonal.length);
    this.cursor = new RowCursor(rows, cost);
  }

  start(): void {
    this.M.set(this.diagonal);
  }

  advance(work: Work, h: Float64Array): boolean {
    return this.cursor.sweep(work, (from, to) => {
      this.sweeps.addSquares(h, this.M, from, to);
      work.rowVisits += to - from;
    });
  }

  solve(v: Float64Array, out: Float64Array): void {
    const { M } = this;
    for (let j = 0; j < M.length; j++) out[j] = M[j] > 0 ? v[j] / M[j] : v[j];
  }

  serves(): boolean {
    return false;
  }

  save(): { readonly [key: string]: SnapshotValue } {
    return { M: this.M.slice(), next: this.cursor.next };
  }

  restore(state: SnapshotReader): void {
    const M = state.float64("M", this.M.length);
    this.cursor.next = state.integer("next", 0, this.rows);
    this.M.set(M);
  }
}
