/**
 * The running certificate: the largest lower bound with its feasible point, the smallest upper bound, and their gap.
 *
 * gap = (UB − LB) / max(|UB|, 1e-300). Both bounds hold for ever, whatever the iteration does afterwards.
 */
import { CurvatureError, type DenseMatrix, shown } from "@curvature/linalg";
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import { checkDense } from "../doors.js";

export class Certificate {
  /** The best feasible Q so far. */
  readonly point: DenseMatrix;
  lower: number;
  upper = Number.POSITIVE_INFINITY;

  /**
   * @param point - a feasible Q, kept and overwritten; `value` is its Tr(D Q)
   * @throws CurvatureError ERR_SHAPE, ERR_ARGUMENT
   */
  constructor(point: DenseMatrix, value: number) {
    checkDense("Certificate", "point", point);
    if (!Number.isFinite(value))
      throw new CurvatureError(
        "ERR_ARGUMENT",
        `Certificate: value must be finite; received ${shown(value)}.`,
        {
          path: "value",
          expected: "a finite number",
          received: value,
        },
      );
    this.point = point;
    this.lower = value;
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

  save(): { readonly [key: string]: SnapshotValue } {
    return { point: this.point.data.slice(), lower: this.lower, upper: this.upper };
  }

  /** Reads all fields, and gives back what takes them. @throws CurvatureError ERR_SNAPSHOT */
  read(state: SnapshotReader): () => void {
    const point = state.float64("point", this.point.data.length);
    const lower = state.number("lower");
    const upper = state.number("upper");
    return () => {
      this.point.data.set(point);
      this.lower = lower;
      this.upper = upper;
    };
  }
}

/** (UB − LB) / |UB|: Infinity before there is an upper bound; rounding's negative gaps are 0. */
export function relativeGap(upper: number, lower: number): number {
  if (upper === Number.POSITIVE_INFINITY) return upper;
  return Math.max(0, upper - lower) / Math.max(Math.abs(upper), 1e-300);
}
