/**
 * Huber's loss of regression: l = ½ r² for |r| ≤ δ, δ (|r| − δ/2) beyond, with r = s − y.
 *
 * Huber: Robust estimation of a location parameter. Annals of Mathematical Statistics 35 (1964) 73-101.
 */
import type { LinearLoss } from "../loss.js";

export function huber(delta: number): LinearLoss {
  return Object.freeze<LinearLoss>({
    name: "huber",
    task: "regression",
    width: delta,
    curvatureBound: 1,
    value(score, target) {
      const r = Math.abs(score - target);
      return r <= delta ? 0.5 * r * r : delta * (r - 0.5 * delta);
    },
    slope: (score, target) => Math.max(-delta, Math.min(delta, score - target)),
    curvature: (score, target) => (Math.abs(score - target) <= delta ? 1 : 0),
    implicitSlope: (score, target, a) => Math.max(-delta, Math.min(delta, (score - target) / (1 + a))),
  });
}
