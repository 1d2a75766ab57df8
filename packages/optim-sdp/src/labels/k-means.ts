/**
 * Partitions of points into k clusters of small sum of squares: greedy starts, and a polish that no move of one point improves.
 *
 * Problem        minimise W = Σ_c Σ_{i in C_c} w_i ‖x_i − m_c‖²,  m_c the weighted mean of C_c. Copies of a point are one point of
 *                weight w, so that they never come into different clusters
 * Greedy start   points drawn by w_i times their squared distance to the nearest centre, 2 + ⌊ln k⌋ candidates for each centre,
 *                of which the one that lowers the sum most is taken
 * Lloyd          every point to its nearest mean, until none moves
 * Hartigan-Wong  i goes from a to the b of least loss if that lowers W, and the means follow at once:
 *                  N_b w/(N_b + w) ‖x_i − m_b‖²  <  (1 − 1e-12) N_a w/(N_a − w) ‖x_i − m_a‖²
 *                until as many points in a row as there are do not move
 *
 * | symbol | variable   | shape                             |
 * |--------|------------|-----------------------------------|
 * | x      | X          | m × d, different rows             |
 * | w      | weights    | m, copies of each row             |
 * | m_c    | means      | k × d                             |
 * | N_c    | masses     | k, sums of weights                |
 *
 * Arthur, Vassilvitskii: k-means++. SODA 2007; Hartigan, Wong: Algorithm AS 136. Applied Statistics 28 (1979). A partition that
 * Hartigan-Wong leaves alone is one that Lloyd leaves alone too, but not the other way round. Time per sweep m k d.
 */
import { type DenseMatrix, log, type RandomGenerator } from "@curvature/linalg";
import { type Conflicts, isAllowed } from "./links.js";

export interface WeightedPoints {
  readonly X: DenseMatrix;
  readonly weights: Float64Array;
}

const MAX_LLOYD = 100;
/** Sweeps of Hartigan-Wong; a few do nearly always. */
const MAX_SWEEPS = 200;
/** Of the loss: what rounding could pretend. */
const GAIN = 1e-12;
const ANY = Number.POSITIVE_INFINITY;

/** Each point with the nearest of k greedy centres; fewer clusters where there are fewer points than k. */
export function greedyStart(points: WeightedPoints, k: number, random: RandomGenerator): Int32Array {
  const { X, weights } = points;
  const m = X.rows;
  const labels = new Int32Array(m);
  const nearest = new Float64Array(m);
  const candidates = 2 + Math.floor(log(k));
  const first = drawn(weights, random);
  for (let i = 0; i < m; i++) nearest[i] = squaredDistance(X, i, X.data, first, ANY);
  for (let c = 1; c < Math.min(k, m); c++) {
    const potential = nearest.map((distance, i) => distance * weights[i]);
    let best: Float64Array | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (let trial = 0; trial < candidates; trial++) {
      const p = drawn(potential, random);
      const reached = new Float64Array(m);
      let sum = 0;
      for (let i = 0; i < m; i++) {
        reached[i] = Math.min(nearest[i], squaredDistance(X, i, X.data, p, nearest[i]));
        sum += weights[i] * reached[i];
      }
      if (best !== undefined && !(sum < least)) continue;
      best = reached;
      least = sum;
    }
    if (best === undefined) break;
    for (let i = 0; i < m; i++) {
      if (!(best[i] < nearest[i])) continue;
      nearest[i] = best[i];
      labels[i] = c;
    }
  }
  return labels;
}

/**
 * The labels after Lloyd and Hartigan-Wong, every cluster with a point where there are as many points.
 *
 * @param conflicts - which points no point comes to, if the start respects them
 */
export function polished(
  points: WeightedPoints,
  start: Int32Array,
  k: number,
  conflicts?: Conflicts,
): Int32Array {
  const labels = start.slice();
  const clusters = new Means(points, k, conflicts);
  for (let sweep = 0; sweep < MAX_LLOYD; sweep++) {
    clusters.fit(labels);
    clusters.fill(labels);
    if (!clusters.assign(labels)) break;
  }
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
  }
  return labels;
}

