/**
 * From points to an objective: principal components where `pca` asks for them, neighbours, affinities, model. In pieces, so that a
 * caller can do other things between them.
 */
import {
  type DenseMatrix,
  isSparse,
  lostComponents,
  matrixTimesVector,
  multiplyTranspose,
  optionName,
  type PrincipalComponents,
  type PrincipalThreads,
  principalComponents,
  type SparseMatrix,
  type SparseMatrixLike,
  sparseTimesBlock,
  toDense,
  toSparse,
  transpose,
  zeros,
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
  sne,
  symmetricSne,
  tElasticEmbedding,
  tsne,
  type Weights,
} from "@curvature/objectives/embedding";
import type { AffinityThreads, SumThreads } from "@curvature/objectives/embedding/threads";
import type { EmbedSettings } from "./embed-settings.js";
import { type Neighborhood, partsWarning, type Source, squaredDistancesOf } from "./source.js";

/** The data as the affinities see it, and what does the same to new rows. */
export interface Projected {
  readonly data: DenseMatrix | SparseMatrix;
  readonly project: Project;
  /** Of components that were asked for and are not there. */
  readonly warnings: readonly string[];
}

/** Does to new rows what was done to the data. */
export type Project = (newPoints: DenseMatrix | SparseMatrix) => DenseMatrix | SparseMatrix;

/** Finite points, sparse ones as they are. @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE */
export function finitePoints(points: SparseMatrixLike, name: string): DenseMatrix | SparseMatrix {
  return isSparse(points) ? toSparse(points, name) : toDense(points, name);
}

/** The data's first principal components in its place, where `pca` asks for it. */
export function projected(
  points: DenseMatrix | SparseMatrix,
  { pca }: EmbedSettings,
  threads: PrincipalThreads | undefined,
): Projected {
  if (pca === undefined) return { data: points, project: (rows) => rows, warnings: [] };
  const components = principalComponents(points, { count: pca, threads });
  const full = fullColumns(points);
  return {
    data: components.scores,
    project: (newPoints) => scoresOf(newPoints, components, full),
    warnings: lostComponents(components.variances, "scale the columns"),
  };
}

/** Columns of sparse points without a zero among them: their means may be large beside their spread. */
function fullColumns(points: DenseMatrix | SparseMatrix): readonly number[] {
  if ("data" in points) return [];
  const counts = new Int32Array(points.columns);
  for (const j of points.columnIndices) counts[j]++;
  return [...counts.keys()].filter((j) => counts[j] === points.rows);
}

/**
 * (X − 1 mᵀ) Vᵀ. Of sparse rows the means are subtracted from the product, V m, which loses nothing where zeros made the
 * means deviations themselves; in a column that was full they are subtracted from the entries, as of dense rows.
 */
function scoresOf(
  rows: DenseMatrix | SparseMatrix,
  { components, means }: PrincipalComponents,
  full: readonly number[],
): DenseMatrix {
  if ("data" in rows) {
    const data = rows.data.map((value, k) => value - means[k % means.length]);
    return multiplyTranspose({ ...rows, data }, components);
  }
  const k = components.rows;
  const scores = zeros(rows.rows, k);
  const isFull = new Uint8Array(means.length);
  for (const j of full) isFull[j] = 1;
  const shifted = rows.values.map((value, p) => {
    const j = rows.columnIndices[p];
    return isFull[j] === 1 ? value - means[j] : value;
  });
  sparseTimesBlock({ ...rows, values: shifted }, transpose(components).data, k, scores.data);
  const shift = new Float64Array(k);
  const others = means.map((mean, j) => (isFull[j] === 1 ? 0 : mean));
  matrixTimesVector(components, others, shift);
  for (let at = 0; at < scores.data.length; at++) scores.data[at] -= shift[at % k];
  for (let i = 0; i < rows.rows; i++) {
    const stored = new Set(rows.columnIndices.subarray(rows.rowPointers[i], rows.rowPointers[i + 1]));
    for (const j of full)
      if (!stored.has(j))
        for (let a = 0; a < k; a++)
          scores.data[i * k + a] -= means[j] * components.data[a * means.length + j];
  }
  return scores;
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
  { method, dimensions, lambda, repulsion, gradient, theta }: EmbedSettings,
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
    case "ee":
      return elasticEmbedding(weights(), options, threads);
    case "tee":
      return tElasticEmbedding(weights(), options, threads);
    case "tsne":
    case "laplacian": // only the affinities are asked for
      return tsne(affinities, options, threads);
  }
}
