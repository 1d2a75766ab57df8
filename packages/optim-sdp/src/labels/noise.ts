/**
 * Which rows are noise, and how far every row lies outside of its cluster.
 *
 * Score   s_i = (v_i − q3)/(q3 − q1), v_i the distance of row i from the middle of its cluster, q1 and q3 the quartiles of these
 *         distances; noise is what lies beyond a fence, s_i > 3.5, and more where a cluster has few rows, whose quartiles are drawn
 * Core    r_i = distance to the h-th neighbour, h = max(2, ⌈n/4K⌉); k-means on the three quarters of the rows of least r_i gives the
 *         first middles, which noise has not moved. Rows whose r_i lies beyond the fence of all r do not count among quartiles at
 *         first: the outermost cluster has the far rows of all sides, which may be more than a quarter of it
 * Fence   every row to its nearest middle; quartiles of all rows of a cluster; middles ← means of the rows within the fence; until the
 *         flags stand still. Then the same with quartiles of the rows within it alone, which finds more where a tenth and more is noise
 *
 * | symbol | variable | shape                  |
 * |--------|----------|------------------------|
 * | x      | X        | n × d                  |
 * | v      | distance | n                      |
 * | s      | scores   | n                      |
 *
 * After Tukey, Exploratory Data Analysis (Addison-Wesley 1977, section 2D), whose outer fence is 3. Neither a count of outliers nor
 * a radius is asked for. The fence assumes that a cluster has one scale: a long one has its ends beyond it, and noise that forms a
 * clump is a cluster. Time n² d, beyond `MAX_NEIGHBOURS` rows n times that number times d, and k-means.
 */
import { type DenseMatrix, exp, log, RandomGenerator, zeros } from "@curvature/linalg";
import { LabelSearch } from "./label-search.js";

/** Scores beyond this are noise where a cluster has many rows. */
const FENCE = 3.5;
/** a in `fenceOf`: (ln 3)²/(8/3), of the spacings of an exponential law between its quartiles. */
const SHAPE = 0.4526;
/** Rows of a cluster from which on quartiles say something. */
const MIN_ROWS = 4;
const CORE = 0.75;
/** Share of the whole variance below which a cluster is a point. */
const TINY = 1e-6;
/** Rows among which neighbours are looked for; of more rows a sample. */
const MAX_NEIGHBOURS = 2000;
const MAX_ROUNDS = 50;
const MAX_KEPT_ROUNDS = 30;

export interface Noise {
  /** Of each row the cluster of its nearest middle, whether it is noise or not: 0 … k − 1. */
  readonly clusterOf: Int32Array;
  readonly isNoise: Uint8Array;
  readonly scores: Float64Array;
}

/** @param X - n × d, finite, whose squared distances are numbers @yields the share of the work done */
export function* noiseOf(X: DenseMatrix, k: number, seed: number): Generator<number, Noise> {
  const { cores, isFar } = coresOf(X, k, seed);
  const found: Noise[] = [];
  for (const core of cores) {
    const part = rowsOf(X, core);
    const search = new LabelSearch(part, part, Math.min(k, core.length), seed);
    for (const share of search.starts(true)) yield (found.length + share) / cores.length;
    found.push(settled(X, meansOf(part, search.labels, k), isFar));
  }
  const best = found.reduce((one, other) => (likelihood(X, other, k) > likelihood(X, one, k) ? other : one));
  return withLostCluster(X, best, k, isFar);
}

/**
 * A cluster whose rows lie far from each other may have no middle in the core, and be flagged as a whole. Half of the flagged rows,
 * those around the densest one, make a middle in place of each of the others. What leaves half of the flags and fewer is taken if it
 * is likelier and its clusters stand apart: around a middle of rows of noise they do not, nor around one of two clusters.
 */
