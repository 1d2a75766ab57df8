/**
 * Approximate nearest neighbours by inverted lists: each point is compared with the points of the lists nearest to
 * it, in rounds, the r-th nearest list in round r, until the neighbours are those of direct differences but for a
 * known share.
 *
 * Round r    for every list J, the points whose r-th nearest list it is against the points in it, by one matrix
 *            product and the bound of `block-search`
 * Recall     Σ_s |{m in the list of s : D_sm ≤ the k-th least distance of s}| / (k |S|), over random points S whose
 *            neighbours were searched among all; rounds end where it reaches 0.98
 * Measured   the same over other random points, which had no part in that
 *
 * Jégou, Douze, Schmid: Product quantization for nearest neighbor search. IEEE Trans. Pattern Anal. Mach. Intell. 33
 * (2011) 117-128, section IV (inverted lists), without quantised distances. Differs: the number of lists probed is
 * found, not given. A graph search (NN-descent) needs fewer distances, but each of them alone and from a random place
 * in memory, not in a product: neighbours of neighbours as a last round were measured, and cost more than the rounds of
 * lists that find as many.
 *
 * Rows that still lack neighbours, where lists are small, are searched among all. Time O(N^1.5 D), and up to
 * four times more where the data has no structure; rounds end after 64 then, and the recall falls short, as is
 * reported. Memory O(N (D + k)).
 */
import {
  type DenseMatrix,
  gemm,
  ProductWorkspace,
  RandomGenerator,
  sampleWithoutReplacement,
  selectRows,
} from "@curvature/linalg";
import { PAIR, select } from "./block-search.js";
import { squaredRowDistance } from "./distances.js";
import { searchBetween, TURN } from "./exact-search.js";
import { InvertedLists } from "./inverted-lists.js";
import { NeighborHeaps } from "./neighbor-heaps.js";
import type { NeighborLists } from "./neighbor-lists.js";
import { centreOf, PointBlocks } from "./point-blocks.js";
import { ProposedPairs } from "./proposed-pairs.js";

/** Where the rounds end. */
export const SUFFICIENT = 0.98;
export const MAX_ROUNDS = 64;
/** Points whose neighbours are searched among all, to steer and to measure. */
export const STEERING = 100;
export const MEASURED = 200;
/** Rows and columns of a product. */
export const BLOCK = 256;
/** Rounds that it usually takes, for the share that is done. */
export const USUAL_ROUNDS = 18;

/**
 * Rounds after which a search that is to reach a recall is given up if it stands below `TRIAL_RECALL`. The recall after r
 * rounds is about 1 − exp(−c r^0.77) where there is no structure: with 0.45 after 8 rounds it is 0.95 after 64.
 */
const TRIAL_ROUNDS = 8;
const TRIAL_RECALL = 0.45;

export interface ApproximateLists {
  readonly lists: NeighborLists;
  /** The share of the k nearest that the lists hold, measured on a sample. */
  readonly recall: number;
}

/** The k nearest other points of each of Y's, but for a few, in steps that yield the share that is done. */
export function* searchApproximately(
  Y: DenseMatrix,
  k: number,
  seed: number,
): Generator<number, ApproximateLists, void> {
  const search = yield* begun(Y, k, seed);
  for (let round = 0; search.goesOn(round); round++) yield* search.probe(round);
  return yield* search.finish();
}

/** The same, or nothing but the recall so far where more rounds will not bring it to 0.95. */
export function* searchOnTrial(
  Y: DenseMatrix,
  k: number,
  seed: number,
): Generator<number, ApproximateLists | { readonly lists: undefined; readonly recall: number }, void> {
  const search = yield* begun(Y, k, seed);
  for (let round = 0; search.goesOn(round); round++) {
    const { recall } = search;
    if (round === TRIAL_ROUNDS && recall < TRIAL_RECALL) return { lists: undefined, recall };
    yield* search.probe(round);
  }
  return yield* search.finish();
}

function* begun(Y: DenseMatrix, k: number, seed: number): Generator<number, Search, void> {
  const random = new RandomGenerator(seed);
  const sample = sampleWithoutReplacement(random, Math.min(Y.rows, STEERING + MEASURED), Y.rows);
  const steering = Math.ceil((sample.length * STEERING) / (STEERING + MEASURED));
  const known = yield* reporting(0, Sample.of(Y, k, sample.subarray(0, steering)));
  const lists = yield* reporting(0.01, InvertedLists.of(Y, MAX_ROUNDS, random));
  return new Search(Y, k, lists, known, sample.subarray(steering));
}

/** Rounds steered by what is known of some points, then measured on others. */
class Search {
  /** Of the points that steer. */
  recall = 0;
  private readonly rounds: Rounds;

  constructor(
    private readonly Y: DenseMatrix,
    private readonly k: number,
    private readonly lists: InvertedLists,
    private readonly known: Sample,
    private readonly others: Int32Array,
  ) {
    this.rounds = new Rounds(Y, k, lists);
  }

  /** Whether there is to be a round r. */
  goesOn(r: number): boolean {
    this.recall = this.known.recallOf(this.rounds);
    return r < this.lists.probes && this.recall < SUFFICIENT;
  }

  *probe(r: number): Generator<number, void, void> {
    for (const share of this.rounds.probe(r)) yield Math.min(0.97, 0.02 + (r + share) / USUAL_ROUNDS);
  }

