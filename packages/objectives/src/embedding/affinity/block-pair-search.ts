/**
 * All pairs of blocks of points, visited from the nearest to the farthest, so that the heaps are nearly full of the right
 * points after the first few, and pairs so far apart that neither block can gain are left out, by bound (2) of
 * `point-blocks`. The rest is `block-search`.
 *
 * What the heaps hold in the end does not depend on the order of visits: threads may share them, each with a search of its
 * own over common points and heaps, as long as no two visit the same block at the same time.
 */
import { BlockPairs, BlockProducts, largest, PAIR } from "./block-search.js";
import type { NeighborHeaps } from "./neighbor-heaps.js";
import { BlockBalls, type PointBlocks } from "./point-blocks.js";
import { ProposedPairs } from "./proposed-pairs.js";

export class BlockPairSearch {
  private readonly balls: BlockBalls;
  private readonly pairs: PairsOfBlocks;
  private readonly products = new BlockProducts();
  private readonly offer: BlockPairs;
  private readonly proposed: ProposedPairs | undefined;

  constructor(
    private readonly points: PointBlocks,
    private readonly heaps: NeighborHeaps,
  ) {
    this.balls = new BlockBalls(points);
    this.pairs = pairsOfBlocks(this.balls, points.count);
    this.offer = new BlockPairs(points.block, heaps);
    this.proposed = ProposedPairs.of(points, heaps);
  }

  /** How many pairs of blocks there are to visit. */
  get count(): number {
    return this.pairs.nearestFirst.length;
  }

  /** The blocks of a visit, I ≤ J. */
  blocks(visit: number): readonly [number, number] {
    const { first, second, nearestFirst } = this.pairs;
    const pair = nearestFirst[visit];
    return [first[pair], second[pair]];
  }

  /** Offers the pairs of points of these two blocks to the heaps of both; returns the work that it took, in multiplications. */
  visit(visit: number): number {
    const { balls, points, pairs, proposed, heaps } = this;
    const { worst } = heaps;
    const [I, J] = this.blocks(visit);
    const gap = balls.gap(I, J, pairs.distances[pairs.nearestFirst[visit]]);
    const worstOf = (block: number): number => largest(worst, points.start(block), points.end(block));
    if (gap > 0 && gap * gap > Math.max(worstOf(I), worstOf(J))) return 0;
    if (proposed === undefined) this.offer.offerBoth(points, I, J, this.products.of(points, I, points, J));
    else proposed.offerBoth(I, J);
    return points.block * points.block * (points.columns + PAIR);
  }
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
