/**
 * The Cholesky factor of H + Λ, with a ridge where that is not positive definite to working precision (a free bias
 * without any active row; columns of very different size).
 */
import { CurvatureError, DenseCholesky } from "@curvature/linalg";

const FIRST_RIDGE = 1e-13;
const RIDGE_GROWTH = 100;
const LAST_RIDGE = 1;

export class RidgedCholesky {
  private cholesky: DenseCholesky | undefined;
  private readonly data: Float64Array;

  constructor(
    private readonly dimension: number,
    /** Λ */
    private readonly diagonal: Float64Array,
  ) {
    this.data = new Float64Array(dimension * dimension);
  }

  /** @param H - lower triangle; kept as it is. @returns whether there is a factor: false for entries that are not finite */
  factor(H: Float64Array): boolean {
    const { dimension: n, data, diagonal } = this;
    let largest = 0;
    for (let j = 0; j < n; j++) largest = Math.max(largest, H[j * n + j] + diagonal[j]);
    this.cholesky = undefined;
    for (let ridge = 0; ridge <= LAST_RIDGE; ridge = Math.max(FIRST_RIDGE, RIDGE_GROWTH * ridge)) {
      data.set(H);
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

  /** (H + Λ)⁻¹ v into `out`, or v itself while there is no factor. */
  solve(v: Float64Array, out: Float64Array): void {
    if (this.cholesky === undefined) out.set(v);
    else this.cholesky.solve(v, 1, out);
  }
}
