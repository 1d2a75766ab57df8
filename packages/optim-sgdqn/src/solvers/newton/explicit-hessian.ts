/**
 * Newton's systems with the Hessian itself: H = Σᵢ hᵢ xᵢ xᵢᵀ and its Cholesky factor.
 *
 * H is kept from one system to the next, and only rows whose curvature changed are added or taken away,
 *
 *   H ← H + Σᵢ (hᵢ − hᵢ′) xᵢ xᵢᵀ,
 *
 * which for losses of piecewise constant curvature (squared hinge, Huber) are the rows that crossed a kink; it is
 * built anew where that is less work. Cost per row nnz²/2, per system d³/3 besides; memory 2 d².
 *
 * Problems with the same rows share XᵀX / n: at w = 0 it is the Hessian of every class. The first solver that has built it
 * leaves it with the rows; the others copy it and take away the rows that are inactive for them.
 */
import type { Bias } from "@curvature/objectives/linear";
import { boolean, float64, part, stateOf } from "@curvature/optim-core/state";
import type { SharedRows } from "../../multiclass/shared-rows.js";
import { BiasElimination } from "./bias-elimination.js";
import { RidgedCholesky } from "./ridged-cholesky.js";
import type { NewtonSystem, SystemParts } from "./system.js";
import { MIN_OUTER_PRODUCTS, RowCursor, type Work } from "./work.js";

/** Σ xᵢ xᵢᵀ / n, lower triangle, once a solver has built it. */
interface SharedGram {
  matrix: Float64Array | undefined;
}

const withoutBias = new WeakMap<SharedRows, SharedGram>();
const withBias = new WeakMap<SharedRows, SharedGram>();

export function sharedGram(shared: SharedRows, bias: Bias): SharedGram {
  const grams = bias === "none" ? withoutBias : withBias;
  const known = grams.get(shared) ?? { matrix: undefined };
  grams.set(shared, known);
  return known;
}

export class ExplicitHessian implements NewtonSystem {
  readonly phase = "hessian";
  readonly state;
  private readonly factor: RidgedCholesky;
  private readonly right: Float64Array;

  /**
   * @param cost - multiplications per row of Σ xᵢ xᵢᵀ
   * @param shared - Σ xᵢ xᵢᵀ / n of problems with the same rows, none of whose curvatures exceeds 1/n
   */
  constructor(
    private readonly parts: SystemParts,
    cost: number,
    private readonly shared: SharedGram | undefined,
  ) {
    const { rows, diagonal, isBiasFree } = parts;
    const d = diagonal.length;
    this.factor = new RidgedCholesky(d, diagonal, isBiasFree);
    this.right = new Float64Array(d);
    this.state = stateOf({
      H: float64(new Float64Array(d * d)),
      /** hᵢ′, the curvatures that H is made of. */
      held: float64(new Float64Array(rows)),
      change: float64(new Float64Array(rows)),
      cursor: part(new RowCursor(rows, cost, MIN_OUTER_PRODUCTS)),
      isFirst: boolean(true),
      center: part(new BiasElimination(d, isBiasFree)),
    });
  }

  start(): void {
    const { rows, h } = this.parts;
    const { H, held, change, isFirst } = this.state;
    if (isFirst) this.takeShared();
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
      H.fill(0);
      change.set(h);
    }
    held.set(h);
  }

  /** H of all rows, if another problem has left it. */
  private takeShared(): void {
    const sums = this.shared?.matrix;
    if (sums === undefined) return;
    this.state.H.set(sums);
    this.state.held.fill(1 / this.parts.rows);
  }

  advance(work: Work, s: Float64Array): boolean {
    const { sweeps, g } = this.parts;
    const { change, H, cursor, isFirst } = this.state;
    const n = s.length;
    const isComplete = cursor.sweep(work, (from, to) => {
      sweeps.addOuterProducts(change, H, from, to);
      for (let i = from; i < to; i++) work.rowVisits += Number(change[i] !== 0);
    });
    if (!isComplete) return false;
    if (isFirst) this.leaveShared();
    this.state.isFirst = false;
    work.left -= (n * n * n) / 6;
    const { isBiasFree, h } = this.parts;
    const { center } = this.state;
    if (isBiasFree) center.set(H.subarray((n - 1) * n), h);
    if (!this.factor.factor(H)) {
      s.fill(Number.NaN);
      return true;
    }
    center.rightSide(g, this.right);
    this.factor.solve(this.right, s);
    center.complete(g, s);
    return true;
  }

  private leaveShared(): void {
    const { shared } = this;
    const { held, H } = this.state;
    if (shared === undefined || shared.matrix !== undefined) return;
    if (held.every((h) => h === 1 / held.length)) shared.matrix = H.slice();
  }
}
