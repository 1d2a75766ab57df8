/**
 * New points in a finished map: prepared as its own rows were, their neighbours among those, and then each at its place
 * (`place.ts`). All of it in steps, between which the event loop has its turn.
 */
import {
  applyScaling,
  type DenseMatrix,
  type SettingsOf,
  type SparseMatrix,
  type SparseMatrixLike,
  selectRows,
  squaredDistancesBetween,
  zeros,
} from "@curvature/linalg";
import {
  bytesPerNeighbor,
  checkMagnitudes,
  checkPointMemory,
  checkSameColumns,
  type FoundNeighbors,
  neighborSearchOf,
  newPointAffinities,
  type OutOfSampleAffinities,
  type OutOfSampleObjective,
  outOfSampleAffinities,
  outOfSampleDistanceWeights,
  outOfSampleObjective,
  preparedRows,
  type Weights,
} from "@curvature/objectives/embedding";
import { FacadeRun } from "@curvature/optim-core";
import { largestEntry } from "./embed-settings.js";
import { finitePoints, searchReport } from "./embedding-problem.js";
import { columnsOf, type MapParts, type PlacedPoints } from "./map-parts.js";
import { meanOfEach, meanOfScales } from "./multi-scale.js";
import { ballAround, Placer } from "./place.js";
import { projectedRows } from "./projection.js";
import type { TransformPhase, transformOptions } from "./transform-options.js";

export async function placedPoints(
  parts: MapParts,
  newPoints: SparseMatrixLike,
  { signal, onPhase }: SettingsOf<typeof transformOptions>,
): Promise<PlacedPoints> {
  const call = new FacadeRun<never, TransformPhase>({
    ...{ signal, onPhase, onIteration: undefined, checkpoint: undefined, resume: undefined },
    ...{ yieldEvery: 0, history: false, maxSeconds: Number.POSITIVE_INFINITY },
  });
  const fresh = finitePoints(newPoints, "newPoints");
  if (fresh.rows > 0) checkSameColumns(fresh, { columns: columnsOf(parts) }, "newPoints");
  const shares = new Float64Array(fresh.rows).fill(1);
  const queries = await call.steps("neighbors", preparedNew(fresh, parts, shares));
  const near = await call.steps("neighbors", neighbors(queries, parts));
  const nearest = near === undefined ? new Float64Array(queries.rows) : firstOf(near);
  const gaps = (): Pick<PlacedPoints, "distances" | "quantiles" | "outside"> => {
    const distances = nearest.map((square, i) => Math.min(Number.MAX_VALUE, Math.sqrt(square) / shares[i]));
    const quantiles = distances.map((distance) => quantileOf(distance, parts.gaps));
    return {
      distances,
      quantiles,
      outside: Uint8Array.from(quantiles, (quantile) => Number(quantile === 1)),
    };
  };
  const fitted = near && (await call.steps("affinities", affinitiesOf(near, parts, gaps().outside)));
  const embedding = await call.steps("placement", placement(queries, fitted?.affinities, parts, nearest));
  const { distances, quantiles, outside } = gaps();
  call.warn("perplexity", ...(fitted?.warnings ?? []));
  if (near !== undefined) call.warn("neighbor-search", ...searchReport(near).warnings);
  call.warn("outside", outsideWarning(outside, "the map knows nothing of where"));
  return {
    ...{ embedding, distances, quantiles, outside },
    neighborRecall: near?.recall,
    warnings: call.warnings,
  };
}

/** Multiplications between two turns of the event loop: some 5 ms. */
const TURN = 2 ** 23;

/** Entries up to which a row can be scaled without overflow, as long as no column's deviation is below its inverse. */
const ROOM = 1e140;

/**
 * The new rows as the affinities see rows.
 *
 * @param shares - takes how much of each row is taken: 1, or less where its squared distances would overflow, and where it lies is
 *   known from its direction alone; left out, such rows are refused
 */
export function* preparedNew(
  fresh: DenseMatrix | SparseMatrix,
  parts: MapParts,
  shares?: Float64Array,
): Generator<number, DenseMatrix, void> {
  const { data, scaling, projection, settings } = parts;
  const columns = columnsOf(parts);
  const most = largestEntry({ rows: data.rows, columns });
  const queries = zeros(fresh.rows, data.columns);
  const each = columns * (projection === undefined ? 1 : data.columns);
  const chunk = Math.max(1, Math.floor(TURN / each));
  for (let first = 0; first < fresh.rows; first += chunk) {
    const last = Math.min(fresh.rows, first + chunk);
    const indices = Int32Array.from({ length: last - first }, (_, i) => first + i);
    const some = chunk >= fresh.rows ? fresh : selectRows(fresh, indices);
    const raw = shares === undefined ? some : shrunk(some, ROOM, shares, first);
    // An overload each, since the result is as sparse as the rows.
    const scaled =
      scaling === undefined ? raw : "data" in raw ? applyScaling(scaling, raw) : applyScaling(scaling, raw);
    const rows = shares === undefined ? scaled : shrunk(scaled, most, shares, first);
    checkMagnitudes(rows, "newPoints", most);
    const seen = preparedRows(projectedRows(rows, projection), settings.metric, "newPoints");
    queries.data.set(seen.data, first * data.columns);
    yield 0;
  }
  return queries;
}

