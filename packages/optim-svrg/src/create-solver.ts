/**
 * A solver for an ordinal objective by its name, with the options and defaults that were measured for this problem.
 */
import { checkOptions, flag, integerFrom, nonNegative, oneOf, optional, positive } from "@curvature/linalg";
import type { OrdinalLossName, OrdinalObjective } from "@curvature/objectives/ordinal";
import { GradientDescent, Lbfgs, type Solver, sgd } from "@curvature/optim-core";
import { checkObjective } from "./check-objective.js";
import { type OrdinalSolverName, ordinalSolverNames } from "./solver-names.js";
import { Svrg } from "./svrg.js";

export interface OrdinalSolverOptions {
  /** Default "svrg-sbb". */
  readonly solver?: OrdinalSolverName;
  /** Of the order of the comparisons. Default 0. */
  readonly seed?: number;
  /** b of the svrg solvers and of "sgd". Default 20, and 1 for "sgd". */
  readonly batchSize?: number;
  /** m of the svrg solvers, pairs of gradients in an epoch. Default N. */
  readonly epochLength?: number;
  /**
   * ε of "svrg-sbb", in the unit of the mean loss's curvature. Default 0.1/n, and 0.025/n for "tste", "soe" and
   * "logistic", but no more than the curvature at the start, which is small where the map is large.
   */
  readonly epsilon?: number;
  /**
   * B > 0, the length of the first epoch, pass or iteration in units of the gradient of the mean loss. Default: from
   * the curvature at the start (svrg), n/2 ("sgd"), a step of length 1 ("gd").
   */
  readonly initialStep?: number;
  /** The most that B may become in the svrg solvers. Default 1/ε, and 10⁴ n without an ε. */
  readonly maxStep?: number;
  /** δ ≥ 0 of "sgd": in pass k the step is B/(1 + δ k). Default 0.01. */
  readonly decay?: number;
  /** Whether the best point of the svrg solvers is the snapshot of least F, not the last one. Default true. */
  readonly keepBest?: boolean;
  /** Pairs that "lbfgs" keeps, at most 10,000. Default 10. */
  readonly memory?: number;
}

interface Settings {
  readonly solver: OrdinalSolverName;
  readonly seed: number;
  readonly batchSize: number | undefined;
  readonly epochLength: number | undefined;
  readonly epsilon: number | undefined;
  readonly initialStep: number | undefined;
  readonly maxStep: number | undefined;
  readonly decay: number;
  readonly keepBest: boolean;
  readonly memory: number;
}

export const ordinalSolverDefaults: Settings = Object.freeze({
  solver: "svrg-sbb",
  seed: 0,
  batchSize: undefined,
  epochLength: undefined,
  epsilon: undefined,
  initialStep: undefined,
  maxStep: undefined,
  decay: 0.01,
  keepBest: true,
  memory: 10,
});

/**
 * n ε by loss: ε has the unit of the mean loss's curvature, which falls with the number of objects. Measured on three
 * sets of 21 to 400 objects: four times as much costs epochs, a quarter of it now and then a start.
 */
const epsilonTimesObjects: Readonly<Record<OrdinalLossName, number>> = {
  gnmds: 0.1,
  ckl: 0.1,
  ste: 0.1,
  tste: 0.025,
  soe: 0.025,
  logistic: 0.025,
  "smooth-hinge": 0.1,
};

/**
 * @param X - the first embedding, n × p row-major; copied
 * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE
 */
export function createOrdinalSolver(
  objective: OrdinalObjective,
  X: Float64Array,
  options?: OrdinalSolverOptions,
): Solver {
  const settings = checkOptions<Settings>("createOrdinalSolver", options, ordinalSolverDefaults, {
    solver: oneOf(...ordinalSolverNames),
    seed: integerFrom(0),
    batchSize: optional(integerFrom(1)),
    epochLength: optional(integerFrom(1)),
    epsilon: optional(nonNegative),
    initialStep: optional(positive),
    maxStep: optional(positive),
    decay: nonNegative,
    keepBest: flag,
    memory: integerFrom(1, 10_000),
  });
  checkObjective("createOrdinalSolver", objective);
  switch (settings.solver) {
    case "lbfgs":
      return new Lbfgs(objective, X, { memory: settings.memory });
    case "gd": {
      const { initialStep } = settings;
      return new GradientDescent(objective, X, initialStep === undefined ? {} : { initialStep });
    }
    case "sgd": {
      const { seed, decay, batchSize = 1, initialStep = 0.5 * objective.comparisons.objects } = settings;
      return sgd(objective.sum, X, { seed, decay, batchSize, initialStep });
    }
    case "svrg-sbb":
    case "svrg-sbb0":
    case "svrg-bb":
    case "svrg":
      return svrg(objective, X, settings, settings.solver);
  }
}

function svrg(
  objective: OrdinalObjective,
  X: Float64Array,
  settings: Settings,
  name: "svrg-sbb" | "svrg-sbb0" | "svrg-bb" | "svrg",
): Svrg {
  const { objects } = objective.comparisons;
  const { seed, keepBest, batchSize = 20, epochLength, initialStep, epsilon, maxStep } = settings;
  const usualEpsilon = epsilonTimesObjects[objective.loss.name] / objects;
  const isFree = name === "svrg-sbb0" || name === "svrg-bb" || epsilon === 0;
  const exact = isFree
    ? 0
    : name === "svrg"
      ? undefined
      : (epsilon ?? (initialStep === undefined ? undefined : usualEpsilon));
  const limit = maxStep ?? (isFree ? 1e4 * objects : undefined);
  return new Svrg(objective.sum, X, {
    stepRule: name === "svrg-bb" ? "bb" : name === "svrg" ? "fixed" : "sbb",
    seed,
    keepBest,
    batchSize,
    ...(exact === undefined ? { usualEpsilon } : { epsilon: exact }),
    ...(limit === undefined ? {} : { maxStep: limit }),
    ...(epochLength === undefined ? {} : { epochLength }),
    ...(initialStep === undefined ? {} : { initialStep }),
  });
}
