/**
 * Coordinates of the points from a solution Q of NOMAD.
 *
 * y_k = √max(l_k, 0) v_k, k = 1 … d, (l_k, v_k) the leading eigenpairs of Q on the complement of 1
 * variance explained = Σ_k max(l_k, 0) / Tr(J Q J), the sum of all eigenvalues there
 *
 * The eigenvector 1 (eigenvalue 1) says nothing of the points. It is left out as a vector and not by its place among the
 * eigenvalues: with several components the eigenvalue 1 is multiple. Each coordinate's sign is free, and is such that the
 * entry of largest magnitude is positive; within equal eigenvalues so is the rotation.
 */
import {
  checkArgument,
  type DenseMatrix,
  integerFrom,
  lanczos,
  type MatrixLike,
  principalComponents,
  zeros,
} from "@curvature/linalg";
import { squareMatrix } from "../arguments.js";
import { Complement } from "../complement.js";
import { DenseSolution, type Solution } from "./solution.js";

export interface NomadEmbedding {
  /** n × d */
  readonly coordinates: DenseMatrix;
  /** l_1 … l_d, decreasing. */
  readonly eigenvalues: Float64Array;
  /** 0 to 1; 1 where Q is E but for rounding, of which no direction is left. */
  readonly varianceExplained: number;
}

/**
 * @param Q - n × n, symmetric; its rows sum to 1
 * @param dimensions - d, from 1; coordinates beyond the n − 1 that there are are 0. Default 2
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT
 */
export function embeddingOf(Q: MatrixLike, dimensions = 2): NomadEmbedding {
  const matrix = squareMatrix("embeddingOf", Q);
  checkArgument("embeddingOf", "dimensions", integerFrom(1), dimensions);
  return embeddingOfSolution(new DenseSolution(matrix), dimensions, PRECISE);
}

/** The scores of the two leading principal components: where Q is blocks, and would show one dot for each. @param points - n × d */
export function embeddingOfPoints(
  points: DenseMatrix,
): Pick<NomadEmbedding, "coordinates" | "varianceExplained"> {
  const { scores, variances, totalVariance } = principalComponents(points, { count: 2 });
  const coordinates = zeros(points.rows, 2);
  for (let i = 0; i < points.rows; i++)
    for (let j = 0; j < Math.min(2, scores.columns); j++)
      coordinates.data[2 * i + j] = scores.data[i * scores.columns + j];
  const shown = variances.subarray(0, 2).reduce((sum, variance) => sum + variance, 0);
  return { coordinates, varianceExplained: totalVariance > 0 ? Math.min(1, shown / totalVariance) : 1 };
}

/** Beside the eigenvalue 1 of the vector 1 a trace below this is lost in the rounding of products with Q. */
const NOTHING = 1e-7;
/** Residual of the eigenpairs, relative to the largest eigenvalue. */
const PRECISE = 1e-10;

/** @param tolerance - residual of the eigenpairs, relative to the largest eigenvalue */
export function embeddingOfSolution(
  solution: Solution,
  dimensions: number,
  tolerance: number,
): NomadEmbedding {
  const { n } = solution;
  const coordinates = zeros(n, dimensions);
  const eigenvalues = new Float64Array(dimensions);
  const count = Math.min(dimensions, n - 1);
  const total = centredTrace(solution);
  if (count === 0 || !(total > NOTHING)) return { coordinates, eigenvalues, varianceExplained: 1 };
  const complement = Complement.ofOnes(n);
  const long = new Float64Array(n);
  const product = new Float64Array(n);
  const { values, vectors } = lanczos(
    (v, out) => {
      complement.extendVector(v, long);
      solution.multiply(long, product);
      complement.restrictVector(product, out);
    },
    n - 1,
    { count, tolerance, relativeTo: "operator" },
  );
  let explained = 0;
  for (let k = 0; k < count; k++) {
    complement.extendVector(vectors.data.subarray(k * (n - 1), (k + 1) * (n - 1)), long);
    const length = Math.sqrt(Math.max(0, values[k])) * orientation(long);
    for (let i = 0; i < n; i++) coordinates.data[i * dimensions + k] = length * long[i];
    eigenvalues[k] = values[k];
    explained += Math.max(0, values[k]);
  }
  return { coordinates, eigenvalues, varianceExplained: Math.min(1, explained / total) };
}

/** The sign that makes the entry of largest magnitude positive. */
function orientation(v: Float64Array): 1 | -1 {
  let largest = 0;
  for (let i = 0; i < v.length; i++) if (Math.abs(v[i]) > Math.abs(largest)) largest = v[i];
  return largest < 0 ? -1 : 1;
}

/** Tr Q − 1ᵀQ1/n */
function centredTrace(solution: Solution): number {
  const { n, diagonal } = solution;
  const sums = new Float64Array(n);
  solution.multiply(new Float64Array(n).fill(1), sums);
  return diagonal.reduce((sum, entry, i) => sum + entry - sums[i] / n, 0);
}
