/**
 * Answers that contradict each other in circles: "a is nearer than b, b than c, c than a". No map satisfies all of a
 * circle, and one that has nothing else to go by collapses to a point.
 *
 * Pairs of objects are the nodes of a graph, an answer is an edge from the nearer pair to the farther one. Nodes that
 * no edge enters, or none leaves, lie in no circle, and are taken away with their edges until none is left. What stays
 * are the answers in circles, and those on the way from one circle to another. Time and memory O(N).
 */
import type { QuestionsAsked } from "./questions-asked.js";

/** How many answers stay; those to questions that were answered both ways are no part of it. */
export function answersInCircles(
  objects: number,
  quadruplets: Int32Array,
  { questionOf, isContradicted }: QuestionsAsked,
): number {
  const N = quadruplets.length / 4;
  const nodes = new Pairs(objects, 2 * N);
  const from = new Int32Array(N);
  const to = new Int32Array(N);
  let count = 0;
  for (let q = 0; q < N; q++) {
    if (isContradicted[questionOf[q]] === 1) continue;
    from[count] = nodes.numberOf(quadruplets[4 * q], quadruplets[4 * q + 1]);
    to[count++] = nodes.numberOf(quadruplets[4 * q + 2], quadruplets[4 * q + 3]);
  }
  const forth = peeled(nodes.size, from.subarray(0, count), to.subarray(0, count));
  return peeled(nodes.size, forth.to, forth.from).from.length;
}

/** Numbers pairs of objects from 0: a hash table in flat arrays, since a Map of millions takes ten times the memory. */
class Pairs {
  size = 0;
  private readonly keys: Float64Array;
  private readonly slots: Int32Array;

  constructor(
    private readonly objects: number,
    most: number,
  ) {
    let length = 16;
    while (length < 1.5 * most) length *= 2;
    this.keys = new Float64Array(most);
    this.slots = new Int32Array(length).fill(-1);
  }

  numberOf(i: number, j: number): number {
    const { keys, slots } = this;
    const [low, high] = i < j ? [i, j] : [j, i];
    const key = low * this.objects + high;
    const mixed = Math.imul(Math.imul(low, 0x85ebca6b) ^ high, 0xc2b2ae35);
    let slot = (mixed ^ (mixed >>> 15)) & (slots.length - 1);
    while (slots[slot] >= 0) {
      if (keys[slots[slot]] === key) return slots[slot];
      slot = (slot + 1) & (slots.length - 1);
    }
    slots[slot] = this.size;
    keys[this.size] = key;
    return this.size++;
  }
}

/** The edges that are left when nodes without an edge into them are taken away, until there are none. */
function peeled(nodes: number, from: Int32Array, to: Int32Array): { from: Int32Array; to: Int32Array } {
  const entering = new Int32Array(nodes);
  const starts = new Int32Array(nodes + 1);
  for (let e = 0; e < from.length; e++) {
    entering[to[e]]++;
    starts[from[e] + 1]++;
  }
  for (let v = 0; v < nodes; v++) starts[v + 1] += starts[v];
  const place = starts.slice(0, nodes);
  const ends = new Int32Array(from.length);
  for (let e = 0; e < from.length; e++) ends[place[from[e]]++] = to[e];
  const free = new Int32Array(nodes);
  let known = 0;
  for (let v = 0; v < nodes; v++) if (entering[v] === 0) free[known++] = v;
  const isGone = new Uint8Array(nodes);
  for (let k = 0; k < known; k++) {
    isGone[free[k]] = 1;
    for (let e = starts[free[k]]; e < starts[free[k] + 1]; e++)
      if (--entering[ends[e]] === 0) free[known++] = ends[e];
  }
  const isLeft = (_: number, e: number): boolean => isGone[from[e]] === 0;
  return { from: from.filter(isLeft), to: to.filter(isLeft) };
}
