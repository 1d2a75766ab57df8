/**
 * What is known of pairs of rows: those that must be in one cluster, and those that must not.
 *
 * Rows that must be together are one point, their mean with their number as its weight: for clusters it is the same, but for a constant
 * of the cost. Which points must not be together is a graph, and labels respect it that colour it with at most K colours. That there is
 * such a colouring is found by search: the point with fewest colours left first (Brélaz 1979), with a way back.
 */
import { CurvatureError, DisjointSets, optionName } from "@curvature/linalg";
import type { Link } from "./link-list.js";

export interface Links {
  readonly mustLink: readonly Link[];
  readonly cannotLink: readonly Link[];
}

/** Which points a point must not be with. */
export type Conflicts = readonly (readonly number[])[];

/** Of each row the number of its group, from 0 by first rows: rows that must be together, and copies among rows without links. */
export function linkedGroups(
  copyOf: Int32Array,
  links: Links,
): { readonly groupOf: Int32Array; readonly conflicts: Conflicts } {
  const n = copyOf.length;
  checkRows(n, links);
  const sets = new DisjointSets(n);
  for (const [i, j] of links.mustLink) sets.unite(i, j);
  checkChains(n, links, sets.components().labels);
  const isLinked = new Uint8Array(n);
  for (const pair of [...links.mustLink, ...links.cannotLink]) for (const row of pair) isLinked[row] = 1;
  const first = new Map<number, number>();
  for (let i = 0; i < n; i++) {
    if (isLinked[i] === 1) continue;
    const copy = first.get(copyOf[i]);
    if (copy === undefined) first.set(copyOf[i], i);
    else sets.unite(copy, i);
  }
  const { count, labels: groupOf } = sets.components();
  const conflicts = Array.from({ length: count }, () => new Set<number>());
  for (const [i, j] of links.cannotLink) {
    conflicts[groupOf[i]].add(groupOf[j]);
    conflicts[groupOf[j]].add(groupOf[i]);
  }
  return { groupOf, conflicts: conflicts.map((others) => [...others]) };
}

function checkRows(n: number, links: Links): void {
  for (const name of ["mustLink", "cannotLink"] as const)
    for (const pair of links[name])
      for (const row of pair)
        if (row >= n)
          throw new CurvatureError(
            "ERR_OPTION",
            `${optionName(name)} names row ${row}, and there are ${n}, counted from 0.`,
            { where: "clusterPoints", path: name, expected: `rows from 0 to ${n - 1}`, received: row },
          );
}

/** @throws CurvatureError ERR_OPTION for two rows that must not be together and are by a chain of others */
function checkChains(n: number, { mustLink, cannotLink }: Links, groupOf: Int32Array): void {
  const wrong = cannotLink.find(([i, j]) => groupOf[i] === groupOf[j]);
  if (wrong === undefined) return;
  const [from, to] = wrong;
  const neighbors = Array.from({ length: n }, (): number[] => []);
  for (const [i, j] of mustLink) {
    neighbors[i].push(j);
    neighbors[j].push(i);
  }
  const before = new Int32Array(n).fill(-1);
  before[to] = to;
  const queue = [to];
  for (let at = 0; at < queue.length && before[from] < 0; at++)
    for (const next of neighbors[queue[at]]) {
      if (before[next] >= 0) continue;
      before[next] = queue[at];
      queue.push(next);
    }
  const chain = [from];
  while (chain[chain.length - 1] !== to) chain.push(before[chain[chain.length - 1]]);
  throw new CurvatureError(
    "ERR_OPTION",
    `${optionName("cannotLink")} parts rows ${from} and ${to} (counted from 0), and ${optionName("mustLink")} joins them: ${chain.join(" - ")}. Take one of these links away.`,
    { where: "clusterPoints", path: "cannotLink", received: chain.join(" - ") },
  );
}

export const isAllowed = (
  conflicts: Conflicts | undefined,
  labels: Int32Array,
  i: number,
  c: number,
): boolean => conflicts === undefined || conflicts[i].every((other) => labels[other] !== c);

