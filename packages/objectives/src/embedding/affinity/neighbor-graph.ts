/**
 * A graph of neighbours that is given in place of points: for each point some others and their distances, as many for each or
 * not, as vector databases and other libraries return them. Affinities are spread over a point's own neighbours.
 */
import { CurvatureError, type SparseMatrix, shown, toSparse } from "@curvature/linalg";
import { ownMemory } from "../threads/memory.js";
import { checkPerplexity } from "./check-points.js";
import { unitOf } from "./given-distances.js";
import { RowSorter } from "./neighbor-fits.js";
import { type EntropicAffinities, emptyFits, RowFits, summaryOf } from "./row-fits.js";
import { goThrough, stretchCount, walk } from "./walk.js";

/** Rows as arrays of any kind, one for each point. */
export interface NeighborsLike {
  /** Row n: numbers of n's neighbours, counted from 0, in any order; n itself may be among them. */
  readonly indices: readonly ArrayLike<number>[];
  /** Their distances (not squared), at the same places. */
  readonly distances: readonly ArrayLike<number>[];
}

/** Row n's neighbours, nearest first, at rowPointers[n] … rowPointers[n + 1] − 1; a point is not its own. */
export interface NeighborGraph {
  readonly rowPointers: Int32Array;
  readonly indices: Int32Array;
  /** Squared, at the same places; in a unit of their own where squares would overflow. */
  readonly distances: Float64Array;
}

/**
 * The checked graph, own entries left out, each row nearest first.
 *
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT for a number that is no point, that comes twice in its row, a
 *   negative distance, and a row of no neighbours, the row and the entry named
 */
export function neighborGraph(given: NeighborsLike, name = "neighbors"): NeighborGraph {
  const { indices, distances } =
    typeof given === "object" && given !== null ? given : { indices: undefined, distances: undefined };
  const rowsOfIndices = rowsOf(indices, `${name}.indices`);
  const rowsOfDistances = rowsOf(distances, `${name}.distances`);
  if (rowsOfIndices.length !== rowsOfDistances.length)
    throw misshapen(
      name,
      `${rowsOfIndices.length} rows of indices and ${rowsOfDistances.length} of distances`,
      "a row of both for each point",
    );
  return graphOf(
    rowsOfIndices.length,
    (n) => {
      if (rowsOfIndices[n].length !== rowsOfDistances[n].length)
        throw misshapen(
          `row ${n} of ${name}`,
          `${rowsOfIndices[n].length} indices and ${rowsOfDistances[n].length} distances`,
          "as many of both",
        );
      return [rowsOfIndices[n], rowsOfDistances[n]];
    },
    name,
  );
}

/** The same from a sparse matrix of distances, of which only stored entries count; a pair stored twice has one distance. */
export function graphOfSparse(given: SparseMatrix, name = "distances"): NeighborGraph {
  const matrix = toSparse(given, name);
  const { rows: N, columns, rowPointers, columnIndices, values } = matrix;
  if (N !== columns) throw misshapen(name, `${N} x ${columns}`, "a square matrix");
  for (let i = 0; i < N; i++)
    for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++) {
      const j = columnIndices[p];
      const own = i === j && values[p] !== 0;
      const back = j < i ? entry(matrix, j, i) : undefined;
      if (own)
        throw badNeighbor(
          `${name} has ${values[p]} at row ${i}, column ${i}: the distance of an object to itself is 0. If these are similarities, give { similarities }.`,
          i,
          "0",
          values[p],
        );
      if (
        back !== undefined &&
        Math.abs(back - values[p]) > 1e-6 * Math.max(Math.abs(back), Math.abs(values[p]))
      )
        throw badNeighbor(
          `${name} has ${values[p]} at row ${i}, column ${j}, but ${back} at row ${j}, column ${i}: a pair has one distance.`,
          i,
          String(back),
          values[p],
        );
    }
  return graphOf(
    N,
    (n) => [
      columnIndices.subarray(rowPointers[n], rowPointers[n + 1]),
      values.subarray(rowPointers[n], rowPointers[n + 1]),
    ],
    name,
  );
}

