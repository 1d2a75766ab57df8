/**
 * Labels of points: the cheapest of greedy starts on the points and of roundings of Q, each polished (see `k-means.ts`). Of equal
 * costs the first wins.
 *
 * The starts carry the labels, the relaxation carries their certificate: on twenty sets of 50 to 300 points the best of
 * twenty starts is within 0.06 % of the best partition known but once (0.16 %, eleven clusters that touch). More starts are made
 * only where a certificate says that they can pay.
 */
import { type DenseMatrix, log, RandomGenerator, zeros } from "@curvature/linalg";
import { numberedByFirst } from "../geometry/clusters.js";
import { atOnce, type Steps } from "../steps.js";
import type { BranchAndBound } from "./branch-and-bound.js";
import { copiesOf } from "./copies.js";
import { type LabelCost, labelCost, lowerCost, roundingShare, type Scaled, scaledCost } from "./cost.js";
import { farthestStart, greedyStart } from "./greedy-start.js";
import { costOf, polished, roughlyPolished, type WeightedPoints } from "./k-means.js";
import { type Conflicts, coloring, type Links, linkedGroups, respectful } from "./links.js";
import { clustersOnLine, fitsOnLine, onlyColumn } from "./one-column.js";
import { ownCoordinates } from "./own-coordinates.js";
import { PieceLabels } from "./piece-labels.js";
import { piecesOf, rowsOf } from "./pieces.js";

/** Different points up to which their bound is that of the whole: a step takes 15 ms for 300, 0.1 s for 600. */
export const MOST_AT_ONCE = 600;

const STARTS = 20;
/**
 * Of the starts of so many clusters of many points, after the first one, so few are polished to the end, those that cost least after
 * Lloyd's sweeps: on 12 sets of 1,797 to 10,000 points with K = 25 and 100 the best of all was among these (among 5 of them on 11).
 */
const MANY_CLUSTERS = 20;
const POLISHED = 8;
const MORE_STARTS = 180;
/** Products that the greedy choice of centres may take before there are fewer starts: with the polish some seconds. */
const MAX_PRODUCTS = 2e8;
/** The same where starts are what the labels come from, and the event loop has its turn between them. */
const MAX_OWN_PRODUCTS = 4e9;
const MAX_MORE_PRODUCTS = 2e8;
/** Products after which the event loop has its turn: some 20 ms. */
const TURN = 2e7;
/** Sweeps that a start may take, for the share of it that is done. */
const SWEEPS = 20;
/** A difference of costs that is no rounding. */
const PLAIN = 1e-6;

export class LabelSearch {
  /** Of each point its cluster, numbered by their first points. */
  labels: Int32Array;
  /** Different points; with links points that may be apart. */
  readonly different: number;
  /** Of the labels. */
  own: Scaled;
  /** Where the points fall apart: the labels are those of the pieces. */
  pieces: PieceLabels<LabelSearch> | undefined;
  private readonly total: Scaled;
  /** Of each point its row in `distinct`. */
  private readonly rowOf: Int32Array;
  private readonly distinct: WeightedPoints;
  private next: number;
  /** Of the labels so far, in the unit of `distinct`. */
  private cheapest = Number.POSITIVE_INFINITY;
  /** Between rows of `distinct`, with labels that respect them. */
  private readonly apart: { readonly conflicts: Conflicts; readonly labels: Int32Array } | undefined;
  /** The best bound of Tr(D Q) over clusterings, over Tr D. */
  private share = Number.POSITIVE_INFINITY;
  /** Starts that are to be polished to the end, the cheapest first; undefined where each is at once. */
  private rough: readonly { readonly labels: Int32Array; readonly cost: number }[] | undefined;
  /** The numbers, where the points are no more than that: their best labels need no starts and no relaxation. */
  private readonly line: Float64Array | undefined;
  /** No clustering costs less; undefined before the labels of a line are found. */
  private least: Scaled | undefined;

