/**
 * What the dual problem needs of a loss: that its conjugate is a parabola on an interval.
 *
 *   l*(−a σ) = −a σ y + a²/(2 L)   for a in [lower, upper], else ∞;    a = −σ ∂l/∂s at the optimum
 *
 * with σ = y and the interval [0, M] for classification, σ = 1 and [−M, M] for regression. L is the bound of the
 * loss's curvature (∞ for the hinge: the parabola is a line) and M that of its slope.
 *
 * | loss           | L   | M |
 * |----------------|-----|---|
 * | hinge          | ∞   | 1 |
 * | squared hinge  | 1   | ∞ |
 * | smoothed hinge | 1/h | 1 |
 * | modified Huber | 2   | 4 |
 * | squared error  | 1   | ∞ |
 * | Huber          | 1   | δ |
 *
 * The logistic loss has no such conjugate: a logarithm in every coordinate would need an iteration of its own
 * (Yu, Huang, Lin 2011).
 */
import { badOption } from "@curvature/linalg";
import type { LinearLoss, LinearLossName } from "@curvature/objectives/linear";

export interface DualLoss {
  /** 1/L */
  readonly flatness: number;
  /** M */
  readonly slopeBound: number;
  /** Whether a keeps to [0, M] with σ = y. */
  readonly isClassification: boolean;
}

const slopeBounds: Readonly<Record<LinearLossName, (width: number) => number>> = {
  hinge: () => 1,
  "squared-hinge": () => Number.POSITIVE_INFINITY,
  "smoothed-hinge": () => 1,
  logistic: () => 1,
  "modified-huber": () => 4,
  "squared-error": () => Number.POSITIVE_INFINITY,
  huber: (delta) => delta,
};

/** M; NaN for a loss that is not one of these. */
export function slopeBound({ name, width = 1 }: LinearLoss): number {
  return Object.hasOwn(slopeBounds, name) ? slopeBounds[name](width) : Number.NaN;
}

/** @throws CurvatureError ERR_OPTION for the logistic loss, and for losses that are not ours */
export function dualLoss(loss: LinearLoss, where: string): DualLoss {
  const bound = loss.name === "logistic" ? Number.NaN : slopeBound(loss);
  if (Number.isNaN(bound)) {
    const names = Object.keys(slopeBounds).filter((name) => name !== "logistic");
    const rule = `one of ${names.join(", ")} (the others have no coordinate step in closed form: take the solver newton)`;
    throw badOption(where, "loss", rule, loss.name);
  }
  return {
    flatness: 1 / loss.curvatureBound,
    slopeBound: bound,
    isClassification: loss.task === "classification",
  };
}
