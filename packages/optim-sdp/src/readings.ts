/** What is read from the solution: clusters, embedding, order, certificate. */
import type { DenseMatrix } from "@curvature/linalg";
import { clustersOf } from "./geometry/clusters.js";
import { embeddingOfSolution } from "./geometry/embedding.js";
import { orderOf } from "./geometry/order.js";
import { DenseSolution, denseOf, FactoredSolution, type Solution } from "./geometry/solution.js";
import type { Layers } from "./layers.js";
import { denseBytes } from "./memory.js";
import type { NomadSettings } from "./nomad-options.js";
import { autoBytes } from "./solvers/auto-options.js";

/** Points up to which a run that ended without an upper bound gets one, as one eigendecomposition is little beside the run. */
const MOST_CERTIFIED = 2000;

/** Residual of the embedding's eigenpairs: what a picture shows. */
const EMBEDDING_TOLERANCE = 1e-6;
/** Share of the memory limit within which a factored Q is formed. */
const DENSE_SHARE = 1 / 8;

/** All that is read from the solution. */
export function readings(layers: Layers, { seed, memoryLimit, certify }: NomadSettings) {
  const { n, stage } = layers;
  const isLittle = n <= MOST_CERTIFIED && autoBytes(n, stage.clusters) <= memoryLimit;
  if (certify === true || (certify === "auto" && isLittle)) layers.certify();
  const { solution, layer } = layers.solved();
  const { labels, memberships } = clustersOf(solution, Math.round(layer.clusters), seed);
  const { coordinates, varianceExplained } = embeddingOfSolution(solution, 2, EMBEDDING_TOLERANCE);
  const { lower, upper, gap, smallestEntry, rowSumError, rank, components } = layer;
  return {
    layer,
    x: arrayOf(solution),
    ...{ lower, upper, gap, smallestEntry, rowSumError, rank, components },
    Q: formed(solution, memoryLimit),
    factored: solution instanceof FactoredSolution ? solution.point : undefined,
    ...{ labels, memberships, varianceExplained },
    order: orderOf(solution, components, labels),
    embedding: coordinates,
    layers: layers.layers.includes(layer) ? [...layers.layers] : [...layers.layers, layer],
    attempts: [...layers.attempts],
  };
}

function formed(solution: Solution, memoryLimit: number): DenseMatrix | undefined {
  const fits = denseBytes(solution.n, 1) <= DENSE_SHARE * memoryLimit;
  return solution instanceof DenseSolution || fits ? denseOf(solution) : undefined;
}

const arrayOf = (solution: Solution): Float64Array =>
  solution instanceof DenseSolution
    ? solution.Q.data
    : solution instanceof FactoredSolution
      ? solution.point.factor.data
      : new Float64Array(0);
