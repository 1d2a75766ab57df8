/**
 * The squared hinge, l = ½ max(0, 1 − y s)². With the factor ½, as in Bordes, Bottou, Gallinari (2009), section 2;
 * LIBLINEAR's L2-loss is without it, so that its C is 1/(2 λ n).
 */
import type { LinearLoss } from "../loss.js";

export const squaredHinge: LinearLoss = /* @__PURE__ */ Object.freeze<LinearLoss>({
  name: "squared-hinge",
  task: "classification",
  curvatureBound: 1,
  value(score, target) {
    const slack = 1 - target * score;
    return slack > 0 ? 0.5 * slack * slack : 0;
  },
  slope(score, target) {
    const slack = 1 - target * score;
    return slack > 0 ? -target * slack : 0;
  },
  curvature: (score, target) => (target * score < 1 ? 1 : 0),
  implicitSlope(score, target, a) {
    const slack = 1 - target * score;
    return slack > 0 ? (-target * slack) / (1 + a) : 0;
  },
});
