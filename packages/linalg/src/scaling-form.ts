/** What a scaling is, apart from how it is found and applied. */
export type ScalingMethod = "max-abs" | "rms" | "deviation" | "standard" | "unit-rows";

/** x ↦ (x − offsets) / scales by columns, and for `unit-rows` x / ‖x‖. Plain and serialisable. */
export interface Scaling {
  readonly method: ScalingMethod;
  /** By column. */
  readonly offsets: Float64Array;
  /** By column, none of them 0. */
  readonly scales: Float64Array;
}

/** Below it numbers have few digits; a column that varies by less counts as constant. */
export const SMALLEST_NORMAL = 2 ** -1022;
