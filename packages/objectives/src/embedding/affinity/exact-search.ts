/**
 * Exact nearest neighbours by blocked all-pairs search.
 *
 * The points are put in blocks of near ones; pairs of blocks are visited from the nearest to the farthest, so that
 * the heaps are nearly full of the right points after the first few, and those so far apart that neither block can
 * gain are left out, by bound (2) of `point-blocks`. The rest is `block-search`.
 *
 * Time O(N² D / 2) for points that fill many dimensions, each pair serving both; for points in few dimensions, or in
 * clusters far apart, nearly all pairs of blocks are left out. Memory O(N (D + k)).
 */
import { type DenseMatrix, RandomGenerator } from "@curvature/linalg";
import { bisected } from "./bisection.js";
import { BlockPairs, BlockProducts, largest } from "./block-search.js";
import { NeighborHeaps } from "./neighbor-heaps.js";
import type { NeighborLists } from "./neighbor-lists.js";
import { BlockBalls, blockSize, centreOf, PointBlocks } from "./point-blocks.js";
import { ProposedPairs } from "./proposed-pairs.js";

/** Multiplications after which a search tells how far it is: some 10 ms. */
export const TURN = 2 ** 24;
/** What it takes to look at a pair and to keep it, in multiplications: in few dimensions most of the time. */
export const PAIR = 32;

/** The k nearest other points of each of Y's, in steps that yield the share that is done. */
export function* searchAmong(Y: DenseMatrix, k: number): Generator<number, NeighborLists, void> {
  const block = blockSize(Y.columns);
  const order = bisected(Y, block, new RandomGenerator(0));
  const points = new PointBlocks(Y, centreOf(Y), order, block);
  const heaps = new NeighborHeaps(Y.rows, k);
  const balls = new BlockBalls(points);
  const { first, second, distances, nearestFirst } = pairsOfBlocks(balls, points.count);
  const products = new BlockProducts();
  const offer = new BlockPairs(block, heaps);
  const proposed = ProposedPairs.of(points, heaps);
  const { worst } = heaps;
  const worstOf = (I: number): number => largest(worst, points.start(I), points.end(I));
  let work = 0;
  for (let visited = 0; visited < nearestFirst.length; visited++) {
    const pair = nearestFirst[visited];
    const [I, J] = [first[pair], second[pair]];
    const gap = balls.gap(I, J, distances[pair]);
    if (gap > 0 && gap * gap > Math.max(worstOf(I), worstOf(J))) continue;
    if (proposed === undefined) offer.offerBoth(points, I, J, products.of(points, I, points, J));
    else proposed.offerBoth(I, J);
    work += block * block * (Y.columns + PAIR);
    if (work < TURN) continue;
    work = 0;
    yield visited / nearestFirst.length;
  }
  return heaps.sorted(order);
}

/** The k nearest of Y's points to each of Q's, in steps. */
export function* searchBetween(
  Q: DenseMatrix,
  Y: DenseMatrix,
  k: number,
): Generator<void, NeighborLists, void> {
  const centre = centreOf(Y);
  const block = blockSize(Y.columns);
  const [queries, points] = [Q, Y].map((matrix) => new PointBlocks(matrix, centre, undefined, block));
  const heaps = new NeighborHeaps(Q.rows, k);
  const products = new BlockProducts();
  const offer = new BlockPairs(block, heaps);
  let work = 0;
  for (let I = 0; I < queries.count; I++) {
    for (let J = 0; J < points.count; J++) {
      offer.offerTo(queries, I, points, J, products.of(queries, I, points, J));
      work += (queries.end(I) - queries.start(I)) * block * (Y.columns + PAIR);
      if (work < TURN) continue;
      work = 0;
      yield;
    }
  }
  return heaps.sorted();
}

interface PairsOfBlocks {
  readonly first: Int32Array;
  readonly second: Int32Array;
  /** Between the centres. */
  readonly distances: Float64Array;
  /** The pairs, the nearest first. */
  readonly nearestFirst: Uint32Array;
}

/** All pairs of blocks I ≤ J. */
function pairsOfBlocks(balls: BlockBalls, count: number): PairsOfBlocks {
  const total = (count * (count + 1)) / 2;
  const first = new Int32Array(total);
  const second = new Int32Array(total);
  const distances = new Float64Array(total);
  for (let I = 0, p = 0; I < count; I++) {
    for (let J = I; J < count; J++, p++) {
      first[p] = I;
      second[p] = J;
      distances[p] = balls.distance(I, J);
    }
  }
  const nearestFirst = Uint32Array.from({ length: total }, (_, p) => p);
  nearestFirst.sort((p, q) => distances[p] - distances[q] || p - q);
  return { first, second, distances, nearestFirst };
}
