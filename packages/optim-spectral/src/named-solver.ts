/** The solvers that have a name of their own, with what they need made ready. */
import type { DenseMatrix, Warning } from "@curvature/linalg";
import type { EmbeddingObjective } from "@curvature/objectives/embedding";
import { ConjugateGradient, Lbfgs, type Solver } from "@curvature/optim-core";
import { ClassicSolver } from "./classic-solver.js";
import { diagonalHessianDirection } from "./directions/diagonal-hessian.js";
import type { Direction } from "./directions/direction.js";
import { fixedPointDirection } from "./directions/fixed-point.js";
import { gradientDirection } from "./directions/gradient.js";
import { spectralDirection } from "./directions/spectral.js";
import { spectralLbfgs } from "./directions/spectral-lbfgs.js";
import { attractiveGraph, componentWarnings } from "./directions/spectral-matrix.js";
import { spectralMinusDirection } from "./directions/spectral-minus.js";
import { spectralSolve } from "./directions/spectral-solve.js";
import type { EmbeddingSolver } from "./embed-options.js";
import type { EmbedSettings } from "./embed-settings.js";
import { Homotopy } from "./homotopy.js";
import type { EmbeddingDetails, SolverFactory } from "./immediate-solver.js";
import { PartialHessian, type PartialHessianOptions } from "./partial-hessian.js";

export interface ChosenSolver {
  readonly solver: Solver<EmbeddingDetails>;
  readonly warnings: readonly Warning[];
}

type NamedSolver = Exclude<EmbeddingSolver, "auto">;

/** @throws CurvatureError ERR_NOT_POSITIVE_DEFINITE if the spectral direction's matrix cannot be factored */
export function namedSolver(
  solver: NamedSolver,
  objective: EmbeddingObjective,
  start: DenseMatrix,
  settings: EmbedSettings,
): ChosenSolver {
  const { homotopy, seed } = settings;
  const { make, warnings } = factoryOf(solver, objective, settings);
  return {
    solver: homotopy ? new Homotopy(objective, start, make, { seed }) : make(objective, start.data),
    warnings,
  };
}

interface Factory {
  readonly make: SolverFactory;
  readonly warnings: readonly Warning[];
}

function factoryOf(
  solver: NamedSolver,
  objective: EmbeddingObjective,
  { kappa, refreshEvery }: EmbedSettings,
): Factory {
  const graph = attractiveGraph(objective.attractiveWeights());
  const disconnected = componentWarnings(graph);
  switch (solver) {
    case "gd":
      return descentAlong(gradientDirection(), disconnected, { growth: 2, shrink: 0.5 });
    case "fp":
      return descentAlong(fixedPointDirection(graph), disconnected);
    case "diagh":
      return descentAlong(diagonalHessianDirection(graph), disconnected);
    case "sdminus":
      return descentAlong(spectralMinusDirection(graph), disconnected);
    case "sd":
      return descentAlong(spectralDirection(graph, kappa, refreshEvery), []); // it says so by itself
    case "sd-lbfgs": {
      const { solve, warnings } = spectralSolve(graph, kappa);
      return {
        make: (model, start) => spectralLbfgs(model, start, solve),
        warnings: [...disconnected, ...warnings],
      };
    }
    case "cg":
      return classic("cg", (model, start) => new ConjugateGradient(model, start), disconnected);
    case "lbfgs":
      return classic("lbfgs", (model, start) => new Lbfgs(model, start, { memory: 100 }), disconnected);
  }
}

function descentAlong(
  direction: Direction,
  disconnected: readonly Warning[],
  options?: PartialHessianOptions,
): Factory {
  return {
    make: (model, start) => new PartialHessian(model, start, direction, options),
    warnings: [...disconnected, ...direction.warnings],
  };
}

function classic(
  name: string,
  make: (objective: EmbeddingObjective, start: Float64Array) => ConjugateGradient | Lbfgs,
  warnings: readonly Warning[],
): Factory {
  return { make: (model, start) => new ClassicSolver(name, model, make(model, start)), warnings };
}
