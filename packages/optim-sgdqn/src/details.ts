import { iteration, maybe, number, word } from "@curvature/optim-core/state";

/**
 * What the solvers of linear models report of an iteration beside what all solvers report.
 */
export interface LinearDetails {
  /** (P − D)/P ≥ (P − P*)/P, D a bound of P* from the dual; undefined where there is none (yet). */
  readonly gap: number | undefined;
  /** What `gap` comes from. */
  readonly certificate: "duality-gap" | undefined;
  /** The learning rate's offset t₀, for solvers that have one. */
  readonly t0: number | undefined;
  /** For solvers that search for t₀: whether no candidate ended below the start, so that the default was taken. */
  readonly isSearchLost?: boolean | undefined;
  /** For solvers that may end above their start: whether that happened, so that the start is the result. */
  readonly isStart?: boolean | undefined;
}

/** The iteration with which a solver ended, for solvers that are made of others. */
export const endedIteration = () =>
  iteration({
    gap: maybe(number()),
    certificate: maybe(word("duality-gap", ["duality-gap"])),
    t0: maybe(number()),
  });

/** How a sentence begins. */
export const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
