/**
 * A vertex separator made lighter by moving its vertices to one side or the other.
 *
 * Problem    sides 0 and 1 and separator S, no edge between the sides; w(S) small, w(0), w(1) ≤ `heaviest`
 * Move       v ∈ S goes to side s; its neighbours on the other side t come into S:
 *            gain(v → s) = w(v) − Σ { w(u) : u adjacent to v, u on side t }
 * Pass       the move of the greatest gain, also a negative one, each vertex at most once; when the last
 *            `patience` moves found nothing better, back to the lightest (then best balanced) separator seen
 *
 * Fiduccia, Mattheyses: A linear-time heuristic for improving network partitions. DAC 1982, 175-181; for vertex
 * separators: Karypis, Kumar: A fast and high quality multilevel scheme for partitioning irregular graphs. SIAM J.
 * Sci. Comput. 20 (1998) 359-392. doi:10.1137/S1064827595287997.
 */
import { GainQueue } from "./gain-queue.js";
import type { WeightedGraph } from "./weighted-graph.js";

export const separatorSide = 2;

const MAX_PASSES = 8;

/** @param side - of each vertex 0, 1 or 2 (the separator); is improved in place */
export function refineSeparator(graph: WeightedGraph, side: Uint8Array, heaviest: number): void {
  const refinement = new Refinement(graph, side, heaviest);
  for (let pass = 0; pass < MAX_PASSES; pass++) if (!refinement.pass()) return;
}

/** w(0), w(1), w(S) */
export function sideWeights(graph: WeightedGraph, side: Uint8Array): [number, number, number] {
  const sums: [number, number, number] = [0, 0, 0];
  for (let v = 0; v < graph.size; v++) sums[side[v]] += graph.weights[v];
  return sums;
}

class Refinement {
  private readonly sums: [number, number, number];
  private readonly queues: readonly [GainQueue, GainQueue];
  private readonly isMoved: Uint8Array;
  /** What happened since the pass began: vertex and the side it left, in turn. */
  private readonly log: number[] = [];

  constructor(
    private readonly graph: WeightedGraph,
    private readonly side: Uint8Array,
    private readonly heaviest: number,
  ) {
    this.sums = sideWeights(graph, side);
    this.queues = [new GainQueue(graph.size), new GainQueue(graph.size)];
    this.isMoved = new Uint8Array(graph.size);
  }

  /** Whether the separator got better. */
  pass(): boolean {
    const { graph, side, sums, queues, log } = this;
    this.isMoved.fill(0);
    log.length = 0;
    for (const queue of queues) queue.clear();
    for (let v = 0; v < graph.size; v++) if (side[v] === separatorSide) this.enqueue(v);
    let lightest = sums[2];
    let difference = Math.abs(sums[0] - sums[1]);
    const patience = Math.min(1000, Math.max(100, Math.floor(0.05 * graph.size)));
    let kept = 0;
    let fruitless = 0;
    let isBetter = false;
    while (fruitless < patience) {
      const to = this.nextSide();
      if (to === -1) break;
      this.move(queues[to].top(), to);
      const nowDifference = Math.abs(sums[0] - sums[1]);
      if (sums[2] < lightest || (sums[2] === lightest && nowDifference < difference)) {
        lightest = sums[2];
        difference = nowDifference;
        kept = log.length;
        fruitless = 0;
        isBetter = true;
      } else fruitless++;
    }
    this.undo(kept);
    return isBetter;
  }

  /** The side that the best move goes to, among those that keep the balance; −1: there is none. */
  private nextSide(): number {
    const { queues, sums, graph, heaviest } = this;
    let best = -1;
    for (let s = 0; s < 2; s++) {
      let v = queues[s].top();
      while (v !== -1 && sums[s] + graph.weights[v] > heaviest) {
        queues[s].remove(v);
        v = queues[s].top();
      }
      if (v === -1) continue;
      if (best === -1) best = s;
      else {
        const less = queues[0].gainOf(queues[0].top()) - queues[1].gainOf(v);
        if (less < 0 || (less === 0 && sums[1] < sums[0])) best = s;
      }
    }
    return best;
  }

  private move(v: number, to: number): void {
    const { graph, side, sums, queues, isMoved, log } = this;
    const { pointers, neighbors, weights } = graph;
    const other = 1 - to;
    queues[0].remove(v);
    queues[1].remove(v);
    isMoved[v] = 1;
    log.push(v, separatorSide);
    side[v] = to;
    sums[2] -= weights[v];
    sums[to] += weights[v];
    for (let p = pointers[v]; p < pointers[v + 1]; p++) {
      const u = neighbors[p];
      if (side[u] === separatorSide) queues[other].add(u, -weights[v]);
      else if (side[u] === other) {
        log.push(u, other);
        side[u] = separatorSide;
        sums[other] -= weights[u];
        sums[2] += weights[u];
        for (let q = pointers[u]; q < pointers[u + 1]; q++) queues[to].add(neighbors[q], weights[u]);
        if (isMoved[u] === 0) this.enqueue(u);
      }
    }
  }

  private enqueue(v: number): void {
    const { graph, side } = this;
    const { pointers, neighbors, weights } = graph;
    let first = 0;
    let second = 0;
    for (let p = pointers[v]; p < pointers[v + 1]; p++) {
      const u = neighbors[p];
      if (side[u] === 0) first += weights[u];
      else if (side[u] === 1) second += weights[u];
    }
    this.queues[0].insert(v, weights[v] - second);
    this.queues[1].insert(v, weights[v] - first);
  }

  /** Back to where the log had `length` numbers. */
  private undo(length: number): void {
    const { graph, side, sums, log } = this;
    for (let k = log.length - 2; k >= length; k -= 2) {
      const v = log[k];
      sums[side[v]] -= graph.weights[v];
      side[v] = log[k + 1];
      sums[side[v]] += graph.weights[v];
    }
  }
}