function withLostCluster(X: DenseMatrix, found: Noise, k: number, isFar: Uint8Array): Noise {
  const flagged = Int32Array.from(found.isNoise.keys()).filter((i) => found.isNoise[i] === 1);
  if (k === 1 || flagged.length < 2 * MIN_ROWS || flagged.length > MAX_NEIGHBOURS) return found;
  const near = densestHalf(X, flagged);
  const middles = meansOf(X, found.clusterOf, k, found.isNoise);
  const own = meansOf(rowsOf(X, near), new Int32Array(near.length), 1);
  let best = found;
  for (let c = 0; c < k; c++) {
    const means = { ...middles.means, data: middles.means.data.slice() };
    means.data.set(own.means.data, c * X.columns);
    const counts = middles.counts.slice();
    counts[c] = near.length;
    const other = settled(X, { means, counts }, isFar);
    if (2 * flags(other) > flagged.length || flags(other) >= flags(best)) continue;
    if (likelihood(X, other, k) > likelihood(X, best, k) && standApart(X, other, k)) best = other;
  }
  return best;
}

const flags = ({ isNoise }: Noise): number => isNoise.reduce((sum, flag) => sum + flag, 0);

/** Half of these rows, the first of which has the least distance to the last. */
function densestHalf(X: DenseMatrix, rows: Int32Array): Int32Array {
  const half = rows.length >> 1;
  const reach = Float64Array.from(rows, (i) =>
    nthOf(
      Float64Array.from(rows, (j) => squaredDistance(X, i, X, j)),
      half - 1,
    ),
  );
  const first = rows[reach.indexOf(Math.min(...reach))];
  const distance = (i: number): number => squaredDistance(X, i, X, first);
  return rows
    .slice()
    .sort((i, j) => distance(i) - distance(j) || i - j)
    .slice(0, half);
}

/** Whether half of the rows of every cluster are nearer to its middle than half of the way to the next one. */
function standApart(X: DenseMatrix, { clusterOf, isNoise }: Noise, k: number): boolean {
  const { means, counts } = meansOf(X, clusterOf, k, isNoise);
  if (counts.some((count) => count < MIN_ROWS)) return false;
  const clusters = Array.from(counts.keys());
  return clusters.every((c) => {
    const rows = Int32Array.from(clusterOf.keys()).filter((i) => clusterOf[i] === c && isNoise[i] === 0);
    const distance = Float64Array.from(rows, (i) => squaredDistance(X, i, means, c)).sort();
    const others = clusters.filter((b) => b !== c);
    const next = Math.min(...others.map((b) => squaredDistance(means, b, means, c)));
    return quantile(distance, 0.5) < next / 4;
  });
}

/** The fence, until it stands still. */
function settled(X: DenseMatrix, start: Middles, isFar: Uint8Array): Noise {
  const k = start.counts.length;
  let found = fenced(X, start, isFar);
  let flags: Uint8Array = new Uint8Array(X.rows);
  for (let round = 0; round < MAX_ROUNDS && !areEqual(found.isNoise, flags); round++) {
    flags = found.isNoise;
    found = fenced(X, meansOf(X, found.clusterOf, k, flags), isFar);
  }
  const seen = new Set<string>();
  for (let round = 0; round < MAX_KEPT_ROUNDS && !seen.has(found.isNoise.join("")); round++) {
    seen.add(found.isNoise.join(""));
    found = fenced(X, meansOf(X, found.clusterOf, k, found.isNoise), found.isNoise);
  }
  return found;
}

