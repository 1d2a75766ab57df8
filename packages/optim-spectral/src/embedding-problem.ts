/**
 * From points to an objective: principal components where `pca` asks for them, neighbours, affinities, model. In pieces, so that a
 * caller can do other things between them.
 */
import {
  type DenseMatrix,
  isSparse,
  optionName,
  type SparseMatrix,
  type SparseMatrixLike,
  toDense,
  toSparse,
} from "@curvature/linalg";
import {
  affinitiesOfSquaredDistances,
  distanceWeightsOf,
  type EmbeddingObjective,
  elasticEmbedding,
  type FoundNeighbors,
  graphAffinities,
  jointAffinities,
  type NeighborGraph,
  neighborAffinities,
  nonsymmetricTsne,
  sne,
  symmetricSne,
  tElasticEmbedding,
  tsne,
  unnormalizedEmbedding,
  type Weights,
} from "@curvature/objectives/embedding";
import type { AffinityThreads, SumThreads } from "@curvature/objectives/embedding/threads";
import type { EmbedSettings } from "./embed-settings.js";
import { meanOfScales } from "./multi-scale.js";
import { type Neighborhood, partsWarning, type Source, squaredDistancesOf } from "./source.js";

/** Finite points, sparse ones as they are. @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE */
export function finitePoints(points: SparseMatrixLike, name: string): DenseMatrix | SparseMatrix {
  return isSparse(points) ? toSparse(points, name) : toDense(points, name);
}

/** Below this share of the neighbours a map is of other data. */
const poorRecall = 0.9;

/** What a report of the search has. */
export function searchReport(near: Neighborhood): {
  readonly neighborRecall: number | undefined;
  readonly neighborSearch: "exact" | "approximate";
  readonly warnings: readonly string[];
} {
  if (!("recall" in near)) return { neighborRecall: undefined, neighborSearch: "exact", warnings: [] };
  const { recall, search } = near;
  return { neighborRecall: recall, neighborSearch: search, warnings: searchWarnings(near) };
}

function searchWarnings({ recall, abandonedRecall }: FoundNeighbors): readonly string[] {
  const percent = (share: number): string => `${Math.floor(100 * share)} %`;
  if (abandonedRecall !== undefined)
    return [
      `The approximate search was given up at ${percent(abandonedRecall)} of the nearest neighbours: the data has too little structure for it, and the exact search took its place.`,
    ];
  if (recall >= poorRecall) return [];
  return [
    `The approximate search found only ${percent(recall)} of the nearest neighbours. Ask for the exact one (${optionName("neighborSearch", "exact")}), or for fewer dimensions (${optionName("pca")}).`,
  ];
}

export interface EmbeddingProblem {
  readonly objective: EmbeddingObjective;
  /** Symmetric affinities of sum 1. */
  readonly affinities: Weights;
  readonly warnings: readonly string[];
  /** Where what was given falls into parts. */
  readonly partsWarnings: readonly string[];
}

/** Neighbours in all below which the affinities are there before another thread has begun. */
const MANY = 1e6;

/**
 * In steps, too; affinities of all pairs are one.
 *
 * @param near - overwritten where it holds distances
 */
export function* embeddingProblem(
  source: Source,
  near: Neighborhood,
  settings: EmbedSettings,
  threads?: AffinityThreads & SumThreads,
): Generator<number, EmbeddingProblem, void> {
  const { conditional, warnings } = yield* conditionalOf(near, settings, threads);
  const affinities = "affinities" in near ? near.affinities : jointAffinities(conditional);
  return {
    objective: model(source, conditional, affinities, settings, threads),
    affinities,
    warnings,
    partsWarnings: source.kind === "points" ? [] : partsWarning(affinities),
  };
}

interface Conditional {
  readonly conditional: Weights;
  readonly warnings: readonly string[];
}

function* conditionalOf(
  near: Neighborhood,
  { perplexity }: EmbedSettings,
  threads: AffinityThreads | undefined,
): Generator<number, Conditional, void> {
  if ("affinities" in near) return { conditional: rowShares(near.affinities), warnings: [] };
  if (typeof perplexity === "number") return yield* conditionalAt(perplexity, near, threads);
  const at = (k: number) => conditionalAt(k, "data" in near ? copyOf(near) : near, threads);
  return yield* meanOfScales(perplexity, at, ({ conditional }) => conditional);
}

const copyOf = (matrix: DenseMatrix): DenseMatrix => ({ ...matrix, data: matrix.data.slice() });

/** @param near - overwritten where it is a full matrix */
function* conditionalAt(
  perplexity: number,
  near: Exclude<Neighborhood, { readonly affinities: Weights }>,
  threads: AffinityThreads | undefined,
): Generator<number, Conditional, void> {
  if ("data" in near) return affinitiesOfSquaredDistances(near, perplexity);
  if ("rowPointers" in near || near.count <= perplexity)
    return yield* graphAffinities(asGraph(near), perplexity);
  return yield* neighborAffinities(near, perplexity, near.indices.length < MANY ? undefined : threads);
}

const asGraph = (near: FoundNeighbors | NeighborGraph): NeighborGraph =>
  "rowPointers" in near
    ? near
    : {
        ...near,
        rowPointers: Int32Array.from(
          { length: near.indices.length / near.count + 1 },
          (_, n) => n * near.count,
        ),
      };

/** p_m|n of joint affinities: each row over its sum. */
function rowShares(affinities: Weights): Weights {
  const values = "data" in affinities ? affinities.data.slice() : affinities.values.slice();
  for (let n = 0; n < affinities.rows; n++) {
    const row =
      "data" in affinities
        ? values.subarray(n * affinities.columns, (n + 1) * affinities.columns)
        : values.subarray(affinities.rowPointers[n], affinities.rowPointers[n + 1]);
    const sum = row.reduce((total, value) => total + value, 0);
    for (let p = 0; p < row.length; p++) row[p] /= sum;
  }
  return "data" in affinities ? { ...affinities, data: values } : { ...affinities, values };
}

function model(
  source: Source,
  conditional: Weights,
  affinities: Weights,
  { method, kernel, dimensions, lambda, repulsion, gradient, theta }: EmbedSettings,
  threads: SumThreads | undefined,
): EmbeddingObjective {
  const options = { dimensions, lambda, gradient, theta };
  const weights = () => ({
    attraction: affinities,
    repulsion:
      repulsion === "distance" ? distanceWeightsOf(squaredDistancesOf(source)) : ("constant" as const),
  });
  switch (method) {
    case "ssne":
      return symmetricSne(affinities, options, threads);
    case "sne":
      return sne(conditional, options);
    case "nonsymmetric-tsne":
      return nonsymmetricTsne(conditional, options);
    case "ee":
      if (kernel !== undefined) return unnormalizedEmbedding(weights(), { ...options, kernel });
      return elasticEmbedding(weights(), options, threads);
    case "tee":
      return tElasticEmbedding(weights(), options, threads);
    case "tsne":
    case "laplacian": // only the affinities are asked for
      return tsne(affinities, options, threads);
  }
}
