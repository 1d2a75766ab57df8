/** Entropic affinities among given neighbours: each row is spread over its listed neighbours only. */
import { ownMemory } from "../threads/memory.js";
import { type AffinityThreads, checkThreads } from "../threads/threads.js";
import { checkPerplexity } from "./check-points.js";
import { checkDistances } from "./distances.js";
import { affinitiesOfRows, emptyRows, fillRows, NeighborFits } from "./neighbor-fits.js";
import { checkLists, type NeighborLists } from "./neighbor-lists.js";
import { resultOf } from "./neighbors.js";
import type { EntropicAffinities } from "./row-fits.js";
import { shareAmongTies } from "./shared-places.js";
import { stretchCount } from "./walk.js";

/** @throws CurvatureError ERR_OPTION, ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT */
export function affinitiesOfNeighbors(lists: NeighborLists, perplexity: number): EntropicAffinities {
  return resultOf(neighborAffinities(lists, perplexity));
}

/**
 * The same in steps of some 5 ms that yield the share that is done (up to 4,096 points are one step), for callers who
 * have other things to do in between.
 *
 * @param threads - of `@curvature/objectives/embedding/threads`, from 4,097 points on; the affinities are the same
 * @throws CurvatureError ERR_OPTION, ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT, all before the first step
 */
export function neighborAffinities(
  lists: NeighborLists,
  perplexity: number,
  threads?: AffinityThreads,
): Generator<number, EntropicAffinities, void> {
  checkLists(lists);
  const { count: K, indices, distances } = lists;
  const N = indices.length / K;
  checkPerplexity(perplexity, N, K);
  checkDistances({ rows: N, columns: K, data: distances });
  checkThreads(threads, "affinities");
  return fitted(lists, perplexity, stretchCount(N) === 1 ? undefined : threads);
}

function* fitted(
  lists: NeighborLists,
  perplexity: number,
  threads: AffinityThreads | undefined,
): Generator<number, EntropicAffinities, void> {
  const shared = threads === undefined ? undefined : yield* threads.affinities(lists, perplexity);
  return shareAmongTies(shared ?? (yield* fittedAlone(lists, perplexity)), lists);
}

function* fittedAlone(lists: NeighborLists, perplexity: number): Generator<number, EntropicAffinities, void> {
  const rows = emptyRows(lists, perplexity, ownMemory);
  fillRows(rows, lists);
  const fits = new NeighborFits(rows);
  for (let stretch = 0; stretch < fits.count; stretch++) {
    if (stretch > 0) yield stretch / fits.count;
    fits.fit(stretch);
  }
  return affinitiesOfRows(rows);
}
