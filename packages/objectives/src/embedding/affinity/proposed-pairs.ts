/**
 * Pairs that `NearPairs` proposes, offered to heaps: where there is such a kernel, the quicker way of `block-search` to the
 * same heaps, since what it leaves out no heap would keep, and what it measures is measured by direct differences.
 */
import { type NearPairs, nearPairs } from "@curvature/linalg";
import type { NeighborHeaps } from "./neighbor-heaps.js";
import { PointBlocks } from "./point-blocks.js";

/** Queries for which copies of all points pay. */
const FEWEST = 64;

export class ProposedPairs {
  private readonly positions: Int32Array;

  private constructor(
    private readonly near: NearPairs,
    private readonly points: PointBlocks,
    private readonly heaps: NeighborHeaps,
  ) {
    this.positions = Int32Array.from({ length: points.rows }, (_, p) => p);
  }

  /** Undefined where there is no such kernel, or none for these points. */
  static of(points: PointBlocks, heaps: NeighborHeaps): ProposedPairs | undefined {
    const near = nearPairs(points.exact, points.centred, points.columns);
    return near === undefined ? undefined : new ProposedPairs(near, points, heaps);
  }

  /**
   * For points among others: the positions of the queries come first, those of the points after them, from `queries.rows` on.
   *
   * @param heaps - of the queries
   */
  static between(queries: PointBlocks, points: PointBlocks, heaps: NeighborHeaps): ProposedPairs | undefined {
    if (queries.rows < FEWEST) return undefined;
    const { columns, block } = points;
    const rows = queries.rows + points.rows;
    const exact = joined(queries.exact, points.exact);
    const centred = joined(queries.centred, points.centred);
    const near = nearPairs(exact, centred, columns);
    if (near === undefined) return undefined;
    const order = Int32Array.from({ length: rows }, (_, p) =>
      p < queries.rows ? p : points.rowAt(p - queries.rows),
    );
    const half = joined(queries.half, points.half);
    const both = new PointBlocks({ rows, columns, block, exact, centred, half, order });
    return new ProposedPairs(near, both, heaps);
  }

  /** Every pair of a point of block I and one of block J, to both of them. Within one block: each pair once. */
  offerBoth(I: number, J: number): void {
    const { near, points, heaps, positions } = this;
    const { first, second, distances, most } = near;
    const { worst } = heaps;
    near.setColumns(points.start(J), points.end(J));
    const end = points.end(I);
    for (let start = points.start(I); start < end; start += most.visitors) {
      const visitors = positions.subarray(start, Math.min(end, start + most.visitors));
      const count = near.find(visitors, worst, I === J ? "after" : "both");
      for (let c = 0; c < count; c++) {
        const a = first[c];
        const b = second[c];
        const distance = distances[c];
        if (distance <= worst[a]) heaps.offer(a, points.rowAt(b), distance);
        if (distance <= worst[b]) heaps.offer(b, points.rowAt(a), distance);
      }
    }
  }

  /** The positions start … end − 1 to the visitors, but none to itself. */
  offerTo(visitors: Int32Array, start: number, end: number): void {
    const { near, points, heaps } = this;
    const { first, second, distances, most } = near;
    const { worst } = heaps;
    for (let column = start; column < end; column += most.columns) {
      near.setColumns(column, Math.min(end, column + most.columns));
      for (let v = 0; v < visitors.length; v += most.visitors) {
        const count = near.find(visitors.subarray(v, v + most.visitors), worst, "visitors");
        for (let c = 0; c < count; c++) {
          const a = first[c];
          const b = second[c];
          const distance = distances[c];
          if (distance <= worst[a] && a !== b) heaps.offer(a, points.rowAt(b), distance);
        }
      }
    }
  }
}

function joined(a: Float64Array, b: Float64Array): Float64Array {
  const both = new Float64Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
