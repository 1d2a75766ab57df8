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
    return -target * errorAt(target * score);
  },
  curvature(score, target) {
    const e = exp(-Math.abs(target * score));
    return e / ((1 + e) * (1 + e));
  },
  implicitSlope(score, target, a) {
    return -target * implicitError(target * score, a);
  },
});

/**
 * p = 1/(1 + e^u) where u = m + a p: by Newton's iteration on u − m − a p(u), whose slope 1 + a p (1 − p) is at least 1,
 * between the bounds m and m + a p(m). Three iterations are the rule; where p bends sharply and a is large, so that
 * Newton's steps do not shrink, halving the bounds takes over.
 */
function implicitError(m: number, a: number): number {
  let u = m;
  let p = errorAt(u);
  let low = m;
  let high = m + a * p;
  let change = Number.POSITIVE_INFINITY;
  for (let k = 0; k < 100; k++) {
    const excess = u - m - a * p;
    if (excess > 0) high = u;
    else low = u;
    const step = -excess / (1 + a * p * (1 - p));
    const isNewton = u + step >= low && u + step <= high && 2 * Math.abs(step) <= change;
    const next = isNewton ? u + step : 0.5 * (low + high);
    change = Math.abs(next - u);
    u = next;
    p = errorAt(u);
    if (!(change > 1e-7 * (1 + Math.abs(u)))) break; // Newton's next change would be of the order of its square
  }
  return p;
}

/** 1/(1 + e^u) */
function errorAt(u: number): number {
  const e = exp(-Math.abs(u));
  return (u > 0 ? e : 1) / (1 + e);
}
