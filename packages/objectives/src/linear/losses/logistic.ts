/**
 * The logistic loss, l = log(1 + e^−m) with m = y s. Only e^−|m| is formed, so that nothing overflows and nothing
 * is lost where the loss is small.
 */
import { exp, log1p } from "@curvature/linalg";
import type { LinearLoss } from "../loss.js";

export const logistic: LinearLoss = /* @__PURE__ */ Object.freeze<LinearLoss>({
  name: "logistic",
  task: "classification",
  curvatureBound: 0.25,
  value(score, target) {
    const m = target * score;
    return Math.max(0, -m) + log1p(exp(-Math.abs(m)));
  },
  slope(score, target) {
    const m = target * score;
    const e = exp(-Math.abs(m));
    return (-target * (m > 0 ? e : 1)) / (1 + e);
  },
  curvature(score, target) {
    const e = exp(-Math.abs(target * score));
    return e / ((1 + e) * (1 + e));
  },
});