/** Σ N_c (ln N_c/n − d ln s_c), s_c² the mean squared distance from the middle, noise being one more cluster of all of the rows' scale. */
function likelihood(X: DenseMatrix, { clusterOf, isNoise }: Noise, k: number): number {
  const { rows: n, columns: d } = X;
  const middles = meansOf(X, clusterOf, k, isNoise);
  const all = meansOf(X, new Int32Array(n), 1, isNoise);
  const sums = new Float64Array(k + 1);
  const counts = new Int32Array(k + 1);
  let whole = 0;
  for (let i = 0; i < n; i++) {
    const c = isNoise[i] === 1 ? k : clusterOf[i];
    counts[c]++;
    if (c === k) continue;
    sums[c] += squaredDistance(X, i, middles.means, c);
    whole += squaredDistance(X, i, all.means, 0);
  }
  const variance = whole / Math.max(1, n - counts[k]);
  if (!(variance > 0)) return 0;
  let sum = 0;
  for (let c = 0; c <= k; c++) {
    if (counts[c] === 0) continue;
    const own = c === k ? 1 : Math.max(TINY, sums[c] / counts[c] / variance);
    sum += counts[c] * (log(counts[c] / n) - (d / 2) * log(own));
  }
  return sum;
}

export interface Scores {
  readonly scores: Float64Array;
  /** Of each row how many rows its scale is of. */
  readonly scaleRows: Int32Array;
}

/** Scores of rows in clusters that are there. A row in a cluster of less than four rows is scored by the nearest one of more. */
export function outlierScores(X: DenseMatrix, labels: Int32Array, k: number): Scores {
  const middles = meansOf(X, labels, k);
  const { counts } = middles;
  const isLarge = (c: number): boolean => counts[c] >= MIN_ROWS;
  const clusterOf = labels.map((c, i) => (isLarge(c) ? c : nearestMiddle(X, i, middles, isLarge)));
  const distance = distances(X, middles, clusterOf);
  const scales = scalesOf(distance, k, (i) => (isLarge(labels[i]) ? labels[i] : -1));
  return { scores: scoresOf(distance, clusterOf, scales), scaleRows: clusterOf.map((c) => counts[c]) };
}

/** Data sets of which one in so many has a row beyond this score by chance, if distances have the tails of an exponential law. */
const FALSE_ALARMS = 0.01;
/** Rows of a cluster from which on its quartiles hold such a score, and what the score must be times more for where it is of m rows: 1 + 30/m. */
const MIN_SCALE = 10;
const DRAWN = 30;

export interface FarRows {
  /** Rows that have a cluster to themselves. */
  readonly alone: readonly number[];
  /** Others. */
  readonly within: readonly number[];
}

/**
 * Rows so far from a cluster that chance does not bring them there: a share of 3^(−s)/4 of an exponential law has a score above s.
 * Less is said of clusters of few rows, whose quartiles are drawn.
 */
export function farRows({ scores, scaleRows }: Scores, labels: Int32Array, k: number): FarRows {
  const n = labels.length;
  const limit = log(n / (4 * FALSE_ALARMS)) / log(3);
  const sizes = new Int32Array(k);
  for (let i = 0; i < n; i++) sizes[labels[i]]++;
  const far = [...scores.keys()].filter(
    (i) => scaleRows[i] >= MIN_SCALE && scores[i] > limit * (1 + DRAWN / scaleRows[i]),
  );
  return {
    alone: far.filter((i) => sizes[labels[i]] === 1),
    within: far.filter((i) => sizes[labels[i]] > 1),
  };
}

/** The rows whose neighbours are near: three quarters of all, or all that are not far by the fence; k at least. */
function coresOf(X: DenseMatrix, k: number, seed: number): { cores: Int32Array[]; isFar: Uint8Array } {
  const { rows: n } = X;
  const sample = sampleOf(n, MAX_NEIGHBOURS, seed);
  const m = sample.length;
  const h = Math.max(2, Math.ceil(n / (4 * k)));
  const place = Math.min(m - 1, Math.max(1, Math.round((h * m) / n))); // 0 is the row itself, or one beside it
  const radius = new Float64Array(n);
  const row = new Float64Array(m);
  for (let i = 0; i < n; i++) {
    for (let at = 0; at < m; at++) row[at] = squaredDistance(X, i, X, sample[at]);
    radius[i] = Math.sqrt(nthOf(row, place));
  }
  const order = [...radius.keys()].sort((a, b) => radius[a] - radius[b] || a - b);
  const scale = spread(radius.slice().sort());
  const isFar = Uint8Array.from(radius, (r) => (isBeyond(r, scale) ? 1 : 0));
  const near = isFar.reduce((sum, far) => sum - far, n);
  const cores = [Math.ceil(CORE * n), near].map((count) =>
    Int32Array.from(order.slice(0, Math.max(k, count))).sort(),
  );
  return { cores, isFar };
}

