/**
 * The best clustering of numbers into K groups, by a dynamic programme: on a line every group of a best clustering is an interval.
 *
 *   D_k(j) = min over i of  D_{k−1}(i − 1) + c(i, j),    c(i, j) = Σ w (x − mean)² of x_i … x_j,    D_0(−1) = 0
 *
 * c is a Monge array, so that the best i does not fall as j rises: the middle j is looked at first, and bounds i for those on both
 * sides of it. Time K m log m, of m different numbers; memory m (K + 4 log m) words.
 *
 * c(i, j) from prefix sums of squares would lose all digits of groups far from 0. Here blocks of 2, 4, 8 … numbers each have, for
 * every number, c from it to the middle of the block, and how far the mean of these lies from the one at the middle. Two ends i < j
 * are on both sides of the middle of one block (that of the highest bit in which i and j differ), and
 *
 *   c(i, j) = c(i, mid − 1) + c(mid, j) + w_a w_b/(w_a + w_b) (distance of both means)²
 *
 * is a sum without a difference.
 *
 * | symbol | variable   | shape                                             |
 * |--------|------------|---------------------------------------------------|
 * | x      | x          | m, rising, different, over a power of two         |
 * | w      | masses     | m + 1, sums of copies before each number          |
 * | c      | toMiddle   | levels × m × (distance of the mean, c)            |
 * | D_k    | least      | m                                                 |
 * | i      | firsts     | K × m: where the last of k groups begins          |
 *
 * Rounding: the mean of a half is known to 4 ε of the half's length L, and c of it is L²/2 at least, as both ends are in it, so that
 * each c is right to η = 16 (√n + 2) ε of itself, n numbers with copies. A choice among sums that are right to η loses 2 η, one in
 * each of log₂ m halvings and of K groups: 32 K (log₂ m + 2) (√n + 2) ε in all.
 *
 * Wang, Song: Ckmeans.1d.dp. The R Journal 3/2 (2011), the programme; Grønlund et al.: Fast exact k-means, k-medians and Bregman
 * divergence clustering in 1D (2017), for its monotony. The blocks, in place of their prefix sums, are a disjoint sparse table.
 */
import { type DenseMatrix, powerOfTwoBelow } from "@curvature/linalg";
import type { Scaled } from "./cost.js";

/** Of a table and the programme. */
const MOST_BYTES = 2 ** 28;
/** Below this costs have lost digits to underflow. */
const SMALLEST = 1e-290;

export interface LineClusters {
  /** Of each number its group; groups rise with the numbers. */
  readonly labels: Int32Array;
  /** No clustering into K groups costs less. */
  readonly lower: Scaled;
}

/** The one column that is not the same in all rows; undefined where there are more of them, or none. */
export function onlyColumn({ rows, columns, data }: DenseMatrix): Float64Array | undefined {
  let only: number | undefined;
  for (let j = 0; j < columns; j++) {
    let i = 1;
    while (i < rows && data[i * columns + j] === data[j]) i++;
    if (i >= rows) continue;
    if (only !== undefined) return undefined;
    only = j;
  }
  if (only === undefined) return undefined;
  const values = new Float64Array(rows);
  for (let i = 0; i < rows; i++) values[i] = data[i * columns + only];
  return values;
}

/** Steps of the programme for which there is time: some seconds. */
const MOST_STEPS = 2e8;

/** Whether there are memory and time for so many different numbers. */
export const fitsOnLine = (m: number, K: number): boolean =>
  m * (16 * levelsOf(m) + 4 * K) <= MOST_BYTES && m * levelsOf(m) * Math.min(K, m) <= MOST_STEPS;

