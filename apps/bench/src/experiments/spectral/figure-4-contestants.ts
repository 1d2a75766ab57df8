/** The methods of figure 4 and their objectives, by name, and what goes between their processes and the experiment. */
import {
  type EmbeddingObjective,
  elasticEmbedding,
  symmetricSne,
  tsne,
  type Weights,
} from "@curvature/objectives/embedding";
import { ConjugateGradient, Lbfgs, type Solver } from "@curvature/optim-core";
import {
  attractiveGraph,
  fixedPointDirection,
  gradientDirection,
  PartialHessian,
  spectralDirection,
  spectralLbfgs,
  spectralMinusDirection,
  spectralSolve,
} from "@curvature/optim-spectral";

/** E after so many seconds and evaluations. */
export interface Moment {
  readonly seconds: number;
  readonly evaluations: number;
  readonly E: number;
}

type Start = (objective: EmbeddingObjective, X: Float64Array) => Solver<unknown>;

/** Neighbours kept in the spectral direction's matrix: its factor stays small. */
export const KAPPA = 7;

export interface Task {
  /** Of `models`. */
  readonly model: string;
  /** Of `contestants`. */
  readonly contestant: string;
  readonly P: Weights;
  readonly X0: Float64Array;
  /** Seconds of a run that does not count. */
  readonly warmUp: number;
}

/** The iterations of a turn. */
export interface Course {
  /** So far. */
  readonly seconds: number;
  readonly moments: readonly Moment[];
  readonly isEnded: boolean;
  readonly x: Float64Array;
}

export const contestants: Readonly<Record<string, Start>> = {
  SD: (E, X) => new PartialHessian(E, X, spectralDirection(attractiveGraph(E.attractiveWeights()), KAPPA)),
  "SD−": (E, X) => new PartialHessian(E, X, spectralMinusDirection(attractiveGraph(E.attractiveWeights()))),
  "SD-LBFGS": (E, X) =>
    spectralLbfgs(E, X, spectralSolve(attractiveGraph(E.attractiveWeights()), KAPPA).solve),
  FP: (E, X) => new PartialHessian(E, X, fixedPointDirection(attractiveGraph(E.attractiveWeights()))),
  "GD (growing steps)": (E, X) => new PartialHessian(E, X, gradientDirection(), { growth: 2, shrink: 0.5 }),
  CG: (E, X) => new ConjugateGradient(E, X),
  "L-BFGS (scaled first step)": (E, X) => new Lbfgs(E, X, { memory: 100 }),
  "L-BFGS (unit first step)": (E, X) =>
    new Lbfgs(E, X, { memory: 100, firstStep: "unit", lineSearch: "armijo" }),
};

export const models: Readonly<Record<string, (P: Weights) => EmbeddingObjective>> = {
  ee: (P) => elasticEmbedding({ attraction: P, repulsion: "constant" }, { gradient: "fft" }),
  ssne: (P) => symmetricSne(P, { gradient: "fft" }),
  tsne: (P) => tsne(P, { gradient: "fft" }),
};