/** n × n: 1 where two points must not be together. */
export function apartOf(conflicts: Conflicts | undefined, n: number): Uint8Array {
  const apart = new Uint8Array(n * n);
  for (const [i, others] of (conflicts ?? []).entries()) for (const j of others) apart[i * n + j] = 1;
  return apart;
}

/** The conflicts among these points, by their places in `rows`. */
export function conflictsAmong(conflicts: Conflicts | undefined, rows: Int32Array): Conflicts | undefined {
  if (conflicts === undefined) return undefined;
  const placeOf = new Map(Array.from(rows, (row, place) => [row, place]));
  return Array.from(rows, (row) =>
    conflicts[row].map((other) => placeOf.get(other)).filter((place) => place !== undefined),
  );
}

/** Steps of the search for a colouring. */
const MAX_STEPS = 200_000;

/**
 * A colouring with colours 0 … k − 1; points without conflicts have 0.
 *
 * @throws CurvatureError ERR_OPTION where there is none, or none was found
 */
export function coloring(conflicts: Conflicts, k: number): Int32Array {
  const m = conflicts.length;
  const colors = new Int32Array(m).fill(-1);
  const inConflict = Array.from(conflicts.keys()).filter((i) => conflicts[i].length > 0);
  let steps = 0;
  const colorsLeft = (i: number): number => {
    const seen = new Set(conflicts[i].map((other) => colors[other]).filter((color) => color >= 0));
    return k - seen.size;
  };
  // of each point on the way the colour that was tried last
  const path: number[] = [];
  const tried: number[] = [];
  const next = (): number => {
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (const i of inConflict) {
      if (colors[i] >= 0) continue;
      const left = colorsLeft(i) - conflicts[i].length / (m + 1); // of equal ones that of most conflicts
      if (!(left < least)) continue;
      best = i;
      least = left;
    }
    return best;
  };
  let i = next();
  let color = 0;
  while (i >= 0) {
    if (++steps > MAX_STEPS) throw uncolored(k, false);
    const used = Math.min(k, 1 + Math.max(-1, ...path.map((point) => colors[point]))); // one new colour is as good as another
    while (color < Math.min(k, used + 1) && !isAllowed(conflicts, colors, i, color)) color++;
    if (color < Math.min(k, used + 1)) {
      colors[i] = color;
      path.push(i);
      tried.push(color);
      i = next();
      color = 0;
      continue;
    }
    const last = path.pop();
    const lastColor = tried.pop();
    if (last === undefined || lastColor === undefined) throw uncolored(k, true);
    colors[last] = -1;
    i = last;
    color = lastColor + 1;
  }
  return colors.map((each) => Math.max(0, each));
}

const uncolored = (k: number, isProved: boolean): CurvatureError =>
  new CurvatureError(
    "ERR_OPTION",
    isProved
      ? `no ${k} clusters respect ${optionName("cannotLink")}: rows that must be apart need more. Raise ${optionName("clusters")}, or take links away.`
      : `no ${k} clusters that respect ${optionName("cannotLink")} were found in ${MAX_STEPS} steps. Raise ${optionName("clusters")}, or take links away.`,
    { where: "clusterPoints", path: "cannotLink", received: k },
  );

/** The labels, where they respect the conflicts; else each point in turn at another one that does; else the colouring. */
export function respectful(
  labels: Int32Array,
  k: number,
  conflicts: Conflicts,
  fallback: Int32Array,
): Int32Array {
  const made = new Int32Array(labels.length).fill(-1);
  const order = Array.from(conflicts.keys()).sort(
    (a, b) => conflicts[b].length - conflicts[a].length || a - b,
  );
  for (const i of order) {
    let c = labels[i];
    for (let shift = 0; shift < k && !isAllowed(conflicts, made, i, c); shift++)
      c = (labels[i] + shift + 1) % k;
    if (!isAllowed(conflicts, made, i, c)) return fallback.slice();
    made[i] = c;
  }
  return made;
}
