/**
 * Coordinates of new objects from their features, by kernel ridge regression:
 *
 *   k(u, v) = exp(−‖u − v‖²/(2σ²)),   (K + λ I) A = Y − ȳ,   f(u) = ȳ + Σ_i k(u, u_i) a_i
 *
 * | symbol | variable | shape                                                      |
 * |--------|----------|------------------------------------------------------------|
 * | u_i    | features | n × d                                                      |
 * | Y, ȳ   | coordinates, mean | n × p, p: the map and its mean                    |
 * | K, A   | K, A     | n × n, n × p                                               |
 * | σ²     | bandwidth | the mean of ‖u_i − u_j‖² over all pairs, unless it is given |
 *
 * λ is chosen, unless it is given, by the error of leaving one out, which needs no second fit: with B = (K + λ I)⁻¹
 * the residual of object i, had it not been there, is a_i / B_ii. (The mean ȳ is not taken anew for it.)
 *
 * Ma et al.: Fast stochastic ordinal embedding with variance reduction and adaptive step size (2019), section 5.4;
 * Rasmussen, Williams: Gaussian Processes for Machine Learning (2006), section 5.4.2, for leaving one out.
 */
import {
  CurvatureError,
  DenseCholesky,
  type DenseMatrix,
  either,
  exp,
  inverse,
  type MatrixLike,
  multiply,
  type OptionsOf,
  oneOf,
  optionTable,
  positive,
  squaredDistances,
  squaredDistancesBetween,
  toDense,
  zeros,
} from "@curvature/linalg";

export const kernelRidgeOptions = optionTable({
  /** λ. "auto": of 1, 0.1 … 1e-6 the one with the least error of leaving one out. */
  ridge: either(oneOf("auto"), positive).default("auto"),
  /** σ², in the unit of squared features. "mean": the mean squared distance of the features. */
  bandwidth: either(oneOf("mean"), positive).default("mean"),
});
export type KernelRidgeOptions = OptionsOf<typeof kernelRidgeOptions>;

export interface KernelRidge {
  /** λ as used. */
  readonly ridge: number;
  /** σ² as used. */
  readonly bandwidth: number;
  /** √(mean squared distance) between the coordinates and those found by leaving one out, in the unit of the map. */
  readonly leaveOneOutError: number;
  /**
   * m × p coordinates of m objects.
   *
   * @param features - m × d
   * @throws CurvatureError ERR_SHAPE for another d, ERR_NON_FINITE
   */
  predict(features: MatrixLike): DenseMatrix;
}

const candidates = [1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6];
/** Beyond, K and its inverse would take more than 3 GB. */
const MAX_OBJECTS = 15_000;

/**
 * Learns the way from features to coordinates. Time O(n³) for each λ, memory O(n²).
 *
 * @param features - n × d, at least 2 rows
 * @param embedding - n × p
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_OPTION; ERR_MEMORY beyond 15,000 objects
 */
export function kernelRidge(
  features: MatrixLike,
  embedding: MatrixLike,
  options?: KernelRidgeOptions,
): KernelRidge {
  const settings = kernelRidgeOptions.resolve("kernelRidge", options);
  const known = toDense(features, "features");
  const coordinates = toDense(embedding, "embedding");
  checkShapes(known, coordinates);
  const distances = squaredDistances(known);
  const bandwidth = settings.bandwidth === "mean" ? meanOfPairs(distances) : settings.bandwidth;
  const K = applyKernel(distances, bandwidth);
  const mean = columnMeans(coordinates);
  const fits = (settings.ridge === "auto" ? candidates : [settings.ridge]).map((ridge) =>
    fitted(K, coordinates, mean, ridge),
  );
  const { ridge, A, error } = fits.reduce((best, other) => (other.error < best.error ? other : best));
  return {
    ridge,
    bandwidth,
    leaveOneOutError: error,
    predict(given) {
      const asked = toDense(given, "features");
      if (asked.columns !== known.columns)
        throw new CurvatureError(
          "ERR_SHAPE",
          `it was made of features with ${known.columns} columns; received ${asked.columns}.`,
          {
            where: "kernelRidge",
            path: "features",
            expected: `${known.columns} columns`,
            received: asked.columns,
          },
        );
      const found = multiply(applyKernel(squaredDistancesBetween(asked, known), bandwidth), A);
      for (let k = 0; k < found.data.length; k++) found.data[k] += mean[k % mean.length];
      return found;
    },
  };
}

interface Fit {
  readonly ridge: number;
  readonly A: DenseMatrix;
  readonly error: number;
}

function fitted(K: DenseMatrix, coordinates: DenseMatrix, mean: Float64Array, ridge: number): Fit {
  const n = K.rows;
  const p = coordinates.columns;
  const B = zeros(n, n);
  B.data.set(K.data);
  for (let i = 0; i < n; i++) B.data[i * n + i] += ridge;
  const inverted = inverse(new DenseCholesky(B, true));
  const Y = zeros(n, p);
  for (let k = 0; k < Y.data.length; k++) Y.data[k] = coordinates.data[k] - mean[k % p];
  const A = multiply(inverted, Y);
  let squares = 0;
  for (let k = 0; k < A.data.length; k++) {
    const i = Math.floor(k / p);
    const residual = A.data[k] / inverted.data[i * n + i];
    squares += residual * residual;
  }
  return { ridge, A, error: Math.sqrt(squares / n) };
}

/** In place. */
function applyKernel(distances: DenseMatrix, bandwidth: number): DenseMatrix {
  const { data } = distances;
  const factor = -1 / (2 * bandwidth);
  for (let k = 0; k < data.length; k++) data[k] = exp(factor * data[k]);
  return distances;
}

function meanOfPairs({ rows: n, data }: DenseMatrix): number {
  let mean = 0;
  for (let k = 0; k < data.length; k++) mean += data[k] / (n * (n - 1));
  if (mean > 0 && mean < Number.POSITIVE_INFINITY) return mean;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `the mean squared distance of the features is ${mean}, so that they cannot tell the objects apart. Give others, or scale them.`,
    { where: "kernelRidge", path: "features", received: mean },
  );
}

function columnMeans({ rows, columns, data }: DenseMatrix): Float64Array {
  const mean = new Float64Array(columns);
  for (let k = 0; k < data.length; k++) mean[k % columns] += data[k] / rows;
  return mean;
}

function checkShapes(features: DenseMatrix, coordinates: DenseMatrix): void {
  if (
    features.rows !== coordinates.rows ||
    features.rows < 2 ||
    features.columns < 1 ||
    coordinates.columns < 1
  )
    throw new CurvatureError(
      "ERR_SHAPE",
      `features and embedding must have a row for each of at least 2 objects; received ${features.rows} x ${features.columns} and ${coordinates.rows} x ${coordinates.columns}.`,
      {
        where: "kernelRidge",
        path: "features",
        expected: "as many rows as the embedding",
        received: features.rows,
      },
    );
  if (features.rows > MAX_OBJECTS)
    throw new CurvatureError(
      "ERR_MEMORY",
      `kernelRidge holds a number for each pair of objects, too many for ${features.rows}. Learn from at most ${MAX_OBJECTS}.`,
      { path: "features", expected: `at most ${MAX_OBJECTS} rows`, received: features.rows },
    );
}
