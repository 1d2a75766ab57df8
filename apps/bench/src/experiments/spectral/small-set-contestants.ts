/**
 * The methods of figures 1 to 3 of the partial-Hessian paper: SD of all neighbours (κ = N), SD−, SD-LBFGS (ours), DiagH,
 * FP, gradient descent whose steps only shrink from 1 (the paper's), nonlinear CG and L-BFGS of 100 pairs, both with Wolfe
 * searches.
 */
import type { EmbeddingObjective } from "@curvature/objectives/embedding";
import { ConjugateGradient, Lbfgs } from "@curvature/optim-core";
import {
  type AttractiveGraph,
  attractiveGraph,
  type Direction,
  diagonalHessianDirection,
  fixedPointDirection,
  gradientDirection,
  type ImmediateSolver,
  PartialHessian,
  type SolverFactory,
  spectralDirection,
  spectralLbfgs,
  spectralMinusDirection,
  spectralSolve,
} from "@curvature/optim-spectral";

const along =
  (directionOf: (graph: AttractiveGraph) => Direction) =>
  (objective: EmbeddingObjective): SolverFactory => {
    const direction = directionOf(attractiveGraph(objective.attractiveWeights()));
    return (E, X) => new PartialHessian(E, X, direction);
  };

/** By name. What serves all starts and all λ of an objective, such as a factor, is made at the first call. */
export const contestants: Readonly<Record<string, (objective: EmbeddingObjective) => SolverFactory>> = {
  SD: along((graph) => spectralDirection(graph, "all")),
  "SD-LBFGS (ours)": (objective) => {
    const { solve } = spectralSolve(attractiveGraph(objective.attractiveWeights()), "all");
    return (E, X) => spectralLbfgs(E, X, solve);
  },
  "SD−": along(spectralMinusDirection),
  "L-BFGS": () => (E, X) => told(E, new Lbfgs(E, X, { memory: 100 })),
  CG: () => (E, X) => told(E, new ConjugateGradient(E, X)),
  FP: along(fixedPointDirection),
  DiagH: along(diagonalHessianDirection),
  GD: () => (E, X) => new PartialHessian(E, X, gradientDirection()),
};

/** A classic solver in the words of embeddings. */
function told(objective: EmbeddingObjective, solver: Lbfgs | ConjugateGradient): ImmediateSolver {
  return {
    name: solver.name,
    dimension: solver.dimension,
    fingerprint: solver.fingerprint,
    get best() {
      return solver.best;
    },
    get last() {
      return solver.last;
    },
    step: () => {
      const iteration = solver.step();
      const details = {
        lambda: objective.lambda,
        energy: iteration.value ?? Number.NaN,
        klDivergence: undefined,
      };
      return { ...iteration, details };
    },
    save: () => solver.save(),
    restore: (snapshot) => solver.restore(snapshot),
  };
}