const FEWER = "Take fewer new points at a time.";

/** Rows with an entry above `most`, brought to it; the others as they are, and all of them where there are none of these. */
function shrunk(
  rows: DenseMatrix | SparseMatrix,
  most: number,
  shares: Float64Array,
  first: number,
): DenseMatrix | SparseMatrix {
  const values = "data" in rows ? rows.data : rows.values;
  let changed: Float64Array | undefined;
  for (let i = 0; i < rows.rows; i++) {
    const [from, to] =
      "data" in rows
        ? [i * rows.columns, (i + 1) * rows.columns]
        : [rows.rowPointers[i], rows.rowPointers[i + 1]];
    let largest = 0;
    for (let k = from; k < to; k++) largest = Math.max(largest, Math.abs(values[k]));
    if (!(largest > most)) continue;
    changed ??= values.slice();
    const share = (most / largest) * (1 - Number.EPSILON);
    for (let k = from; k < to; k++) changed[k] *= share;
    shares[first + i] *= share;
  }
  if (changed === undefined) return rows;
  return "data" in rows ? { ...rows, data: changed } : { ...rows, values: changed };
}

/** Lists of the new points' neighbours; undefined for all pairs, which are measured as they are needed. */
function* neighbors(
  queries: DenseMatrix,
  { data, settings }: MapParts,
): Generator<number, FoundNeighbors | undefined, void> {
  const { neighbors: K, neighborSearch, seed } = settings;
  if (K === "all") return undefined;
  checkPointMemory("transform", queries.rows, bytesPerNeighbor * K, FEWER);
  // An approximate search pays for many points only, whatever the map was made by.
  const search = neighborSearch === "exact" ? "exact" : "auto";
  return yield* neighborSearchOf(queries, data, K, { search, seed });
}

/** @param near - their arrays become those of the affinities @param outside - have a warning of their own, and none of ties */
const affinitiesOf = (
  near: FoundNeighbors,
  { data, settings: { perplexity } }: MapParts,
  outside: Uint8Array,
): Generator<number, OutOfSampleAffinities, void> =>
  typeof perplexity === "number"
    ? newPointAffinities(near, data.rows, perplexity, outside)
    : meanOfScales(perplexity, (k) => newPointAffinities(copyOf(near), data.rows, k, outside), affinitiesIn);

const affinitiesIn = ({ affinities }: OutOfSampleAffinities): Weights => affinities;
const copyOf = (near: FoundNeighbors): FoundNeighbors => ({
  ...near,
  indices: near.indices.slice(),
  distances: near.distances.slice(),
});

/** New points whose weights are looked through at a time. */
const CHUNK = 1024;
/** Values of the kernel between two turns of the event loop: some 5 ms. */
const VALUES = 2 ** 19;
/** What those are worth that cells of points have at a place. */
const CELLS = 512;

/**
 * The places, in steps that yield the share that is done.
 *
 * @param sparse - affinities to the nearest neighbours; undefined for those to all points, which are made here, row by row
 * @param nearest - of all points: takes the squared distances to the nearest
 */