function entry(
  { rowPointers, columnIndices, values }: SparseMatrix,
  i: number,
  j: number,
): number | undefined {
  const at = columnIndices.subarray(rowPointers[i], rowPointers[i + 1]).indexOf(j);
  return at < 0 ? undefined : values[rowPointers[i] + at];
}

function graphOf(
  N: number,
  row: (n: number) => readonly [ArrayLike<number>, ArrayLike<number>],
  name: string,
): NeighborGraph {
  const rowPointers = new Int32Array(N + 1);
  for (let n = 0; n < N; n++) {
    const [numbers] = row(n);
    let count = numbers.length;
    for (let p = 0; p < numbers.length; p++) if (numbers[p] === n) count -= 1;
    if (count < 1)
      throw badNeighbor(
        `Row ${n} of ${name} has no neighbours. Give it at least one other point, or leave the point out.`,
        n,
        "at least one other point",
        0,
      );
    rowPointers[n + 1] = rowPointers[n] + count;
  }
  const indices = new Int32Array(rowPointers[N]);
  const distances = new Float64Array(rowPointers[N]);
  const listedBy = new Int32Array(N).fill(-1);
  for (let n = 0; n < N; n++) {
    const [numbers, lengths] = row(n);
    const order = new Uint32Array(numbers.length).map((_, p) => p);
    let isSorted = true;
    for (let p = 0; p < numbers.length; p++) {
      checkNeighbor(n, numbers[p], lengths[p], N, listedBy, name);
      if (p > 0 && lengths[p] < lengths[p - 1]) isSorted = false;
    }
    if (!isSorted) order.sort((p, q) => lengths[p] - lengths[q] || numbers[p] - numbers[q]);
    let at = rowPointers[n];
    for (const p of order) {
      if (numbers[p] === n) continue;
      indices[at] = numbers[p];
      distances[at++] = lengths[p];
    }
  }
  const unit = unitOf(distances);
  for (let p = 0; p < distances.length; p++) distances[p] = (distances[p] / unit) ** 2;
  return { rowPointers, indices, distances };
}

function checkNeighbor(
  n: number,
  m: number,
  distance: number,
  N: number,
  listedBy: Int32Array,
  name: string,
): void {
  if (!(Number.isInteger(m) && m >= 0 && m < N)) {
    const filled = m === -1 ? " Some libraries fill incomplete rows with -1: leave these entries out." : "";
    throw badNeighbor(
      `Row ${n} of ${name} names ${shown(m)}, which is none of the ${N} points, 0 to ${N - 1}.${filled}`,
      n,
      `0 to ${N - 1}`,
      m,
    );
  }
  if (listedBy[m] === n)
    throw badNeighbor(
      `Row ${n} of ${name} names ${m} twice. Give each neighbour once.`,
      n,
      "each neighbour once",
      m,
    );
  listedBy[m] = n;
  if (!Number.isFinite(distance))
    throw new CurvatureError(
      "ERR_NON_FINITE",
      `Row ${n} of ${name} has the distance ${shown(distance)} to ${m}. Give a finite number, or leave the neighbour out.`,
      {
        path: `row ${n}`,
        expected: "a finite number",
        received: distance,
      },
    );
  if (distance < 0)
    throw badNeighbor(
      `Row ${n} of ${name} has the distance ${distance} to ${m}: distances are not negative.`,
      n,
      "at least 0",
      distance,
    );
}

/**
 * The entropic affinities of a graph, in steps that yield the share that is done. A row with no more neighbours than the
 * perplexity cannot reach it: it is uniform on them, which is the nearest to it that there is.
 *
 * @throws CurvatureError ERR_SHAPE, ERR_ARGUMENT, ERR_OPTION, all before the first step
 */
export function graphAffinities(
  graph: NeighborGraph,
  perplexity: number,
): Generator<number, EntropicAffinities, void> {
  checkGraph(graph);
  const N = graph.rowPointers.length - 1;
  checkPerplexity(perplexity, N, Math.max(N, 3));
  return fittedGraph(graph, perplexity);
}

