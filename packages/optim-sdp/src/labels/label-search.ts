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
import { BranchAndBound } from "./branch-and-bound.js";
import { type LabelCost, labelCost, type Scaled, scaledCost } from "./cost.js";
import { greedyStart, polished, type WeightedPoints } from "./k-means.js";

const STARTS = 20;
const MORE_STARTS = 180;
/** Products that the greedy choice of centres may take before there are fewer starts: with the polish some seconds. */
const MAX_PRODUCTS = 2e8;
const MAX_MORE_PRODUCTS = 2e8;

export class LabelSearch {
  /** Of each point its cluster, numbered by their first points. */
  labels: Int32Array;
  /** Different points. */
  readonly different: number;
  private best: Scaled;
  private readonly total: Scaled;
  /** Of each point its row in `distinct`. */
  private readonly rowOf: Int32Array;
  private readonly distinct: WeightedPoints;
  private next: number;
  /** The best bound of Tr(D Q) over clusterings, over Tr D. */
  private share = Number.POSITIVE_INFINITY;

  /**
   * @param points - as they were given: what is a copy, and what labels cost
   * @param X - the same, centred and perhaps scaled: where clusters are looked for
   * @param k - from 1 to n
   * @param least - starts that are made however many points there are; with 0 a rounding must follow
   */
  constructor(
    private readonly points: DenseMatrix,
    X: DenseMatrix,
    private readonly k: number,
    seed: number,
    least: 0 | 1,
  ) {
    const { rows: n, columns: d } = points;
    const { rowOf, copies } = copiesOf(points);
    this.rowOf = rowOf;
    this.different = copies.length;
    const distinct = zeros(copies.length, d);
    for (let i = n - 1; i >= 0; i--) distinct.data.set(X.data.subarray(i * d, (i + 1) * d), rowOf[i] * d);
    this.distinct = { X: distinct, weights: copies };
    this.total = scaledCost(points, new Int32Array(n), 1);
    this.next = seed;
    this.labels = new Int32Array(n);
    this.best = this.total;
    const starts = Math.max(least, this.count(STARTS, MAX_PRODUCTS));
    for (let s = 0; s < starts; s++) this.offer(this.started());
  }

  /** More starts, of other seeds. */
  startMore(): void {
    for (let s = this.count(MORE_STARTS, MAX_MORE_PRODUCTS); s > 0; s--) this.offer(this.started());
  }

  /** How many starts are worth it, up to `most`. */
  private count(most: number, products: number): number {
    const { different, k, points } = this;
    if (k === 1 || k >= different) return 1; // all of them are the same
    return Math.min(most, Math.floor(products / (different * points.columns * k * (2 + Math.floor(log(k))))));
  }

  /** A rounding of Q, which is polished. */
  offerRounding(labels: Int32Array): void {
    this.offer(this.ofPoints(polished(this.distinct, this.ofDistinct(labels), this.k)));
  }

  /** What proves the labels at hand, or finds better ones. @param branches - whether to the end */
  proof(branches: boolean): BranchAndBound {
    return new BranchAndBound(this.distinct, this.k, this.ofDistinct(this.labels), branches);
  }

  /** What a proof has come to. */
  takeProof({ labels, trace, upper }: BranchAndBound): void {
    this.offer(this.ofPoints(labels));
    if (trace > 0) this.share = Math.min(this.share, upper / trace);
  }

  /** Of the labels at hand. @param upper - a bound of Tr(D Q), D of this trace, its margin included; Infinity for none */
  certificate(trace: number, upper: number): LabelCost {
    const { rows: n, columns } = this.points;
    return labelCost(
      this.best,
      this.total,
      { trace, n, columns },
      Math.min(upper, this.share * trace),
      this.k,
    );
  }

  /** The cost of the labels over what Tr(D Q) they come to: what a tolerance of one is as one of the other. */
  get costOverValue(): number {
    const between = this.total.cost - this.best.cost;
    return between > 0 ? this.best.cost / between : Number.POSITIVE_INFINITY;
  }

  private started(): Int32Array {
    const { distinct, k } = this;
    const random = new RandomGenerator(this.next++);
    return this.ofPoints(polished(distinct, greedyStart(distinct, k, random), k));
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

  private offer(labels: Int32Array): void {
    const cost = scaledCost(this.points, labels, this.k);
    if (!(cost.cost < this.best.cost)) return;
    this.best = cost;
    this.labels = labels;
  }
}

/** Which points are copies of which: rows numbered by their first points, and how often each is there. */
function copiesOf({ rows: n, columns: d, data }: DenseMatrix): { rowOf: Int32Array; copies: Float64Array } {
  const rows = new Map<string, number>();
  const counts: number[] = [];
  const rowOf = new Int32Array(n);
  for (let i = 0; i < n; i++) {
    const key = data.subarray(i * d, (i + 1) * d).join(); // −0 is written as 0
    const row = rows.get(key) ?? rows.size;
    if (row === rows.size) {
      rows.set(key, row);
      counts.push(0);
    }
    counts[row]++;
    rowOf[i] = row;
  }
  return { rowOf, copies: Float64Array.from(counts) };
}