/** So many of n rows, drawn; all where there are no more. */
export function sampleOf(n: number, count: number, seed: number): Int32Array {
  const all = Int32Array.from({ length: n }, (_, i) => i);
  if (n <= count) return all;
  const random = new RandomGenerator(seed);
  for (let at = 0; at < count; at++) {
    const other = at + Math.floor((n - at) * random.uniform());
    [all[at], all[other]] = [all[other], all[at]];
  }
  return all.slice(0, count);
}

/** Every row with its nearest middle, and what lies beyond the fence. @param isOut - rows whose distances do not count among the quartiles */
function fenced(X: DenseMatrix, middles: Middles, isOut: Uint8Array): Noise {
  const { rows: n } = X;
  const isThere = (c: number): boolean => middles.counts[c] > 0;
  const clusterOf = Int32Array.from({ length: n }, (_, i) => nearestMiddle(X, i, middles, isThere));
  const distance = distances(X, middles, clusterOf);
  const k = middles.counts.length;
  const [all, out] = [new Int32Array(k), new Int32Array(k)];
  for (let i = 0; i < n; i++) {
    all[clusterOf[i]]++;
    out[clusterOf[i]] += isOut[i];
  }
  // A cluster most of whose rows would not count is a wide one beside dense ones.
  const counts = (i: number): boolean => isOut[i] === 0 || 2 * out[clusterOf[i]] > all[clusterOf[i]];
  const scales = scalesOf(distance, k, (i) => (counts(i) ? clusterOf[i] : -1));
  const scores = scoresOf(distance, clusterOf, scales);
  return {
    clusterOf,
    scores,
    isNoise: Uint8Array.from(distance, (v, i) => (isBeyond(v, scales[clusterOf[i]]) ? 1 : 0)),
  };
}

/**
 * The score beyond which a row is noise where the quartiles are of m rows: (a m/ln 3)(3^(3.5/(a m)) − 1), 3.5 for many rows, 4.4 for
 * 20, 7.7 for 6. The distance between the quartiles of m draws of an exponential law is about a Gamma variable of shape a m, so that
 * P(score > c) ≈ ¼ (1 + c ln 3/(a m))^(−a m): with this c it is 3^(−3.5)/4, half a per cent, whatever m is.
 */
export function fenceOf(m: number): number {
  const shape = SHAPE * m;
  return (shape / log(3)) * (exp((FENCE * log(3)) / shape) - 1);
}

interface Quartiles {
  readonly q1: number;
  readonly q3: number;
  /** The score beyond which a row is noise. */
  readonly fence: number;
}
/** Of the distances in a cluster; undefined where there are too few of them, or no two that differ. */
type Scale = Quartiles | undefined;

const scoreOf = (v: number, { q1, q3 }: Quartiles): number => (v - q3) / (q3 - q1);
const isBeyond = (v: number, scale: Scale): boolean => scale !== undefined && scoreOf(v, scale) > scale.fence;

function scalesOf(distance: Float64Array, k: number, clusterOf: (row: number) => number): Scale[] {
  const own: number[][] = Array.from({ length: k }, () => []);
  for (let i = 0; i < distance.length; i++) if (clusterOf(i) >= 0) own[clusterOf(i)].push(distance[i]);
  return own.map((values) => {
    if (values.length < MIN_ROWS) return undefined;
    const sorted = Float64Array.from(values).sort();
    return spread(sorted) ?? spread(Float64Array.from(new Set(sorted))); // where half of the rows are copies, by the others
  });
}

