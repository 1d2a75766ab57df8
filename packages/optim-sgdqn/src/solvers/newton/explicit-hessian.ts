/**
 * Newton's systems with the Hessian itself: H = Σᵢ hᵢ xᵢ xᵢᵀ and its Cholesky factor.
 *
 * H is kept from one system to the next, and only rows whose curvature changed are added or taken away,
 *
 *   H ← H + Σᵢ (hᵢ − hᵢ′) xᵢ xᵢᵀ,
 *
 * which for losses of piecewise constant curvature (squared hinge, Huber) are the rows that crossed a kink; it is
 * built anew where that is less work. Cost per row nnz²/2, per system d³/3 besides; memory 2 d².
 */
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import type { NewtonSystem } from "./newton-system.js";
import { RidgedCholesky } from "./ridged-cholesky.js";
import type { SharedGram } from "./shared-gram.js";
import type { RowSweeps } from "./sweeps/sweeps.js";
import { LEAST_OUTER_PRODUCTS, RowCursor, type Work } from "./work.js";

export class ExplicitHessian implements NewtonSystem {
  readonly phase = "hessian";
  readonly isSolved = true;
  private readonly H: Float64Array;
  /** hᵢ′, the curvatures that H is made of. */
  private readonly held: Float64Array;
  private readonly change: Float64Array;
  private readonly cursor: RowCursor;
  private readonly factor: RidgedCholesky;
  private gradient: Float64Array | undefined;
  private isFirst = true;

  /**
   * @param cost - multiplications per row of Σ xᵢ xᵢᵀ
   * @param shared - Σ xᵢ xᵢᵀ / n of problems with the same rows, none of whose curvatures exceeds 1/n
   */
  constructor(
    private readonly sweeps: RowSweeps,
    private readonly rows: number,
    private readonly dimension: number,
    diagonal: Float64Array,
    cost: number,
    private readonly shared: SharedGram | undefined,
  ) {
    this.H = new Float64Array(dimension * dimension);
    this.held = new Float64Array(rows);
    this.change = new Float64Array(rows);
    this.cursor = new RowCursor(rows, cost, LEAST_OUTER_PRODUCTS);
    this.factor = new RidgedCholesky(dimension, diagonal);
  }

  start(h: Float64Array, g: Float64Array): void {
    const { held, change, rows } = this;
    this.gradient = g;
    if (this.isFirst) this.takeShared();
    let active = 0;
    let changed = 0;
    for (let i = 0; i < rows; i++) {
      const hi = h[i];
      const difference = hi - held[i];
      change[i] = difference;
      active += Number(hi !== 0);
      changed += Number(difference !== 0);
    }
    if (changed > active) {
      this.H.fill(0);
      change.set(h);
    }
    held.set(h);
  }

  /** H of all rows, if another problem has left it. */
  private takeShared(): void {
    const sums = this.shared?.matrix;
    if (sums === undefined) return;
    this.H.set(sums);
    this.held.fill(1 / this.rows);
  }

  advance(work: Work, s: Float64Array): boolean {
    const { change, H, dimension: n } = this;
    const isComplete = this.cursor.sweep(work, (from, to) => {
      this.sweeps.addOuterProducts(change, H, from, to);
      for (let i = from; i < to; i++) if (change[i] !== 0) work.rowVisits++;
    });
    if (!isComplete) return false;
    if (this.isFirst) this.leaveShared();
    this.isFirst = false;
    work.left -= (n * n * n) / 6;
    if (!this.factor.factor(H) || this.gradient === undefined) {
      s.fill(Number.NaN);
      return true;
    }
    this.factor.solve(this.gradient, s);
    for (let j = 0; j < n; j++) s[j] = -s[j];
    return true;
  }

  private leaveShared(): void {
    const { shared, held, rows } = this;
    if (shared === undefined || shared.matrix !== undefined) return;
    if (held.every((h) => h === 1 / rows)) shared.matrix = this.H.slice();
  }

  save(): { readonly [key: string]: SnapshotValue } {
    return {
      H: this.H.slice(),
      held: this.held.slice(),
      change: this.change.slice(),
      next: this.cursor.next,
      isFirst: this.isFirst,
    };
  }

  restore(state: SnapshotReader, _h: Float64Array, g: Float64Array): void {
    const H = state.float64("H", this.H.length);
    const held = state.float64("held", this.rows);
    const change = state.float64("change", this.rows);
    const next = state.integer("next", 0, this.rows);
    this.isFirst = state.flag("isFirst");
    this.H.set(H);
    this.held.set(held);
    this.change.set(change);
    this.cursor.next = next;
    this.gradient = g;
  }
}