/** @param values - finite @param K - from 1; as many groups as different numbers at the most @yields the share of the work done */
export function* clustersOnLine(values: Float64Array, K: number): Generator<number, LineClusters> {
  const { x, masses, unit } = sorted(values);
  const m = x.length;
  const cost = new IntervalCosts(x, masses);
  let least = Float64Array.from(x, (_, j) => cost.of(0, j));
  const firsts = [new Int32Array(m)];
  for (let k = 1; k < Math.min(K, m); k++) {
    const before = least;
    const first = new Int32Array(m);
    least = new Float64Array(m);
    const fill = (from: number, to: number, low: number, high: number): void => {
      if (from > to) return;
      const j = (from + to) >> 1;
      let best = Number.POSITIVE_INFINITY;
      for (let i = Math.min(j, high); i >= low; i--) {
        const last = cost.of(i, j);
        if (last > best) break; // and more for every i before
        const sum = before[i - 1] + last;
        if (sum > best) continue;
        best = sum;
        first[j] = i;
      }
      least[j] = best;
      fill(from, j - 1, low, first[j]);
      fill(j + 1, to, first[j], high);
    };
    const isLast = k === Math.min(K, m) - 1; // of which the whole alone counts
    fill(isLast ? m - 1 : k, m - 1, k, m - 1);
    firsts.push(first);
    yield k / K;
  }
  const starts: number[] = [];
  for (let k = firsts.length - 1, j = m - 1; k >= 0; k--) {
    starts.unshift(x[firsts[k][j]] * unit);
    j = firsts[k][j] - 1;
  }
  const eta = 16 * (Math.sqrt(values.length) + 2) * Number.EPSILON;
  const lower = least[m - 1] * (1 - 2 * K * (levelsOf(m) + 2) * eta);
  return {
    labels: Int32Array.from(values, (value) => groupOf(value, starts)),
    lower: { cost: lower < SMALLEST ? 0 : lower, unit },
  };
}

/** The different numbers over a power of two near the largest, and how many there are before each. */
function sorted(values: Float64Array) {
  const all = values.slice().sort();
  const m = all.reduce((count, value, at) => (at > 0 && value === all[at - 1] ? count : count + 1), 0);
  const unit = powerOfTwoBelow(Math.max(Math.abs(all[0]), Math.abs(all[all.length - 1])));
  const x = new Float64Array(m);
  const masses = new Float64Array(m + 1);
  for (let at = 0, j = -1; at < all.length; at++) {
    if (at === 0 || all[at] !== all[at - 1]) x[++j] = all[at] / unit;
    masses[j + 1] = at + 1;
  }
  return { x, masses, unit };
}

const levelsOf = (m: number): number => 32 - Math.clz32(Math.max(1, m - 1));

/** c(i, j) in a few operations. */
class IntervalCosts {
  /** At level l, from each number to the middle of its block of 2^(l + 1): the distance of the mean, and c. */
  private readonly toMiddle: Float64Array;

  constructor(
    private readonly x: Float64Array,
    private readonly masses: Float64Array,
  ) {
    const m = x.length;
    const levels = levelsOf(m);
    this.toMiddle = new Float64Array(2 * levels * m);
    for (let level = 0; level < levels; level++) {
      const half = 2 ** level;
      for (let middle = half; middle < m; middle += 2 * half) {
        this.outwards(level, middle - 1, middle - half, -1);
        this.outwards(level, middle, Math.min(m, middle + half) - 1, 1);
      }
    }
  }

  /** From one number on to another, c of all so far and their mean's distance from the first; sums after Kahan. */
  private outwards(level: number, from: number, to: number, step: 1 | -1): void {
    const { x, masses, toMiddle } = this;
    let [mass, sum, sumRest, cost, costRest] = [0, 0, 0, 0, 0];
    for (let i = from; i !== to + step; i += step) {
      const w = masses[i + 1] - masses[i];
      const distance = Math.abs(x[i] - x[from]);
      const fromMean = mass === 0 ? 0 : distance - sum / mass;
      const more = ((mass * w) / (mass + w)) * fromMean * fromMean - costRest;
      const nextCost = cost + more;
      costRest = nextCost - cost - more;
      cost = nextCost;
      const moment = w * distance - sumRest;
      const nextSum = sum + moment;
      sumRest = nextSum - sum - moment;
      sum = nextSum;
      mass += w;
      const at = 2 * (level * x.length + i);
      toMiddle[at] = sum / mass;
      toMiddle[at + 1] = cost;
    }
  }

  of(i: number, j: number): number {
    if (i === j) return 0;
    const { x, masses, toMiddle } = this;
    const level = 31 - Math.clz32(i ^ j);
    const middle = (j >> level) << level;
    const a = 2 * (level * x.length + i);
    const b = 2 * (level * x.length + j);
    const left = masses[middle] - masses[i];
    const right = masses[j + 1] - masses[middle];
    const apart = x[middle] - x[middle - 1] + toMiddle[a] + toMiddle[b];
    return toMiddle[a + 1] + toMiddle[b + 1] + ((left * right) / (left + right)) * apart * apart;
  }
}

/** The last group that begins at this number or before it. */
function groupOf(value: number, starts: readonly number[]): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
