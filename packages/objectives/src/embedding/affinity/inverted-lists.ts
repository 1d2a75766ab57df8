/**
 * Points in some √N lists of near ones, and for each point the lists nearest to it.
 *
 * Lists      the blocks of a bisection, then twice: every point to the list with the nearest mean (Lloyd)
 * Probes     of a point: lists by the distance of their means, the nearest first
 *
 * | symbol | variable     | shape                                                   |
 * |--------|--------------|---------------------------------------------------------|
 * | ℓ(n)   | list         | N, the list of a point                                  |
 * | c      | means        | L × D                                                   |
 * |        | order, start | positions: the points list by list, and where each begins |
 *
 * Lloyd: Least squares quantization in PCM. IEEE Trans. Inf. Theory 28 (1982) 129-137. Time O(N^1.5 D).
 */
import { type DenseMatrix, gemm, ProductWorkspace, type RandomGenerator } from "@curvature/linalg";
import { bisection } from "./bisection.js";
import { centreOf } from "./point-blocks.js";

const ROUNDS = 2;
/** Points that are compared with all means at a time. */
const CHUNK = 256;

/** √N points a list, in a multiple of the product's four rows, and not so few that products are small. */
const listSize = (N: number): number => Math.max(64, 4 * Math.round(Math.sqrt(N) / 4));

export class InvertedLists {
  /** L */
  readonly count: number;
  /** Position → point, list by list. */
  readonly order: Int32Array;
  /** List J has the positions start[J] … start[J + 1] − 1. */
  readonly start: Int32Array;
  /** Lists that a point knows the order of. */
  readonly probes: number;
  /** The lists of the point at position p, the nearest first, at p · probes. */
  readonly nearest: Int32Array;

  private constructor(
    list: Int32Array,
    private readonly means: Means,
    probes: number,
  ) {
    const { count } = means;
    this.count = count;
    this.probes = Math.min(probes, count);
    this.start = new Int32Array(count + 1);
    for (const J of list) this.start[J + 1]++;
    for (let J = 0; J < count; J++) this.start[J + 1] += this.start[J];
    const next = this.start.slice();
    this.order = new Int32Array(list.length);
    for (let n = 0; n < list.length; n++) this.order[next[list[n]]++] = n;
    this.nearest = new Int32Array(list.length * this.probes);
  }

  /**
   * In steps, each of which compares a chunk of points with the means.
   *
   * @param most - lists that each point is to know; 0 where only others ask
   */
  static *of(Y: DenseMatrix, most: number, random: RandomGenerator): Generator<void, InvertedLists, void> {
    const block = listSize(Y.rows);
    const list = new Int32Array(Y.rows);
    for (const [position, n] of (yield* bisection(Y, block, random)).entries())
      list[n] = Math.floor(position / block);
    const means = new Means(Y, Math.ceil(Y.rows / block), list);
    for (let round = 0; round < ROUNDS; round++) {
      for (let n = 0; n < Y.rows; n += CHUNK) {
        means.assign(n, Math.min(Y.rows, n + CHUNK), list);
        yield;
      }
      means.update(list);
    }
    const lists = new InvertedLists(list, means, most);
    for (let p = 0; most > 0 && p < Y.rows; p += CHUNK) {
      const end = Math.min(Y.rows, p + CHUNK);
      means.rank(Y, lists.order.subarray(p, end), lists.nearest.subarray(p * lists.probes), lists.probes);
      yield;
    }
    return lists;
  }

  /** The `probes` nearest lists of rows from … end − 1 of Q, 256 at the most, the nearest first, into `nearest` at q · probes. */
  rank(Q: DenseMatrix, from: number, end: number, nearest: Int32Array, probes: number): void {
    const rows = Int32Array.from({ length: end - from }, (_, i) => from + i);
    this.means.rank(Q, rows, nearest.subarray(from * probes), probes);
  }
}

/** The lists' means, about a centre of all points, and points compared with them. */
class Means {
  private readonly means: Float64Array;
  private readonly half: Float64Array;
  private readonly centre: Float64Array;
  private readonly rows: Float64Array;
  private readonly products: Float64Array;
  private readonly workspace = new ProductWorkspace();

  constructor(
    private readonly Y: DenseMatrix,
    readonly count: number,
    list: Int32Array,
  ) {
    this.means = new Float64Array(count * Y.columns);
    this.half = new Float64Array(count);
    this.centre = centreOf(Y);
    this.rows = new Float64Array(CHUNK * Y.columns);
    this.products = new Float64Array(CHUNK * count);
    this.update(list);
  }

  /** c_J ← the mean of list J; a list that has lost all its points keeps the one it had. */
  update(list: Int32Array): void {
    const { means, half, count, centre } = this;
    const { columns: D, data } = this.Y;
    const sizes = new Int32Array(count);
    for (const J of list) sizes[J]++;
    for (let J = 0; J < count; J++) if (sizes[J] > 0) means.fill(0, J * D, (J + 1) * D);
    for (let n = 0, at = 0; n < list.length; n++) {
      const to = list[n] * D;
      const share = 1 / sizes[list[n]];
      for (let j = 0; j < D; j++, at++) means[to + j] += share * (data[at] - centre[j]);
    }
    for (let J = 0; J < count; J++) {
      let norm = 0;
      for (let j = 0; j < D; j++) norm += means[J * D + j] * means[J * D + j];
      half[J] = 0.5 * norm;
    }
  }

  /** ℓ(n) ← the list whose mean is nearest; the present one where no other is nearer. */
  assign(from: number, end: number, list: Int32Array): void {
    const { count, products } = this;
    for (let n = from; n < end; n++) this.take(this.Y, n, n - from);
    this.compare(end - from);
    for (let n = from; n < end; n++) {
      const row = (n - from) * count;
      let best = list[n];
      for (let J = 0; J < count; J++) if (products[row + J] > products[row + best]) best = J;
      list[n] = best;
    }
  }

  /** The `probes` nearest lists of these rows of Q, i-th to i · probes of `nearest`. */
  rank(Q: DenseMatrix, rows: Int32Array, nearest: Int32Array, probes: number): void {
    const { count, products } = this;
    for (const [i, n] of rows.entries()) this.take(Q, n, i);
    this.compare(rows.length);
    for (let i = 0; i < rows.length; i++) {
      const row = i * count;
      const to = i * probes;
      for (let J = 0; J < count; J++) {
        const product = products[row + J];
        let place = Math.min(J, probes);
        if (place === probes && product <= products[row + nearest[to + probes - 1]]) continue;
        if (place === probes) place--;
        for (; place > 0 && products[row + nearest[to + place - 1]] < product; place--)
          nearest[to + place] = nearest[to + place - 1];
        nearest[to + place] = J;
      }
    }
  }

  private take({ columns: D, data }: DenseMatrix, n: number, row: number): void {
    for (let j = 0; j < D; j++) this.rows[row * D + j] = data[n * D + j] - this.centre[j];
  }

  /** ⟨y, c_J⟩ − ‖c_J‖²/2 of the rows that were taken: the larger, the nearer. */
  private compare(rows: number): void {
    const { count, products, half } = this;
    const D = this.Y.columns;
    for (let J = 0; J < count; J++) products[J] = -half[J];
    for (let i = 1; i < rows; i++) products.copyWithin(i * count, 0, count);
    const left = { data: this.rows, offset: 0, rowStride: D, columnStride: 1 };
    const right = { data: this.means, offset: 0, rowStride: 1, columnStride: D };
    const into = { data: products, offset: 0, rowStride: count, columnStride: 1 };
    gemm(1, rows, count, D, left, right, into, false, this.workspace);
  }
}
