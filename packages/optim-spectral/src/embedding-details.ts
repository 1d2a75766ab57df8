import { iteration, maybe, number } from "@curvature/optim-core/state";

/** What every solver of this package says about an iteration. */
export interface EmbeddingDetails {
  /** λ at this iteration. */
  readonly lambda: number;
  /** E⁺ + λ E⁻ at that λ; the iteration's `value` is E at the λ that was asked for, and unknown on the way there. */
  readonly energy: number;
  /** Kullback-Leibler divergence at λ = 1, constant included; undefined where it is not known without more work. */
  readonly klDivergence: number | undefined;
}

/** The iteration with which a solver ended: a further step, also one after a restore, repeats it. */
export const endedIteration = () =>
  iteration({ lambda: number(), energy: number(), klDivergence: maybe(number()) });
