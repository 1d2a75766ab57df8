/** The squared error of regression, l = ½ (s − y)². */
import type { LinearLoss } from "../loss.js";

export const squaredError: LinearLoss = /* @__PURE__ */ Object.freeze<LinearLoss>({
  name: "squared-error",
  task: "regression",
  curvatureBound: 1,
  value: (score, target) => 0.5 * (score - target) * (score - target),
  slope: (score, target) => score - target,
  curvature: () => 1,
  implicitSlope: (score, target, a) => (score - target) / (1 + a),
});
