/**
 * A light vertex separator of a graph, found on a coarse image of it.
 *
 * 1. Coarsen: join vertices along heavy edges until few are left.
 * 2. Divide the coarsest graph: grow side 0 from a vertex, breadth first, to half of the weight; the vertices of the
 *    other side that touch it are the separator. The best of some starts, each refined, is taken.
 * 3. Back to the finer graphs one by one, refining at each.
 *
 * Karypis, Kumar: A fast and high quality multilevel scheme for partitioning irregular graphs. SIAM J. Sci. Comput.
 * 20 (1998) 359-392. doi:10.1137/S1064827595287997. Differs from it: nothing is drawn at random.
 */
import { refineSeparator, separatorSide, sideWeights } from "./refine-separator.js";
import { type Coarsened, coarsened, type WeightedGraph } from "./weighted-graph.js";

const coarsestSize = 120;
const starts = 8;
/** Neither side may be heavier than this share of the whole. */
const largestShare = 0.6;

/** Of each vertex its side: 0, 1, or 2 for the separator. No edge joins the sides 0 and 1. */
export function separator(graph: WeightedGraph): Uint8Array {
  const levels: Coarsened[] = [];
  let coarsest = graph;
  const heaviestVertex = (1.5 * graph.totalWeight) / coarsestSize;
  while (coarsest.size > coarsestSize) {
    const next = coarsened(coarsest, heaviestVertex);
    if (next.graph.size > 0.95 * coarsest.size) break;
    levels.push(next);
    coarsest = next.graph;
  }
  const heaviest = largestShare * graph.totalWeight;
  let side = divided(coarsest, heaviest);
  for (let level = levels.length - 1; level >= 0; level--) {
    const { parent } = levels[level];
    const coarse = side;
    side = Uint8Array.from(parent, (c) => coarse[c]);
    refineSeparator(level === 0 ? graph : levels[level - 1].graph, side, heaviest);
  }
  return side;
}

function divided(graph: WeightedGraph, heaviest: number): Uint8Array {
  let best: Uint8Array = new Uint8Array(graph.size);
  let bestWeight = Number.POSITIVE_INFINITY;
  for (let k = 0; k < Math.min(starts, graph.size); k++) {
    const side = grown(graph, Math.floor((k * graph.size) / starts));
    refineSeparator(graph, side, heaviest);
    const [left, right, between] = sideWeights(graph, side);
    const weight = Math.max(left, right) > heaviest ? graph.totalWeight + between : between;
    if (weight >= bestWeight) continue;
    best = side;
    bestWeight = weight;
  }
  return best;
}

/** Side 0 grows from a vertex, and from a new one where a component ends. */
function grown(graph: WeightedGraph, start: number): Uint8Array {
  const { size, pointers, neighbors, weights, totalWeight } = graph;
  const side = new Uint8Array(size).fill(1);
  const queue = new Int32Array(size);
  const isSeen = new Uint8Array(size);
  let count = 0;
  let weight = 0;
  for (let k = 0, offset = 0; 2 * weight < totalWeight; k++) {
    if (k === count) {
      while (isSeen[(start + offset) % size] === 1) offset++;
      queue[count++] = (start + offset) % size;
      isSeen[queue[k]] = 1;
    }
    const v = queue[k];
    side[v] = 0;
    weight += weights[v];
    for (let p = pointers[v]; p < pointers[v + 1]; p++) {
      if (isSeen[neighbors[p]] === 1) continue;
      isSeen[neighbors[p]] = 1;
      queue[count++] = neighbors[p];
    }
  }
  for (let v = 0; v < size; v++) {
    if (side[v] !== 1) continue;
    for (let p = pointers[v]; p < pointers[v + 1]; p++) if (side[neighbors[p]] === 0) side[v] = separatorSide;
  }
  return side;
}
