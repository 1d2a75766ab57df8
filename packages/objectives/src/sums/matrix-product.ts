/**
 * Products of parts of flat row-major arrays, C ← A B or C ← C + A B, into given arrays and without allocation: the
 * parameters of a layer lie inside x, and a minibatch goes through it at once. A row of the result does not depend on the
 * rows beside it (see `gemm` of linalg).
 */
import { type Block, gemm, ProductWorkspace } from "@curvature/linalg";

type Part = { -readonly [Key in keyof Block]: Block[Key] };

const emptyPart = (): Part => ({ data: new Float64Array(), offset: 0, rowStride: 0, columnStride: 1 });

export class MatrixProduct {
  private readonly workspace = new ProductWorkspace();
  private readonly A = emptyPart();
  private readonly B = emptyPart();
  private readonly C = emptyPart();

  /** C (m × n) ← [C +] A (m × k) B (k × n) */
  times(
    m: number,
    n: number,
    k: number,
    A: Float64Array,
    aAt: number,
    B: Float64Array,
    bAt: number,
    C: Float64Array,
    cAt: number,
    adds: boolean,
  ): void {
    this.product(m, n, k, A, aAt, k, 1, B, bAt, n, 1, C, cAt, adds);
  }

  /** C (m × n) ← [C +] A (m × k) Bᵀ, B (n × k) */
  timesTranspose(
    m: number,
    n: number,
    k: number,
    A: Float64Array,
    aAt: number,
    B: Float64Array,
    bAt: number,
    C: Float64Array,
    cAt: number,
    adds: boolean,
  ): void {
    this.product(m, n, k, A, aAt, k, 1, B, bAt, 1, k, C, cAt, adds);
  }

  /** C (m × n) ← [C +] Aᵀ B, A (k × m), B (k × n) */
  transposeTimes(
    m: number,
    n: number,
    k: number,
    A: Float64Array,
    aAt: number,
    B: Float64Array,
    bAt: number,
    C: Float64Array,
    cAt: number,
    adds: boolean,
  ): void {
    this.product(m, n, k, A, aAt, 1, m, B, bAt, n, 1, C, cAt, adds);
  }

  /** Entry (i, p) of A is A[aAt + i aRow + p aColumn], and B's and C's likewise; C's rows are contiguous. */
  private product(
    m: number,
    n: number,
    k: number,
    A: Float64Array,
    aAt: number,
    aRow: number,
    aColumn: number,
    B: Float64Array,
    bAt: number,
    bRow: number,
    bColumn: number,
    C: Float64Array,
    cAt: number,
    adds: boolean,
  ): void {
    const left = this.A;
    left.data = A;
    left.offset = aAt;
    left.rowStride = aRow;
    left.columnStride = aColumn;
    const right = this.B;
    right.data = B;
    right.offset = bAt;
    right.rowStride = bRow;
    right.columnStride = bColumn;
    const result = this.C;
    result.data = C;
    result.offset = cAt;
    result.rowStride = n;
    if (!adds) C.fill(0, cAt, cAt + m * n);
    gemm(1, m, n, k, left, right, result, false, this.workspace);
  }
}
