/**
 * Answers that contradict each other in cycles: "a is nearer than b, b than c, c than a". No map satisfies all of a
 * cycle, and one that has nothing else to go by collapses to a point.
 *
 * Pairs of objects are the nodes of a graph, an answer is an edge from the nearer pair to the farther one. Nodes that
 * no edge enters, or none leaves, lie in no cycle, and are taken away with their edges until none is left. What stays
 * are the answers in cycles, and those on the way from one cycle to another. Time and memory O(N).
 */
import { backwardAnswers } from "./feedback.js";
import type { PairsNamed, QuestionsAsked } from "./questions.js";

export interface Cycles {
  /** How many answers stay; those to questions that were answered both ways are no part of it. */
  readonly inCycles: number;
  /** How many of them would have to go for the rest to have none: an estimate from above. */
  readonly toRemove: number;
}

export function answersInCycles(
  { count: nodes, pairOf }: PairsNamed,
  { questionOf, isContradicted }: QuestionsAsked,
): Cycles {
  const from = new Int32Array(questionOf.length);
  const to = new Int32Array(questionOf.length);
  let count = 0;
  for (let q = 0; q < questionOf.length; q++) {
    if (isContradicted[questionOf[q]] === 1) continue;
    from[count] = pairOf[2 * q];
    to[count++] = pairOf[2 * q + 1];
  }
  const forth = peeled(nodes, from.subarray(0, count), to.subarray(0, count));
  if (forth.from.length === 0) return { inCycles: 0, toRemove: 0 };
  const { from: far, to: near } = peeled(nodes, forth.to, forth.from);
  return { inCycles: near.length, toRemove: backwardAnswers(nodes, near, far) };
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
