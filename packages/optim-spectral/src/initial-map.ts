/**
 * Where a map starts. A start of size 1 (not 1e-4, as is usual) costs no quality and keeps differences of E above
 * their rounding; a little noise frees points that would start, and stay, in one place.
 */
import {
  type DenseMatrix,
  fillNormal,
  norm2,
  type PrincipalThreads,
  principalComponents,
  RandomGenerator,
  zeros,
} from "@curvature/linalg";
import { type EmbeddingObjective, laplacianEigenmaps, type Weights } from "@curvature/objectives/embedding";
import type { EmbedSettings } from "./embed-settings.js";
import { givenMap } from "./given-map.js";

/** Of the map's size. */
const relativeNoise = 1e-2;
/** The paper's solvers start from noise of this size. */
const paperNoise = 1e-5;

/**
 * @param points - the data, N × D
 * @param affinities - its symmetric affinities
 * @param objective - what is minimised, by which a given map is brought to a size
 */
export function initialMap(
  points: DenseMatrix,
  affinities: Weights,
  objective: EmbeddingObjective,
  settings: EmbedSettings,
  threads?: PrincipalThreads,
): DenseMatrix {
  const { initialization, dimensions: d, method, solver, seed } = settings;
  const isHeavyTailed = method === "tsne" || method === "tee";
  const size = isHeavyTailed ? 1 : 0.1;
  if (typeof initialization === "object") return givenMap(objective, initialization, size);
  const map = zeros(points.rows, d);
  fillNormal(new RandomGenerator(seed), map.data);
  if (initialization === "random") {
    multiply(map, solver === "auto" ? (isHeavyTailed ? 1 : 0.01) : paperNoise);
    return map;
  }
  multiply(map, relativeNoise * size);
  const isPca = initialization === "pca";
  addSized(map, isPca ? principalScores(points, d, threads) : laplacianScores(affinities, d), size);
  return map;
}

/** The scores of the first d principal components, or of as many as there are, without outliers. */
function principalScores(points: DenseMatrix, d: number, threads: PrincipalThreads | undefined): DenseMatrix {
  const count = Math.min(d, points.columns);
  const { scores } = principalComponents(points, { count, threads });
  for (let i = 0; i < scores.columns; i++) drawIn(scores, i);
  return scores;
}

/** Medians of |x − median|: so far from the median lies the last place in a column that outliers rule. */
const farthest = 10;

/**
 * Where a few points lie so far off that the spread of most would be less than the noise beside the column's deviation, these
 * few come nearer, and most start apart.
 */
function drawIn(scores: DenseMatrix, column: number): void {
  const { rows: N, columns, data } = scores;
  const values = columnOf(scores, column);
  const center = median(values);
  const spread = median(values.map((value) => Math.abs(value - center)));
  const deviation = norm2(values) / Math.sqrt(N);
  if (spread === 0 || spread >= relativeNoise * deviation) return;
  for (let n = 0; n < N; n++) {
    const offset = values[n] - center;
    data[n * columns + column] = Math.max(-farthest * spread, Math.min(farthest * spread, offset));
  }
}

const columnOf = ({ rows, columns, data }: DenseMatrix, column: number): Float64Array =>
  Float64Array.from({ length: rows }, (_, n) => data[n * columns + column]);

/** The upper one, of an even number. */
const median = (values: Float64Array): number => values.toSorted()[values.length >> 1];

function laplacianScores(affinities: Weights, dimensions: number): DenseMatrix {
  return laplacianEigenmaps(affinities, { dimensions }).coordinates;
}

/** map ← map + size · scores / the largest deviation of a column; scores may have fewer columns. */
function addSized(map: DenseMatrix, scores: DenseMatrix, size: number): void {
  const { rows: N, columns } = scores;
  let deviation = 0;
  for (let i = 0; i < columns; i++)
    deviation = Math.max(deviation, norm2(columnOf(scores, i)) / Math.sqrt(N));
  if (deviation === 0) return;
  for (let n = 0; n < N; n++)
    for (let i = 0; i < columns; i++)
      map.data[n * map.columns + i] += size * (scores.data[n * columns + i] / deviation);
}

function multiply(map: DenseMatrix, factor: number): void {
  for (let k = 0; k < map.data.length; k++) map.data[k] *= factor;
}
