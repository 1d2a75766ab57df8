/**
 * XᵀX of rows that many problems share (one class against the rest): built by the first solver that needs it, copied by
 * the others, which then only take away the rows that are inactive for them.
 */
import { type Bias, type Rows, rowAccess } from "@curvature/objectives/linear";

export class SharedGram {
  readonly rows: Rows;
  readonly bias: Bias;
  /** Σᵢ xᵢ xᵢᵀ, upper triangle, or nothing yet. */
  private sums: Float64Array | undefined;

  /** @throws CurvatureError ERR_ARGUMENT if these are no rows */
  constructor(rows: Rows, bias: Bias) {
    rowAccess(rows);
    this.rows = rows;
    this.bias = bias;
  }

  /** Undefined until a solver has left it. */
  get(): Float64Array | undefined {
    return this.sums;
  }

  /** @param sums - kept, not copied */
  set(sums: Float64Array): void {
    this.sums = sums;
  }
}
