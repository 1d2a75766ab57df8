/**
 * Preconditioners M ≈ H = Λ + Σᵢ hᵢ xᵢ xᵢᵀ of conjugate gradients, a free bias eliminated.
 *
 * Sampled   M = Λ + Σᵢ kᵢ (σ/eᵢ) hᵢ xᵢ xᵢᵀ: the scores hᵢ eᵢ, eᵢ = xᵢᵀ D⁻¹ xᵢ with the diagonal D of H, laid end to end are a
 *           line, σ is its length over 4 d, and kᵢ of the 4 d points σ/2, 3σ/2, … of the line lie on row i's piece. Rows
 *           are taken in proportion to what they are in H, whatever the scale of their columns: none that rules a
 *           direction is left out. Up to 4 d rows with curvature are all taken, and then M = H. An M that costs more than 8
 *           products is only made once the products since the last one cost as much: until then the last one goes on, or the
 *           diagonal. So much is spent at most twice, and rows of many columns that are easily solved never pay for it.
 * Diagonal  M = Λ + diag(Σᵢ hᵢ xᵢ∘xᵢ), for many features.
 *
 * Rows are not drawn at random but evenly, which has less variance, needs no seed and gives the same bits.
 */
import type { RowAccess } from "@curvature/objectives/linear";
import { boolean, float64, number, part, type Stateful, stateOf } from "@curvature/optim-core/state";
import type { BiasElimination } from "./bias-elimination.js";
import { RidgedCholesky } from "./ridged-cholesky.js";
import type { RowSweeps } from "./sweeps/sweeps.js";
import type { RowPrices } from "./system.js";
import { MIN_OUTER_PRODUCTS, RowCursor, type Work } from "./work.js";

export interface Preconditioner extends Stateful {
  /**
   * Begins M for these curvatures, if that of earlier ones is not to serve.
   *
   * @param products - with H, that the last system took
   * @returns whether there is M to be made
   */
  start(h: Float64Array, products: number): boolean;
  /** @param center - of the rows under h, where a bias is free. @returns whether M is ready */
  advance(work: Work, h: Float64Array, center: BiasElimination): boolean;
  /** M⁻¹ v */
  solve(v: Float64Array, out: Float64Array): void;
  /** Computes what follows from a state that was restored. */
  renew?(): void;
}

const ROWS_PER_FEATURE = 4;
/** In a system, and of curvatures, up to which M is as good as new. */
const MAX_PRODUCTS = 8;
const MAX_CHANGE = 0.3;
/** Products at whose price M is made at once. */
const CHEAP = 8;

export class SampledPreconditioner implements Preconditioner {
  readonly state;
  private readonly factor: RidgedCholesky;
  private readonly rows: number;
  /** Multiplications of M, and of a product with H. */
  private readonly price: number;
  private readonly productPrice: number;

  /** @param prices - of a row */
  constructor(
    private readonly sweeps: RowSweeps,
    private readonly access: RowAccess,
    private readonly dimension: number,
    private readonly diagonal: Float64Array,
    { product, outerProduct }: RowPrices,
    isBiasFree: boolean,
  ) {
    const { rows } = access;
    this.rows = rows;
    const share = Math.min(1, (ROWS_PER_FEATURE * dimension) / rows);
    const cursor = new RowCursor(rows, Math.max(1, share * outerProduct), MIN_OUTER_PRODUCTS / share);
    this.price = share * rows * outerProduct + dimension ** 3 / 6;
    this.productPrice = 2 * rows * product;
    this.factor = new RidgedCholesky(dimension, diagonal, isBiasFree);
    this.state = stateOf({
      M: float64(new Float64Array(dimension * dimension)),
      weights: float64(new Float64Array(rows)),
      /** The curvatures and λ that M was made for. */
      held: float64(new Float64Array(rows)),
      lambda: number(0),
      cursor: part(cursor),
      /** Whether rows were scored for M, which takes two reads of them. */
      isScored: boolean(),
      isReady: boolean(),
      /** Multiplications of products since M was made. */
      spent: number(0),
      /** Whether the diagonal stands in for M. */
      isDiagonal: boolean(),
      plain: part(new DiagonalPreconditioner(sweeps, rows, diagonal, product)),
    });
  }

