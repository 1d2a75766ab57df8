/**
 * The hinge of the support vector machine, l = max(0, 1 − y s).
 *
 * Cortes, Vapnik: Support-vector networks. Machine Learning 20 (1995), eq. (25) with exponent 1.
 */
import type { LinearLoss } from "../loss.js";

export const hinge: LinearLoss = /* @__PURE__ */ Object.freeze<LinearLoss>({
  name: "hinge",
  task: "classification",
  curvatureBound: Number.POSITIVE_INFINITY,
  value: (score, target) => Math.max(0, 1 - target * score),
  slope: (score, target) => (target * score < 1 ? -target : 0),
  curvature: () => 0,
  implicitSlope(score, target, a) {
    const slack = 1 - target * score;
    return slack > 0 ? -target * Math.min(1, slack / a) : 0;
  },
});
