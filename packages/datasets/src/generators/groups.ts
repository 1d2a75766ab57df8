import type { DenseMatrix } from "@curvature/linalg";

/** Points, each of which belongs to a known group. */
export interface Groups {
  /** One row per point. */
  readonly points: DenseMatrix;
  /** The group of each point, counted from 0. */
  readonly labels: Uint32Array;
}
