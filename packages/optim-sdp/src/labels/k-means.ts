/**
 * Partitions of points into k clusters of small sum of squares: the polish of a start (see `greedy-start.ts`) to one that no move of
 * one point improves.
 *
 * Problem        minimise W = Σ_c Σ_{i in C_c} w_i ‖x_i − m_c‖²,  m_c the weighted mean of C_c. Copies of a point are one point of
 *                weight w, so that they never come into different clusters
 * Lloyd          every point to its nearest mean, until none moves
 * Hartigan-Wong  i goes from a to the b of least loss if that lowers W, and the means follow at once:
 *                  N_b w/(N_b + w) ‖x_i − m_b‖²  <  (1 − 1e-12) N_a w/(N_a − w) ‖x_i − m_a‖²
 *                until as many points in a row as there are do not move
 * Chains         where points must not be together: i goes from a to b, those of b that must not be with it go to a, those of a that
 *                must not be with them to b, and so on, if that lowers W; then Hartigan-Wong again. Of two clusters points that must
 *                be apart can go in no other way (Kempe chains of graph colouring)
 *
 * | symbol | variable   | shape                             |
 * |--------|------------|-----------------------------------|
 * | x      | X          | m × d, different rows             |
 * | w      | weights    | m, copies of each row             |
 * | m_c    | means      | k × d                             |
 * | N_c    | masses     | k, sums of weights                |
 *
 * Hartigan, Wong: Algorithm AS 136. Applied Statistics 28 (1979). A partition that
 * Hartigan-Wong leaves alone is one that Lloyd leaves alone too, but not the other way round. Time per sweep m k d.
 */
import type { DenseMatrix } from "@curvature/linalg";
import type { Steps } from "../steps.js";
import { type Conflicts, isAllowed } from "./links.js";
import type { WeightedPoints } from "./point-sample.js";

export type { WeightedPoints } from "./point-sample.js";

const MAX_LLOYD = 100;
/** Sweeps after which sums are added up anew; in between they follow the points that move. */
const FRESH = 20;
/** Sweeps of Hartigan-Wong; a few do nearly always. */
const MAX_SWEEPS = 200;
/** Of them and chains, in turn. */
const MAX_ROUNDS = 50;
/** Of the loss: what rounding could pretend. */
const GAIN = 1e-12;
/** Of a distance, and of the means' whole way: what rounding could take from a bound. */
export const SLACK = 1e-9;
const ANY = Number.POSITIVE_INFINITY;

/**
 * The labels after Lloyd and Hartigan-Wong, every cluster with a point where there are as many points.
 *
 * @param conflicts - which points no point comes to, if the start respects them
 */
export function* polished(
  points: WeightedPoints,
  start: Int32Array,
  k: number,
  conflicts?: Conflicts,
): Steps<Int32Array> {
  const labels = start.slice();
  const products = labels.length * points.X.columns * k;
  const clusters = new Means(points, k, conflicts);
  yield* swept(clusters, labels, products);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    let still = 0;
    for (let sweep = 0; sweep < MAX_SWEEPS && still < labels.length; sweep++) {
      clusters.fit(labels); // what rounding has left in the means is gone
      clusters.fill(labels);
      for (let i = 0; i < labels.length && still < labels.length; i++) {
        const b = clusters.better(i, labels);
        still = b === labels[i] ? still + 1 : 0;
        if (b !== labels[i]) clusters.move(i, labels[i], b);
        labels[i] = b;
      }
      yield products;
    }
    if (conflicts === undefined || !(yield* clusters.swapChains(labels, conflicts))) break;
  }
  return labels;
}

/** The labels after Lloyd alone: a third of the time, and of many starts the best ones after both are among the best ones after it. */
export function* roughlyPolished(
  points: WeightedPoints,
  start: Int32Array,
  k: number,
  conflicts?: Conflicts,
): Steps<Int32Array> {
  const labels = start.slice();
  yield* swept(new Means(points, k, conflicts), labels, labels.length * points.X.columns * k);
  return labels;
}

/** Lloyd's sweeps. */
function* swept(clusters: Means, labels: Int32Array, products: number): Steps<void> {
  for (let sweep = 0; sweep < MAX_LLOYD; sweep++) {
    if (sweep % FRESH === 0) clusters.fit(labels);
    else clusters.follow();
    clusters.fill(labels);
    if (sweep === 0) clusters.forget();
    if (!clusters.assign(labels)) return;
    yield products;
  }
}

