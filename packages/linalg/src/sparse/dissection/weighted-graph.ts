/** Graphs whose vertices stand for several vertices of a finer graph, and how they are made coarser. */
import type { SparseMatrix } from "../csr.js";

/** Vertex v is adjacent to `neighbors[pointers[v]]` … `neighbors[pointers[v + 1] − 1]`; no loops, both directions. */
export interface WeightedGraph {
  readonly size: number;
  readonly pointers: Int32Array;
  readonly neighbors: Int32Array;
  /** How many edges of the finest graph each edge stands for. */
  readonly edgeWeights: Int32Array;
  /** How many vertices of the finest graph each vertex stands for. */
  readonly weights: Int32Array;
  readonly totalWeight: number;
}

export interface Coarsened {
  readonly graph: WeightedGraph;
  /** Of each fine vertex the coarse one that it went into. */
  readonly parent: Int32Array;
}

/** The graph of a symmetric matrix that is stored whole. */
export function graphOf(A: SparseMatrix): WeightedGraph {
  const pointers = new Int32Array(A.rows + 1);
  const neighbors = new Int32Array(A.rowPointers[A.rows]);
  let count = 0;
  for (let i = 0; i < A.rows; i++) {
    for (let p = A.rowPointers[i]; p < A.rowPointers[i + 1]; p++) {
      if (A.columnIndices[p] !== i) neighbors[count++] = A.columnIndices[p];
    }
    pointers[i + 1] = count;
  }
  return {
    size: A.rows,
    pointers,
    neighbors: neighbors.slice(0, count),
    edgeWeights: new Int32Array(count).fill(1),
    weights: new Int32Array(A.rows).fill(1),
    totalWeight: A.rows,
  };
}

/**
 * The part of a graph that some of its vertices span, each with the number that it has in `vertices`.
 *
 * @param place - of the whole graph's size, all −1; left so
 */
export function subgraph(graph: WeightedGraph, vertices: Int32Array, place: Int32Array): WeightedGraph {
  const size = vertices.length;
  const pointers = new Int32Array(size + 1);
  const weights = new Int32Array(size);
  let entries = 0;
  let totalWeight = 0;
  for (let i = 0; i < size; i++) {
    place[vertices[i]] = i;
    entries += graph.pointers[vertices[i] + 1] - graph.pointers[vertices[i]];
    weights[i] = graph.weights[vertices[i]];
    totalWeight += weights[i];
  }
  const neighbors = new Int32Array(entries);
  const edgeWeights = new Int32Array(entries);
  let count = 0;
  for (let i = 0; i < size; i++) {
    const v = vertices[i];
    for (let p = graph.pointers[v]; p < graph.pointers[v + 1]; p++) {
      const j = place[graph.neighbors[p]];
      if (j === -1) continue;
      neighbors[count] = j;
      edgeWeights[count++] = graph.edgeWeights[p];
    }
    pointers[i + 1] = count;
  }
  for (const v of vertices) place[v] = -1;
  return {
    size,
    pointers,
    neighbors: neighbors.slice(0, count),
    edgeWeights: edgeWeights.slice(0, count),
    weights,
    totalWeight,
  };
}

/**
 * One step coarser: vertices of few neighbours first, each is joined with the free neighbour of its heaviest edge.
 *
 * @param heaviest - no coarse vertex of two gets a weight above it
 */
export function coarsened(graph: WeightedGraph, heaviest: number): Coarsened {
  const partner = matched(graph, heaviest);
  const parent = new Int32Array(graph.size).fill(-1);
  let size = 0;
  for (let v = 0; v < graph.size; v++) {
    if (parent[v] !== -1) continue;
    parent[v] = size;
    parent[partner[v]] = size++;
  }
  return { graph: contracted(graph, partner, parent, size), parent };
}

/** Of each vertex the one that it is joined with, or itself. */
function matched({ size, pointers, neighbors, edgeWeights, weights }: WeightedGraph, heaviest: number) {
  const partner = new Int32Array(size).fill(-1);
  for (const v of byDegree(pointers, size)) {
    if (partner[v] !== -1) continue;
    let best = v;
    let bestWeight = 0;
    for (let p = pointers[v]; p < pointers[v + 1]; p++) {
      const u = neighbors[p];
      if (partner[u] !== -1 || edgeWeights[p] <= bestWeight || weights[u] + weights[v] > heaviest) continue;
      best = u;
      bestWeight = edgeWeights[p];
    }
    partner[v] = best;
    partner[best] = v;
  }
  return partner;
}

/** The vertices, those of fewest neighbours first. */
function byDegree(pointers: Int32Array, size: number): Int32Array {
  const next = new Int32Array(size + 1);
  for (let v = 0; v < size; v++) next[pointers[v + 1] - pointers[v] + 1]++;
  for (let d = 0; d < size; d++) next[d + 1] += next[d];
  const order = new Int32Array(size);
  for (let v = 0; v < size; v++) order[next[pointers[v + 1] - pointers[v]]++] = v;
  return order;
}

/** Edges between the same two coarse vertices become one, of their weights' sum; those within one vanish. */
function contracted(graph: WeightedGraph, partner: Int32Array, parent: Int32Array, size: number) {
  const pointers = new Int32Array(size + 1);
  const neighbors = new Int32Array(graph.neighbors.length);
  const edgeWeights = new Int32Array(graph.neighbors.length);
  const weights = new Int32Array(size);
  const position = new Int32Array(size).fill(-1);
  let count = 0;
  const gather = (v: number, c: number, from: number): void => {
    for (let p = graph.pointers[v]; p < graph.pointers[v + 1]; p++) {
      const d = parent[graph.neighbors[p]];
      if (d === c) continue;
      if (position[d] < from) {
        position[d] = count;
        neighbors[count] = d;
        edgeWeights[count++] = 0;
      }
      edgeWeights[position[d]] += graph.edgeWeights[p];
    }
  };
  let c = 0;
  for (let v = 0; v < graph.size; v++) {
    if (parent[v] !== c) continue;
    const from = count;
    weights[c] = graph.weights[v];
    gather(v, c, from);
    if (partner[v] !== v) {
      weights[c] += graph.weights[partner[v]];
      gather(partner[v], c, from);
    }
    pointers[++c] = count;
  }
  return {
    size,
    pointers,
    neighbors: neighbors.slice(0, count),
    edgeWeights: edgeWeights.slice(0, count),
    weights,
    totalWeight: graph.totalWeight,
  };
}
