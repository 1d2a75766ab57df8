/**
 * Laplacian eigenmaps: the map that the attraction alone would choose, were it not allowed to collapse.
 *
 * Problem    min_X tr(Xᵀ L X)   s.t.  Xᵀ D X = I,  Xᵀ D 1 = 0,     L = D − W
 * Solution   L x = λ D x for the d smallest λ after the trivial λ = 0, x = 1; with y = D^1/2 x these are
 *            A y = (1 − λ) y,  A = D^-1/2 W D^-1/2, the largest eigenvalues of A orthogonal to D^1/2 1
 *
 * | symbol | variable               | shape                                                          |
 * |--------|------------------------|----------------------------------------------------------------|
 * | X      | coordinates            | N × d                                                          |
 * | λ      | eigenvalues            | d, increasing, from 0 to 2                                     |
 * | W, D   | weights, graph.degrees | N × N symmetric, N                                             |
 * | c      | graph.components       | components of the graph                                        |
 *
 * Belkin, Niyogi: Laplacian eigenmaps for dimensionality reduction and data representation. Neural Computation 15
 * (2003) 1373-1396. Vladymyrov, Carreira-Perpiñán: Partial-Hessian strategies, ICML 2012, section 2 (λ = 0).
 *
 * A graph of c > 1 components has λ = 0 c times, and every point of a component gets the same place in these c − 1
 * axes, which the problem leaves free up to a rotation. They are chosen so that all components lie apart: component
 * r (0 for the largest volume, 1, …) stands at p_1(r), p_2(r), …, the orthonormal polynomials under the volumes. Axes
 * that are left come from the smallest positive λ.
 */
import {
  badOption,
  type DenseMatrix,
  integerFrom,
  type OptionsOf,
  optionTable,
  zeros,
} from "@curvature/linalg";
import { NormalizedGraph } from "./normalized-graph.js";
import { smoothestVectors } from "./smoothest-vectors.js";
import { symmetricWeights, type WeightsLike } from "./weights.js";

export const laplacianEigenmapsOptions = optionTable({
  /** d, from 1 to N − 1. */
  dimensions: integerFrom(1).default(2),
});
export type LaplacianEigenmapsOptions = OptionsOf<typeof laplacianEigenmapsOptions>;

export interface LaplacianEigenmaps {
  /** X: N × d with Xᵀ D X = I and Xᵀ D 1 = 0. Of each column the entry largest in magnitude is positive. */
  readonly coordinates: DenseMatrix;
  /** λ of each column, increasing: 0 for those that only tell components apart. */
  readonly eigenvalues: Float64Array;
  /** Components of the graph; 1 for a connected one. */
  readonly components: number;
  /** Component of each point, from 0, that of the largest volume (sum of its weights) first. */
  readonly labels: Int32Array;
  /** Sentences that a user should read; empty for a connected graph. */
  readonly warnings: readonly string[];
}

/**
 * The d smoothest coordinates on a weighted graph, to a residual ‖A y − (1 − λ) y‖ of 1e-8.
 *
 * @param weights - W, N × N, dense or sparse: symmetric, nonnegative, zero diagonal, no empty row
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT, ERR_OPTION; ERR_NO_CONVERGENCE
 */
export function laplacianEigenmaps(
  weights: WeightsLike,
  options?: LaplacianEigenmapsOptions,
): LaplacianEigenmaps {
  const { dimensions: d } = laplacianEigenmapsOptions.resolve("laplacianEigenmaps", options);
  const graph = new NormalizedGraph(symmetricWeights(weights, "weights"));
  const N = graph.size;
  if (d > N - 1) throw badOption("laplacianEigenmaps", "dimensions", `at most ${N - 1} for ${N} points`, d);
  const coordinates = zeros(N, d);
  const eigenvalues = new Float64Array(d);
  const separating = Math.min(d, graph.components - 1);
  separateComponents(graph, separating, coordinates);
  if (separating < d) {
    const { values, vectors } = smoothestVectors(graph, d - separating);
    for (let i = 0; i < values.length; i++) {
      eigenvalues[separating + i] = values[i];
      for (let n = 0; n < N; n++) {
        coordinates.data[n * d + separating + i] = graph.inverseRoots[n] * vectors.data[i * N + n];
      }
    }
  }
  for (let i = 0; i < d; i++) orientColumn(coordinates, i);
  const { components, labels } = graph;
  return { coordinates, eigenvalues, components, labels, warnings: warningsFor(graph, separating) };
}

/**
 * Columns 0 … count − 1: the orthonormal polynomials p_1, …, p_count in r under the volumes, each from r times the one
 * before. Their recurrence, in which the two before it suffice, would lose the orthogonality of high degrees.
 */
function separateComponents(graph: NormalizedGraph, count: number, X: DenseMatrix): void {
  const { volumes, labels, components } = graph;
  const constant = new Float64Array(components).fill(1);
  normalize(constant, volumes);
  const polynomials = [constant];
  for (let k = 0; k < count; k++) {
    const next = polynomials[k].map((value, r) => r * value);
    for (let pass = 0; pass < 2; pass++) {
      for (const earlier of polynomials) subtractProjection(next, earlier, volumes);
      normalize(next, volumes);
    }
    polynomials.push(next);
    for (let n = 0; n < labels.length; n++) X.data[n * X.columns + k] = next[labels[n]];
  }
}

function subtractProjection(values: Float64Array, unit: Float64Array, volumes: Float64Array): void {
  let inner = 0;
  for (let r = 0; r < values.length; r++) inner += volumes[r] * values[r] * unit[r];
  for (let r = 0; r < values.length; r++) values[r] -= inner * unit[r];
}

function normalize(values: Float64Array, volumes: Float64Array): void {
  let squares = 0;
  for (let r = 0; r < values.length; r++) squares += volumes[r] * values[r] * values[r];
  const norm = Math.sqrt(squares);
  for (let r = 0; r < values.length; r++) values[r] /= norm;
}

/** Entries this near the largest count as equal to it, so that rounding does not choose the sign. */
const NEARLY_LARGEST = 1 - 1e-6;

function orientColumn({ rows, columns, data }: DenseMatrix, i: number): void {
  let largest = 0;
  for (let n = 0; n < rows; n++) largest = Math.max(largest, Math.abs(data[n * columns + i]));
  let first = 0;
  while (Math.abs(data[first * columns + i]) < NEARLY_LARGEST * largest) first += 1;
  if (data[first * columns + i] > 0) return;
  for (let n = 0; n < rows; n++) data[n * columns + i] = -data[n * columns + i];
}

function warningsFor({ components }: NormalizedGraph, separating: number): string[] {
  if (components === 1) return [];
  const axes = separating === 1 ? "The first axis only tells" : `The first ${separating} axes only tell`;
  return [
    `The neighbour graph falls into ${components} parts. ${axes} them apart: all points of a part lie on one place ` +
      "there. More neighbours may connect them.",
  ];
}