/** Of labels, without care for digits: of far values `scaledCost` knows more. */
export function costOf({ X, weights }: WeightedPoints, labels: Int32Array, K: number): number {
  const { rows: n, columns: d, data } = X;
  const masses = new Float64Array(K);
  const means = new Float64Array(K * d);
  for (let i = 0; i < n; i++) {
    masses[labels[i]] += weights[i];
    for (let j = 0; j < d; j++) means[labels[i] * d + j] += weights[i] * data[i * d + j];
  }
  let cost = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < d; j++) {
      const deviation = data[i * d + j] - means[labels[i] * d + j] / masses[labels[i]];
      cost += weights[i] * deviation * deviation;
    }
  }
  return cost;
}

/**
 * The clusters of a partition in the making. Of each point a bound is kept from above of its distance from its own mean, and one from
 * below of that from every other mean; they go with what the means have moved since. Most points of most sweeps need no
 * distance then (Hamerly: Making k-means even faster. SDM 2010); what is done is the same as without.
 */
export class Means {
  private means: Float64Array;
  private before: Float64Array;
  /** Σ w x of each cluster, in Lloyd's sweeps. */
  private readonly sums: Float64Array;
  private readonly masses: Float64Array;
  /** How far each mean has moved in all, and had when they were made anew the last time. */
  private readonly moved: Float64Array;
  private readonly movedBefore: Float64Array;
  /** What no mean has moved more than: summed up over the times between two of these, and since the last one. */
  private movedMost = 0;
  private drift = 0;
  /** Bound of the distance from the own mean, less `moved` of it then. */
  private readonly near: Float64Array;
  /** Bound of the distance from the other means, plus `movedMost` then: they have not moved more than `drift` and what is added since. */
  private readonly far: Float64Array;
  private lightest = 0;
  /** Of one point from each mean, squared. */
  private readonly distances: Float64Array;
  /** Different points of each cluster. */
  private readonly counts: Int32Array;

  constructor(
    private readonly points: WeightedPoints,
    private readonly k: number,
    private readonly conflicts: Conflicts | undefined,
  ) {
    this.means = new Float64Array(k * points.X.columns);
    this.before = new Float64Array(k * points.X.columns);
    this.sums = new Float64Array(k * points.X.columns);
    this.masses = new Float64Array(k);
    this.counts = new Int32Array(k);
    this.moved = new Float64Array(k);
    this.movedBefore = new Float64Array(k);
    this.distances = new Float64Array(k);
    this.near = new Float64Array(points.X.rows).fill(ANY);
    this.far = new Float64Array(points.X.rows).fill(-ANY);
  }

  fit(labels: Int32Array): void {
    const { masses, counts, sums } = this;
    const { X, weights } = this.points;
    const { columns: d, data } = X;
    for (const array of [sums, masses, counts]) array.fill(0);
    for (let i = 0, at = 0; i < labels.length; i++) {
      const c = labels[i];
      const w = weights[i];
      masses[c] += w;
      counts[c]++;
      const row = c * d;
      for (let j = row; j < row + d; j++, at++) sums[j] += w * data[at];
    }
    this.follow();
  }

  /** The means of the sums. */
  follow(): void {
    const { masses, counts, sums, k } = this;
    const d = this.points.X.columns;
    const means = this.before;
    for (let c = 0; c < k; c++) {
      if (counts[c] === 0) continue;
      for (let j = 0; j < d; j++) means[c * d + j] = sums[c * d + j] / masses[c];
      const move = Math.sqrt(squaredDistance({ rows: k, columns: d, data: means }, c, this.means, c, ANY));
      this.movedBy(c, move);
    }
    this.movedMost += this.drift;
    this.drift = 0;
    this.movedBefore.set(this.moved);
    this.before = this.means;
    this.means = means;
    this.weigh();
  }

  private movedBy(c: number, way: number): void {
    this.moved[c] += way;
    this.drift = Math.max(this.drift, this.moved[c] - this.movedBefore[c]);
  }

  /** All bounds, for means that are others altogether. */
  forget(): void {
    this.near.fill(ANY);
    this.far.fill(-ANY);
    this.moved.fill(0);
    this.movedBefore.fill(0);
    this.movedMost = 0;
    this.drift = 0;
  }

  private weigh(): void {
    const { masses, counts, k } = this;
    this.lightest = ANY;
    for (let c = 0; c < k; c++) if (counts[c] > 0) this.lightest = Math.min(this.lightest, masses[c]);
  }

  /** Each empty cluster takes the point that costs most, of those that are not alone. */
  fill(labels: Int32Array): void {
    const { counts, points, k } = this;
    for (let c = 0; c < k; c++) {
      if (counts[c] > 0) continue;
      let farthest = -1;
      let most = -1;
      for (let i = 0; i < labels.length; i++) {
        const cost = points.weights[i] * this.squaredDistance(i, labels[i]);
        if (counts[labels[i]] < 2 || !(cost > most)) continue;
        farthest = i;
        most = cost;
      }
      if (farthest < 0) return;
      labels[farthest] = c;
      this.fit(labels);
      this.forget(); // no bound knows of a cluster that was empty
    }
  }

