/**
 * A point's nearest others where some are equally far, and what data and map have in common there: means over all orders of the
 * rows, of which the first goes first among ties, in data and map (`tie-orders.ts`).
 */
import { exp, log } from "@curvature/linalg";
import { bothFirst, meanBeyond, meanExcess } from "./tie-orders.js";

/** The k nearest others of a point: those that are it in any order, and the ties that share the places that are left. */
export interface Nearest {
  readonly nearer: Int32Array;
  readonly tied: Int32Array;
  /** k − the number of `nearer`. */
  readonly open: number;
}

/** How much distances from one point may differ from D, and tie with it. */
export type TieRule = (distance: number) => number;

/**
 * @param distances - from point i to all
 * @param last - the k-th smallest to others
 */
export function nearestUpTo(
  distances: Float64Array,
  i: number,
  k: number,
  last: number,
  tieOf: TieRule,
): Nearest {
  const tie = tieOf(last);
  const nearer: number[] = [];
  const tied: number[] = [];
  for (let j = 0; j < distances.length; j++) {
    if (j === i || distances[j] > last + tie) continue;
    if (distances[j] < last - tie) nearer.push(j);
    else tied.push(j);
  }
  if (nearer.length + tied.length <= k) return { nearer: Int32Array.from([...nearer, ...tied]), ...noTies };
  return { nearer: Int32Array.from(nearer), tied: Int32Array.from(tied), open: k - nearer.length };
}

const noTies = { tied: new Int32Array(0), open: 0 };

export const OUTSIDE = 0;
const INSIDE = 1;
export const AMONG_TIES = 2;

/** Writes of each point whether it is one of the nearest, one of the ties, or neither. */
export function writePlaces({ nearer, tied }: Nearest, places: Uint8Array): void {
  places.fill(OUTSIDE);
  for (const j of nearer) places[j] = INSIDE;
  for (const j of tied) places[j] = AMONG_TIES;
}

/**
 * E |V ∩ W|
 *
 * @param places - of V
 */
export function meanCommon(V: Nearest, W: Nearest, places: Uint8Array): number {
  const shareOfV = V.open / Math.max(1, V.tied.length);
  const shareOfW = W.open / Math.max(1, W.tied.length);
  let sum = 0;
  let s = 0;
  for (const j of W.nearer) sum += places[j] === INSIDE ? 1 : places[j] === AMONG_TIES ? shareOfV : 0;
  for (const j of W.tied) {
    if (places[j] === INSIDE) sum += shareOfW;
    else if (places[j] === AMONG_TIES) s += 1;
  }
  if (s === V.tied.length && s === W.tied.length) return sum + Math.min(V.open, W.open);
  if (s === 0) return sum;
  return sum + s * bothFirst({ s, u: V.tied.length - s, uMap: W.tied.length - s }, V.open, W.open);
}

/**
 * E Σ_{j ∈ W} (r(i, j) − k)⁺ from all distances of i in the data: O(N log N), however many tie.
 *
 * @param distances - from point i to all in the data
 */
export function meanPenalty(
  distances: Float64Array,
  i: number,
  k: number,
  { nearer, tied, open }: Nearest,
  tieOf: TieRule,
): number {
  const sorted = new Float64Array(distances.length - 1);
  sorted.set(distances.subarray(0, i));
  sorted.set(distances.subarray(i + 1), i);
  sorted.sort();
  let penalty = 0;
  for (const j of nearer) {
    const D = distances[j];
    const tie = tieOf(D);
    const below = firstFrom(sorted, D - tie, 0);
    const size = firstFrom(sorted, nextAfter(D + tie), below) - below;
    penalty += meanExcess({ s: 1, u: size - 1, uMap: 0 }, k - below, 1);
  }
  // Classes of ties begin and end further on for larger distances.
  const sortedTied =
    tied.length === sorted.length ? sorted : Float64Array.from(tied, (j) => distances[j]).sort();
  const known = new Map<number, number>();
  let [below, end, first, last] = [0, 0, 0, 0];
  for (const D of sortedTied) {
    const tie = tieOf(D);
    const [from, to] = [Math.max(D - tie, 0), nextAfter(D + tie)];
    while (below < sorted.length && sorted[below] < from) below++;
    while (end < sorted.length && sorted[end] < to) end++;
    while (first < sortedTied.length && sortedTied[first] < from) first++;
    while (last < sortedTied.length && sortedTied[last] < to) last++;
    if (end <= k) continue;
    const [size, s] = [end - below, last - first];
    if (k - below <= 1) {
      penalty += meanBeyond(s, size - s, tied.length - s, k - below, open);
      continue;
    }
    // Sums of many terms, the same for all of a class.
    const key = (below * distances.length + size) * distances.length + s;
    const value = known.get(key) ?? meanExcess({ s, u: size - s, uMap: tied.length - s }, k - below, open);
    known.set(key, value);
    penalty += value;
  }
  return penalty;
}

/**
 * The geometric mean over the map's neighbours of max(1, d(i, j) / d_k), d_k being the k-th smallest distance to others: how many
 * times as far as the data's own neighbours they are. Where k others or more are copies of i, d_k is the smallest that is none.
 *
 * @param distances - from point i to all in the data
 * @param last - d_k
 * @param W - the map's
 */
export function meanStretch(
  distances: (j: number) => number,
  all: () => ArrayLike<number>,
  last: number,
  { nearer, tied, open }: Nearest,
): number {
  let scale = last;
  const logOf = (j: number): number => {
    const distance = distances(j);
    if (distance <= scale) return 0;
    if (scale === 0) scale = smallestAbove0(all());
    return log(Math.max(1, distance / scale));
  };
  let sum = 0;
  for (const j of nearer) sum += logOf(j);
  let ofTied = 0;
  for (const j of tied) ofTied += logOf(j);
  if (tied.length > 0) sum += (ofTied * open) / tied.length;
  return exp(sum / (nearer.length + open));
}

function smallestAbove0(distances: ArrayLike<number>): number {
  let smallest = Number.POSITIVE_INFINITY;
  for (let j = 0; j < distances.length; j++)
    if (distances[j] > 0 && distances[j] < smallest) smallest = distances[j];
  return smallest;
}

/** The first place from `start` on whose value is at least this. */
function firstFrom(sorted: Float64Array, value: number, start: number): number {
  let [low, high] = [start, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A number above: of values up to this one and of those beyond. */
const nextAfter = (value: number): number => value + Math.max(value * Number.EPSILON, Number.MIN_VALUE);
