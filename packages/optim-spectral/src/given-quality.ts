/**
 * How well a map keeps neighbourhoods where these are of given dissimilarities, or of points under a metric: the measures of
 * `metrics.ts` over whole rows of dissimilarities.
 *
 * Of a graph of neighbours or of affinities only the neighbours that it names are known: k is at most their number, point by
 * point, and trust, which needs the ranks of all, and distortion are undefined.
 */
import {
  badOption,
  CurvatureError,
  type DenseMatrix,
  isSparse,
  RandomGenerator,
  type SparseMatrix,
  sampleWithoutReplacement,
} from "@curvature/linalg";
import {
  isEuclidean,
  type Metric,
  rowDistance,
  squaredRowDistance,
  tieRule,
} from "@curvature/objectives/embedding";
import { inRange } from "./columns.js";
import { finitePoints } from "./embedding-problem.js";
import { checkedGiven, type EmbedInput, isGiven, pointSource, type Source } from "./source.js";
import {
  meanCommon,
  meanPenalty,
  meanStretch,
  type Nearest,
  nearestUpTo,
  type TieRule,
  writePlaces,
} from "./tied-neighbors.js";

/** Point by point; NaN where it is not known. */
interface GivenNeighborhoods {
  readonly k: number;
  readonly sampled: number | false;
  readonly kept: Float64Array;
  readonly trust: Float64Array;
  readonly distortion: Float64Array;
}

export interface GivenSettings {
  readonly neighbors: number;
  readonly maxRows: number;
  readonly seed: number;
  readonly metric: Metric;
}

/**
 * @param input - points, or what was given in their place
 * @param embedding - the map, N × d
 */
export function givenNeighborhoods(
  input: EmbedInput,
  embedding: DenseMatrix,
  settings: GivenSettings,
): GivenNeighborhoods {
  const map = inRange(embedding);
  const { neighbors, maxRows, seed, metric } = settings;
  if (isGiven(input) && metric !== "euclidean")
    throw badOption("mapQuality", "metric", "left out for what is given in place of points", metric);
  if (!isGiven(input) && isSparse(input) && !isEuclidean(metric))
    throw badOption(
      "mapQuality",
      "metric",
      "euclidean, cosine, correlation or hellinger for sparse points; give them as a dense matrix for another",
      metric,
    );
  const source = isGiven(input) ? checkedGiven(input) : pointSource(finitePoints(input, "points"), metric);
  const N = source.rows;
  if (N !== map.rows)
    throw new CurvatureError(
      "ERR_SHAPE",
      `The data has ${N} points, the map ${map.rows}. Give both the same points in the same order.`,
      { path: "embedding", expected: `${N} rows`, received: map.rows },
    );
  const most = Math.min(neighbors, Math.max(0, Math.ceil(N / 2) - 1));
  const sample =
    N > maxRows ? sampleWithoutReplacement(new RandomGenerator(seed), maxRows, N).sort() : undefined;
  const compared = sample?.length ?? N;
  const measured = { k: most, sampled: sample === undefined ? (false as const) : compared };
  const kept = new Float64Array(compared).fill(Number.NaN);
  const dissimilarities = rowsOf(source);
  const trust = kept.slice();
  const distortion = kept.slice();
  if (most === 0) return { ...measured, kept, trust, distortion };
  const inData = new Float64Array(N);
  const inMap = new Float64Array(N);
  const places = new Uint8Array(N);
  const scale = 2 / (most * (2 * N - 3 * most - 1));
  for (let c = 0; c < compared; c++) {
    const i = sample?.[c] ?? c;
    const known = dissimilarities.row(i, inData);
    const k = Math.min(most, known);
    for (let j = 0; j < N; j++) inMap[j] = squaredRowDistance(map.data, i, map.data, j, map.columns);
    const W = nearest(inMap, i, k, tieRule(map.data, i, map.columns));
    const tieOf = dissimilarities.tieRuleOf(i);
    const V = nearest(inData, i, k, tieOf);
    writePlaces(V, places);
    kept[c] = meanCommon(V, W, places) / k;
    if (!dissimilarities.hasAll) continue;
    trust[c] = 1 - scale * meanPenalty(inData, i, most, W, tieOf);
    const stretch = meanStretch(
      (j) => inData[j],
      () => inData,
      V.last,
      W,
    );
    distortion[c] = dissimilarities.areSquares ? Math.sqrt(stretch) : stretch;
  }
  return { ...measured, kept, trust, distortion };
}

