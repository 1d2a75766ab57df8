/** The experiments of the classic solvers. */
import type { Experiment } from "./experiment.ts";

export const core: readonly Experiment[] = [
  {
    name: "core/mgh",
    claim: "What the classic solvers call converged is a minimum: problems of Moré, Garbow and Hillstrom",
    pictures: [
      {
        name: "reached",
        title: "minima reached",
        names: ["solver"],
        marks: { reached: "reached", "runs or problems": "of" },
        axis: "runs",
        isLinear: true,
      },
    ],
  },
  {
    name: "core/nist",
    claim: "What the classic solvers call converged is a minimum: NIST's nonlinear regression",
    pictures: [
      {
        name: "reached",
        title: "minima reached",
        names: ["solver"],
        marks: { reached: "reached", "runs or problems": "of" },
        axis: "runs",
        isLinear: true,
      },
    ],
  },
  {
    name: "core/boxes",
    claim: "L-BFGS-B reaches the best known value in every box, with no more evaluations than SciPy's",
    pictures: [
      {
        name: "evaluations",
        title: "evaluations to the best value",
        names: ["problem"],
        marks: { "L-BFGS-B": "to the best value", SciPy: "SciPy, to the best value" },
        axis: "evaluations",
      },
    ],
  },
];
