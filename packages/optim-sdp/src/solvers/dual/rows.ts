/** Blocks of vectors as rows of a matrix: centred, orthonormal, combined. */
import {
  axpy,
  CurvatureError,
  DenseCholesky,
  type DenseMatrix,
  multiply,
  norm2,
  outerGram,
  scale,
  symmetricEigen,
  zeros,
} from "@curvature/linalg";

/** A diagonal entry of L below this says that one pass has left more than rounding between the rows. */
const ONE_PASS = 0.1;

/** v ← J v for every row. */
export function centreRows(V: DenseMatrix): void {
  const { rows, columns: n, data } = V;
  for (let i = 0; i < rows; i++) {
    const end = (i + 1) * n;
    let sum = 0;
    for (let k = i * n; k < end; k++) sum += data[k];
    const mean = sum / n;
    for (let k = i * n; k < end; k++) data[k] -= mean;
  }
}

/**
 * An orthonormal basis of the centred rows' span, by Cholesky-QR: G = Y Yᵀ = L Lᵀ, L⁻¹ Y, a second time where L shows
 * that the rows were far from orthogonal. Undefined where they are not independent to rounding. Y is overwritten.
 */
export function orthonormalRows(Y: DenseMatrix): DenseMatrix | undefined {
  centreRows(Y);
  for (let i = 0; i < Y.rows; i++) {
    const row = Y.data.subarray(i * Y.columns, (i + 1) * Y.columns);
    const length = norm2(row);
    if (!(length > 0 && length < Number.POSITIVE_INFINITY)) return undefined;
    scale(1 / length, row);
  }
  let basis = Y;
  for (let pass = 0; pass < 2; pass++) {
    const L = choleskyFactor(outerGram(basis));
    if (L === undefined) return undefined;
    basis = multiply(inverseLower(L), basis);
    centreRows(basis);
    if (leastDiagonal(L) > ONE_PASS) break;
  }
  return basis;
}

/**
 * At most `most` leading right singular vectors of the centred rows: those whose singular value is above `share` of the
 * largest.
 */
export function singularRows(Y: DenseMatrix, share: number, most: number): DenseMatrix {
  const centred = { ...Y, data: Y.data.slice() };
  centreRows(centred);
  const { values, vectors } = symmetricEigen(outerGram(centred));
  const r = values.length;
  let k = 0;
  while (k < Math.min(r, most) && values[r - 1 - k] > share * share * values[r - 1]) k++;
  const S = zeros(k, r);
  for (let i = 0; i < k; i++) {
    const root = Math.sqrt(values[r - 1 - i]);
    for (let j = 0; j < r; j++) S.data[i * r + j] = vectors.data[(r - 1 - i) * r + j] / root;
  }
  return multiply(S, centred);
}

/** The rows of S, the last first, times B: Ritz vectors by decreasing value where S has them by increasing one. */
export function combineReversed(S: DenseMatrix, B: DenseMatrix): DenseMatrix {
  const k = S.rows;
  const reversed = zeros(k, k);
  for (let i = 0; i < k; i++) reversed.data.set(S.data.subarray((k - 1 - i) * k, (k - i) * k), i * k);
  return multiply(reversed, B);
}

function choleskyFactor(G: DenseMatrix): DenseMatrix | undefined {
  try {
    return new DenseCholesky(G, true).factor;
  } catch (error) {
    if (error instanceof CurvatureError && error.code === "ERR_NOT_POSITIVE_DEFINITE") return undefined;
    throw error;
  }
}

function leastDiagonal(L: DenseMatrix): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < L.rows; i++) least = Math.min(least, L.data[i * (L.rows + 1)]);
  return least;
}

/** L⁻¹ of a lower triangular L. */
export function inverseLower(L: DenseMatrix): DenseMatrix {
  const k = L.rows;
  const inverse = zeros(k, k);
  for (let i = 0; i < k; i++) {
    const row = inverse.data.subarray(i * k, (i + 1) * k);
    for (let j = 0; j < i; j++) axpy(-L.data[i * k + j], inverse.data.subarray(j * k, j * k + j + 1), row);
    row[i] = 1;
    scale(1 / L.data[i * k + i], row);
  }
  return inverse;
}