function checkGraph(graph: NeighborGraph): void {
  const given: Partial<NeighborGraph> = typeof graph === "object" && graph !== null ? graph : {};
  const { rowPointers, indices, distances } = given;
  const areArrays =
    rowPointers instanceof Int32Array && indices instanceof Int32Array && distances instanceof Float64Array;
  if (
    !areArrays ||
    rowPointers[0] !== 0 ||
    rowPointers.at(-1) !== indices.length ||
    distances.length !== indices.length
  )
    throw misshapen("graph", shown(graph), "a graph of neighborGraph");
  const N = rowPointers.length - 1;
  const listedBy = new Int32Array(N).fill(-1);
  for (let n = 0; n < N; n++) {
    if (rowPointers[n + 1] <= rowPointers[n])
      throw misshapen("graph", `an empty row ${n}`, "a graph of neighborGraph");
    for (let p = rowPointers[n]; p < rowPointers[n + 1]; p++)
      checkNeighbor(n, indices[p], distances[p], N, listedBy, "graph");
  }
}

function* fittedGraph(
  { rowPointers, indices, distances }: NeighborGraph,
  perplexity: number,
): Generator<number, EntropicAffinities, void> {
  const N = rowPointers.length - 1;
  const order = new Int32Array(N);
  walk(order, (n, visited) => {
    for (let p = rowPointers[n]; p < rowPointers[n + 1]; p++)
      if (visited[indices[p]] === 0) return indices[p];
    return -1;
  });
  const arrays = emptyFits(N, ownMemory);
  const columnIndices = indices.slice();
  const values = distances.slice();
  const sorter = new RowSorter(N);
  const fitsOf = new Map<number, RowFits>();
  const short: number[] = [];
  const fitRow = (n: number, logBeta: number): number => {
    const place = values.subarray(rowPointers[n], rowPointers[n + 1]);
    const count = place.length;
    let next = logBeta;
    if (count <= perplexity) {
      place.fill(1 / count);
      short.push(n);
    } else {
      const fits = fitsOf.get(count) ?? new RowFits(arrays, count, perplexity);
      fitsOf.set(count, fits);
      fits.row.distances.set(place);
      next = fits.fit(n, logBeta);
      place.set(fits.row.p);
    }
    sorter.sort(columnIndices.subarray(rowPointers[n], rowPointers[n + 1]), place);
    return next;
  };
  const stretches = stretchCount(N);
  for (let stretch = 0; stretch < stretches; stretch++) {
    if (stretch > 0) yield stretch / stretches;
    goThrough(order, stretch, fitRow);
  }
  const { warnings, ...summary } = summaryOf(arrays, perplexity);
  return {
    conditional: { rows: N, columns: N, rowPointers, columnIndices, values },
    ...summary,
    warnings: [...shortWarning(short, perplexity), ...warnings],
  };
}

function shortWarning(short: readonly number[], perplexity: number): readonly string[] {
  if (short.length === 0) return [];
  const first = short.reduce((a, b) => Math.min(a, b));
  const who =
    short.length === 1 ? `Point ${first} has` : `${short.length} points (the first is point ${first}) have`;
  return [
    `${who} no more neighbours than the perplexity ${perplexity}, which cannot be reached there; the affinities are uniform on those neighbours. Lower the perplexity, or give more neighbours.`,
  ];
}

function rowsOf(rows: unknown, name: string): readonly ArrayLike<number>[] {
  if (Array.isArray(rows) && rows.every(isRow)) return rows;
  throw misshapen(name, shown(rows), "an array of rows, one array of numbers for each point");
}

const isRow = (row: unknown): row is ArrayLike<number> =>
  Array.isArray(row) || (ArrayBuffer.isView(row) && "length" in row);

function misshapen(path: string, received: string, expected: string): CurvatureError {
  return new CurvatureError("ERR_SHAPE", `${path} must be ${expected}; received ${received}.`, {
    path,
    expected,
    received,
  });
}

function badNeighbor(sentence: string, row: number, expected: string, received: unknown): CurvatureError {
  return new CurvatureError("ERR_ARGUMENT", `${sentence} Rows are counted from 0.`, {
    path: `row ${row}`,
    expected,
    received,
  });
}
