/**
 * All eigenvalues of a dense symmetric matrix, in parts that can be made one at a time: Householder reduction to
 * tridiagonal form by panels (`kernels/tridiagonalize.ts`), then QL.
 *
 * 4/3 n³ operations, half of them in products.
 */
import { checkFinite, checkSquareForm, type DenseMatrix, zeros } from "../dense/matrix.js";
import { CurvatureError } from "../errors.js";
import { installed } from "../kernels/table.js";
import { PANEL, tridiagonalizeInTypeScript } from "../kernels/tridiagonalize.js";
import { maxAbs } from "../kernels/vector.js";
import { enlarge } from "./symmetric.js";
import { tridiagonalEigen } from "./tridiagonal.js";

/** What a computation that was interrupted goes on from. */
export interface TridiagonalizationState {
  readonly A: Float64Array;
  readonly d: Float64Array;
  readonly e: Float64Array;
  readonly size: number;
  readonly remaining: number;
}

export class Tridiagonalization {
  private readonly n: number;
  private readonly A: Float64Array;
  private readonly d: Float64Array;
  private readonly e: Float64Array;
  /** The largest entry, by which A was divided so that no square overflows. */
  private size: number;
  /** Rows that are not reduced yet. */
  private remaining: number;

  /**
   * @param A - symmetric; its lower triangle is read, and A is lost
   * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE
   */
  constructor(A: DenseMatrix) {
    checkSquareForm(A, "Tridiagonalization");
    const n = A.rows;
    for (let i = 0; i < n; i++) A.data.fill(0, i * n + i + 1, (i + 1) * n);
    checkFinite(A, "Tridiagonalization: A");
    this.n = n;
    this.A = A.data;
    this.size = maxAbs(A.data) || 1;
    for (let k = 0; k < A.data.length; k++) A.data[k] /= this.size;
    this.d = new Float64Array(n);
    this.e = new Float64Array(n);
    this.remaining = n;
  }

  /**
   * Reduces at least one panel, and as many as fit into about so many operations.
   *
   * @returns whether all rows are reduced
   */
  advance(operations = Number.POSITIVE_INFINITY): boolean {
    let panels = 0;
    let after = this.remaining;
    for (let left = operations; after > 0 && (panels === 0 || left > 0); panels++) {
      left -= 4 * PANEL * after * after;
      after = Math.max(0, after - PANEL);
    }
    (installed.tridiagonalize ?? tridiagonalizeInTypeScript)(
      this.A,
      this.n,
      this.remaining,
      panels,
      this.d,
      this.e,
      new Float64Array(this.n),
    );
    this.remaining = after;
    return this.remaining === 0;
  }

  /** In increasing order. @throws CurvatureError ERR_NON_FINITE for values beyond the range of float64, ERR_NO_CONVERGENCE */
  eigenvalues(): Float64Array {
    this.advance();
    const d = this.d.slice();
    tridiagonalEigen(d, this.e.slice(), new Float64Array(0), 0);
    enlarge(d, this.size, "Tridiagonalization");
    return d.sort();
  }

  /** A copy. */
  save(): TridiagonalizationState {
    const { A, d, e, size, remaining } = this;
    return { A: A.slice(), d: d.slice(), e: e.slice(), size, remaining };
  }

  /** One that goes on from a state, which is copied. @throws CurvatureError ERR_SHAPE */
  static from({ A, d, e, size, remaining }: TridiagonalizationState): Tridiagonalization {
    const areArrays = [A, d, e].every((array) => array instanceof Float64Array);
    const n = areArrays ? d.length : -1;
    const isPlace = Number.isInteger(remaining) && remaining >= 0 && remaining <= n;
    if (!(isPlace && A.length === n * n && e.length === n && size > 0 && size < Number.POSITIVE_INFINITY))
      throw new CurvatureError("ERR_SHAPE", "the parts of the state do not fit together.", {
        where: "Tridiagonalization",
        path: "state",
      });
    const resumed = new Tridiagonalization(zeros(n, n));
    resumed.A.set(A);
    resumed.d.set(d);
    resumed.e.set(e);
    resumed.size = size;
    resumed.remaining = remaining;
    return resumed;
  }
}
