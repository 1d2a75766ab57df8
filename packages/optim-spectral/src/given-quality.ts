/**
 * How well a map keeps neighbourhoods where these are of given dissimilarities, or of points under a metric: the measures of
 * `metrics.ts` over whole rows of dissimilarities. Ties are taken in every order alike: the measures are the means over them.
 *
 * Of a graph of neighbours or of affinities only the neighbours that it names are known: k is at most their number, point by
 * point, and trustworthiness, which needs the ranks of all, is undefined.
 */
import {
  CurvatureError,
  type DenseMatrix,
  RandomGenerator,
  type SparseMatrix,
  sampleWithoutReplacement,
} from "@curvature/linalg";
import { isEuclidean, type Metric, rowDistance, squaredRowDistance } from "@curvature/objectives/embedding";
import { finitePoints } from "./embedding-problem.js";
import { checkedGiven, type EmbedInput, isGiven, pointSource, type Source } from "./source.js";

interface GivenQuality {
  readonly k: number;
  readonly sampled: number | false;
  readonly knnPreservation: number | undefined;
  readonly trustworthiness: number | undefined;
}

interface Settings {
  readonly neighbors: number;
  readonly maxRows: number;
  readonly seed: number;
  readonly metric: Metric;
}

/**
 * @param input - points, or what was given in their place
 * @param map - N × d
 */
export function givenQuality(input: EmbedInput, map: DenseMatrix, settings: Settings): GivenQuality {
  const { neighbors, maxRows, seed, metric } = settings;
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
  if (most === 0) return { ...measured, knnPreservation: undefined, trustworthiness: undefined };
  const dissimilarities = rowsOf(source);
  const inData = new Float64Array(N);
  const inMap = new Float64Array(N);
  let [overlap, penalty] = [0, 0];
  for (let c = 0; c < compared; c++) {
    const i = sample?.[c] ?? c;
    const known = dissimilarities.row(i, inData);
    const k = Math.min(most, known);
    for (let j = 0; j < N; j++) inMap[j] = squaredRowDistance(map.data, i, map.data, j, map.columns);
    inData[i] = Number.POSITIVE_INFINITY;
    inMap[i] = Number.POSITIVE_INFINITY;
    const W = membership(inMap, k);
    if (known === N - 1) {
      const sorted = inData.toSorted();
      for (const [j, share] of W) penalty += share * expectedExcess(sorted, inData[j], most);
    }
    const V = membership(inData, k);
    let common = 0;
    for (const [j, share] of V) common += share * (W.get(j) ?? 0);
    overlap += common / k;
  }
  const scale = 2 / (compared * most * (2 * N - 3 * most - 1));
  return {
    ...measured,
    knnPreservation: overlap / compared,
    trustworthiness: dissimilarities.hasAll ? 1 - scale * penalty : undefined,
  };
}

interface Dissimilarities {
  /** Whether the rank of every other point is known. */
  readonly hasAll: boolean;
  /** Writes row i, ∞ for what is not known, and returns how many others are known. */
  row(i: number, out: Float64Array): number;
}

function rowsOf(source: Source): Dissimilarities {
  const N = source.rows;
  switch (source.kind) {
    case "distances":
      return {
        hasAll: true,
        row(i, out) {
          out.set(source.distances.data.subarray(i * N, i * N + N));
          return N - 1;
        },
      };
    case "neighbors": {
      const { rowPointers, indices, distances } = source.graph;
      return {
        hasAll: false,
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
      return { hasAll: true, row: pointRows(source.data, source.metric) };
  }
}

function pointRows(
  points: DenseMatrix | SparseMatrix,
  metric: Metric,
): (i: number, out: Float64Array) => number {
  const N = points.rows;
  const D = points.columns;
  if ("data" in points) {
    const { data } = points;
    const between = isEuclidean(metric) ? squaredRowDistance : rowDistance(metric);
    return (i, out) => {
      for (let j = 0; j < N; j++) out[j] = i === j ? 0 : between(data, i, data, j, D);
      return N - 1;
    };
  }
  const { rowPointers, columnIndices, values } = points;
  const dense = new Float64Array(D);
  const mean = (i: number): number => {
    if (metric !== "correlation") return 0;
    let sum = 0;
    for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++) sum += values[p];
    return sum / D;
  };
  const means = Float64Array.from({ length: N }, (_, i) => mean(i));
  return (i, out) => {
    for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++) dense[columnIndices[p]] = values[p];
    for (let j = 0; j < N; j++) {
      let inner = 0;
      for (let p = rowPointers[j]; p < rowPointers[j + 1]; p++) inner += values[p] * dense[columnIndices[p]];
      out[j] = Math.max(0, 2 - 2 * (inner - D * means[i] * means[j]));
    }
    for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++) dense[columnIndices[p]] = 0;
    return N - 1;
  };
}

/** Who is among the k nearest, with the share of the orders of ties in which it is. */
function membership(distances: Float64Array, k: number): Map<number, number> {
  const last = distances.toSorted()[k - 1];
  let [nearer, tied] = [0, 0];
  for (const distance of distances) {
    nearer += Number(distance < last);
    tied += Number(distance === last);
  }
  const members = new Map<number, number>();
  for (let j = 0; j < distances.length; j++)
    if (distances[j] <= last) members.set(j, distances[j] < last ? 1 : (k - nearer) / tied);
  return members;
}

/** The mean of max(0, r − k) over the ranks r that a distance has among the sorted ones. */
function expectedExcess(sorted: Float64Array, distance: number, k: number): number {
  let first = 0;
  let end = sorted.length;
  while (first < end) {
    const middle = (first + end) >> 1;
    if (sorted[middle] < distance) first = middle + 1;
    else end = middle;
  }
  let after = first;
  let sum = 0;
  while (after < sorted.length && sorted[after] === distance) {
    after += 1;
    sum += Math.max(0, after - k);
  }
  return sum / (after - first);
}
