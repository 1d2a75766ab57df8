/**
 * Where a map starts. A start of size 1 (not 1e-4, as is usual) costs no quality and keeps differences of E above
 * their rounding; a little noise frees points that would start, and stay, in one place.
 */
import {
  cos,
  type DenseMatrix,
  fillNormal,
  norm2,
  type PrincipalThreads,
  principalComponents,
  RandomGenerator,
  type SparseMatrix,
  sin,
  toSparse,
  zeros,
} from "@curvature/linalg";
import { laplacianEigenmaps, type Weights } from "@curvature/objectives/embedding";
import { classicalScaling } from "./classical-scaling.js";
import { centerColumns } from "./columns.js";
import type { EmbedSettings } from "./embed-settings.js";
import { rowOrder } from "./row-order.js";
import { type Source, squaredDistancesOf } from "./source.js";

/** Of the map's size. */
const relativeNoise = 1e-2;
/** The paper's solvers start from noise of this size. */
const paperNoise = 1e-5;

/**
 * @param source - the data
 * @param affinities - its symmetric affinities
 */
export function initialMap(
  source: Source,
  affinities: Weights,
  settings: EmbedSettings,
  threads?: PrincipalThreads,
): DenseMatrix {
  const { initialization, dimensions: d, method, solver, seed } = settings;
  const isHeavyTailed = method === "tsne" || method === "nonsymmetric-tsne" || method === "tee";
  if (typeof initialization === "object") {
    const given = centered(initialization);
    // In the size from which the schedule of λ begins, so that its unit does not matter.
    if (solver === "auto") multiply(given, (isHeavyTailed ? 1 : 0.1) / largestDeviation(given));
    return given;
  }
  const map = noise(source, d, seed);
  if (initialization === "random") {
    multiply(map, solver === "auto" ? (isHeavyTailed ? 1 : 0.01) : paperNoise);
    return map;
  }
  const size = isHeavyTailed ? 1 : 0.1;
  multiply(map, relativeNoise * size);
  addSized(map, scoresOf(source, affinities, settings, threads), size);
  return map;
}

/** Normal numbers, drawn for the rows in an order of their own: a row gets the same ones wherever it stands. */
export function noise(source: Source, d: number, seed: number): DenseMatrix {
  const drawn = new Float64Array(source.rows * d);
  fillNormal(new RandomGenerator(seed), drawn);
  const map = zeros(source.rows, d);
  const order = rowOrder(source);
  for (let k = 0; k < order.length; k++)
    for (let i = 0; i < d; i++) map.data[order[k] * d + i] = drawn[k * d + i];
  return map;
}

/** Without its mean, which E does not see but its sums round by: taken off twice, for what the first time rounded. */
function centered({ rows, columns, data }: DenseMatrix): DenseMatrix {
  const copy = data.slice();
  centerColumns(copy, columns);
  centerColumns(copy, columns);
  return { rows, columns, data: copy };
}

function scoresOf(
  source: Source,
  affinities: Weights,
  { initialization, dimensions: d }: EmbedSettings,
  threads: PrincipalThreads | undefined,
): DenseMatrix {
  if (initialization === "laplacian") return laplacianScores(affinities, d);
  if (source.kind === "points") return principalScores(source.data, d, threads);
  return withoutOutliers(classicalScaling(squaredDistancesOf(source), d));
}

/** The scores of the first d principal components, or of as many as there are, without outliers. */
function principalScores(
  points: DenseMatrix | SparseMatrix,
  d: number,
  threads: PrincipalThreads | undefined,
): DenseMatrix {
  const count = Math.min(d, points.columns);
  return withoutOutliers(principalComponents(points, { count, threads }).scores);
}

function withoutOutliers(scores: DenseMatrix): DenseMatrix {
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

/**
 * Laplacian eigenmaps of each component of the graph by itself. Those of the whole graph only say which component a point is in, and
 * all points of one lie in one place; graphs of a few neighbours often fall into a large component and some small ones. Each gets
 * the area that its share of the points asks for; the largest lies in the middle, the others follow on a spiral around it.
 */
function laplacianScores(affinities: Weights, d: number): DenseMatrix {
  const { coordinates, components, labels } = laplacianEigenmaps(affinities, { dimensions: d });
  if (components === 1) return withoutOutliers(coordinates);
  const N = affinities.rows;
  const map = zeros(N, d);
  const sparse = toSparse(affinities);
  let before = 0;
  for (const [r, points] of membersOf(labels, components).entries()) {
    const share = points.length / N;
    const distance = r === 0 ? 0 : radius * Math.sqrt(before + share / 2);
    before += share;
    const center = [distance * cos(goldenAngle * r), distance * sin(goldenAngle * r)];
    const own =
      points.length < Math.max(smallest, d + 2) ? undefined : laplacianScores(among(sparse, points), d);
    const scale = own === undefined ? 0 : Math.sqrt(share) / largestDeviation(own);
    for (const [k, n] of points.entries())
      for (let i = 0; i < d; i++)
        map.data[n * d + i] = (center[i] ?? 0) + (own === undefined ? 0 : scale * own.data[k * d + i]);
  }
  return map;
}

/** Smaller components begin in one place: repulsion spreads them soon. */
const smallest = 50;
/** Of a disc whose coordinates have the deviation 1. */
const radius = 2;
const goldenAngle = Math.PI * (3 - Math.sqrt(5));

/** The points of each component, the largest first; of equals, that of the first point. */
function membersOf(labels: Int32Array, count: number): number[][] {
  const members = Array.from({ length: count }, (): number[] => []);
  for (const [n, label] of labels.entries()) members[label].push(n);
  return members.sort((a, b) => b.length - a.length || a[0] - b[0]);
}

/** Rows and columns of some points, in their order. */
function among(
  { rows, rowPointers, columnIndices, values }: SparseMatrix,
  points: readonly number[],
): SparseMatrix {
  const places = new Int32Array(rows).fill(-1);
  for (const [k, n] of points.entries()) places[n] = k;
  const kept = points.map((n) => {
    const entries: { readonly column: number; readonly value: number }[] = [];
    for (let p = rowPointers[n]; p < rowPointers[n + 1]; p++)
      if (places[columnIndices[p]] >= 0) entries.push({ column: places[columnIndices[p]], value: values[p] });
    return entries;
  });
  const pointers = new Int32Array(points.length + 1);
  for (const [k, { length }] of kept.entries()) pointers[k + 1] = pointers[k] + length;
  return {
    rows: points.length,
    columns: points.length,
    rowPointers: pointers,
    columnIndices: Int32Array.from(kept.flat(), ({ column }) => column),
    values: Float64Array.from(kept.flat(), ({ value }) => value),
  };
}

/** map ← map + size · scores / the largest deviation of a column; scores may have fewer columns. */
function addSized(map: DenseMatrix, scores: DenseMatrix, size: number): void {
  const { rows: N, columns } = scores;
  const deviation = largestDeviation(scores);
  if (deviation === 0) return;
  for (let n = 0; n < N; n++)
    for (let i = 0; i < columns; i++)
      map.data[n * map.columns + i] += size * (scores.data[n * columns + i] / deviation);
}

/** Of the columns' entries from 0. */
function largestDeviation(matrix: DenseMatrix): number {
  let deviation = 0;
  for (let i = 0; i < matrix.columns; i++)
    deviation = Math.max(deviation, norm2(columnOf(matrix, i)) / Math.sqrt(matrix.rows));
  return deviation;
}

function multiply(map: DenseMatrix, factor: number): void {
  for (let k = 0; k < map.data.length; k++) map.data[k] *= factor;
}
