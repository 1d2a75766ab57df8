/**
 * The weighted graph behind a Laplacian: its degrees, its components, and its strongest edges.
 *
 * Weights are symmetric, nonnegative, with a zero diagonal, dense or sparse (`Weights` of an embedding objective).
 */
import type { SparseMatrix } from "@curvature/linalg";
import type { Weights } from "@curvature/objectives/embedding";

/** One row: its values, and their columns where they are not simply 0 … N − 1. */
interface Row {
  readonly columns: Int32Array | undefined;
  readonly values: Float64Array;
}

function rowOf(weights: Weights, i: number): Row {
  if ("data" in weights) {
    const N = weights.columns;
    return { columns: undefined, values: weights.data.subarray(i * N, (i + 1) * N) };
  }
  const [from, to] = [weights.rowPointers[i], weights.rowPointers[i + 1]];
  return { columns: weights.columnIndices.subarray(from, to), values: weights.values.subarray(from, to) };
}

/** d_n = Σ_m w_nm */
export function degreesOf(weights: Weights): Float64Array {
  const degrees = new Float64Array(weights.rows);
  for (let i = 0; i < weights.rows; i++) {
    const { values } = rowOf(weights, i);
    let sum = 0;
    for (let k = 0; k < values.length; k++) sum += values[k];
    degrees[i] = sum;
  }
  return degrees;
}

/** The least positive entry; 0 if there is none. */
export function leastPositive(degrees: Float64Array): number {
  let least = Number.POSITIVE_INFINITY;
  for (const degree of degrees) if (degree > 0 && degree < least) least = degree;
  return least === Number.POSITIVE_INFINITY ? 0 : least;
}

/**
 * How many parts the graph falls into. An edge no heavier than `threshold` connects nothing: below the
 * regularisation it could not keep the parts together.
 */
export function countComponents(weights: Weights, threshold: number): number {
  const N = weights.rows;
  const seen = new Uint8Array(N);
  const queue = new Int32Array(N);
  let components = 0;
  for (let root = 0; root < N; root++) {
    if (seen[root] === 1) continue;
    components += 1;
    seen[root] = 1;
    queue[0] = root;
    for (let head = 0, tail = 1; head < tail; head++) {
      const { columns, values } = rowOf(weights, queue[head]);
      for (let k = 0; k < values.length; k++) {
        const j = columns === undefined ? k : columns[k];
        if (values[k] > threshold && seen[j] === 0) {
          seen[j] = 1;
          queue[tail++] = j;
        }
      }
    }
  }
  return components;
}

/**
 * The graph of strongest edges: (n, m) stays when m is among the κ heaviest of n, or n among those of m; at equal
 * weight the first of `order` is taken, or the lower index. Zero weights never stay.
 */
export function strongestEdges(weights: Weights, kappa: number, order?: Int32Array): SparseMatrix {
  const N = weights.rows;
  const rank = order && new Int32Array(N);
  if (rank) for (let k = 0; k < N; k++) rank[order[k]] = k;
  const chosen = new Int32Array(N * Math.min(kappa, N - 1));
  const counts = new Int32Array(N);
  const perRow = Math.min(kappa, N - 1);
  const heaviest = new Float64Array(perRow);
  for (let i = 0; i < N; i++) {
    const own = chosen.subarray(i * perRow, (i + 1) * perRow);
    counts[i] = selectHeaviest(rowOf(weights, i), i, own, heaviest, rank);
  }
  return symmetrized(weights, chosen, counts, perRow);
}

/** Writes the columns of the heaviest entries of one row, heaviest first; returns how many there are. */
function selectHeaviest(
  row: Row,
  own: number,
  columns: Int32Array,
  heaviest: Float64Array,
  rank: Int32Array | undefined,
): number {
  const most = columns.length;
  if (most === 0) return 0;
  let count = 0;
  for (let k = 0; k < row.values.length; k++) {
    const w = row.values[k];
    const j = row.columns === undefined ? k : row.columns[k];
    const isBefore = (at: number): boolean =>
      w > heaviest[at] || (w === heaviest[at] && rank !== undefined && rank[j] < rank[columns[at]]);
    if (j === own || !(w > 0) || (count === most && !isBefore(most - 1))) continue;
    let at = count < most ? count++ : most - 1;
    for (; at > 0 && isBefore(at - 1); at--) {
      heaviest[at] = heaviest[at - 1];
      columns[at] = columns[at - 1];
    }
    heaviest[at] = w;
    columns[at] = j;
  }
  return count;
}

/** The union of the chosen edges and their mirror images, with the weights' values, as CSR. */
function symmetrized(weights: Weights, chosen: Int32Array, counts: Int32Array, perRow: number): SparseMatrix {
  const N = weights.rows;
  const starts = new Int32Array(N + 1);
  for (let i = 0; i < N; i++) {
    starts[i + 1] += counts[i];
    for (let k = 0; k < counts[i]; k++) starts[chosen[i * perRow + k] + 1] += 1;
  }
  for (let i = 0; i < N; i++) starts[i + 1] += starts[i];
  const both = new Int32Array(starts[N]);
  const next = starts.slice(0, N);
  for (let i = 0; i < N; i++) {
    for (let k = 0; k < counts[i]; k++) {
      const j = chosen[i * perRow + k];
      both[next[i]++] = j;
      both[next[j]++] = i;
    }
  }
  const rowPointers = new Int32Array(N + 1);
  let size = 0;
  for (let i = 0; i < N; i++) {
    const row = both.subarray(starts[i], starts[i + 1]).sort();
    for (let k = 0; k < row.length; k++) if (k === 0 || row[k] !== row[k - 1]) both[size++] = row[k];
    rowPointers[i + 1] = size;
  }
  const columnIndices = both.slice(0, size);
  return {
    rows: N,
    columns: N,
    rowPointers,
    columnIndices,
    values: looked(weights, rowPointers, columnIndices),
  };
}

/** The weights at the given positions; columns increase within a row, as they do in the weights. */
function looked(weights: Weights, rowPointers: Int32Array, columnIndices: Int32Array): Float64Array {
  const values = new Float64Array(columnIndices.length);
  for (let i = 0; i < weights.rows; i++) {
    const row = rowOf(weights, i);
    let at = 0;
    for (let k = rowPointers[i]; k < rowPointers[i + 1]; k++) {
      const j = columnIndices[k];
      if (row.columns === undefined) at = j;
      else while (row.columns[at] < j) at += 1;
      values[k] = row.values[at];
    }
  }
  return values;
}
