/**
 * Approximate nearest neighbours of new points among known ones, by the inverted lists of `approximate-search.ts`: round r compares
 * each new point with the known points of its r-th nearest list.
 *
 * Rounds end where the lists of 100 random new points, whose neighbours were searched among all, hold 98 % of them; the recall is
 * measured on 200 others. Time O((M + N) √N D).
 */
import {
  type DenseMatrix,
  gemm,
  ProductWorkspace,
  RandomGenerator,
  sampleWithoutReplacement,
  selectRows,
} from "@curvature/linalg";
import {
  type ApproximateLists,
  BLOCK,
  MAX_ROUNDS,
  MEASURED,
  STEERING,
  SUFFICIENT,
  USUAL_ROUNDS,
} from "./approximate-search.js";
import { PAIR, select } from "./block-search.js";
import { squaredRowDistance } from "./distances.js";
import { searchBetween, TURN } from "./exact-search.js";
import { InvertedLists } from "./inverted-lists.js";
import { NeighborHeaps } from "./neighbor-heaps.js";
import { centreOf, PointBlocks } from "./point-blocks.js";
import { ProposedPairs } from "./proposed-pairs.js";

/** The k nearest of Y's points to each of Q's, but for a few, in steps that yield the share that is done. */
export function* searchBetweenApproximately(
  Q: DenseMatrix,
  Y: DenseMatrix,
  k: number,
  seed: number,
): Generator<number, ApproximateLists, void> {
  const random = new RandomGenerator(seed);
  const drawn = sampleWithoutReplacement(random, Math.min(Q.rows, STEERING + MEASURED), Q.rows);
  const steering = Math.ceil((drawn.length * STEERING) / (STEERING + MEASURED));
  const known = yield* knownLimits(Q, Y, k, drawn.subarray(0, steering), 0);
  const others = yield* knownLimits(Q, Y, k, drawn.subarray(steering), 0.01);
  const steps = InvertedLists.of(Y, 0, random);
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) yield 0.02;
  const lists = step.value;
  const rounds = new Rounds(Q, Y, k, lists);
  yield 0.03;
  const most = Math.min(MAX_ROUNDS, lists.count);
  for (let r = 0; r < most && recallOf(rounds.heaps, known) < SUFFICIENT; r++) {
    if (r === rounds.probes) yield* rounds.rank(r === 0 ? Math.min(most, FIRST) : most);
    for (const share of rounds.probe(r)) yield Math.min(0.97, 0.03 + (r + share) / USUAL_ROUNDS);
  }
  yield* rounds.complete();
  const recall = recallOf(rounds.heaps, others);
  for (let q = 0; q < Q.rows; q += BLOCK) {
    rounds.heaps.sortRows(q, Math.min(Q.rows, q + BLOCK));
    yield 0.99;
  }
  return { recall, lists: rounds.heaps.lists() };
}

/** Lists that each new point knows the order of at first: mostly they are enough. */
const FIRST = 20;
/** What it takes to offer a pair: in the first rounds nearly all are. */
const OFFER = 128;

/** Rows of Q, and the distance of each to its k-th nearest known point. */
interface KnownLimits {
  readonly points: Int32Array;
  readonly limits: Float64Array;
}

function* knownLimits(
  Q: DenseMatrix,
  Y: DenseMatrix,
  k: number,
  points: Int32Array,
  share: number,
): Generator<number, KnownLimits, void> {
  const steps = searchBetween(selectRows(Q, points), Y, k);
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) yield share;
  const { distances } = step.value;
  return { points, limits: Float64Array.from(points, (_, s) => distances[s * k + k - 1]) };
}

function recallOf({ distances, k }: NeighborHeaps, { points, limits }: KnownLimits): number {
  if (points.length === 0) return 1;
  let found = 0;
  for (const [s, limit] of limits.entries())
    for (let p = points[s] * k; p < points[s] * k + k; p++) if (distances[p] <= limit) found++;
  return found / (k * points.length);
}

class Rounds {
  readonly heaps: NeighborHeaps;
  private readonly points: PointBlocks;
  private readonly queries: PointBlocks;
  private readonly proposed: ProposedPairs | undefined;
  private readonly rows: Float64Array;
  private readonly products = new Float64Array(BLOCK * BLOCK);
  private readonly chosen = new Int32Array(BLOCK);
  private readonly workspace = new ProductWorkspace();

  /** Lists that each new point knows the order of. */
  probes = 0;
  /** Those of new point q, the nearest first, at q · probes. */
  private nearest = new Int32Array();

