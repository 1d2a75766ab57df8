import { fingerprintOf, type Solver } from "@curvature/optim-core";
import type { LinearDetails } from "../details.js";
import type { Settings } from "./task.js";

/**
 * The solver under a fingerprint that names more than its problem: going on from a checkpoint with another seed, order or
 * learning rate would not end where the uninterrupted fit does. Limits may be others.
 */
export function identified(
  solver: Solver<LinearDetails>,
  { seed, shuffle, t0, accuracy, validationShare }: Settings,
): Solver<LinearDetails> {
  const { name, dimension, options } = solver;
  return {
    name,
    dimension,
    ...(options === undefined ? {} : { options }),
    get fingerprint() {
      const parts = [t0 ?? "", accuracy ?? "", validationShare ?? 0].map(String);
      return fingerprintOf(solver.fingerprint, seed, String(shuffle), ...parts);
    },
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
