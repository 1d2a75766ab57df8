/**
 * The Cholesky factor of H + Λ, a free bias eliminated: of
 *
 *   λ I + Σ hᵢ xᵢxᵢᵀ − σ m mᵀ,   σ = Σ hᵢ,   m = Σ hᵢ xᵢ / σ      (m = 0 where σ = 0)
 *
 * which is at least λ I. Where rounding hides that (columns that depend on each other, λ below 1e-14 of the diagonal), a ridge
 * is added: the direction is then a little shorter, and no claim rests on it.
 */
import { CurvatureError, DenseCholesky } from "@curvature/linalg";

const FIRST_RIDGE = 1e-13;
const RIDGE_GROWTH = 100;
const LAST_RIDGE = 1;

export class RidgedCholesky {
  private cholesky: DenseCholesky | undefined;
  private readonly data: Float64Array;
  /** Of the factor: without a free bias. */
  private readonly size: number;
  private readonly right: Float64Array;
  private readonly solution: Float64Array;

  /**
   * @param dimension - of H
   * @param diagonal - Λ
   * @param isBiasFree - whether the last entry is a bias that is to be eliminated
   */
  constructor(
    private readonly dimension: number,
    private readonly diagonal: Float64Array,
    isBiasFree: boolean,
  ) {
    this.size = isBiasFree ? dimension - 1 : dimension;
    this.data = new Float64Array(this.size * this.size);
    this.right = new Float64Array(this.size);
    this.solution = new Float64Array(this.size);
  }

  /** @param H - lower triangle; kept as it is. @returns whether there is a factor: false for entries that are not finite */
  factor(H: Float64Array): boolean {
    const { size: n, diagonal } = this;
    let largest = 0;
    for (let j = 0; j < n; j++) largest = Math.max(largest, H[j * this.dimension + j] + diagonal[j]);
    this.cholesky = undefined;
    for (let ridge = 0; ridge <= LAST_RIDGE; ridge = Math.max(FIRST_RIDGE, RIDGE_GROWTH * ridge)) {
      const data = this.eliminated(H);
      for (let j = 0; j < n; j++) data[j * n + j] += diagonal[j] + ridge * largest;
      try {
        this.cholesky = new DenseCholesky({ rows: n, columns: n, data }, true);
        return true;
      } catch (error) {
        if (!(error instanceof CurvatureError && error.code === "ERR_NOT_POSITIVE_DEFINITE")) throw error;
      }
    }
    return false;
  }

  private eliminated(H: Float64Array): Float64Array {
    const { size: n, dimension: D, data } = this;
    if (n === D) {
      data.set(H);
      return data;
    }
    const sum = H[D * D - 1];
    for (let j = 0; j < n; j++) {
      const factor = sum > 0 ? H[n * D + j] / sum : 0;
      for (let k = 0; k <= j; k++) data[j * n + k] = H[j * D + k] - factor * H[n * D + k];
    }
    return data;
  }

  /** The factored matrix's inverse times v into `out`, a bias's entry apart; v itself while there is no factor. */
  solve(v: Float64Array, out: Float64Array): void {
    const { size: n, right, solution } = this;
    if (this.cholesky === undefined) {
      out.set(v);
      return;
    }
    right.set(v.subarray(0, n));
    this.cholesky.solve(right, 1, solution);
    out.set(solution);
    if (n < out.length) out[n] = 0;
  }
}
