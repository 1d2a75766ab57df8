/** How dual coordinate descent ends, after a certificate: by the duality gap relative to P. */
import type { Outcome } from "@curvature/optim-core";

const words = (relative: number): string => `the duality gap is ${relative.toPrecision(3)} of P`;

/** @param canMove - whether any row can make a step beyond rounding */
export function endOf(
  P: number,
  relative: number,
  canMove: boolean,
  tolerance: number,
  sweeps: number,
): Outcome | undefined {
  if (!Number.isFinite(relative) || !Number.isFinite(P))
    return {
      status: "diverged",
      message: `P is ${P} and ${words(relative)}: the data are too large. Scale them.`,
    };
  if (relative <= tolerance)
    return {
      status: "converged",
      message: `After ${sweeps} sweeps ${words(relative)}, at most ${tolerance}.`,
    };
  if (canMove) return undefined;
  return { status: "stalled", message: `No row can make a step beyond rounding, and ${words(relative)}.` };
}

export const passesUsedUp = (maxPasses: number, relative: number): Outcome => ({
  status: "max-evaluations",
  message: `The limit of ${maxPasses} passes is reached: ${words(relative)}.`,
});
