/**
 * Ties at the end of a list of neighbours, without regard to the numbers of the rows: of m points that tie for the last a of the k places,
 * as many are taken as there is room for, in the order of a hash of their contents, and the affinity of the a places is shared equally
 * among them (`shareAmongTies`). So affinities permute with the rows.
 *
 * Key        of i and j: a hash of the contents of rows i and j and, among g rows of the same content as j, of the difference
 *            (place of j − place of i) mod g, where identical rows are numbered as they come: they take turns
 * Room       of a row: 2k entries, or 2·10⁶ / N where that is more, within the memory that `checkPointMemory` counts with
 *
 * Where there are no ties nothing is computed but a comparison per row. Time O(T N D) for T rows with ties, as a search of them
 * among all takes.
 */
import { type DenseMatrix, selectRows } from "@curvature/linalg";
import { BlockProducts, PAIR, select } from "./block-search.js";
import { squaredRowDistance } from "./distances.js";
import { NeighborHeaps } from "./neighbor-heaps.js";
import type { NeighborLists, SharedPlaces } from "./neighbor-lists.js";
import { blockSize, centreOf, PointBlocks } from "./point-blocks.js";
import { tieRule } from "./ties.js";

/** Entries of all rows up to which all ties are taken. */
const FEW_ENTRIES = 2e6;
/** Entries of all rows for which there is memory: 4 GiB of `bytesPerNeighbor`. */
const MOST_ENTRIES = 7e7;
const TURN = 2 ** 24;

/**
 * The first k of each row's k + 1 neighbours, ties at the end chosen fairly, in steps that yield nothing.
 *
 * @param lists - of Y's points among themselves, k + 1 a row
 */
export function* fairLists(Y: DenseMatrix, lists: NeighborLists): Generator<void, NeighborLists, void> {
  const k = lists.count - 1;
  const N = Y.rows;
  const indices = new Int32Array(N * k);
  const distances = new Float64Array(N * k);
  const rows: number[] = [];
  for (let n = 0; n < N; n++) {
    const from = n * (k + 1);
    indices.set(lists.indices.subarray(from, from + k), n * k);
    distances.set(lists.distances.subarray(from, from + k), n * k);
    const last = lists.distances[from + k - 1];
    if (lists.distances[from + k] <= last + tieRule(Y.data, n, Y.columns)(last)) rows.push(n);
  }
  const fair = { count: k, indices, distances };
  if (rows.length === 0) return fair;
  const ties = yield* withFairTies(Y, fair, Int32Array.from(rows));
  return { ...fair, ties };
}

/** Of a squared distance by a metric: what rounding may make of equal ones. */
const RELATIVE = 1e-12;

/**
 * The same where nothing is known but distances. Ties beyond the room are taken by a mix of the rows' numbers, for there are no
 * contents to go by.
 *
 * @param square - the squared distance of two different rows
 * @param work - what one takes, in multiplications
 */
export function* fairListsBy(
  lists: NeighborLists,
  square: (n: number, m: number) => number,
  work: number,
): Generator<void, NeighborLists, void> {
  const k = lists.count - 1;
  const N = lists.indices.length / lists.count;
  const indices = new Int32Array(N * k);
  const distances = new Float64Array(N * k);
  const room = roomFor(N, k);
  const [rows, starts, members, places]: number[][] = [[], [0], [], []];
  let sinceTurn = 0;
  for (let n = 0; n < N; n++) {
    const from = n * (k + 1);
    indices.set(lists.indices.subarray(from, from + k), n * k);
    distances.set(lists.distances.subarray(from, from + k), n * k);
    const last = lists.distances[from + k - 1];
    const tie = RELATIVE * last;
    if (lists.distances[from + k] > last + tie) continue;
    const tied: number[] = [];
    for (let m = 0; m < N; m++) if (m !== n && Math.abs(square(n, m) - last) <= tie) tied.push(m);
    let nearer = 0;
    while (nearer < k && lists.distances[from + nearer] < last - tie) nearer++;
    if (tied.length > room - nearer) {
      const key = (m: number): number => mixed(mixed(n + 1) ^ m);
      tied.sort((a, b) => key(a) - key(b));
      tied.length = room - nearer;
    }
    for (let p = nearer; p < k; p++) {
      indices[n * k + p] = tied[p - nearer];
      distances[n * k + p] = last;
    }
    rows.push(n);
    places.push(k - nearer);
    for (const m of tied) members.push(m);
    starts.push(members.length);
    sinceTurn += N * work;
    if (sinceTurn < TURN) continue;
    sinceTurn = 0;
    yield;
  }
  if (rows.length === 0) return { count: k, indices, distances };
  const ties = {
    rows: Int32Array.from(rows),
    starts: Int32Array.from(starts),
    members: Int32Array.from(members),
    places: Int32Array.from(places),
  };
  return { count: k, indices, distances, ties };
}

/** Entries of a row: ties included. */
const roomFor = (N: number, k: number): number =>
  Math.floor(Math.max(k, Math.min(N - 1, Math.max(2 * k, FEW_ENTRIES / N), MOST_ENTRIES / N)));