  *finish(): Generator<number, ApproximateLists, void> {
    const { Y, k, rounds } = this;
    yield* reporting(0.98, rounds.complete());
    const measured = yield* reporting(0.99, Sample.of(Y, k, this.others));
    return { recall: measured.recallOf(rounds), lists: rounds.heaps.sorted(this.lists.order) };
  }
}

/** The same steps, each of which tells a share. */
function* reporting<T>(share: number, steps: Generator<unknown, T, void>): Generator<number, T, void> {
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
    yield share;
  }
}

/** Points whose neighbours are known. */
class Sample {
  /** Of each point, to its k-th nearest other. */
  private readonly limits: Float64Array;

  private constructor(
    private readonly points: Int32Array,
    distances: Float64Array,
    private readonly k: number,
  ) {
    // Among the k + 1 nearest of all is the point itself, or else as many others at distance 0.
    this.limits = Float64Array.from(points, (_, s) => distances[s * (k + 1) + k]);
  }

  static *of(Y: DenseMatrix, k: number, points: Int32Array): Generator<number, Sample, void> {
    const { distances } = yield* searchBetween(selectRows(Y, points), Y, k + 1);
    return new Sample(points, distances, k);
  }

  recallOf({ heaps, positions }: Rounds): number {
    const { points, limits, k } = this;
    let found = 0;
    for (const [s, limit] of limits.entries()) {
      const root = positions[points[s]] * k;
      for (let p = root; p < root + k; p++) if (heaps.distances[p] <= limit) found++;
    }
    return found / (k * points.length);
  }
}

/** The rounds, and what they have found so far; heaps' rows are positions in the lists. */
class Rounds {
  readonly heaps: NeighborHeaps;
  /** Point → position. */
  readonly positions: Int32Array;
  private readonly points: PointBlocks;
  private readonly proposed: ProposedPairs | undefined;
  private readonly rows: Float64Array;
  private readonly products = new Float64Array(BLOCK * BLOCK);
  private readonly chosen = new Int32Array(BLOCK);
  private readonly workspace = new ProductWorkspace();

  constructor(
    private readonly Y: DenseMatrix,
    k: number,
    private readonly lists: InvertedLists,
  ) {
    this.points = PointBlocks.of(Y, centreOf(Y), lists.order, BLOCK);
    this.heaps = new NeighborHeaps(Y.rows, k);
    this.positions = new Int32Array(Y.rows);
    for (const [position, n] of lists.order.entries()) this.positions[n] = position;
    this.proposed = ProposedPairs.of(this.points, this.heaps);
    this.rows = new Float64Array(BLOCK * Y.columns);
  }

  /** Every point against its r-th nearest list, in steps that yield the share that is done. */
  *probe(r: number): Generator<number, void, void> {
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
          } else this.proposed.offerTo(visitors, b, end);
          work += visitors.length * (end - b) * (this.Y.columns + PAIR);
          if (work < TURN) continue;
          work = 0;
          yield J / count;
        }
      }
    }
  }

  /** The positions whose r-th nearest list is J, at from[J] … from[J + 1] − 1 of `members`. */
  private visitors(r: number): { readonly members: Int32Array; readonly from: Int32Array } {
    const { nearest, probes, count } = this.lists;
    const N = this.Y.rows;
    const from = new Int32Array(count + 1);
    for (let p = 0; p < N; p++) from[nearest[p * probes + r] + 1]++;
    for (let J = 0; J < count; J++) from[J + 1] += from[J];
    const next = from.slice();
    const members = new Int32Array(N);
    for (let p = 0; p < N; p++) members[next[nearest[p * probes + r]]++] = p;
    return { members, from };
  }

  private gather(visitors: Int32Array): void {
    const { centred, columns: D } = this.points;
    for (let i = 0; i < visitors.length; i++) {
      const from = visitors[i] * D;
      for (let j = 0; j < D; j++) this.rows[i * D + j] = centred[from + j];
    }
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
    const { heaps, products, chosen } = this;
    const { half, exact, columns: D } = this.points;
    const { worst } = heaps;
    for (let i = 0, row = 0; i < visitors.length; i++, row += end - start) {
      const a = visitors[i];
      const count = select(products, row, row + end - start, half[a] - 0.5 * worst[a], chosen);
      for (let c = 0; c < count; c++) {
        const b = chosen[c] - row + start;
        if (b === a) continue;
        const distance = squaredRowDistance(exact, a, exact, b, D);
        if (distance <= worst[a]) heaps.offer(a, this.points.rowAt(b), distance);
      }
    }
  }

  /** Rows that lack neighbours are searched among all. */
  *complete(): Generator<number, void, void> {
    const { heaps, Y, lists } = this;
    const { k } = heaps;
    const lacking = Int32Array.from({ length: Y.rows }, (_, p) => p).filter((p) => !heaps.isFull(p));
    if (lacking.length === 0) return;
    const points = lacking.map((p) => lists.order[p]);
    const { indices, distances } = yield* searchBetween(selectRows(Y, points), Y, k + 1);
    for (const [s, row] of lacking.entries()) {
      heaps.clear(row);
      for (let p = s * (k + 1); p < (s + 1) * (k + 1); p++)
        if (indices[p] !== points[s]) heaps.offer(row, indices[p], distances[p]);
    }
  }
}
