/**
 * Nested dissection ordering of a symmetric matrix, so that its Cholesky factor has few nonzeros.
 *
 * Problem    find a permutation P for which L Lᵀ = P A Pᵀ fills in little; the pattern of A alone decides.
 * Recursion  a light vertex separator S divides the graph of A into two parts without an edge between them; their
 *            rows come first, those of S last, so that neither part fills in the other. The parts are divided in the
 *            same way, until they are small; these, and the separators, are ordered by approximate minimum degree.
 *
 * George: Nested dissection of a regular finite element mesh. SIAM J. Numer. Anal. 10 (1973) 345-363. The
 * separators: dissection/separator.ts.
 * Beside minimum degree it pays where good separators exist: meshes, road-like graphs, and large neighbour graphs.
 */
import type { SparseMatrix } from "./csr.js";
import { separator } from "./dissection/separator.js";
import { graphOf, subgraph, type WeightedGraph } from "./dissection/weighted-graph.js";
import { approximateMinimumDegree } from "./ordering-amd.js";
import { symmetricPart } from "./structure.js";
import { toSparse } from "./to-sparse.js";

/** Parts of at most so many rows are not divided. */
const smallest = 200;
/** Nor is a part whose larger half would have more than this share of it. */
const largestShare = 0.8;

/**
 * A fill-reducing order of the rows of A, from the pattern of A + Aᵀ. Deterministic.
 *
 * @returns order[k] is the row that is eliminated k-th
 * @throws CurvatureError ERR_SHAPE unless A is square
 */
export function nestedDissection(A: SparseMatrix): Int32Array {
  const whole = graphOf(symmetricPart(toSparse(A)));
  const order = new Int32Array(whole.size);
  const place = new Int32Array(whole.size).fill(-1);
  let end = whole.size; // order is filled from its end: separators before what they separate
  const parts: Int32Array[] = [Int32Array.from(order, (_, i) => i)];
  for (let vertices = parts.pop(); vertices !== undefined; vertices = parts.pop()) {
    const graph = subgraph(whole, vertices, place);
    const side = graph.size > smallest ? separator(graph) : undefined;
    const part = (s: number) => vertices.filter((_, i) => side?.[i] === s);
    const [left, right] = [part(0), part(1)];
    // Where no light separator divides evenly there is nothing to gain: the whole is ordered at once.
    const larger = Math.max(left.length, right.length);
    const isDivided = left.length > 0 && right.length > 0 && larger <= largestShare * vertices.length;
    const last = isDivided ? part(2) : vertices;
    end -= last.length;
    order.set(byMinimumDegree(subgraph(whole, last, place), last), end);
    if (isDivided) parts.push(left, right);
  }
  return order;
}

function byMinimumDegree(graph: WeightedGraph, vertices: Int32Array): Int32Array {
  const { size, pointers, neighbors } = graph;
  const values = new Float64Array(neighbors.length);
  const order = approximateMinimumDegree({
    rows: size,
    columns: size,
    rowPointers: pointers,
    columnIndices: neighbors,
    values,
  });
  return order.map((i) => vertices[i]);
}
