import type { EmbeddingObjective } from "@curvature/objectives/embedding";
import type { Iteration, Solver } from "@curvature/optim-core";
import type { EmbeddingDetails } from "./embedding-details.js";

/** A solver whose steps are done at once, since the objective's evaluations are. */
export interface ImmediateSolver extends Solver<EmbeddingDetails> {
  step(): Iteration<EmbeddingDetails>;
}

/** Makes the solver for one λ from where the last one ended. */
export type SolverFactory = (objective: EmbeddingObjective, start: Float64Array) => ImmediateSolver;
