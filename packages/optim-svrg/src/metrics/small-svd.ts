/**
 * The singular values and vectors of a small square matrix, M = U Σ Vᵀ, by one-sided Jacobi rotations.
 *
 * Rotation   columns w_a, w_b of W = M V are made orthogonal by the angle with cot 2θ = (‖w_b‖² − ‖w_a‖²)/(2 w_aᵀw_b)
 * End        Σ = the lengths of the columns, U = W Σ⁻¹; where a length is nothing, U is completed to a basis
 *
 * Golub, Van Loan: Matrix Computations, 4th edition, section 8.6.3. Small singular values keep their relative
 * accuracy, which the eigenvalues of MᵀM would not.
 */
import { type DenseMatrix, zeros } from "@curvature/linalg";

export interface SmallSvd {
  /** p × p, orthogonal, the singular vectors in columns. */
  readonly U: DenseMatrix;
  readonly V: DenseMatrix;
  /** Not sorted. */
  readonly values: Float64Array;
}

const MAX_SWEEPS = 60;

/** @param M - p × p, finite, of a size whose squares do not overflow */
export function smallSvd(M: DenseMatrix): SmallSvd {
  const p = M.rows;
  const W = M.data.slice();
  const V = zeros(p, p);
  for (let t = 0; t < p; t++) V.data[t * p + t] = 1;
  let isDone = false;
  for (let sweep = 0; sweep < MAX_SWEEPS && !isDone; sweep++) {
    isDone = true;
    for (let a = 0; a < p; a++)
      for (let b = a + 1; b < p; b++) if (rotate(W, V.data, p, a, b)) isDone = false;
  }
  const values = Float64Array.from({ length: p }, (_, c) => Math.sqrt(columnsProduct(W, p, c, c)));
  return { U: { rows: p, columns: p, data: basis(W, values, p) }, V, values };
}

/** @returns whether the columns had an angle beyond rounding */
function rotate(W: Float64Array, V: Float64Array, p: number, a: number, b: number): boolean {
  const aa = columnsProduct(W, p, a, a);
  const bb = columnsProduct(W, p, b, b);
  const ab = columnsProduct(W, p, a, b);
  if (!(Math.abs(ab) > Number.EPSILON * Math.sqrt(aa * bb))) return false;
  const cot = (bb - aa) / (2 * ab);
  const tan = (cot >= 0 ? 1 : -1) / (Math.abs(cot) + Math.sqrt(1 + cot * cot));
  const cos = 1 / Math.sqrt(1 + tan * tan);
  rotateColumns(W, p, a, b, cos, cos * tan);
  rotateColumns(V, p, a, b, cos, cos * tan);
  return true;
}

function rotateColumns(A: Float64Array, p: number, a: number, b: number, cos: number, sin: number): void {
  for (let r = 0; r < p; r++) {
    const x = A[r * p + a];
    const y = A[r * p + b];
    A[r * p + a] = cos * x - sin * y;
    A[r * p + b] = sin * x + cos * y;
  }
}

function columnsProduct(A: Float64Array, p: number, a: number, b: number): number {
  let sum = 0;
  for (let r = 0; r < p; r++) sum += A[r * p + a] * A[r * p + b];
  return sum;
}

/** The columns of W at length 1; those of no length are replaced by what is orthogonal to all others. */
function basis(W: Float64Array, values: Float64Array, p: number): Float64Array {
  const U = new Float64Array(p * p);
  const least = Math.max(...values) * p * Number.EPSILON;
  const isSet = Array.from(values, (value) => value > least);
  for (let c = 0; c < p; c++)
    if (isSet[c]) for (let r = 0; r < p; r++) U[r * p + c] = W[r * p + c] / values[c];
  for (let c = 0; c < p; c++) {
    if (isSet[c]) continue;
    complete(U, p, c);
    isSet[c] = true;
  }
  return U;
}

/** Column c of U from the unit vector that the other columns know least of. */
function complete(U: Float64Array, p: number, c: number): void {
  let row = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let r = 0; r < p; r++) {
    let known = 0;
    for (let t = 0; t < p; t++) known += U[r * p + t] * U[r * p + t];
    if (known < least) {
      least = known;
      row = r;
    }
  }
  U[row * p + c] = 1;
  for (let pass = 0; pass < 2; pass++)
    for (let t = 0; t < p; t++) {
      if (t === c) continue;
      const share = columnsProduct(U, p, t, c);
      for (let r = 0; r < p; r++) U[r * p + c] -= share * U[r * p + t];
    }
  const length = Math.sqrt(columnsProduct(U, p, c, c));
  for (let r = 0; r < p; r++) U[r * p + c] /= length;
}
