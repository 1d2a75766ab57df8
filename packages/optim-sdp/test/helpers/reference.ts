/** Problems with recorded optima: { X, problems: [{ K, optimum, lower, upper }] }. */
import { readFileSync } from "node:fs";

export const referenceNames = [
  "blobs-n120",
  "digits0-n178",
  "double-swiss-roll-n200",
  "grid10d-n196",
  "moons-n200",
  "ring-n100",
  "trefoil-n200",
  "two-rings-n200",
] as const;

export interface ReferenceProblem {
  readonly K: number;
  readonly optimum: number;
  readonly lower: number;
  readonly upper: number;
}

export interface ReferenceSet {
  readonly points: readonly number[][];
  readonly labels: readonly number[] | undefined;
  readonly problems: readonly ReferenceProblem[];
}

export function referenceSet(name: string): ReferenceSet {
  const { X, labels, problems } = JSON.parse(
    readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), "utf8"),
  );
  return { points: X, labels: labels ?? undefined, problems };
}
