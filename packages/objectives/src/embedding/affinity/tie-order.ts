/**
 * Which of equally near points are a point's neighbours where not all can be: drawn by a hash of what the two rows hold,
 * so that the choice goes with the rows when they are permuted, and no row is everybody's neighbour.
 *
 *   h(y)        32 bits of the row's numbers, FNV-1a over their halves, then mixed
 *   of (a, b)   mix(h(a) + 3 h(b)): the lower comes first; then, for rows b of the same numbers, mix of the rows' places
 *
 * What remains: among rows that are equal in every number (or in all 32 bits), who is whose neighbour depends on the order of
 * the rows, as it must where k of them are to be named, but without preference for any.
 *
 * Fowler, Noll, Vo: the FNV non-cryptographic hash algorithm, RFC 9923; the mixing is the last step of MurmurHash3 (Appleby).
 */
import type { PointBlocks } from "./point-blocks.js";

export class TieOrder {
  private constructor(
    /** h of each heap's point, by the heap's row. */
    private readonly queries: Uint32Array,
    /** h of each point that may be a neighbour, by its row. */
    private readonly contents: Uint32Array,
    /** The place of a heap's point; all 0 for new points, whose neighbours do not depend on their company. */
    private readonly places: Int32Array,
  ) {}

  /** The heaps' rows are positions. */
  static among(points: PointBlocks): TieOrder {
    const places = Int32Array.from({ length: points.rows }, (_, position) => points.rowAt(position));
    const queries = hashes(points);
    const contents = new Uint32Array(points.rows);
    for (const [position, row] of places.entries()) contents[row] = queries[position];
    return new TieOrder(queries, contents, places);
  }

  /** The heaps' rows are the queries', in the order in which they lie. */
  static between(queries: PointBlocks, points: PointBlocks): TieOrder {
    const { contents } = TieOrder.among(points);
    return new TieOrder(hashes(queries), contents, new Int32Array(queries.rows));
  }

  /** Whether point `a` comes after point `b` for the heap of this row, from which both are equally far. */
  isLater(row: number, a: number, b: number): boolean {
    const { queries, contents, places } = this;
    const own = queries[row];
    const first = mixed(own + Math.imul(3, contents[a]));
    const second = mixed(own + Math.imul(3, contents[b]));
    if (first !== second) return first > second;
    const place = Math.imul(places[row] + 1, 0x9e3779b1);
    const [one, other] = [mixed(place + a), mixed(place + b)];
    return one > other || (one === other && a > b);
  }
}

function hashes({ rows, columns, exact }: PointBlocks): Uint32Array {
  const number = new Float64Array(1);
  const halves = new Uint32Array(number.buffer);
  return Uint32Array.from({ length: rows }, (_, position) => {
    let hash = 0x811c9dc5;
    for (let p = position * columns; p < (position + 1) * columns; p++) {
      number[0] = exact[p] + 0; // −0 is 0
      hash = Math.imul(hash ^ halves[0], 0x01000193);
      hash = Math.imul(hash ^ (hash >>> 15) ^ halves[1], 0x01000193);
      hash ^= hash >>> 13;
    }
    return mixed(hash);
  });
}

/** A permutation of 32 bits in which each bit depends on all. */
function mixed(bits: number): number {
  let h = bits | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
