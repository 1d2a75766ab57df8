/**
 * Singular value decomposition of small matrices by one-sided Jacobi rotations.
 *
 *   A = U Σ Vᵀ: rotations from the right make the columns of A orthogonal, A V = U Σ.
 *
 * Every pair of columns (p, q) is rotated by the angle with tan 2θ = 2 aₚᵀa_q / (‖a_q‖² − ‖aₚ‖²), until
 * |aₚᵀa_q| ≤ ε ‖aₚ‖ ‖a_q‖ for all of them. Small singular values keep their relative accuracy, which those of AᵀA lose.
 *
 * Hestenes: Inversion of matrices by biorthogonalization and related results. J. SIAM 6 (1958) 51-90.
 */

/** Columns of A, all of one length; they become the columns of U Σ, and those of V (the identity before) rotate along. */
export function orthogonalizeColumns(A: readonly Float64Array[], V: readonly Float64Array[]): void {
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let rotated = false;
    for (let p = 0; p < A.length; p++)
      for (let q = p + 1; q < A.length; q++) rotated = rotatePair(A, V, p, q) || rotated;
    if (!rotated) return;
  }
}

/** The singular values of the matrix with these columns, which are overwritten; in no order. */
export function singularValues(A: readonly Float64Array[]): Float64Array {
  orthogonalizeColumns(A, []);
  return Float64Array.from(A, (column) => Math.sqrt(inner(column, column)));
}

const SWEEPS = 30;
const EPSILON = 2 ** -52;

function rotatePair(A: readonly Float64Array[], V: readonly Float64Array[], p: number, q: number): boolean {
  const alpha = inner(A[p], A[p]);
  const beta = inner(A[q], A[q]);
  const gamma = inner(A[p], A[q]);
  if (!(Math.abs(gamma) > EPSILON * Math.sqrt(alpha) * Math.sqrt(beta))) return false;
  const zeta = (beta - alpha) / (2 * gamma);
  const t = Math.abs(zeta) > 1e150 ? 0.5 / zeta : 1 / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
  const tangent = zeta < 0 && t > 0 ? -t : t;
  const c = 1 / Math.sqrt(1 + tangent * tangent);
  const s = c * tangent;
  rotate(A[p], A[q], c, s);
  if (V.length > 0) rotate(V[p], V[q], c, s);
  return true;
}

function rotate(a: Float64Array, b: Float64Array, c: number, s: number): void {
  for (let i = 0; i < a.length; i++) {
    const x = a[i];
    const y = b[i];
    a[i] = c * x - s * y;
    b[i] = s * x + c * y;
  }
}

function inner(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
