import type { Solver } from "@curvature/optim-core";
import type { EmbeddingDetails } from "./embedding-details.js";
import type { ImmediateSolver } from "./immediate-solver.js";

/**
 * The solver under a fingerprint that names more than its objective: a checkpoint of `embed` is of a run from one
 * start with one matrix, and going on from it under other options would not be what the report says.
 */
export function identified(solver: ImmediateSolver, fingerprint: string): Solver<EmbeddingDetails> {
  const { name, dimension, options } = solver;
  return {
    name,
    dimension,
    fingerprint,
    ...(options === undefined ? {} : { options }),
    get best() {
      return solver.best;
    },
    get last() {
      return solver.last;
    },
    step: () => solver.step(),
    save: () => solver.save(),
    restore: (snapshot) => solver.restore(snapshot),
  };
}
