import { iteration, maybe, number, word } from "@curvature/optim-core/state";

/**
 * What the solvers of linear models report of an iteration beside what all solvers report.
 */
export interface LinearDetails {
  /** An upper bound of (P − P*)/P at the current parameters, or a close estimate of it; undefined where unknown. */
  readonly gap: number | undefined;
  /** What `gap` comes from: the duality gap and the gradient's norm are bounds, Newton's decrement is an estimate. */
  readonly certificate: "duality-gap" | "newton-decrement" | "gradient-norm" | undefined;
  /** The learning rate's offset t₀, for solvers that have one. */
  readonly t0: number | undefined;
}

/** The iteration with which a solver ended, for solvers that are made of others. */
export const endedIteration = () =>
  iteration({
    gap: maybe(number()),
    certificate: maybe(word("duality-gap", ["duality-gap", "newton-decrement", "gradient-norm"])),
    t0: maybe(number()),
  });