  constructor(
    private readonly Q: DenseMatrix,
    private readonly Y: DenseMatrix,
    k: number,
    private readonly lists: InvertedLists,
  ) {
    const centre = centreOf(Y);
    this.points = PointBlocks.of(Y, centre, lists.order, BLOCK);
    this.queries = PointBlocks.of(Q, centre, undefined, BLOCK);
    this.heaps = new NeighborHeaps(Q.rows, k);
    this.proposed = ProposedPairs.between(this.queries, this.points, this.heaps);
    this.rows = new Float64Array(BLOCK * Y.columns);
  }

  *rank(probes: number): Generator<number, void, void> {
    const { Q, lists } = this;
    this.probes = probes;
    this.nearest = new Int32Array(Q.rows * probes);
    for (let q = 0; q < Q.rows; q += BLOCK) {
      lists.rank(Q, q, Math.min(Q.rows, q + BLOCK), this.nearest, probes);
      yield 0.03;
    }
  }

  /** Every new point against its r-th nearest list. */
  *probe(r: number): Generator<number, void, void> {
    const { Q } = this;
    const { count, start } = this.lists;
    const { members, from } = this.visitors(r);
    let work = 0;
    for (let J = 0; J < count; J++) {
      for (let q = from[J]; q < from[J + 1]; q += BLOCK) {
        const visitors = members.subarray(q, Math.min(from[J + 1], q + BLOCK));
        if (this.proposed === undefined) this.gather(visitors);
        for (let b = start[J]; b < start[J + 1]; b += BLOCK) {
          const end = Math.min(start[J + 1], b + BLOCK);
          if (this.proposed === undefined) {
            this.multiply(visitors.length, b, end);
            this.offer(visitors, b, end);
          } else this.proposed.offerTo(visitors, Q.rows + b, Q.rows + end);
          work += visitors.length * (end - b) * (this.Y.columns + PAIR + OFFER);
          if (work < TURN) continue;
          work = 0;
          yield J / count;
        }
      }
    }
  }

  /** The new points whose r-th nearest list is J, at from[J] … from[J + 1] − 1 of `members`. */
  private visitors(r: number): { readonly members: Int32Array; readonly from: Int32Array } {
    const { nearest, probes, lists, Q } = this;
    const from = new Int32Array(lists.count + 1);
    for (let q = 0; q < Q.rows; q++) from[nearest[q * probes + r] + 1]++;
    for (let J = 0; J < lists.count; J++) from[J + 1] += from[J];
    const next = from.slice();
    const members = new Int32Array(Q.rows);
    for (let q = 0; q < Q.rows; q++) members[next[nearest[q * probes + r]]++] = q;
    return { members, from };
  }

  private gather(visitors: Int32Array): void {
    const { centred, columns: D } = this.queries;
    for (const [i, q] of visitors.entries()) this.rows.set(centred.subarray(q * D, q * D + D), i * D);
  }

  /** ⟨a, b⟩ − h_b of the gathered rows and the positions start … end − 1. */
  private multiply(rows: number, start: number, end: number): void {
    const { products, points, workspace } = this;
    const D = points.columns;
    const columns = end - start;
    for (let j = 0; j < columns; j++) products[j] = -points.half[start + j];
    for (let i = 1; i < rows; i++) products.copyWithin(i * columns, 0, columns);
    const left = { data: this.rows, offset: 0, rowStride: D, columnStride: 1 };
    const right = { data: points.centred, offset: start * D, rowStride: 1, columnStride: D };
    const into = { data: products, offset: 0, rowStride: columns, columnStride: 1 };
    gemm(1, rows, columns, D, left, right, into, false, workspace);
  }

  private offer(visitors: Int32Array, start: number, end: number): void {
    const { heaps, products, chosen, queries, points } = this;
    const { worst } = heaps;
    for (let i = 0, row = 0; i < visitors.length; i++, row += end - start) {
      const a = visitors[i];
      const count = select(products, row, row + end - start, queries.half[a] - 0.5 * worst[a], chosen);
      for (let c = 0; c < count; c++) {
        const b = chosen[c] - row + start;
        const distance = squaredRowDistance(queries.exact, a, points.exact, b, points.columns);
        if (distance <= worst[a]) heaps.offer(a, points.rowAt(b), distance);
      }
    }
  }

  /** Rows that lack neighbours are searched among all. */
  *complete(): Generator<number, void, void> {
    const { heaps, Q, Y } = this;
    const { k } = heaps;
    const lacking = Int32Array.from({ length: Q.rows }, (_, q) => q).filter((q) => !heaps.isFull(q));
    if (lacking.length === 0) return;
    const steps = searchBetween(selectRows(Q, lacking), Y, k);
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) yield 0.98;
    const { indices, distances } = step.value;
    for (const [s, q] of lacking.entries()) {
      heaps.clear(q);
      for (let p = s * k; p < s * k + k; p++) heaps.offer(q, indices[p], distances[p]);
    }
  }
}
