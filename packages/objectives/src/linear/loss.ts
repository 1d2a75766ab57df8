/**
 * A loss of a linear model: l(s, y) of the score s = w·x (+ b) and the target y, which is −1 or +1 for
 * classification and any real number for regression.
 */
export type LinearLossName =
  | "hinge"
  | "squared-hinge"
  | "smoothed-hinge"
  | "logistic"
  | "modified-huber"
  | "squared-error"
  | "huber";

export interface LinearLoss {
  readonly name: LinearLossName;
  readonly task: "classification" | "regression";
  /** h of the smoothed hinge, δ of Huber's loss; the others have none. */
  readonly width?: number | undefined;
  /** l(s, y). */
  value(score: number, target: number): number;
  /** ∂l/∂s; at a kink the derivative that does not ask for a move (for the hinge at y s = 1: 0). */
  slope(score: number, target: number): number;
  /** ∂²l/∂s², at a kink that of the side that `slope` takes. */
  curvature(score: number, target: number): number;
  /**
   * ∂l/∂s at the score u that solves u = s − a ∂l/∂s(u), a ≥ 0: the slope of an implicit step of length a, which never
   * goes beyond the minimum. With a = 0 it is `slope`.
   */
  implicitSlope(score: number, target: number, a: number): number;
  /** The least upper bound of `curvature`; Infinity for the hinge. */
  readonly curvatureBound: number;
}
