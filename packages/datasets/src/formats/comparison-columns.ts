/**
 * Which column of a table of comparisons says what: by the names in its header, in any order and with others between
 * them, or by position where there is none.
 */
import { CurvatureError, shown } from "@curvature/linalg";

/** Where the four objects of "i, j are nearer than l, k" stand; of a triplet, l stands where i does. */
export interface ComparisonColumns {
  readonly i: number;
  readonly j: number;
  readonly l: number;
  readonly k: number;
  readonly weight: number | undefined;
  /** Names of the columns that say nothing of this. */
  readonly ignored: readonly string[];
}

const triplets: readonly (readonly [i: string, j: string, k: string])[] = [
  ["i", "j", "k"],
  ["anchor", "near", "far"],
  ["head", "winner", "loser"],
];
const weights: readonly string[] = ["weight", "weights", "count"];

export const columnsExpected =
  "i, j, k (or anchor, near, far; head, winner, loser) or i, j, l, k, and perhaps weight or count";

/**
 * The columns that a header names; undefined if it names none, or not all, of the sets that are known.
 *
 * @throws CurvatureError ERR_PARSE if a name stands twice, or if one of three words is missing
 */
export function namedColumns(header: readonly string[], line: number): ComparisonColumns | undefined {
  const names = header.map((name) => name.trim().toLowerCase());
  const find = (name: string): number => {
    const first = names.indexOf(name);
    if (first >= 0 && names.indexOf(name, first + 1) >= 0) {
      throw new CurvatureError("ERR_PARSE", `Line ${line} names two columns ${shown(name)}. Rename one.`, {
        path: `line ${line}`,
        received: name,
      });
    }
    return first;
  };
  const objects = triplets.find((set) => set.every((name) => names.includes(name)));
  if (objects === undefined) {
    checkHalfKnown(names, line);
    return undefined;
  }
  const [i, j, k] = objects.map(find);
  const other = objects[0] === "i" ? find("l") : -1;
  const weighing = weights.filter((name) => names.includes(name)).map(find);
  if (weighing.length > 1) {
    throw new CurvatureError("ERR_PARSE", `Line ${line} names more than one column of weights. Rename one.`, {
      path: `line ${line}`,
    });
  }
  const used = [i, j, k, other, ...weighing];
  return {
    i,
    j,
    l: other < 0 ? i : other,
    k,
    weight: weighing[0],
    ignored: header.filter((_, column) => !used.includes(column)),
  };
}

/** Two of anchor, near, far name columns, and would make a map of their own as objects; i, j, k alone may be objects. */
function checkHalfKnown(names: readonly string[], line: number): void {
  for (const set of triplets) {
    const missing = set.filter((name) => !names.includes(name));
    if (missing.length !== 1 || set.some((name) => name.length === 1)) continue;
    const there = set.filter((name) => names.includes(name));
    throw new CurvatureError(
      "ERR_PARSE",
      `Line ${line} names the columns ${there.join(" and ")}, but none is called ${missing[0]}. Rename the one that is meant. If the line is an answer, put a header above it: ${set.join(", ")}.`,
      { path: `line ${line}`, expected: columnsExpected, received: names.map(shown).join(", ") },
    );
  }
}

/** i, j, k or i, j, l, k in this order. @throws CurvatureError ERR_PARSE for another number of columns */
export function positionalColumns(count: number, line: number): ComparisonColumns {
  if (count === 3) return { i: 0, j: 1, l: 0, k: 2, weight: undefined, ignored: [] };
  if (count === 4) return { i: 0, j: 1, l: 2, k: 3, weight: undefined, ignored: [] };
  throw new CurvatureError(
    "ERR_PARSE",
    `Line ${line} has ${count} columns. Without a header there must be three (i, j, k: i is nearer to j than to k) or four (i, j, l, k: i, j are nearer than l, k); with one, columns named ${columnsExpected}.`,
    { path: `line ${line}`, expected: "3 or 4 columns", received: count },
  );
}
