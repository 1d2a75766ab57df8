import { CurvatureError, type MatrixLike, shown, symmetricEigen, toDense } from "@curvature/linalg";

/**
 * The embedding that a Gram matrix stands for, in p coordinates: √λ v of its p largest eigenpairs, n × p row-major.
 * Fewer positive eigenvalues than p leave the last columns 0.
 *
 * @throws CurvatureError ERR_ARGUMENT unless p is from 1 to n; ERR_SHAPE, ERR_NON_FINITE
 */
export function coordinatesFromGram(gram: MatrixLike, dimensions: number): Float64Array {
  const K = toDense(gram, "gram");
  const n = K.rows;
  if (!Number.isSafeInteger(dimensions) || dimensions < 1 || dimensions > n)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `coordinatesFromGram: dimensions must be a whole number from 1 to ${n}; received ${shown(dimensions)}.`,
      { path: "dimensions", received: dimensions },
    );
  const { values, vectors } = symmetricEigen(K);
  const X = new Float64Array(n * dimensions);
  for (let t = 0; t < dimensions; t++) {
    const from = n - 1 - t;
    const root = Math.sqrt(Math.max(0, values[from]));
    for (let i = 0; i < n; i++) X[i * dimensions + t] = root * vectors.data[from * n + i];
  }
  return X;
}