function* placement(
  queries: DenseMatrix,
  sparse: Weights | undefined,
  parts: MapParts,
  nearest: Float64Array,
): Generator<number, DenseMatrix, void> {
  const { data, places, settings } = parts;
  const { rows, columns: D } = queries;
  const { rows: N, columns: d } = places;
  const hasCells = settings.gradient === "barnes-hut" || settings.gradient === "fft";
  const ball = ballAround(places);
  const embedding = zeros(rows, d);
  const isChunked = sparse === undefined || settings.repulsion === "distance";
  const chunk = isChunked ? Math.min(CHUNK, Math.max(1, Math.floor(TURN / (N * D)))) : CHUNK;
  let values = 0;
  let objective: OutOfSampleObjective | undefined;
  for (let first = 0; first < rows; first += chunk) {
    const last = Math.min(rows, first + chunk);
    const some = { rows: last - first, columns: D, data: queries.data.subarray(first * D, last * D) };
    if (sparse === undefined) nearest.set(leastOf(squaredDistancesBetween(some, data)), first);
    const affinities = sparse === undefined ? affinitiesToAll(some, parts) : rowsOf(sparse, first, last);
    const repulsion = settings.repulsion === "distance" ? outOfSampleDistanceWeights(some, data) : "constant";
    if (objective === undefined) {
      objective = objectiveOf(affinities, repulsion, parts, hasCells);
      yield 0;
    } else objective = objective.ofOthers(affinities, repulsion);
    const placer = new Placer(objective, ball);
    const starts = objective.start();
    for (let i = 0; i < some.rows; i++) {
      const m = likeliest(affinities, i);
      const known = places.data.subarray(m * d, (m + 1) * d);
      const evaluations = placer.place(i, starts.subarray(i * d, (i + 1) * d), known);
      values += evaluations * (hasCells ? CELLS : N);
      if (values < VALUES) continue;
      values = 0;
      yield (first + i) / rows;
    }
    embedding.data.set(starts, first * d);
  }
  return embedding;
}

function affinitiesToAll(some: DenseMatrix, { data, settings: { perplexity } }: MapParts): Weights {
  const perplexities = typeof perplexity === "number" ? [perplexity] : perplexity;
  return meanOfEach(
    perplexities.map(
      (k) => outOfSampleAffinities(some, data, { perplexity: k, neighbors: "all" }).affinities,
    ),
  );
}

function objectiveOf(
  affinities: Weights,
  repulsion: DenseMatrix | "constant",
  { places, settings }: MapParts,
  hasCells: boolean,
): OutOfSampleObjective {
  const { method, lambda, theta } = settings;
  const isLaplacian = method === "laplacian"; // without repulsion s-SNE's place is the mean of the neighbours, weighted by p
  return outOfSampleObjective(isLaplacian ? "ssne" : method, places, affinities, {
    lambda: isLaplacian ? 0 : lambda,
    repulsion,
    gradient: hasCells ? "barnes-hut" : "exact",
    theta,
  });
}

/** Rows first … last − 1, over the same arrays. */
function rowsOf(weights: Weights, first: number, last: number): Weights {
  const { columns } = weights;
  const rows = last - first;
  if ("data" in weights)
    return { rows, columns, data: weights.data.subarray(first * columns, last * columns) };
  const from = weights.rowPointers[first];
  const end = weights.rowPointers[last];
  return {
    ...{ rows, columns },
    rowPointers: weights.rowPointers.slice(first, last + 1).map((at) => at - from),
    columnIndices: weights.columnIndices.subarray(from, end),
    values: weights.values.subarray(from, end),
  };
}

/** The first distance of each row. */
const firstOf = ({ count, distances }: FoundNeighbors): Float64Array =>
  Float64Array.from({ length: distances.length / count }, (_, i) => distances[i * count]);

/** The least entry of each row. */
const leastOf = ({ rows, columns, data }: DenseMatrix): Float64Array =>
  Float64Array.from({ length: rows }, (_, i) =>
    data.subarray(i * columns, (i + 1) * columns).reduce((least, x) => Math.min(least, x)),
  );

/** The known point with the largest affinity to new point i, the first of equal ones. */
function likeliest(affinities: Weights, i: number): number {
  const isDense = "data" in affinities;
  const values = isDense ? affinities.data : affinities.values;
  const start = isDense ? i * affinities.columns : affinities.rowPointers[i];
  const end = isDense ? start + affinities.columns : affinities.rowPointers[i + 1];
  let best = start;
  for (let p = start + 1; p < end; p++) if (values[p] > values[best]) best = p;
  return isDense ? best - start : affinities.columnIndices[best];
}

/** The share of the ascending gaps that are smaller; where there are none, 1 for any distance. */
function quantileOf(distance: number, gaps: Float64Array): number {
  let [low, high] = [0, gaps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (gaps[middle] < distance) low = middle + 1;
    else high = middle;
  }
  return gaps.length === 0 ? Number(distance > 0) : low / gaps.length;
}

/** @param unknown - "the map knows nothing of where", which goes on with who came from there */
export function outsideWarning(outside: Uint8Array, unknown: string): string | undefined {
  const count = outside.reduce((sum, each) => sum + each, 0);
  if (count === 0) return undefined;
  const first = outside.indexOf(1);
  const [who, they, their] =
    count === 1
      ? [`New point ${first} (counted from 0) lies`, "it", "its place says"]
      : [
          `${count} of ${outside.length} new points (the first is point ${first}, counted from 0) lie`,
          "they",
          "their places say",
        ];
  return `${who} farther from the nearest point of the map than any of these from its own nearest: ${unknown} ${they} came from, and ${their} little.`;
}
