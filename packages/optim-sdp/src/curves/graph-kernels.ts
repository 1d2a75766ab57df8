/**
 * Kernels of points on curves: how near points are, in three measures of distance, each in the unit of its own neighbourhood.
 *
 * e_ij = ‖x_i − x_j‖
 * f_p  = (least Σ d^p over paths)^{1/p},  edges: pairs of which one is among the 20 nearest of the other, d in units of the median
 *        distance to the third neighbour; points that no path joins are at (4 · the largest finite sum)^{1/p}
 * W_ij = exp(−δ_ij² / (σ_i σ_j)),  W_ii = 0,  σ_i = δ from i to its k-th neighbour;  (δ, k) = (e, 6), (f_2, 16), (f_8, 16)
 *
 * | symbol | variable   | shape                                |
 * |--------|------------|--------------------------------------|
 * | e      | e          | m × m, of the m different points     |
 * | W      | the result | m × m                                |
 *
 * Local scales: Zelnik-Manor, Perona: Self-tuning spectral clustering. NIPS 17 (2004). Power-weighted paths, which follow a curve
 * the closer the larger p is: Hwang, Damelin, Hero: Shortest path through random points. Ann. Appl. Probab. 26 (2016).
 *
 * Everything is a ratio of distances: neither the unit nor the place of the points counts. Neighbours at equal distance are all
 * neighbours, so that the order of the points does not count either.
 */
import { type DenseMatrix, exp, squaredDistances, zeros } from "@curvature/linalg";
import { type Edges, Heap, pathsFrom } from "../geometry/shortest-paths.js";

export type CurveKernelName = "euclidean" | "paths-2" | "paths-8";

const NEIGHBORS = 20;
const UNIT_NEIGHBOR = 3;
/** Distances beyond it, in the unit, are as far as it: their eighth power stays within double precision. */
const FARTHEST = 1e30;
/** Of what is not joined to what is, in sums. */
const UNJOINED = 4;
/** Least entry beside the diagonal: no point is without neighbours, however far it is. */
const LEAST = 1e-200;

/** e in the unit, of at least two points that all differ. @param X - its entries at most 1 in magnitude */
export function unitDistances(X: DenseMatrix): DenseMatrix {
  const distances = squaredDistances(X);
  const { rows: m, data } = distances;
  let least = Number.POSITIVE_INFINITY;
  for (let k = 0; k < data.length; k++) {
    data[k] = Math.sqrt(data[k]);
    if (data[k] > 0 && data[k] < least) least = data[k];
  }
  const thirds = Float64Array.from({ length: m }, (_, i) => neighborDistance(distances, i, UNIT_NEIGHBOR));
  const unit = thirds.sort()[m >> 1];
  const divisor = unit > 0 ? unit : least; // differences below 1e-162 have squares of 0
  for (let k = 0; k < data.length; k++) data[k] = Math.min(FARTHEST, data[k] / divisor);
  return distances;
}

/** Distance from i to its k-th neighbour, or to its last one. */
function neighborDistance({ rows: m, data }: DenseMatrix, i: number, k: number): number {
  return data.slice(i * m, (i + 1) * m).sort()[Math.min(k, m - 1)]; // the first one is the point itself
}

/** The three kernels, one after the other; between them the share of the work that is done. */
export function* graphKernels(
  e: DenseMatrix,
): Generator<number, readonly { readonly name: CurveKernelName; readonly W: DenseMatrix }[], void> {
  const edges = nearestEdges(e);
  const kernels = [{ name: "euclidean" as const, W: localKernel(e, 6) }];
  const f2 = yield* pathDistances(edges, 2);
  const second = { name: "paths-2" as const, W: localKernel(f2, 16) };
  const f8 = yield* pathDistances(edges, 8);
  return [...kernels, second, { name: "paths-8" as const, W: localKernel(f8, 16) }];
}

function localKernel(delta: DenseMatrix, k: number): DenseMatrix {
  const m = delta.rows;
  const W = zeros(m, m);
  const sigma = Float64Array.from({ length: m }, (_, i) => neighborDistance(delta, i, k));
  const least = sigma.reduce((a, s) => (s > 0 ? Math.min(a, s) : a), Number.POSITIVE_INFINITY);
  for (let i = 0; i < m; i++) sigma[i] = Math.max(sigma[i], Math.min(least, 1)); // 0 where differences have no squares
  for (let i = 0; i < m; i++)
    for (let j = 0; j < i; j++) {
      const d = delta.data[i * m + j];
      const w = Math.max(LEAST, exp(-(d / sigma[i]) * (d / sigma[j])));
      W.data[i * m + j] = w;
      W.data[j * m + i] = w;
    }
  return W;
}

/** Pairs of which one is among the nearest of the other; their lengths are distances. */
function nearestEdges(e: DenseMatrix): Edges {
  const { rows: m, data } = e;
  const reach = Float64Array.from({ length: m }, (_, i) => neighborDistance(e, i, NEIGHBORS));
  const pointers = new Int32Array(m + 1);
  const isEdge = (i: number, j: number): boolean =>
    i !== j && data[i * m + j] <= Math.max(reach[i], reach[j]);
  for (let i = 0; i < m; i++) {
    pointers[i + 1] = pointers[i];
    for (let j = 0; j < m; j++) if (isEdge(i, j)) pointers[i + 1]++;
  }
  const ends = new Int32Array(pointers[m]);
  const lengths = new Float64Array(pointers[m]);
  for (let i = 0, at = 0; i < m; i++)
    for (let j = 0; j < m; j++) {
      if (!isEdge(i, j)) continue;
      ends[at] = j;
      lengths[at++] = data[i * m + j];
    }
  return { pointers, ends, lengths };
}

/** Points between two shares of the work. */
const ROWS_PER_STEP = 64;

/** f_p, in the unit; yields the shares of the work on paths that are done. */
function* pathDistances({ pointers, ends, lengths }: Edges, p: 2 | 8): Generator<number, DenseMatrix, void> {
  const m = pointers.length - 1;
  const powers = lengths.map((d) => (p === 2 ? d * d : d * d * (d * d) * (d * d * (d * d))));
  const edges = { pointers, ends, lengths: powers };
  const sums = zeros(m, m);
  const heap = new Heap(m);
  for (let i = 0; i < m; i++) {
    pathsFrom(edges, i, sums.data.subarray(i * m, (i + 1) * m), heap);
    if ((i + 1) % ROWS_PER_STEP === 0) yield ((p === 2 ? 0 : m) + i + 1) / (2 * m);
  }
  let largest = 0;
  for (const sum of sums.data) if (sum > largest && sum < Number.POSITIVE_INFINITY) largest = sum;
  for (let i = 0; i < m; i++)
    for (let j = 0; j <= i; j++) {
      // the two ways add in another order
      const sum = Math.min(sums.data[i * m + j], sums.data[j * m + i], UNJOINED * largest);
      const f = p === 2 ? Math.sqrt(sum) : Math.sqrt(Math.sqrt(Math.sqrt(sum)));
      sums.data[i * m + j] = f;
      sums.data[j * m + i] = f;
    }
  return sums;
}
