/**
 * The hinge with its kink replaced by a parabola of width h, with m = y s:
 *
 *   l = 1 − m − h/2  for m ≤ 1 − h,   (1 − m)²/(2h)  for 1 − h < m < 1,   0  for m ≥ 1.
 *
 * Width 1 is the smoothed hinge of Rennie and Srebro (2005), and of Bottou's SGD programs.
 */
import type { LinearLoss } from "../loss.js";

export function smoothedHinge(h: number): LinearLoss {
  return Object.freeze<LinearLoss>({
    name: "smoothed-hinge",
    task: "classification",
    width: h,
    curvatureBound: 1 / h,
    value(score, target) {
      const slack = 1 - target * score;
      if (slack >= h) return slack - 0.5 * h;
      return slack > 0 ? (0.5 * slack * slack) / h : 0;
    },
    slope(score, target) {
      const slack = 1 - target * score;
      if (slack >= h) return -target;
      return slack > 0 ? (-target * slack) / h : 0;
    },
    curvature(score, target) {
      const slack = 1 - target * score;
      return slack > 0 && slack < h ? 1 / h : 0;
    },
    implicitSlope(score, target, a) {
      const slack = 1 - target * score;
      return slack > 0 ? -target * Math.min(1, slack / (h + a)) : 0;
    },
  });
}
