/**
 * The groups of objects that answers connect: i – j – l – k for every answer, since what it mentions belongs together.
 *
 * The sets are united by the answers themselves: a matrix of the graph, which `connectedComponents` of linalg would
 * need, took more memory than all else in a fit to many answers.
 */
import { type Components, DisjointSets } from "@curvature/linalg";
import type { Comparisons } from "@curvature/objectives/ordinal";

export function groupsOf({ objects, quadruplets }: Comparisons): Components {
  const sets = new DisjointSets(objects);
  for (let at = 0; at < quadruplets.length; at += 4)
    for (let e = at; e < at + 3; e++) sets.unite(quadruplets[e], quadruplets[e + 1]);
  return sets.components();
}