  /**
   * Before the first start all points are in one cluster.
   *
   * @param points - as they were given: what is a copy, and what labels cost
   * @param X - the same, centred and perhaps scaled: where clusters are looked for
   * @param k - from 1 to n
   * @param links - pairs of rows that must be together, or apart
   */
  constructor(
    readonly points: DenseMatrix,
    X: DenseMatrix,
    readonly k: number,
    private readonly seed: number,
    links?: Links,
  ) {
    const { rows: n, columns: d } = points;
    const { rowOf, copies } = copiesOf(points);
    this.total = scaledCost(points, new Int32Array(n), 1);
    this.next = seed;
    this.labels = new Int32Array(n);
    this.own = this.total;
    if (links === undefined) {
      this.rowOf = rowOf;
      const distinct = zeros(copies.length, d);
      for (let i = n - 1; i >= 0; i--) distinct.data.set(X.data.subarray(i * d, (i + 1) * d), rowOf[i] * d);
      this.distinct = { X: distinct, weights: copies };
    } else {
      const { groupOf, conflicts } = linkedGroups(rowOf, links);
      this.rowOf = groupOf;
      this.distinct = meansOf(X, groupOf, conflicts.length);
      this.apart = { conflicts, labels: coloring(conflicts, k) };
      this.labels = this.ofPoints(this.apart.labels);
      this.own = scaledCost(points, this.labels, k);
    }
    this.different = this.distinct.weights.length;
    if (links === undefined && k > 1 && fitsOnLine(this.different, k)) this.line = onlyColumn(points);
  }

  get isLinked(): boolean {
    return this.apart !== undefined;
  }

  /**
   * The starts one by one, each with the share of them that is made; then those of the pieces, where there are some.
   *
   * @param isOwn - whether the labels are to come from starts, however many points there are; else a rounding must follow
   */
  *starts(isOwn: boolean): Generator<number, void> {
    if (this.line !== undefined) {
      const { labels, lower } = yield* clustersOnLine(this.line, this.k);
      this.offer(numberedByFirst(labels, this.k));
      this.least = lower;
      yield* this.fallApart(true);
      return;
    }
    const few = this.count(STARTS, isOwn ? MAX_OWN_PRODUCTS : MAX_PRODUCTS);
    const starts = Math.max(isOwn ? 1 : 0, few);
    const isRanked = this.k >= MANY_CLUSTERS && this.different > MOST_AT_ONCE;
    for (let s = 0; s < starts && this.pieces === undefined; s++) {
      if (s === 1 && isRanked) this.rough = [];
      for (const part of this.start(this.starting())) yield (s + part) / starts;
      if (s === 0)
        for (const _ of this.start(this.polishing(farthestStart(this.distinct, this.k)))) yield 1 / starts;
      // what the first start shows may say all there is to say about who gets how many clusters
      if (s === starts - 1) yield* this.polishRough(s / starts);
      if (s === 0 || s === starts - 1) for (const _ of this.fallApart(s === starts - 1)) yield s / starts;
      yield (s + 1) / starts;
    }
  }

  /** @param isLast - whether pieces are taken that share clusters out among them, too */
  private *fallApart(isLast: boolean): Generator<number, void> {
    const { points, own, k, labels, seed } = this;
    if (k === 1 || own.cost === 0 || this.isLinked) return;
    const rows = piecesOf(points, own);
    if (rows.length === 1 || rows.length > k) return;
    const pieces = new PieceLabels(rows, labels, k, (piece, share) => {
      const part = rowsOf(points, piece);
      return new LabelSearch(part, ownCoordinates(part).X, share, seed);
    });
    if (pieces.total > k || (!pieces.isForced && !isLast)) return;
    yield* pieces.search();
    this.pieces = pieces;
    this.takePieces();
  }

  private takePieces(): void {
    if (this.pieces === undefined) return;
    const { labels, own } = this.pieces.all();
    if (costOver(own, this.own) > 1) return;
    this.labels = numberedByFirst(labels, this.k);
    this.own = own;
  }

