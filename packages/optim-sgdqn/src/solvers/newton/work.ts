/**
 * What one step may do: work is counted in multiplications, and a step ends where it is used up, so that steps stay
 * short on data of every size.
 */
import { stateIn, whole } from "@curvature/optim-core/state";

export class Work {
  /** Multiplications left in this step. */
  left = 0;
  /** Rows visited since the start. */
  rowVisits = 0;
  readonly state = stateIn<Work, "rowVisits">(this, { rowVisits: whole() });
}

/** Multiplications in one step: some 15 ms. */
export const WORK_PER_STEP = 2 ** 23;
const WORK_PER_BLOCK = 2 ** 20;
/** Outer products of dense rows are summed in blocks, which should not be small. */
export const MIN_OUTER_PRODUCTS = 64;

/** A sweep over all rows that can be left between two blocks of them. */
export class RowCursor {
  /** The first row of the next block. */
  next = 0;
  readonly state;
  private readonly rows: number;
  private readonly cost: number;
  private readonly block: number;

  /**
   * @param cost - multiplications per row
   * @param least - rows that a block must have to be worth its own expense
   */
  constructor(rows: number, cost: number, least = 1) {
    this.rows = rows;
    this.cost = cost;
    this.block = Math.ceil(Math.max(least, WORK_PER_BLOCK / cost));
    this.state = stateIn<RowCursor, "next">(this, { next: whole(0, { to: rows }) });
  }

  /** Visits further blocks while work is left. @returns whether the sweep is complete; the next begins anew */
  sweep(work: Work, visit: (from: number, to: number) => void): boolean {
    while (this.next < this.rows) {
      if (work.left <= 0) return false;
      const to = Math.min(this.rows, this.next + this.block);
      visit(this.next, to);
      work.left -= this.cost * (to - this.next);
      this.next = to;
    }
    this.next = 0;
    return true;
  }
}