interface Dissimilarities {
  /** Whether the rank of every other point is known. */
  readonly hasAll: boolean;
  readonly areSquares: boolean;
  /** Writes row i, ∞ for what is not known, and returns how many others are known. */
  row(i: number, out: Float64Array): number;
  tieRuleOf(i: number): TieRule;
}

/** Of the dissimilarities themselves, which are rounded where they were computed; roots round half as much as their squares. */
const ofItself: TieRule = (distance) => 1e-12 * Math.abs(distance);

function rowsOf(source: Source): Dissimilarities {
  const N = source.rows;
  switch (source.kind) {
    case "distances":
      return {
        hasAll: true,
        areSquares: false,
        tieRuleOf: () => ofItself,
        row(i, out) {
          out.set(source.distances.data.subarray(i * N, i * N + N));
          return N - 1;
        },
      };
    case "neighbors": {
      const { rowPointers, indices, distances } = source.graph;
      return {
        hasAll: false,
        areSquares: false,
        tieRuleOf: () => ofItself,
        row(i, out) {
          out.fill(Number.POSITIVE_INFINITY);
          for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++) out[indices[p]] = distances[p];
          return rowPointers[i + 1] - rowPointers[i];
        },
      };
    }
    case "affinities": {
      const { affinities } = source;
      return {
        hasAll: false,
        areSquares: false,
        tieRuleOf: () => ofItself,
        row(i, out) {
          out.fill(0);
          if ("data" in affinities) out.set(affinities.data.subarray(i * N, i * N + N));
          else
            for (let p = affinities.rowPointers[i]; p < affinities.rowPointers[i + 1]; p++)
              out[affinities.columnIndices[p]] = affinities.values[p];
          let known = 0;
          for (let j = 0; j < N; j++) {
            if (out[j] > 0) known += 1;
            out[j] = out[j] > 0 ? -out[j] : Number.POSITIVE_INFINITY;
          }
          return known;
        },
      };
    }
    case "points":
      return {
        hasAll: true,
        areSquares: isEuclidean(source.metric),
        ...pointRows(source.data, source.metric),
      };
  }
}

function pointRows(
  points: DenseMatrix | SparseMatrix,
  metric: Metric,
): Pick<Dissimilarities, "row" | "tieRuleOf"> {
  const N = points.rows;
  const D = points.columns;
  if ("data" in points) {
    const { data } = points;
    const between = isEuclidean(metric) ? squaredRowDistance : rowDistance(metric);
    return {
      tieRuleOf: (i) => (isEuclidean(metric) ? tieRule(data, i, D) : ofItself),
      row(i, out) {
        for (let j = 0; j < N; j++) out[j] = i === j ? 0 : between(data, i, data, j, D);
        return N - 1;
      },
    };
  }
  const { rowPointers, columnIndices } = points;
  const { data: values } = inRange({ rows: 1, columns: points.values.length, data: points.values });
  const dense = new Float64Array(D);
  const mean = (i: number): number => {
    if (metric !== "correlation") return 0;
    let sum = 0;
    for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++) sum += values[p];
    return sum / D;
  };
  const means = Float64Array.from({ length: N }, (_, i) => mean(i));
  /** 1 under the other metrics, which bring rows to that. */
  const squaredLength = (i: number): number => {
    if (metric !== "euclidean") return 1;
    let sum = 0;
    for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++) sum += values[p] ** 2;
    return sum;
  };
  const lengths = Float64Array.from({ length: N }, (_, i) => squaredLength(i));
  return {
    // The rounding of the products.
    tieRuleOf: (i) => (distance) => 1e-12 * distance + 16 * Number.EPSILON * lengths[i],
    row(i, out) {
      for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++) dense[columnIndices[p]] = values[p];
      for (let j = 0; j < N; j++) {
        let inner = 0;
        for (let p = rowPointers[j]; p < rowPointers[j + 1]; p++)
          inner += values[p] * dense[columnIndices[p]];
        out[j] = Math.max(0, lengths[i] + lengths[j] - 2 * (inner - D * means[i] * means[j]));
      }
      for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++) dense[columnIndices[p]] = 0;
      return N - 1;
    },
  };
}

/** The k nearest others of a row of distances. */
function nearest(
  distances: Float64Array,
  i: number,
  k: number,
  tieOf: TieRule,
): Nearest & { readonly last: number } {
  const own = distances[i];
  distances[i] = Number.POSITIVE_INFINITY;
  const last = distances.toSorted()[k - 1];
  distances[i] = own;
  return { ...nearestUpTo(distances, i, k, last, tieOf), last };
}