  /** Every point to its nearest mean. @returns whether one has moved */
  assign(labels: Int32Array): boolean {
    const { counts, k, distances } = this;
    let isMoved = false;
    for (let i = 0; i < labels.length; i++) {
      const own = labels[i];
      if (this.isNearest(i, own, 1)) continue;
      this.measure(i);
      let nearest = own;
      let least = distances[own];
      let second = ANY;
      for (let c = 0; c < k; c++) {
        if (counts[c] === 0 || c === own) continue;
        const distance = distances[c];
        if (!(distance < (1 - GAIN) * least) || !isAllowed(this.conflicts, labels, i, c)) {
          if (distance < second) second = distance;
          continue;
        }
        second = least;
        nearest = c;
        least = distance;
      }
      if (nearest !== own) {
        isMoved = true;
        this.add(i, own, -1);
        this.add(i, nearest, 1);
      }
      labels[i] = nearest;
      this.keep(i, nearest, least, second);
    }
    return isMoved;
  }

  /** To the sums of cluster c, or from them. */
  private add(i: number, c: number, sign: 1 | -1): void {
    const { sums, masses, counts } = this;
    const { X, weights } = this.points;
    const { columns: d, data } = X;
    const w = sign * weights[i];
    masses[c] += w;
    counts[c] += sign;
    for (let j = 0; j < d; j++) sums[c * d + j] += w * data[i * d + j];
  }

  /** Of each row of other points the cluster of the nearest mean. */
  nearest(X: DenseMatrix): Int32Array {
    const { counts, distances, k } = this;
    const labels = new Int32Array(X.rows);
    for (let i = 0; i < labels.length; i++) {
      this.measure(i, X);
      let nearest = 0;
      for (let c = 1; c < k; c++) if (counts[c] > 0 && distances[c] < distances[nearest]) nearest = c;
      labels[i] = nearest;
    }
    return labels;
  }

  /** The squares of the distances of point i from all means, of four at once: no sum waits for another one. */
  private measure(i: number, X = this.points.X): void {
    const { means, distances, k } = this;
    const { columns: d, data } = X;
    const row = i * d;
    let c = 0;
    for (; c + 4 <= k; c += 4) {
      const first = c * d;
      const second = first + d;
      const third = second + d;
      const fourth = third + d;
      let a = 0;
      let b = 0;
      let e = 0;
      let f = 0;
      for (let j = 0; j < d; j++) {
        const x = data[row + j];
        const toFirst = x - means[first + j];
        const toSecond = x - means[second + j];
        const toThird = x - means[third + j];
        const toFourth = x - means[fourth + j];
        a += toFirst * toFirst;
        b += toSecond * toSecond;
        e += toThird * toThird;
        f += toFourth * toFourth;
      }
      distances[c] = a;
      distances[c + 1] = b;
      distances[c + 2] = e;
      distances[c + 3] = f;
    }
    for (; c < k; c++) distances[c] = squaredDistance(X, i, means, c, ANY);
  }

  /**
   * Whether the bounds show that every other mean is farther away than the own one, the squares in this ratio at the least; the bound
   * of the own one is made sharp if that helps.
   */
  private isNearest(i: number, own: number, ratio: number): boolean {
    const { near, far, moved } = this;
    const movedMost = this.movedMost + this.drift;
    const slack = SLACK * movedMost;
    const others = (1 - SLACK) * (far[i] - movedMost) - slack;
    if (!(others > 0)) return false;
    const limit = ratio * others * others;
    const bound = near[i] + moved[own] + slack;
    if (bound * bound < limit) return true;
    const distance = Math.sqrt(this.squaredDistance(i, own));
    near[i] = distance - moved[own];
    return (distance + slack) * (distance + slack) < limit;
  }

  /** Of point i: the squares of its distance from the own mean, and of the least one from another, or less. */
  private keep(i: number, own: number, least: number, second: number): void {
    this.near[i] = Math.sqrt(least) - this.moved[own];
    this.far[i] = Math.sqrt(second) + this.movedMost;
  }

  /** The cluster that point i of cluster a should be in: a where no move lowers the cost. */
  better(i: number, labels: Int32Array): number {
    const { masses, counts, k, conflicts } = this;
    const a = labels[i];
    if (counts[a] < 2) return a;
    const w = this.points.weights[i];
    const { lightest } = this;
    // the losses' factors: the least one that there may be elsewhere over the own one
    if (this.isNearest(i, a, (lightest * (masses[a] - w)) / ((lightest + w) * masses[a]))) return a;
    const own = this.squaredDistance(i, a);
    const won = ((masses[a] * w) / (masses[a] - w)) * own;
    let best = a;
    let least = (1 - GAIN) * won;
    let second = ANY;
    for (let b = 0; b < k; b++) {
      if (b === a || counts[b] === 0) continue;
      const share = (masses[b] * w) / (masses[b] + w);
      const distance = this.squaredDistance(i, b, Math.max(second, (2 * least) / share)); // twice, as the limit is rounded
      second = Math.min(second, distance);
      const lost = share * distance;
      if (!(lost < least) || !isAllowed(conflicts, labels, i, b)) continue;
      best = b;
      least = lost;
    }
    if (best === a) this.keep(i, a, own, second);
    return best;
  }

