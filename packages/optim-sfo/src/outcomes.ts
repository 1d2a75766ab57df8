/** How a run ends by itself, in words. */
import type { Outcome } from "@curvature/optim-core";

/** @param left - ½ qᵀH⁻¹q */
export const converged = (left: number, tolerance: number, when: string): Outcome => ({
  status: "converged",
  message: `The model has a decrease of ${left.toPrecision(3)} left, at most ${tolerance} of 1 + |F|, ${when}.`,
});

export const stalled: Outcome = {
  status: "stalled",
  message:
    "The run came to a point where the decrease left was within rounding, lost it, and F falls no further. Precision float64 and a batch of 1 resolve more; if F is far from a minimum, look at the gradients with checkGradient.",
};

export const diverged = (restarts: number, reason: string): Outcome => ({
  status: "diverged",
  message: `After ${restarts} restarts ${reason} again. Look at the gradients with checkGradient, or give a larger initialHessian.`,
});

export const notFinite = (index: number): Outcome => ({
  status: "diverged",
  message: `At the first point subfunction ${index}, or its gradient, is not finite. Start where all of them are, and write every entry of the gradient.`,
});
