/**
 * What is common to the searches: all pairs of two blocks, by one matrix product, offered to heaps.
 *
 * A pair is measured, by direct differences, only where bound (1) of `point-blocks` leaves it a chance:
 *
 *   ⟨a, b⟩ − h_b ≥ h_a − max(w_a, w_b) / 2,     w: the worst distance that a heap keeps
 *
 * So what a heap holds in the end is what direct differences would give it, ties broken by the lower index.
 */
import { gemm, ProductWorkspace } from "@curvature/linalg";
import { squaredRowDistance } from "./distances.js";
import type { NeighborHeaps } from "./neighbor-heaps.js";
import type { PointBlocks } from "./point-blocks.js";

/** What it takes to look at a pair and to keep it, in multiplications: in few dimensions most of the time. */
export const PAIR = 32;

export class BlockProducts {
  private readonly workspace = new ProductWorkspace();
  private products = new Float64Array();

  /** ⟨a, b⟩ − h_b for a in block I of A and b in block J of B, row by row. */
  of(A: PointBlocks, I: number, B: PointBlocks, J: number): Float64Array {
    const D = A.columns;
    const [a, b] = [A.start(I), B.start(J)];
    const [rows, columns] = [A.end(I) - a, B.end(J) - b];
    if (this.products.length < rows * columns) this.products = new Float64Array(A.block * B.block);
    const { products } = this;
    for (let j = 0; j < columns; j++) products[j] = -B.half[b + j];
    for (let i = 1; i < rows; i++) products.copyWithin(i * columns, 0, columns);
    const left = { data: A.centred, offset: a * D, rowStride: D, columnStride: 1 };
    const right = { data: B.centred, offset: b * D, rowStride: 1, columnStride: D };
    const into = { data: products, offset: 0, rowStride: columns, columnStride: 1 };
    gemm(1, rows, columns, D, left, right, into, false, this.workspace);
    return products;
  }
}

/** Offers pairs of points to heaps, whose rows are positions. */
export class BlockPairs {
  private readonly chosen: Int32Array;

  /** @param block - the most rows of a block */
  constructor(
    block: number,
    private readonly heaps: NeighborHeaps,
  ) {
    this.chosen = new Int32Array(block);
  }

  /** Every pair of a point of block I and one of block J, to both of them. Within one block: each pair once. */
  offerBoth(Y: PointBlocks, I: number, J: number, products: Float64Array): void {
    const { heaps, chosen } = this;
    const { half, exact, columns: D } = Y;
    const { worst } = heaps;
    const [start, end] = [Y.start(J), Y.end(J)];
    const worstOfAll = largest(worst, start, end);
    for (let a = Y.start(I), row = 0; a < Y.end(I); a++, row += end - start) {
      const h = half[a];
      const wa = worst[a];
      const first = I === J ? a + 1 : start;
      const to = start - row;
      let count = select(products, first - to, end - to, h - 0.5 * Math.max(wa, worstOfAll), chosen);
      count = selectBoth(products, to, h, wa, worst, chosen, count);
      for (let c = 0; c < count; c++) {
        const b = chosen[c] + to;
        const distance = squaredRowDistance(exact, a, exact, b, D);
        if (distance <= worst[a]) heaps.offer(a, Y.rowAt(b), distance);
        if (distance <= worst[b]) heaps.offer(b, Y.rowAt(a), distance);
      }
    }
  }

  /** Every point of block J of Y, to the points of block I of Q. */
  offerTo(Q: PointBlocks, I: number, Y: PointBlocks, J: number, products: Float64Array): void {
    const { heaps, chosen } = this;
    const { worst } = heaps;
    const [start, end] = [Y.start(J), Y.end(J)];
    for (let a = Q.start(I), row = 0; a < Q.end(I); a++, row += end - start) {
      const count = select(products, row, row + end - start, Q.half[a] - 0.5 * worst[a], chosen);
      for (let c = 0; c < count; c++) {
        const b = chosen[c] - row + start;
        const distance = squaredRowDistance(Q.exact, a, Y.exact, b, Q.columns);
        if (distance <= worst[a]) heaps.offer(a, Y.rowAt(b), distance);
      }
    }
  }
}

/** Four differences, and the halves of them that have their signs. */
const differences = /* @__PURE__ */ new Float64Array(4);
const halves = /* @__PURE__ */ new Int32Array(differences.buffer);

/**
 * The places of products of at least `least`. One in ten passes, which no processor can foresee: so there is no branch,
 * but the sign of the difference, as an integer 0 or −1, says whether the place is kept or overwritten by the next.
 */
export function select(
  products: Float64Array,
  from: number,
  end: number,
  least: number,
  chosen: Int32Array,
): number {
  const whole = from + ((end - from) & ~3);
  let count = 0;
  for (let at = from; at < whole; at += 4) {
    differences[0] = products[at] - least;
    differences[1] = products[at + 1] - least;
    differences[2] = products[at + 2] - least;
    differences[3] = products[at + 3] - least;
    chosen[count] = at;
    count += 1 + (halves[1] >> 31);
    chosen[count] = at + 1;
    count += 1 + (halves[3] >> 31);
    chosen[count] = at + 2;
    count += 1 + (halves[5] >> 31);
    chosen[count] = at + 3;
    count += 1 + (halves[7] >> 31);
  }
  for (let at = whole; at < end; at++) {
    chosen[count] = at;
    count += Number(products[at] >= least);
  }
  return count;
}

/** Of these, those that either point may take; b = place + `to`. */
function selectBoth(
  products: Float64Array,
  to: number,
  h: number,
  wa: number,
  worst: Float64Array,
  chosen: Int32Array,
  candidates: number,
): number {
  let count = 0;
  for (let c = 0; c < candidates; c++) {
    const at = chosen[c];
    const wb = worst[at + to];
    chosen[count] = at;
    count += Number(products[at] >= h - 0.5 * Math.max(wa, wb));
  }
  return count;
}

export function largest(values: Float64Array, start: number, end: number): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let p = start; p < end; p++) most = Math.max(most, values[p]);
  return most;
}
