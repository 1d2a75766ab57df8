/** Lists of neighbours: what a search returns and affinities begin with. */
import { CurvatureError, shown } from "@curvature/linalg";

export interface NeighborLists {
  /** Neighbours per row, k. */
  readonly count: number;
  /** Row n's neighbours, nearest first, at n·k … n·k + k − 1. */
  readonly indices: Int32Array;
  /** Their squared distances, at the same places. */
  readonly distances: Float64Array;
  /** Who else lies as far as the last neighbours, where there are such points; left out or undefined: nobody. */
  readonly ties?: SharedPlaces | undefined;
}

/** Rows whose last places in a list are shared by more points than there are places: affinities are spread over all of them. */
export interface SharedPlaces {
  /** In rising order. */
  readonly rows: Int32Array;
  /** Where each row's members start, and the end of all. */
  readonly starts: Int32Array;
  /** As many as there is room for; first those that the list has. */
  readonly members: Int32Array;
  /** Of each row, how many of its last places they share. */
  readonly places: Int32Array;
}

/** Neighbours, and how they were found. */
export interface FoundNeighbors extends NeighborLists {
  readonly search: "exact" | "approximate";
  /** The share of the true neighbours that the lists hold: measured on 200 random points, 1 where the search was exact. */
  readonly recall: number;
  /** What share an approximate search had found when "auto" gave it up for the exact one; undefined where it did not. */
  readonly abandonedRecall: number | undefined;
}

/**
 * Lists of N points' neighbours, as a search among them makes them.
 *
 * @param known - points of which those of other points are lists; left out: the lists are of these points themselves
 * @throws CurvatureError ERR_SHAPE unless the arrays hold `count` ≥ 1 entries a row; ERR_ARGUMENT for an index that is
 *   no other point, or twice in its row
 */
export function checkLists(lists: NeighborLists, known?: number): void {
  const given: Partial<NeighborLists> = typeof lists === "object" && lists !== null ? lists : {};
  const isList =
    given.indices instanceof Int32Array &&
    given.distances instanceof Float64Array &&
    typeof given.count === "number";
  if (!isList)
    throw new CurvatureError(
      "ERR_SHAPE",
      `Neighbour lists must be { count, indices: Int32Array, distances: Float64Array }; received ${shown(lists)}.`,
      { path: "lists", expected: "{ count, indices, distances }", received: lists },
    );
  const { count: k, indices, distances } = lists;
  const N = indices.length / k;
  if (!(k >= 1 && Number.isInteger(k) && Number.isInteger(N) && distances.length === indices.length)) {
    const sizes = `count ${k}, ${indices.length} indices and ${distances.length} distances`;
    throw new CurvatureError("ERR_SHAPE", `Neighbour lists need count entries a row; received ${sizes}.`, {
      path: "lists",
      expected: "count entries a row",
      received: [k, indices.length, distances.length],
    });
  }
  const most = known ?? N;
  const listedBy = new Int32Array(most).fill(-1);
  for (let p = 0; p < indices.length; p++) {
    const n = Math.floor(p / k);
    const m = indices[p];
    if ((m === n && known === undefined) || listedBy[m] === undefined || listedBy[m] === n) {
      const expected = `${known === undefined ? "other" : "known"} points from 0 to ${most - 1}, each once`;
      throw new CurvatureError(
        "ERR_ARGUMENT",
        `Row ${n} of the neighbour lists has ${m}: it must name ${expected}.`,
        { path: `row ${n}`, expected, received: m },
      );
    }
    listedBy[m] = n;
  }
}
