/**
 * The running certificate: the largest lower bound with its feasible point, the smallest upper bound, and their gap.
 *
 * gap = (UB − LB) / max(|UB|, 1e-300). Both bounds hold for ever, whatever the iteration does afterwards.
 */
import { checkArgument, type DenseMatrix, finite } from "@curvature/linalg";
import type { Outcome } from "@curvature/optim-core";
import { matrix, number, stateIn } from "@curvature/optim-core/state";
import { checkDense } from "../arguments.js";

export class Certificate {
  /** The best feasible Q so far. */
  readonly point: DenseMatrix;
  lower: number;
  upper = Number.POSITIVE_INFINITY;
  readonly state;

  /**
   * @param point - a feasible Q, kept and overwritten; `value` is its Tr(D Q)
   * @throws CurvatureError ERR_SHAPE, ERR_ARGUMENT
   */
  constructor(point: DenseMatrix, value: number) {
    checkDense("Certificate", "point", point);
    checkArgument("Certificate", "value", finite, value);
    this.point = point;
    this.lower = value;
    this.state = stateIn(this, {
      point: matrix(point, { rows: point.rows, columns: point.columns }),
      lower: number(),
      upper: number(),
    });
  }

  /** Takes a feasible Q, copied, if its value is larger. @throws CurvatureError ERR_SHAPE */
  offerPoint(Q: DenseMatrix, value: number): void {
    checkDense("Certificate", "Q", Q, this.point.rows, this.point.columns);
    if (!(value > this.lower)) return;
    this.lower = value;
    this.point.data.set(Q.data);
  }

  offerUpper(bound: number): void {
    if (bound < this.upper) this.upper = bound;
  }

  /** Infinity before there is an upper bound; rounding's negative gaps are 0. */
  get gap(): number {
    return relativeGap(this.upper, this.lower);
  }
}

/** (UB − LB) / |UB|: Infinity before there is an upper bound; rounding's negative gaps are 0. */
export function relativeGap(upper: number, lower: number): number {
  if (upper === Number.POSITIVE_INFINITY) return upper;
  return Math.max(0, upper - lower) / Math.max(Math.abs(upper), 1e-300);
}

/** The end of a solver whose certified gap is small enough. */
export const certified = (gap: number, tolerance: number): Outcome => ({
  status: "converged",
  message: `The certified relative gap ${gap.toPrecision(3)} is at most ${tolerance}.`,
});
