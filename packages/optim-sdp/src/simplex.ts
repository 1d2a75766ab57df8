/**
 * A small dense linear programme: maximise cᵀx  s.t.  A x ≤ b, x ≥ 0, with b ≥ 0, by the primal simplex method.
 *
 * The slack basis is feasible, so that there is one phase. The entering column has the largest reduced cost, until a
 * pivot makes no progress; from there on Bland's rule (the first column of positive reduced cost, the first row of a
 * tie) takes over until one does, so that it cannot cycle.
 *
 * Chvátal: Linear Programming (1983), chapters 2 and 3. (m + 1)(m + n + 1) numbers, as many operations per pivot.
 */
import { CurvatureError, type DenseMatrix, zeros } from "@curvature/linalg";

/** Reduced costs and pivots below this, in a programme of entries of about 1, are rounding. */
const NEGLIGIBLE = 1e-11;

export interface LinearOptimum {
  readonly value: number;
  readonly x: Float64Array;
}

/** @throws CurvatureError ERR_NO_CONVERGENCE if the programme is unbounded */
export function maximizeLinear(c: Float64Array, A: DenseMatrix, b: Float64Array): LinearOptimum {
  const { rows: m, columns: n } = A;
  const width = n + m + 1;
  const T = zeros(m + 1, width); // rows: constraints, then the costs; last column: b
  const basis = new Int32Array(m);
  for (let i = 0; i < m; i++) {
    T.data.set(A.data.subarray(i * n, (i + 1) * n), i * width);
    T.data[i * width + n + i] = 1;
    T.data[i * width + width - 1] = b[i];
    basis[i] = n + i;
  }
  T.data.set(c, m * width);
  for (let careful = false; ; ) {
    const column = entering(T.data, m * width, width - 1, careful);
    if (column < 0) break;
    const row = leaving(T.data, m, width, column, basis);
    if (row < 0)
      throw new CurvatureError("ERR_NO_CONVERGENCE", "the programme is unbounded.", {
        where: "maximizeLinear",
        path: "c",
      });
    careful = !(T.data[row * width + width - 1] > NEGLIGIBLE);
    pivot(T.data, m, width, row, column);
    basis[row] = column;
  }
  const x = new Float64Array(n);
  for (let i = 0; i < m; i++) if (basis[i] < n) x[basis[i]] = T.data[i * width + width - 1];
  return { value: -T.data[m * width + width - 1], x };
}

function entering(T: Float64Array, costs: number, count: number, careful: boolean): number {
  let best = -1;
  for (let j = 0; j < count; j++) {
    if (!(T[costs + j] > NEGLIGIBLE)) continue;
    if (careful) return j;
    if (best < 0 || T[costs + j] > T[costs + best]) best = j;
  }
  return best;
}

function leaving(T: Float64Array, m: number, width: number, column: number, basis: Int32Array): number {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < m; i++) {
    const a = T[i * width + column];
    if (!(a > NEGLIGIBLE)) continue;
    const ratio = Math.max(0, T[i * width + width - 1]) / a;
    if (ratio < least || (ratio === least && basis[i] < basis[best])) {
      least = ratio;
      best = i;
    }
  }
  return best;
}

function pivot(T: Float64Array, m: number, width: number, row: number, column: number): void {
  const at = row * width;
  const a = T[at + column];
  for (let j = 0; j < width; j++) T[at + j] /= a;
  for (let i = 0; i <= m; i++) {
    const factor = T[i * width + column];
    if (i === row || factor === 0) continue;
    for (let j = 0; j < width; j++) T[i * width + j] -= factor * T[at + j];
  }
}