  move(i: number, a: number, b: number): void {
    const { means, masses, counts } = this;
    const { X, weights } = this.points;
    const d = X.columns;
    const w = weights[i];
    let fromA = 0;
    let fromB = 0;
    for (let j = 0; j < d; j++) {
      const x = X.data[i * d + j];
      const stepA = ((means[a * d + j] - x) * w) / (masses[a] - w);
      const stepB = ((x - means[b * d + j]) * w) / (masses[b] + w);
      means[a * d + j] += stepA;
      means[b * d + j] += stepB;
      fromA += stepA * stepA;
      fromB += stepB * stepB;
    }
    this.movedBy(a, Math.sqrt(fromA));
    this.movedBy(b, Math.sqrt(fromB));
    this.near[i] = ANY;
    this.far[i] = -ANY;
    masses[a] -= w;
    masses[b] += w;
    counts[a]--;
    counts[b]++;
    this.weigh();
  }

  /**
   * Swaps every chain that lowers the cost, each point of conflicts and each other cluster once.
   *
   * @returns whether there was one
   */
  *swapChains(labels: Int32Array, conflicts: Conflicts): Steps<boolean> {
    const { counts, k, points } = this;
    let isBetter = false;
    this.fit(labels);
    for (let i = 0; i < labels.length; i++) {
      if (conflicts[i].length === 0) continue;
      let visited = 0;
      for (let b = 0; b < k; b++) {
        const a = labels[i];
        if (b === a || counts[b] === 0) continue;
        const chain = chainOf(i, b, labels, conflicts);
        visited += chain.length;
        if (chain.length === 1 || !this.isLower(chain, a, b, labels)) continue;
        for (const point of chain) labels[point] = labels[point] === a ? b : a;
        this.fit(labels);
        this.forget(); // the bounds know the means as they moved, not as they jump
        isBetter = true;
      }
      yield visited * points.X.columns;
    }
    return isBetter;
  }

  /** Whether W is lower where the points of the chain are in the other one of a and b; sums are about the mean of a. */
  private isLower(chain: readonly number[], a: number, b: number, labels: Int32Array): boolean {
    const { means, masses } = this;
    const { X, weights } = this.points;
    const d = X.columns;
    let mass = 0; // that goes from a to b
    for (const i of chain) mass += labels[i] === a ? weights[i] : -weights[i];
    const [massA, massB] = [masses[a] - mass, masses[b] + mass];
    if (!(massA > 0 && massB > 0)) return false;
    let before = 0;
    let after = 0;
    for (let j = 0; j < d; j++) {
      const between = means[b * d + j] - means[a * d + j];
      let sum = 0; // that goes from a to b
      for (const i of chain)
        sum += (labels[i] === a ? weights[i] : -weights[i]) * (X.data[i * d + j] - means[a * d + j]);
      const ofB = masses[b] * between + sum;
      before += masses[b] * between * between;
      after += (sum * sum) / massA + (ofB * ofB) / massB;
    }
    return after > (1 + GAIN) * before;
  }

  private squaredDistance(i: number, c: number, limit = ANY): number {
    return squaredDistance(this.points.X, i, this.means, c, limit);
  }
}

/** The points of the clusters of i and b that i is joined to by conflicts between them, i among them. */
function chainOf(i: number, b: number, labels: Int32Array, conflicts: Conflicts): number[] {
  const a = labels[i];
  const chain = [i];
  const isIn = new Set(chain);
  for (const point of chain)
    for (const other of conflicts[point]) {
      if (isIn.has(other) || labels[other] !== (labels[point] === a ? b : a)) continue;
      isIn.add(other);
      chain.push(other);
    }
  return chain;
}

/** Columns between two looks at whether the sum is beyond its limit already. */
const BLOCK = 16;

/** ‖row i of X − row c of `others`‖²; of one beyond the limit, some number beyond it. */
export function squaredDistance(
  { columns: d, data }: DenseMatrix,
  i: number,
  others: Float64Array,
  c: number,
  limit: number,
): number {
  let sum = 0;
  for (let begin = 0; begin < d && sum <= limit; begin += BLOCK) {
    const end = Math.min(d, begin + BLOCK);
    for (let j = begin; j < end; j++) {
      const difference = data[i * d + j] - others[c * d + j];
      sum += difference * difference;
    }
  }
  return sum;
}
