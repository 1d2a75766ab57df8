import type { DenseMatrix } from "@curvature/linalg";

/** Points of a bent rectangle, and where each lies on it. */
export interface Sheet {
  /** count × 3. */
  readonly points: DenseMatrix;
  /** The parameter along the bent side: an angle in radians. */
  readonly along: Float64Array;
  /** The parameter along the straight side. */
  readonly across: Float64Array;
}