  /** More starts, of other seeds; who has no time for all of them leaves the others. */
  *moreStarts(): Generator<number, void> {
    if (this.least !== undefined) return;
    if (this.pieces !== undefined) {
      try {
        yield* this.pieces.moreStarts();
      } finally {
        this.takePieces();
      }
      return;
    }
    const starts = this.count(MORE_STARTS, MAX_MORE_PRODUCTS);
    for (let s = 0; s < starts; s++) {
      for (const part of this.start(this.starting())) yield (s + part) / starts;
      yield (s + 1) / starts;
    }
  }

  /** How many starts are worth it, up to `most`. */
  private count(most: number, products: number): number {
    const { different, k, points } = this;
    if (k === 1 || k >= different) return 1; // all of them are the same
    return Math.min(most, Math.floor(products / (different * points.columns * k * (2 + Math.floor(log(k))))));
  }

  /** Labels from elsewhere, a rounding of Q for one; they are polished. */
  offerRounding(labels: Int32Array): void {
    this.rough = undefined; // where the starts were broken off, too
    this.offerPolished(atOnce(this.polishing(this.ofDistinct(labels))));
  }

  /** Each point once, centred, with the label at hand; which must be apart, and the polish that keeps to it. */
  distinctPoints(): {
    readonly points: WeightedPoints;
    readonly labels: Int32Array;
    readonly conflicts: Conflicts | undefined;
    readonly polish: (labels: Int32Array) => Int32Array;
  } {
    return {
      points: this.distinct,
      labels: this.ofDistinct(this.labels),
      conflicts: this.apart?.conflicts,
      polish: (labels) => atOnce(this.polishing(labels)),
    };
  }

  /** What a proof has come to. Points that must be together are its points; what these groups cost within is nothing of Tr(D Q). */
  takeProof({ labels, trace, upper }: BranchAndBound): void {
    this.offer(this.ofPoints(labels));
    const { rows: n, columns } = this.points;
    if (!this.isLinked) {
      if (trace > 0) this.share = Math.min(this.share, upper / trace);
      return;
    }
    const between = 1 - this.shareOfTotal(this.withinGroups);
    const share = (trace > 0 ? upper / trace : 0) * between + roundingShare(n, columns, this.k);
    this.share = Math.min(this.share, share);
  }

  /** What the groups of points that must be together cost about their means, in the unit of the labels' cost; 0 without links. */
  get withinGroups(): number {
    if (!this.isLinked) return 0;
    return costOver(scaledCost(this.points, this.rowOf, this.different), this.own) * this.own.cost;
  }

  /** Each point once, or the mean of those that must be together, in coordinates of their own, with its weight and label. */
  differentPoints(): WeightedPoints & {
    readonly unit: number;
    readonly labels: Int32Array;
    readonly conflicts: Conflicts | undefined;
  } {
    const { points, rowOf, distinct, different } = this;
    const { columns: d, data } = points;
    const labels = this.ofDistinct(this.labels);
    const others = { weights: distinct.weights, labels, conflicts: this.apart?.conflicts };
    if (this.isLinked) {
      const { X, unit } = ownCoordinates(points);
      return { ...others, ...meansOf(X, rowOf, different), unit };
    }
    const rows = zeros(different, d);
    for (let i = rowOf.length - 1; i >= 0; i--)
      rows.data.set(data.subarray(i * d, (i + 1) * d), rowOf[i] * d);
    return { ...others, ...ownCoordinates(rows) };
  }

  /** Of the labels at hand. @param upper - a bound of Tr(D Q), D of this trace, its margin included; Infinity for none */
  certificate(trace: number, upper: number): LabelCost {
    const { rows: n, columns } = this.points;
    const least = Math.min(upper, this.share * trace);
    const bounded = labelCost(this.own, this.total, { trace, n, columns }, least, this.k);
    const known = lowerCost(this.own, this.lower ?? 0);
    return known.costGap < bounded.costGap ? known : bounded;
  }

  /** No clustering costs less, in the unit of the labels' cost, where that is known without a relaxation. */
  get lower(): number | undefined {
    return this.least && costOver(this.least, this.own) * this.own.cost;
  }

