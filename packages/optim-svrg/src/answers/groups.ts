/**
 * The groups of objects that answers connect: i – j – l – k for every answer, since what it speaks of belongs together.
 *
 * Union-find on the answers themselves, with path halving and the smaller object as the root. A matrix of the graph,
 * which `connectedComponents` of linalg would need, took more memory than all else in a fit to many answers.
 */
import type { Comparisons } from "@curvature/objectives/ordinal";

export interface Groups {
  readonly count: number;
  /** Of each object, from 0 to count − 1, numbered by their first object. */
  readonly labels: Int32Array;
}

export function groupsOf({ objects, quadruplets }: Comparisons): Groups {
  const parent = new Int32Array(objects);
  for (let r = 0; r < objects; r++) parent[r] = r;
  for (let at = 0; at < quadruplets.length; at += 4)
    for (let e = at; e < at + 3; e++) {
      const a = root(parent, quadruplets[e]);
      const b = root(parent, quadruplets[e + 1]);
      parent[Math.max(a, b)] = Math.min(a, b);
    }
  const labels = new Int32Array(objects);
  let count = 0;
  // A root is the smallest of its group, so its label is known before it is asked for.
  for (let r = 0; r < objects; r++) labels[r] = parent[r] === r ? count++ : labels[root(parent, r)];
  return { count, labels };
}

function root(parent: Int32Array, start: number): number {
  let r = start;
  while (parent[r] !== r) {
    parent[r] = parent[parent[r]];
    r = parent[r];
  }
  return r;
}