/** Rewrites the ends of these rows, and says who shares their last places. */
function* withFairTies(
  Y: DenseMatrix,
  { count: k, indices, distances }: NeighborLists,
  rows: Int32Array,
): Generator<void, SharedPlaces, void> {
  const N = Y.rows;
  const room = roomFor(N, k);
  const found = yield* collected(Y, rows, lastDistances(distances, k), room);
  const members: number[] = [];
  const starts = new Int32Array(rows.length + 1);
  const places = new Int32Array(rows.length);
  const { indices: tied, distances: keys, count: most } = found.lists;
  for (let t = 0; t < rows.length; t++) {
    const n = rows[t];
    const row = distances.subarray(n * k, n * k + k);
    let nearer = 0;
    while (nearer < k && row[nearer] < found.low[t]) nearer++;
    places[t] = k - nearer;
    for (let p = t * most; p < t * most + Math.min(most, room - nearer); p++)
      if (keys[p] < Number.POSITIVE_INFINITY) members.push(tied[p]);
    starts[t + 1] = members.length;
    const chosen = members.slice(starts[t], starts[t] + places[t]).map((m) => ({
      m,
      distance: squaredRowDistance(Y.data, n, Y.data, m, Y.columns),
    }));
    chosen.sort((a, b) => a.distance - b.distance); // stable: by key where they are equal
    for (const [p, { m, distance }] of chosen.entries()) {
      indices[n * k + nearer + p] = m;
      row[nearer + p] = distance;
    }
  }
  return { rows, starts, members: Int32Array.from(members), places };
}

const lastDistances = (distances: Float64Array, k: number): Float64Array =>
  Float64Array.from({ length: distances.length / k }, (_, n) => distances[n * k + k - 1]);

interface Collected {
  /** Of each of the rows the ties, by key, which stand as distances. */
  readonly lists: NeighborLists;
  /** Below it a squared distance of the row is nearer than the ties. */
  readonly low: Float64Array;
}

/** Of each row the `most` points of the least keys that lie as far as its last neighbour. */
function* collected(
  Y: DenseMatrix,
  rows: Int32Array,
  last: Float64Array,
  most: number,
): Generator<void, Collected, void> {
  const contents = new Contents(Y);
  const centre = centreOf(Y);
  const block = blockSize(Y.columns);
  const queries = PointBlocks.of(selectRows(Y, rows), centre, undefined, block);
  const points = PointBlocks.of(Y, centre, undefined, block);
  const tie = Float64Array.from(rows, (n) => tieRule(Y.data, n, Y.columns)(last[n]));
  const low = Float64Array.from(rows, (n, t) => last[n] - tie[t]);
  const high = Float64Array.from(rows, (n, t) => last[n] + tie[t]);
  const heaps = new NeighborHeaps(rows.length, most);
  const products = new BlockProducts();
  const chosen = new Int32Array(block);
  let work = 0;
  for (let I = 0; I < queries.count; I++) {
    for (let J = 0; J < points.count; J++) {
      const ofBoth = products.of(queries, I, points, J);
      const [start, end] = [points.start(J), points.end(J)];
      for (let t = queries.start(I), row = 0; t < queries.end(I); t++, row += end - start) {
        const count = select(ofBoth, row, row + end - start, queries.half[t] - 0.5 * high[t], chosen);
        for (let c = 0; c < count; c++) {
          const m = chosen[c] - row + start;
          if (m === rows[t]) continue;
          const distance = squaredRowDistance(queries.exact, t, Y.data, m, Y.columns);
          if (distance >= low[t] && distance <= high[t]) heaps.offer(t, m, contents.key(rows[t], m));
        }
      }
      work += (queries.end(I) - queries.start(I)) * block * (Y.columns + PAIR);
      if (work < TURN) continue;
      work = 0;
      yield;
    }
  }
  return { lists: heaps.sorted(), low };
}

/** What rows hold, as hashes, and their places among rows that hold the same. */
class Contents {
  private readonly first: Int32Array;
  private readonly second: Int32Array;
  private readonly place: Int32Array;
  private readonly size: Int32Array;

  constructor({ rows: N, columns: D, data }: DenseMatrix) {
    this.first = new Int32Array(N);
    this.second = new Int32Array(N);
    this.place = new Int32Array(N);
    this.size = new Int32Array(N);
    const value = new Float64Array(1);
    const halves = new Int32Array(value.buffer);
    for (let n = 0; n < N; n++) {
      let [a, b] = [0x2545f491, 0x4f6cdd1d];
      for (let p = n * D; p < (n + 1) * D; p++) {
        value[0] = data[p] + 0; // −0 is 0
        a = mixed(a ^ halves[0]) ^ halves[1];
        b = mixed(b + halves[1]) ^ halves[0];
      }
      this.first[n] = mixed(a);
      this.second[n] = mixed(b);
    }
    const { first, second } = this;
    const order = Int32Array.from({ length: N }, (_, n) => n);
    order.sort((i, j) => first[i] - first[j] || second[i] - second[j] || i - j);
    for (let from = 0; from < N; ) {
      let end = from + 1;
      while (
        end < N &&
        first[order[end]] === first[order[from]] &&
        second[order[end]] === second[order[from]]
      )
        end++;
      for (let p = from; p < end; p++) {
        this.place[order[p]] = p - from;
        this.size[order[p]] = end - from;
      }
      from = end;
    }
  }

  /** A number below 2⁵³. */
  key(i: number, j: number): number {
    const { first, second, place, size } = this;
    const turn = (place[j] - (place[i] % size[j]) + size[j]) % size[j];
    const a = mixed(mixed(first[i] ^ turn) + first[j]);
    const b = mixed(mixed(second[i] + turn) ^ second[j]);
    return (a >>> 11) * 2 ** 32 + (b >>> 0);
  }
}

/** Stafford's variant of MurmurHash3's finisher, for 32 bits. */
function mixed(value: number): number {
  let h = Math.imul(value ^ (value >>> 16), 0x21f0aaad);
  h = Math.imul(h ^ (h >>> 15), 0x735a2d97);
  return h ^ (h >>> 15);
}