  /** Of a cost in the unit of the labels' own: its share of what one cluster costs. */
  shareOfTotal(cost: number): number {
    return this.total.cost === 0 ? 0 : costOver({ cost, unit: this.own.unit }, this.total);
  }

  /** The cost of the labels over what Tr(D Q) they come to: what a tolerance of one is as one of the other. */
  get costOverValue(): number {
    const share = this.shareOfTotal(this.own.cost);
    return share < 1 ? share / (1 - share) : Number.POSITIVE_INFINITY;
  }

  /** One start, with about the share of it that is done where it takes long. */
  private *start(steps: Steps<Int32Array>): Generator<number, void> {
    const { different, points, k } = this;
    const expected = SWEEPS * different * points.columns * k;
    let [products, sinceTurn] = [0, 0];
    for (;;) {
      const step = steps.next();
      if (step.done === true) {
        this.offerPolished(step.value);
        return;
      }
      products += step.value;
      sinceTurn += step.value;
      if (sinceTurn < TURN) continue;
      sinceTurn = 0;
      yield products / (products + expected);
    }
  }

  /** Labels of rows of `distinct`. */
  private *starting(): Steps<Int32Array> {
    const { distinct, k } = this;
    const random = new RandomGenerator(this.next++);
    return yield* this.polishing(yield* greedyStart(distinct, k, random));
  }

  private polishing(start: Int32Array): Steps<Int32Array> {
    const { distinct, k, apart } = this;
    const allowed = apart === undefined ? start : respectful(start, k, apart.conflicts, apart.labels);
    const polish = this.rough === undefined ? polished : roughlyPolished;
    return polish(distinct, allowed, k, apart?.conflicts);
  }

  /** The cheapest of what Lloyd's sweeps have come to, to the end; from then on every start goes there. */
  private *polishRough(share: number): Generator<number, void> {
    const best = this.rough ?? [];
    this.rough = undefined;
    for (const { labels } of best) for (const _ of this.start(this.polishing(labels))) yield share;
  }

  private ofDistinct(labels: Int32Array): Int32Array {
    const own = new Int32Array(this.different);
    for (let i = labels.length - 1; i >= 0; i--) own[this.rowOf[i]] = labels[i];
    return own;
  }

  private ofPoints(labels: Int32Array): Int32Array {
    return numberedByFirst(
      this.rowOf.map((row) => labels[row]),
      this.k,
    );
  }

  /** Labels of rows of `distinct`, unless it is plain that they cost more than others did: their own cost takes longer to know. */
  private offerPolished(labels: Int32Array): void {
    const cost = costOf(this.distinct, labels, this.k);
    if (this.rough !== undefined)
      this.rough = [...this.rough, { labels, cost }].sort((a, b) => a.cost - b.cost).slice(0, POLISHED);
    if (cost > this.cheapest * (1 + PLAIN)) return;
    this.cheapest = Math.min(this.cheapest, cost);
    this.offer(this.ofPoints(labels));
  }

  private offer(labels: Int32Array): void {
    if (labels.every((label, i) => label === this.labels[i])) return;
    const own = scaledCost(this.points, labels, this.k);
    if (!(costOver(own, this.own) < 1)) return;
    this.own = own;
    this.labels = labels;
  }
}

/** a/b, 0 where both are 0. */
function costOver(a: Scaled, b: Scaled): number {
  if (a.cost === 0) return 0;
  return (a.cost / b.cost) * (a.unit / b.unit) * (a.unit / b.unit);
}

/** The means of the rows of each group, and how many they are. */
function meansOf(
  { rows, columns: d, data }: DenseMatrix,
  groupOf: Int32Array,
  count: number,
): WeightedPoints {
  const weights = new Float64Array(count);
  for (let i = 0; i < rows; i++) weights[groupOf[i]]++;
  const X = zeros(count, d);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < d; j++) X.data[groupOf[i] * d + j] += data[i * d + j] / weights[groupOf[i]];
  return { X, weights };
}
