import { type DenseMatrix, fillNormal, gram, RandomGenerator, zeros } from "@curvature/linalg";

/** Independent standard normal entries. */
export function normalMatrix(rows: number, columns: number, seed: number): DenseMatrix {
  const matrix = zeros(rows, columns);
  fillNormal(new RandomGenerator(seed), matrix.data);
  return matrix;
}

/** M'M + shift I, M square and normal. */
export function positiveDefinite(n: number, seed: number, shift = 1): DenseMatrix {
  const A = gram(normalMatrix(n, n, seed));
  for (let i = 0; i < n; i++) A.data[i * n + i] += shift;
  return A;
}

/** The product by its definition. */
export function definedProduct(A: DenseMatrix, B: DenseMatrix): DenseMatrix {
  const C = zeros(A.rows, B.columns);
  for (let i = 0; i < A.rows; i++)
    for (let j = 0; j < B.columns; j++)
      for (let k = 0; k < A.columns; k++)
        C.data[i * B.columns + j] += A.data[i * A.columns + k] * B.data[k * B.columns + j];
  return C;
}

/** max |a − b| */
export function difference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  let most = 0;
  for (let i = 0; i < a.length; i++) most = Math.max(most, Math.abs(a[i] - b[i]));
  return most;
}
