/**
 * A P = Q R by Householder reflections, columns in the order of their lengths: what `svd` and `linearLeastSquares` begin with.
 *
 * Step k     of the columns left, the one that is longest below row k comes next;  x = its part from row k on;
 *            v = x ± ‖x‖ e_1, divided by its first entry;  H_k = I − β v vᵀ;  columns behind it ← H_k times them
 *
 * | symbol | variable   | shape                                                                       |
 * |--------|------------|-----------------------------------------------------------------------------|
 * | A      | columns    | n × m: column j of A is row j, so that all runs along rows                   |
 * | R      | columns    | R_ik for i < k is entry i of row k; R_kk is diagonal[k]                      |
 * | v, β   | columns, β | the entries of row k behind the k-th, after a 1; m ≥ n or not                |
 *
 * Golub, Van Loan: Matrix Computations, 4th edition, algorithm 5.4.1. Lengths are brought up to date as by Drmač, Bujanović:
 * On the failure of rank-revealing QR factorization software. ACM TOMS 35 (2008), and measured again where they have lost their
 * digits. Where the rows of A decrease, each of them has a small error of its own (Cox, Higham: Stability of Householder QR
 * factorization for weighted least squares problems, 1998).
 */
import { norm2 } from "../kernels/vector.js";

const EPSILON = 2 ** -52;
/** Of A with a largest entry near 1: a rest of that size is nothing. */
const NOTHING = 1e-290;

export class PivotedQr {
  /** Place k of R's columns has column order[k] of A. */
  readonly order: Int32Array;
  readonly diagonal: Float64Array;
  private readonly beta: Float64Array;
  /** Rows of R that are not 0: reflections made. */
  readonly steps: number;

  /**
   * @param columns - n × m, which are lost
   * @param isPivoted - whether columns may change places
   */
  constructor(
    private readonly columns: Float64Array,
    private readonly m: number,
    n: number,
    isPivoted = true,
  ) {
    const most = Math.min(m, n);
    this.order = Int32Array.from({ length: n }, (_, j) => j);
    this.diagonal = new Float64Array(most);
    this.beta = new Float64Array(most);
    const lengths = Float64Array.from({ length: n }, (_, j) => this.tail(j, 0));
    const measured = lengths.slice();
    let k = 0;
    for (; k < most; k++) {
      if (isPivoted) this.exchange(k, longest(lengths, k), lengths, measured);
      if (!this.reflect(k) && isPivoted) break;
      for (let j = k + 1; j < n; j++) this.update(k, j, lengths, measured);
    }
    this.steps = k;
  }

  /** R_kj, k ≤ j. */
  entry(k: number, j: number): number {
    return k === j ? this.diagonal[k] : this.columns[j * this.m + k];
  }

  /** y ← Qᵀ y */
  applyTransposed(y: Float64Array): void {
    for (let k = 0; k < this.steps; k++) this.reflectVector(k, y);
  }

  /** y ← Q y */
  apply(y: Float64Array): void {
    for (let k = this.steps - 1; k >= 0; k--) this.reflectVector(k, y);
  }

  private reflectVector(k: number, y: Float64Array): void {
    reflectAt(this.columns, k * this.m + k + 1, y, k, this.m - k - 1, this.beta[k]);
  }

  /** ‖column j from row k on‖ */
  private tail(j: number, k: number): number {
    return norm2(this.columns.subarray(j * this.m + k, (j + 1) * this.m));
  }

  private exchange(k: number, j: number, lengths: Float64Array, measured: Float64Array): void {
    if (j === k) return;
    const { columns, m, order } = this;
    for (let a = k * m, b = j * m; a < (k + 1) * m; a++, b++) {
      const column = columns[a];
      columns[a] = columns[b];
      columns[b] = column;
    }
    const place = order[k];
    order[k] = order[j];
    order[j] = place;
    lengths[j] = lengths[k];
    measured[j] = measured[k];
  }

  /** Makes v and β of column k; false where nothing is left of it. */
  private reflect(k: number): boolean {
    const { columns, m, diagonal, beta } = this;
    const length = this.tail(k, k);
    if (length < NOTHING) return false;
    const at = k * m + k;
    const x = columns[at];
    diagonal[k] = x > 0 ? -length : length;
    beta[k] = 1 + Math.abs(x) / length;
    const first = x - diagonal[k];
    for (let i = at + 1; i < (k + 1) * m; i++) columns[i] /= first;
    return true;
  }

  private update(k: number, j: number, lengths: Float64Array, measured: Float64Array): void {
    const { columns, m } = this;
    const at = j * m + k;
    reflectAt(columns, k * m + k + 1, columns, at, m - k - 1, this.beta[k]);
    if (lengths[j] === 0) return;
    const share = Math.abs(columns[at]) / lengths[j];
    const left = Math.max(0, (1 + share) * (1 - share));
    const ratio = lengths[j] / measured[j];
    if (left * ratio * ratio <= Math.sqrt(EPSILON)) {
      lengths[j] = this.tail(j, k + 1);
      measured[j] = lengths[j];
    } else lengths[j] *= Math.sqrt(left);
  }
}

function longest(lengths: Float64Array, from: number): number {
  let best = from;
  for (let j = from + 1; j < lengths.length; j++) if (lengths[j] > lengths[best]) best = j;
  return best;
}

/** y ← y − β (1, v) (1, v)ᵀ y from entry `at` on, v the `count` entries of V from `from` on. */
function reflectAt(
  V: Float64Array,
  from: number,
  y: Float64Array,
  at: number,
  count: number,
  beta: number,
): void {
  const whole = count - (count % 4);
  const behind = at + 1;
  let s0 = y[at];
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  for (let i = 0; i < whole; i += 4) {
    s0 += V[from + i] * y[behind + i];
    s1 += V[from + i + 1] * y[behind + i + 1];
    s2 += V[from + i + 2] * y[behind + i + 2];
    s3 += V[from + i + 3] * y[behind + i + 3];
  }
  for (let i = whole; i < count; i++) s0 += V[from + i] * y[behind + i];
  const factor = beta * (s0 + s1 + (s2 + s3));
  y[at] -= factor;
  for (let i = 0; i < count; i++) y[behind + i] -= factor * V[from + i];
}

/**
 * The rows in the order of their largest entries, so that each row's error is small beside the row itself.
 *
 * @param size - the largest entry of row i in magnitude
 */
export function decreasingRows(size: Float64Array): Int32Array {
  return Int32Array.from(size.keys()).sort((a, b) => size[b] - size[a] || a - b);
}
