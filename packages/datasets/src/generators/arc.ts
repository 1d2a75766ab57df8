import type { DenseMatrix } from "@curvature/linalg";

/** Points of a circle, or of a part of it, and where each lies on it. */
export interface Arc {
  /** count × 2. */
  readonly points: DenseMatrix;
  /** φ, in radians. */
  readonly angle: Float64Array;
}
