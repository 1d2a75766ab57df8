/**
 * Rows that no good clustering joins.
 *
 *   If i and j share a cluster, that cluster alone costs at least d_ij²/2. A clustering of cost W or less joins no two connected
 *   pieces of the graph {d_ij²/2 ≤ W}, so that the problem of K clusters falls apart into those of its pieces P_1 … P_m:
 *
 *     least(K) = min over K_1 + … + K_m = K, K_q ≥ 1, of  Σ_q least_q(K_q)
 *
 * | symbol | variable | shape                                    |
 * |--------|----------|------------------------------------------|
 * | W      | own      | cost of the labels in hand               |
 * | P_q    | rows     | indices of points, increasing            |
 * | K_q    | shares   | m whole numbers                          |
 *
 * One far row is enough for this, and it is where the digits come back: each piece has its own centre and its own unit. There is no
 * parameter. A search from point to point over those that are in no piece yet: n times the number of points that reach no other
 * one at once, n² d at the most; memory O(n).
 *
 * Rounding: distances and W are known to (n + d + 10) ε of their own size; eight times as much is allowed for, towards joining.
 */
import { type DenseMatrix, zeros } from "@curvature/linalg";
import type { Scaled } from "./cost.js";

/** Differences of coordinates after which what is left is one piece with the last one: some seconds. Joining is never wrong. */
const MAX_DIFFERENCES = 4e9;
/** In the unit of the rows; below this costs have lost digits to underflow. */
const SMALLEST = 1e-290;

/** The connected pieces, in the order of their first rows. @param own - cost of some labels of these points */
export function piecesOf(points: DenseMatrix, own: Scaled): Int32Array[] {
  const { rows: n, columns: d } = points;
  if (own.cost === 0) return [Int32Array.from({ length: n }, (_, i) => i)];
  const data = points.data.map((x) => x / own.unit);
  const limit = 2 * Math.max(own.cost, SMALLEST) * (1 + 8 * (n + d + 10) * Number.EPSILON);
  const left = Int32Array.from({ length: n }, (_, i) => i);
  let count = n; // of those in no piece yet, which are the first of `left`
  let differences = 0;
  const pieces: Int32Array[] = [];
  while (count > 0) {
    const piece = [left[0]];
    left.copyWithin(0, 1, count--);
    for (let next = 0; next < piece.length && count > 0; next++) {
      const isEnough = differences > MAX_DIFFERENCES;
      const from = piece[next] * d;
      let kept = 0;
      for (let at = 0; at < count; at++) {
        const j = left[at];
        if (isEnough || isWithin(data, from, j * d, d, limit)) piece.push(j);
        else left[kept++] = j; // in their order
      }
      differences += count * d;
      count = kept;
    }
    pieces.push(Int32Array.from(piece).sort());
  }
  return pieces;
}

/** Whether two rows of data are within the distance of this square. */
function isWithin(data: Float64Array, a: number, b: number, d: number, limit: number): boolean {
  let sum = 0;
  for (let j = 0; j < d && sum <= limit; j++) {
    const difference = data[a + j] - data[b + j];
    sum += difference * difference;
  }
  return sum <= limit;
}

/** These rows of the points. */
export function rowsOf({ columns: d, data }: DenseMatrix, rows: Int32Array): DenseMatrix {
  const part = zeros(rows.length, d);
  for (let i = 0; i < rows.length; i++) part.data.set(data.subarray(rows[i] * d, (rows[i] + 1) * d), i * d);
  return part;
}

/** How K clusters are shared out among the pieces. */
export interface Shares {
  readonly shares: Int32Array;
  readonly cost: number;
}

/**
 * The dynamic programme: K_1 … K_m of least Σ_q cost(q, K_q) with 1 ≤ K_q ≤ most(q) and Σ K_q ≤ K. Of equal ones the first.
 *
 * @param cost - falls in K_q
 */
export function sharedOut(
  most: readonly number[],
  K: number,
  cost: (q: number, share: number) => number,
): Shares {
  const m = most.length;
  const spare = K - m;
  let sums = new Float64Array(spare + 1); // by how many of the spare clusters the pieces so far have
  const taken: Int32Array[] = [];
  for (let q = 0; q < m; q++) {
    const next = new Float64Array(spare + 1).fill(Number.POSITIVE_INFINITY);
    const best = new Int32Array(spare + 1);
    for (let share = 1; share <= Math.min(most[q], spare + 1); share++) {
      const own = cost(q, share);
      for (let s = share - 1; s <= spare; s++) {
        const sum = sums[s - share + 1] + own;
        if (!(sum < next[s])) continue;
        next[s] = sum;
        best[s] = share;
      }
    }
    taken.push(best);
    sums = next;
  }
  const shares = new Int32Array(m);
  let at = spare;
  for (let q = m - 1; q >= 0; q--) {
    shares[q] = taken[q][at];
    at -= shares[q] - 1;
  }
  return { shares, cost: sums[spare] };
}
