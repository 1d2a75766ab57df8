import { type DenseMatrix, type EigenPairs, matrixTimesVector, multiplyTranspose } from "@curvature/linalg";
import { expect } from "vitest";

/** max over pairs of ‖A u − λ u‖_∞ */
export function largestResidual(A: DenseMatrix, { values, vectors }: EigenPairs): number {
  const Au = new Float64Array(A.rows);
  let most = 0;
  for (let i = 0; i < values.length; i++) {
    const u = vectors.data.subarray(i * A.rows, (i + 1) * A.rows);
    matrixTimesVector(A, u, Au);
    for (let k = 0; k < A.rows; k++) most = Math.max(most, Math.abs(Au[k] - values[i] * u[k]));
  }
  return most;
}

/** max |U U' − I|, U's rows the vectors. */
export function departureFromOrthonormal(vectors: DenseMatrix): number {
  const G = multiplyTranspose(vectors, vectors);
  let most = 0;
  for (let i = 0; i < G.rows; i++)
    for (let j = 0; j < G.rows; j++)
      most = Math.max(most, Math.abs(G.data[i * G.rows + j] - (i === j ? 1 : 0)));
  return most;
}

/** The first of the entries that are largest in magnitude is positive in every row. */
export function expectOriented(vectors: DenseMatrix): void {
  for (let i = 0; i < vectors.rows; i++) {
    const u = vectors.data.subarray(i * vectors.columns, (i + 1) * vectors.columns);
    const largest = u.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    expect(u.find((x) => Math.abs(x) === largest)).toBeGreaterThanOrEqual(0);
  }
}

/** The multiple of the identity. */
export const times =
  (factor: number) =>
  (v: Float64Array, out: Float64Array): void => {
    for (let i = 0; i < v.length; i++) out[i] = factor * v[i];
  };

/** The Laplacian of a ring of n: eigenvalues 2 − 2 cos(2πk/n), all but one or two of them double. */
export const ring =
  (n: number) =>
  (v: Float64Array, out: Float64Array): void => {
    for (let i = 0; i < n; i++) out[i] = 2 * v[i] - v[(i + 1) % n] - v[(i + n - 1) % n];
  };

export const ringEigenvalues = (n: number): number[] =>
  Array.from({ length: n }, (_, k) => 2 - 2 * Math.cos((2 * Math.PI * k) / n)).sort((a, b) => a - b);

/** The Laplacian of a path of n: eigenvalues 2 − 2 cos(πk/n), k = 0 … n − 1, vectors cos(πk(i + ½)/n). */
export const path =
  (n: number) =>
  (v: Float64Array, out: Float64Array): void => {
    for (let i = 0; i < n; i++) out[i] = (i > 0 ? v[i] - v[i - 1] : 0) + (i < n - 1 ? v[i] - v[i + 1] : 0);
  };

export const pathEigenvalues = (n: number): number[] =>
  Array.from({ length: n }, (_, k) => 2 - 2 * Math.cos((Math.PI * k) / n));

/** (Laplacian of a path + shift I)⁻¹ r, by elimination. */
export const pathSolve =
  (n: number, shift: number) =>
  (r: Float64Array, out: Float64Array): void => {
    const c = new Float64Array(n);
    const y = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      const diagonal = (i > 0 && i < n - 1 ? 2 : 1) + shift;
      const pivot = diagonal + (i > 0 ? c[i - 1] : 0);
      c[i] = -1 / pivot;
      y[i] = (r[i] + (i > 0 ? y[i - 1] : 0)) / pivot;
    }
    out[n - 1] = y[n - 1];
    for (let i = n - 2; i >= 0; i--) out[i] = y[i] - c[i] * out[i + 1];
  };
