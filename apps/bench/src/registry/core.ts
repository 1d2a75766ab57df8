/** The experiments of the classic solvers. */
import type { Experiment } from "./experiment.ts";

export const core: readonly Experiment[] = [
  {
    name: "core/mgh",
    claim: "What the classic solvers call converged is a minimum: problems of Moré, Garbow and Hillstrom",
  },
  {
    name: "core/nist",
    claim: "What the classic solvers call converged is a minimum: NIST's nonlinear regression",
  },
  {
    name: "core/boxes",
    claim: "L-BFGS-B reaches the best known value in every box, with no more evaluations than SciPy's",
  },
];
