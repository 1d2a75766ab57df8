/**
 * Gradient and Hessian of the softmax losses in contrasts (`contrasts.ts`), summed over rows:
 *
 *   g_a = Σ cᵢ (V (pᵢ − eᵢ))_a x̃ᵢ,   H_ab = Σ cᵢ (V (diag pᵢ − pᵢpᵢᵀ) Vᵀ)_ab x̃ᵢx̃ᵢᵀ,   a, b = 1 … K − 1
 *
 * and the Cholesky factor of H + Λ. No ridge is ever added. H is one matrix product, of the weights of all pairs a, b with the products
 * x̃ᵢⱼ x̃ᵢₗ, l ≤ j: n K² D²/4 multiplications.
 */
import { CurvatureError, DenseCholesky, gemm, ProductWorkspace } from "@curvature/linalg";
import { float64, stateOf } from "@curvature/optim-core/state";
import { toContrasts } from "./contrasts.js";
import type { RowBlocks } from "./row-blocks.js";
import { RowLoss } from "./row-loss.js";

/** Numbers in the factors of H of a block of rows, at most. */
const BLOCK_SIZE = 2 ** 20;

export class SoftmaxHessian {
  readonly state;
  /** N = (K − 1) D */
  readonly size: number;
  private readonly contrasts: number;
  private readonly pairs: number;
  /** D (D + 1)/2 */
  private readonly entries: number;
  private readonly rowsPerBlock: number;
  private readonly row: RowLoss;
  private readonly W: Float64Array;
  private readonly VW: Float64Array;
  private readonly slopes: Float64Array;
  /** Of each row of a block its (V W Vᵀ)_ab, b ≤ a. */
  private readonly M: Float64Array;
  private readonly U: Float64Array;
  /** Of each row of a block its x̃ⱼ x̃ₗ, l ≤ j. */
  private readonly products: Float64Array;
  private readonly workspace = new ProductWorkspace();
  private factorData: Float64Array | undefined;

  constructor(
    private readonly rows: RowBlocks,
    private readonly classes: number,
  ) {
    const m = Math.max(0, classes - 1);
    const D = rows.width;
    const pairs = (m * (m + 1)) / 2;
    const entries = (D * (D + 1)) / 2;
    this.contrasts = m;
    this.pairs = pairs;
    this.entries = entries;
    this.size = m * D;
    this.rowsPerBlock = Math.max(1, Math.min(128, Math.floor(BLOCK_SIZE / (pairs + entries))));
    this.row = new RowLoss(classes);
    this.W = new Float64Array(classes * classes);
    this.VW = new Float64Array(classes * classes);
    this.slopes = new Float64Array(classes);
    this.M = new Float64Array(this.rowsPerBlock * pairs);
    this.U = new Float64Array(this.rowsPerBlock * m);
    this.products = new Float64Array(this.rowsPerBlock * entries);
    this.state = stateOf({
      g: float64(new Float64Array(this.size)),
      /** H_ab for b ≤ a, one after the other, the lower triangle of each. */
      H: float64(new Float64Array(pairs * entries)),
    });
  }

  /** Multiplications per row of `add`. */
  static costOf(classes: number, width: number): number {
    const pairs = ((classes - 1) * classes) / 2;
    return 0.25 * (pairs + 1) * width * (width + 1) + 4 * classes * classes + 4;
  }

  clear(): void {
    this.state.g.fill(0);
    this.state.H.fill(0);
  }

  /** Adds rows from … to − 1. @param scores - K for each row */
  add(scores: Float64Array, labels: Int32Array, from: number, to: number): void {
    this.rows.inBlocks(from, to, this.rowsPerBlock, (start, end) => {
      for (let i = start; i < end; i++) this.weigh(scores, labels, i, i - start);
      this.addBlock(end - start);
    });
  }

  /** cᵢ V (p − e) and cᵢ V W Vᵀ of row i. */
  private weigh(scores: Float64Array, labels: Int32Array, i: number, at: number): void {
    const { classes: K, contrasts: m, row, slopes, W, VW, M, U } = this;
    const y = labels[i];
    const c = this.rows.c[i];
    row.take(scores, scores, 0, i * K, y);
    for (let k = 0; k < K; k++) slopes[k] = c * row.slope(k, y);
    toContrasts(K, slopes, 0, 1, U, at * m, 1);
    for (let j = 0; j < K; j++)
      for (let k = 0; k < K; k++) W[j * K + k] = c * row.p[j] * (j === k ? row.complement(k) : -row.p[k]);
    for (let k = 0; k < K; k++) toContrasts(K, W, k, K, VW, k, K);
    for (let a = 0, pair = at * this.pairs; a < m; pair += ++a) {
      toContrasts(a + 2, VW, a * K, 1, M, pair, 1);
    }
  }

  private addBlock(count: number): void {
    const { contrasts: m, pairs, entries, M, U, products, workspace, rows } = this;
    const { g, H } = this.state;
    const { block, width: D } = rows;
    const X = { data: block, offset: 0, rowStride: D, columnStride: 1 };
    const slopes = { data: U, offset: 0, rowStride: 1, columnStride: m };
    gemm(1, m, D, count, slopes, X, { data: g, offset: 0, rowStride: D, columnStride: 1 }, false, workspace);
    for (let i = 0, at = 0; i < count; i++)
      for (let j = i * D; j < (i + 1) * D; j++)
        for (let l = i * D; l <= j; l++) products[at++] = block[j] * block[l];
    const weights = { data: M, offset: 0, rowStride: 1, columnStride: pairs };
    const Z = { data: products, offset: 0, rowStride: entries, columnStride: 1 };
    const C = { data: H, offset: 0, rowStride: entries, columnStride: 1 };
    gemm(1, pairs, entries, count, weights, Z, C, false, workspace);
  }

  /**
   * The factor of H + λ I, a free bias left out of λ. It is good until the next call.
   *
   * @returns undefined where H + Λ is not positive definite to working precision, or not finite
   */
  factor(lambda: number, isBiasFree: boolean): DenseCholesky | undefined {
    const { contrasts: m, size: N } = this;
    const { H } = this.state;
    const D = this.rows.width;
    this.factorData ??= new Float64Array(N * N);
    const L = this.factorData;
    for (let a = 0, from = 0; a < m; a++)
      for (let b = 0; b <= a; b++)
        for (let j = 0; j < D; j++)
          for (let l = 0; l <= j; l++, from++) {
            L[(a * D + j) * N + b * D + l] = H[from];
            if (b < a) L[(a * D + l) * N + b * D + j] = H[from];
          }
    for (let a = 0; a < m; a++)
      for (let j = 0; j < D; j++) {
        const at = (a * D + j) * (N + 1);
        if (!isBiasFree || j < D - 1) L[at] += lambda;
        else if (L[at] === 0) L[at] = 1; // no row has curvature left: the bias stays where it is
      }
    try {
      return new DenseCholesky({ rows: N, columns: N, data: L }, true);
    } catch (error) {
      if (error instanceof CurvatureError && error.code === "ERR_NOT_POSITIVE_DEFINITE") return undefined;
      throw error;
    }
  }
}
