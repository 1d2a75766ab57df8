/**
 * The modified Huber loss, with m = y s: l = −4m for m < −1, (1 − m)² for −1 ≤ m < 1, 0 for m ≥ 1. A squared hinge
 * (without the factor ½) that is linear for gross errors.
 *
 * Zhang: Solving large scale linear prediction problems using stochastic gradient descent. ICML 2004.
 */
import type { LinearLoss } from "../loss.js";

export const modifiedHuber: LinearLoss = /* @__PURE__ */ Object.freeze<LinearLoss>({
  name: "modified-huber",
  task: "classification",
  curvatureBound: 2,
  value(score, target) {
    const m = target * score;
    if (m < -1) return -4 * m;
    return m < 1 ? (1 - m) * (1 - m) : 0;
  },
  slope(score, target) {
    const m = target * score;
    if (m < -1) return -4 * target;
    return m < 1 ? -2 * target * (1 - m) : 0;
  },
  curvature(score, target) {
    const m = target * score;
    return m >= -1 && m < 1 ? 2 : 0;
  },
  implicitSlope(score, target, a) {
    const slack = 1 - target * score;
    return slack > 0 ? -target * Math.min(4, slack / (0.5 + a)) : 0;
  },
});
