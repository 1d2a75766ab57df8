/** The nearest others of each point in the data, for who clicks a point in a map. */

import type { DenseMatrix, SparseMatrix } from "@curvature/linalg";
import type { DataNeighbors } from "@curvature/map-view";
import {
  distancesOfSimilarities,
  type FoundNeighbors,
  givenDistances,
  isEuclidean,
  type Metric,
  metricSearch,
  neighborGraph,
  neighborSearch,
  preparedRows,
  sparseSearch,
} from "@curvature/objectives/embedding";
import type { GivenInput } from "@curvature/optim-spectral";

/** Of each point. */
const shown = 10;
/** Multiplications that an exact search may cost: some seconds. The approximate one, where it applies, costs less. */
const budget = 2e10;

interface FoundIndices extends DataNeighbors {
  readonly indices: Int32Array;
}

/** @returns undefined where finding them costs more than a click is worth, or where what was given does not say who is near */
export function dataNeighbors(
  points: DenseMatrix | SparseMatrix | GivenInput,
  metric: Metric,
): FoundIndices | undefined {
  if (!("rows" in points)) return ofGiven(points);
  const { rows } = points;
  const count = Math.min(shown, rows - 1);
  if (count < 1) return undefined;
  const prepared = preparedRows(points, metric);
  const isQuick = "data" in prepared && isEuclidean(metric);
  const columns = "data" in prepared ? prepared.columns : prepared.values.length / rows;
  if (!isQuick && rows * rows * columns > budget) return undefined;
  return firstOf(rows, count, search(prepared, count, metric));
}

function search(rows: DenseMatrix | SparseMatrix, count: number, metric: Metric): FoundNeighbors {
  const steps =
    "data" in rows
      ? isEuclidean(metric)
        ? neighborSearch(rows, count, { search: "auto", seed: 0 })
        : metricSearch(rows, count, metric)
      : sparseSearch(rows, count, metric);
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
  }
}

/** A search may find one more than it was asked for. */
function firstOf(rows: number, count: number, { indices, count: found }: FoundNeighbors): FoundIndices {
  const first = new Int32Array(rows * count);
  for (let n = 0; n < rows; n++) first.set(indices.subarray(n * found, n * found + count), n * count);
  return { count, indices: first };
}

function ofGiven(given: GivenInput): FoundIndices | undefined {
  if ("affinities" in given) return undefined;
  if ("neighbors" in given) {
    const { rowPointers, indices } = neighborGraph(given.neighbors);
    const rows = rowPointers.length - 1;
    const all = new Int32Array(rows * shown).fill(-1);
    for (let n = 0; n < rows; n++) {
      const end = Math.min(rowPointers[n + 1], rowPointers[n] + shown);
      all.set(indices.subarray(rowPointers[n], end), n * shown);
    }
    return { count: shown, indices: all };
  }
  const isFull = (input: object): input is DenseMatrix => "data" in input && "rows" in input;
  const full = "distances" in given ? given.distances : distancesOfSimilarities(given.similarities);
  if (!isFull(full)) return undefined; // as no file is read
  const { rows, data } = givenDistances(full);
  const count = Math.min(shown, rows - 1);
  if (count < 1) return undefined;
  const nearest = new Int32Array(rows * count);
  for (let n = 0; n < rows; n++) {
    const row = data.subarray(n * rows, (n + 1) * rows);
    const others = Int32Array.from({ length: rows - 1 }, (_, m) => (m < n ? m : m + 1));
    nearest.set(others.sort((a, b) => row[a] - row[b] || a - b).subarray(0, count), n * count);
  }
  return { count, indices: nearest };
}
