/** What every solver of this package is, and what it says about an iteration. */
import type { EmbeddingObjective } from "@curvature/objectives/embedding";
import type { SynchronousSolver } from "@curvature/optim-core";
import { iteration, maybe, number } from "@curvature/optim-core/state";

export interface EmbeddingDetails {
  /** λ at this iteration. */
  readonly lambda: number;
  /** E⁺ + λ E⁻ at that λ; the iteration's `value` is E at the λ that was asked for, and unknown on the way there. */
  readonly energy: number;
  /** Kullback-Leibler divergence at λ = 1, constant included; undefined where it is not known without more work. */
  readonly klDivergence: number | undefined;
}

/**
 * E at λ = 1 as the divergence that it is but for a constant: at least 0. Both are sums of many terms, so that a perfect map may
 * come out below 0 by their rounding, which is not shown.
 */
export function divergenceOf(
  { entropyConstant }: Pick<EmbeddingObjective, "entropyConstant">,
  E: number,
): number {
  const divergence = E + entropyConstant;
  const rounding = 1e-12 * (Math.abs(E) + Math.abs(entropyConstant));
  return divergence < 0 && divergence >= -rounding ? 0 : divergence;
}

/** Evaluations that "auto" makes if nobody limits them. */
export const SCHEDULE = 100;

/** The iteration with which a solver ended: a further step, also one after a restore, repeats it. */
export const endedIteration = () =>
  iteration({ lambda: number(), energy: number(), klDivergence: maybe(number()) });

/** A solver whose steps are done at once, since the objective's evaluations are. */
export type ImmediateSolver = SynchronousSolver<EmbeddingDetails>;

/** Makes the solver for one λ from where the last one ended. */
export type SolverFactory = (objective: EmbeddingObjective, start: Float64Array) => ImmediateSolver;