/** The clusters of a partition in the making. */
class Means {
  private readonly means: Float64Array;
  private readonly masses: Float64Array;
  /** Different points of each cluster. */
  private readonly counts: Int32Array;

  constructor(
    private readonly points: WeightedPoints,
    private readonly k: number,
    private readonly conflicts: Conflicts | undefined,
  ) {
    this.means = new Float64Array(k * points.X.columns);
    this.masses = new Float64Array(k);
    this.counts = new Int32Array(k);
  }

  fit(labels: Int32Array): void {
    const { means, masses, counts } = this;
    const { X, weights } = this.points;
    const d = X.columns;
    for (const array of [means, masses, counts]) array.fill(0);
    for (let i = 0; i < labels.length; i++) {
      const c = labels[i];
      masses[c] += weights[i];
      counts[c]++;
      for (let j = 0; j < d; j++) means[c * d + j] += weights[i] * X.data[i * d + j];
    }
    for (let at = 0; at < means.length; at++)
      if (counts[Math.floor(at / d)] > 0) means[at] /= masses[Math.floor(at / d)];
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
    }
  }

  /** Every point to its nearest mean. @returns whether one has moved */
  assign(labels: Int32Array): boolean {
    let isMoved = false;
    for (let i = 0; i < labels.length; i++) {
      let nearest = labels[i];
      let least = this.squaredDistance(i, nearest);
      for (let c = 0; c < this.k; c++) {
        if (this.counts[c] === 0 || c === nearest) continue;
        const distance = this.squaredDistance(i, c, least);
        if (!(distance < (1 - GAIN) * least) || !isAllowed(this.conflicts, labels, i, c)) continue;
        nearest = c;
        least = distance;
      }
      if (nearest !== labels[i]) isMoved = true;
      labels[i] = nearest;
    }
    return isMoved;
  }

  /** The cluster that point i of cluster a should be in: a where no move lowers the cost. */
  better(i: number, labels: Int32Array): number {
    const { masses, counts, k, conflicts } = this;
    const a = labels[i];
    if (counts[a] < 2) return a;
    const w = this.points.weights[i];
    const won = ((masses[a] * w) / (masses[a] - w)) * this.squaredDistance(i, a);
    let best = a;
    let least = (1 - GAIN) * won;
    for (let b = 0; b < k; b++) {
      if (b === a || counts[b] === 0) continue;
      const share = (masses[b] * w) / (masses[b] + w);
      const lost = share * this.squaredDistance(i, b, (2 * least) / share); // twice, as the limit is rounded
      if (!(lost < least) || !isAllowed(conflicts, labels, i, b)) continue;
      best = b;
      least = lost;
    }
    return best;
  }

  move(i: number, a: number, b: number): void {
    const { means, masses, counts } = this;
    const { X, weights } = this.points;
    const d = X.columns;
    const w = weights[i];
    for (let j = 0; j < d; j++) {
      const x = X.data[i * d + j];
      means[a * d + j] += ((means[a * d + j] - x) * w) / (masses[a] - w);
      means[b * d + j] += ((x - means[b * d + j]) * w) / (masses[b] + w);
    }
    masses[a] -= w;
    masses[b] += w;
    counts[a]--;
    counts[b]++;
  }

  private squaredDistance(i: number, c: number, limit = ANY): number {
    return squaredDistance(this.points.X, i, this.means, c, limit);
  }
}

/** Columns between two looks at whether the sum is beyond its limit already. */
const BLOCK = 16;

/** ‖row i of X − row c of `others`‖²; of one beyond the limit, some number beyond it. */
function squaredDistance(
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

/** An index drawn by its weight; the first where all are 0. */
function drawn(weights: Float64Array, random: RandomGenerator): number {
  let total = 0;
  for (let i = 0; i < weights.length; i++) total += weights[i];
  let left = random.uniform() * total;
  let last = 0;
  for (let i = 0; i < weights.length; i++) {
    if (!(weights[i] > 0)) continue;
    left -= weights[i];
    last = i;
    if (left < 0) break;
  }
  return last;
}
