/**
 * Exact nearest neighbours by blocked all-pairs search: `block-pair-search` and, for points among others, `block-search`.
 *
 * Time O(N² D / 2) for points that fill many dimensions, each pair serving both; for points in few dimensions, or in
 * clusters far apart, nearly all pairs of blocks are left out. Memory O(N (D + k)).
 */
import { type DenseMatrix, RandomGenerator } from "@curvature/linalg";
import type { SearchThreads } from "../threads/threads.js";
import { bisected } from "./bisection.js";
import { BlockPairSearch } from "./block-pair-search.js";
import { BlockPairs, BlockProducts, PAIR } from "./block-search.js";
import { NeighborHeaps } from "./neighbor-heaps.js";
import type { NeighborLists } from "./neighbor-lists.js";
import { blockSize, centreOf, PointBlocks } from "./point-blocks.js";
import { ProposedPairs } from "./proposed-pairs.js";

/** Multiplications after which a search tells how far it is: some 10 ms. */
export const TURN = 2 ** 24;
/**
 * The k nearest other points of each of Y's, in steps that yield the share that is done.
 *
 * @param threads - that do it together, if they can; the lists are the same
 */
export function* searchAmong(
  Y: DenseMatrix,
  k: number,
  threads?: SearchThreads,
): Generator<number, NeighborLists, void> {
  const shared = threads === undefined ? undefined : yield* threads.search(Y, k);
  return shared ?? (yield* searchAlone(Y, k));
}

function* searchAlone(Y: DenseMatrix, k: number): Generator<number, NeighborLists, void> {
  const order = blockOrder(Y);
  const points = PointBlocks.of(Y, centreOf(Y), order, blockSize(Y.columns));
  const heaps = new NeighborHeaps(Y.rows, k);
  const search = new BlockPairSearch(points, heaps);
  let work = 0;
  for (let visit = 0; visit < search.count; visit++) {
    work += search.visit(visit);
    if (work < TURN) continue;
    work = 0;
    yield visit / search.count;
  }
  return heaps.sorted(order);
}

/** Near points together: position → row. */
export const blockOrder = (Y: DenseMatrix): Int32Array =>
  bisected(Y, blockSize(Y.columns), new RandomGenerator(0));

/** The k nearest of Y's points to each of Q's, in steps that yield the share that is done. */
export function* searchBetween(
  Q: DenseMatrix,
  Y: DenseMatrix,
  k: number,
): Generator<number, NeighborLists, void> {
  const centre = centreOf(Y);
  const block = blockSize(Y.columns);
  const [queries, points] = [Q, Y].map((matrix) => PointBlocks.of(matrix, centre, undefined, block));
  const heaps = new NeighborHeaps(Q.rows, k);
  const products = new BlockProducts();
  const offer = new BlockPairs(block, heaps);
  const proposed = ProposedPairs.between(queries, points, heaps);
  let work = 0;
  for (let I = 0; I < queries.count; I++) {
    const visitors = Int32Array.from(
      { length: queries.end(I) - queries.start(I) },
      (_, i) => queries.start(I) + i,
    );
    for (let J = 0; J < points.count; J++) {
      if (proposed !== undefined)
        proposed.offerTo(visitors, Q.rows + points.start(J), Q.rows + points.end(J));
      else offer.offerTo(queries, I, points, J, products.of(queries, I, points, J));
      work += (queries.end(I) - queries.start(I)) * block * (Y.columns + PAIR);
      if (work < TURN) continue;
      work = 0;
      yield (I + J / points.count) / queries.count;
    }
    heaps.sortRows(queries.start(I), queries.end(I));
  }
  return heaps.lists();
}