/** Below this share of the distance two quartiles differ by rounding. */
const ROUNDING = 1e-9;

function spread(sorted: Float64Array): Scale {
  const q1 = quantile(sorted, 0.25);
  const q3 = quantile(sorted, 0.75);
  return sorted.length >= MIN_ROWS && q3 - q1 > ROUNDING * q3
    ? { q1, q3, fence: fenceOf(sorted.length) }
    : undefined;
}

/** What of such numbers is within the fence; all of them where there is none. */
export function withinFence(values: Float64Array): (value: number) => boolean {
  const scale = spread(values.slice().sort());
  return (value) => scale === undefined || scoreOf(value, scale) <= scale.fence;
}

/** Between two numbers by a straight line. */
function quantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const low = Math.floor(place);
  const high = Math.min(sorted.length - 1, low + 1);
  return sorted[low] + (place - low) * (sorted[high] - sorted[low]);
}

const scoresOf = (distance: Float64Array, clusterOf: Int32Array, scales: readonly Scale[]): Float64Array =>
  distance.map((v, i) => {
    const scale = scales[clusterOf[i]];
    return scale === undefined ? 0 : scoreOf(v, scale);
  });

interface Middles {
  /** k × d */
  readonly means: DenseMatrix;
  readonly counts: Int32Array;
}

/** @param isLeftOut - rows that do not count, where there are some */
function meansOf(X: DenseMatrix, labels: Int32Array, k: number, isLeftOut?: Uint8Array): Middles {
  const { columns: d, data } = X;
  const means = zeros(k, d);
  const counts = new Int32Array(k);
  for (let i = 0; i < labels.length; i++) {
    if (isLeftOut?.[i] === 1) continue;
    counts[labels[i]]++;
    for (let j = 0; j < d; j++) means.data[labels[i] * d + j] += data[i * d + j];
  }
  for (let at = 0; at < means.data.length; at++) means.data[at] /= Math.max(1, counts[Math.floor(at / d)]);
  return { means, counts };
}

function nearestMiddle(
  X: DenseMatrix,
  i: number,
  { means }: Middles,
  counts: (c: number) => boolean,
): number {
  let nearest = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let c = 0; c < means.rows; c++) {
    const distance = counts(c) ? squaredDistance(X, i, means, c) : least;
    if (!(distance < least)) continue;
    nearest = c;
    least = distance;
  }
  return nearest;
}

const distances = (X: DenseMatrix, { means }: Middles, clusterOf: Int32Array): Float64Array =>
  Float64Array.from(clusterOf, (c, i) => Math.sqrt(squaredDistance(X, i, means, c)));

function squaredDistance(X: DenseMatrix, i: number, others: DenseMatrix, j: number): number {
  const d = X.columns;
  let sum = 0;
  for (let k = 0; k < d; k++) {
    const difference = X.data[i * d + k] - others.data[j * d + k];
    sum += difference * difference;
  }
  return sum;
}

export function rowsOf({ columns, data }: DenseMatrix, rows: Int32Array): DenseMatrix {
  const part = zeros(rows.length, columns);
  for (let at = 0; at < rows.length; at++)
    part.data.set(data.subarray(rows[at] * columns, (rows[at] + 1) * columns), at * columns);
  return part;
}

const areEqual = (a: Uint8Array, b: Uint8Array): boolean => a.every((flag, i) => flag === b[i]);

/** The number at this place of the sorted ones, which change places. */
function nthOf(values: Float64Array, place: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = values[(low + high) >> 1];
    let i = low;
    let j = high;
    while (i <= j) {
      while (values[i] < pivot) i++;
      while (values[j] > pivot) j--;
      if (i > j) break;
      [values[i], values[j]] = [values[j], values[i]];
      i++;
      j--;
    }
    if (place <= j) high = j;
    else if (place >= i) low = i;
    else break;
  }
  return values[place];
}