  start(h: Float64Array, products: number): boolean {
    const { state } = this;
    state.spent += Math.max(0, products) * this.productPrice;
    if (this.isGood(h, products)) return false;
    if (this.price > Math.max(CHEAP * this.productPrice, state.spent)) {
      if (state.isReady) return false;
      state.isDiagonal = true;
      return state.plain.start();
    }
    state.isDiagonal = false;
    state.spent = 0;
    this.sample(h);
    return true;
  }

  private isGood(h: Float64Array, products: number): boolean {
    const { isReady, held, lambda } = this.state;
    return (
      isReady && lambda === this.diagonal[0] && products <= MAX_PRODUCTS && changeOf(held, h) <= MAX_CHANGE
    );
  }

  private sample(h: Float64Array): void {
    const { rows, dimension, state } = this;
    const { M, weights, held } = state;
    const points = ROWS_PER_FEATURE * dimension;
    let active = 0;
    for (let i = 0; i < rows; i++) if (h[i] !== 0) active++;
    M.fill(0);
    held.set(h);
    state.lambda = this.diagonal[0];
    state.isReady = false;
    state.isScored = active > points;
    if (!state.isScored) {
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

  advance(work: Work, h: Float64Array, center: BiasElimination): boolean {
    const { state } = this;
    const { weights, M, isDiagonal, plain } = state;
    if (isDiagonal) return plain.advance(work, h, center);
    const isComplete = state.cursor.sweep(work, (from, to) => {
      this.sweeps.addOuterProducts(weights, M, from, to);
      for (let i = from; i < to; i++) if (weights[i] !== 0) work.rowVisits++;
    });
    if (!isComplete) return false;
    work.left -= this.dimension ** 3 / 6;
    if (state.isScored) work.rowVisits += 2 * this.rows;
    state.isReady = this.factor.factor(M);
    return true;
  }

  solve(v: Float64Array, out: Float64Array): void {
    const { isDiagonal, plain } = this.state;
    if (isDiagonal) plain.solve(v, out);
    else this.factor.solve(v, out);
  }

  renew(): void {
    const { state } = this;
    state.isReady = state.isReady && this.factor.factor(state.M);
  }
}

/** Σ |hᵢ − hᵢ′| / Σ hᵢ: how far curvatures are from those before. */
function changeOf(before: Float64Array, h: Float64Array): number {
  let change = 0;
  let sum = 0;
  for (let i = 0; i < h.length; i++) {
    change += Math.abs(h[i] - before[i]);
    sum += h[i];
  }
  return change === 0 ? 0 : change / sum;
}

export class DiagonalPreconditioner implements Preconditioner {
  readonly state;

  constructor(
    private readonly sweeps: RowSweeps,
    rows: number,
    private readonly diagonal: Float64Array,
    cost: number,
  ) {
    this.state = stateOf({
      M: float64(new Float64Array(diagonal.length)),
      cursor: part(new RowCursor(rows, cost)),
    });
  }

  start(): boolean {
    this.state.M.set(this.diagonal);
    return true;
  }

  advance(work: Work, h: Float64Array, center: BiasElimination): boolean {
    const { M, cursor } = this.state;
    const isComplete = cursor.sweep(work, (from, to) => {
      this.sweeps.addSquares(h, M, from, to);
      work.rowVisits += to - from;
    });
    if (isComplete && center.isFree)
      for (let j = 0; j + 1 < M.length; j++)
        M[j] = Math.max(this.diagonal[j], M[j] - center.sum * center.m[j] * center.m[j]);
    return isComplete;
  }

  solve(v: Float64Array, out: Float64Array): void {
    const { M } = this.state;
    for (let j = 0; j < M.length; j++) out[j] = M[j] > 0 ? v[j] / M[j] : 0;
  }
}
