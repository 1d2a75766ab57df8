/** How solvers of NOMAD end that have bounds, in words. */
import type { Outcome } from "@curvature/optim-core";

export const certified = (gap: number, tolerance: number): Outcome => ({
  status: "converged",
  message: `The certified relative gap ${gap.toPrecision(3)} is at most ${tolerance}.`,
});

export const stoodStill = (gap: number, steps: number, tolerance: number): Outcome => ({
  status: "stalled",
  message: `The certified relative gap has stood at ${gap.toPrecision(3)} for ${steps} steps; the tolerance is ${tolerance}.`,
});

/** The end of the factorisation, where nothing comes after it. */
export const uncertified = ({ status, message }: Outcome, certify: boolean | "auto"): Outcome => ({
  status,
  message: `${message} No certificate is made: ${certify === false ? "none was asked for." : "certify: true asks for one."}`,
});
