/**
 * A solver for an ordinal objective by its name, with the options and defaults that were measured for this problem.
 */
import {
  badOption,
  integerFrom,
  nonNegative,
  type OptionsOf,
  oneOf,
  optionTable,
  positive,
  type SettingsOf,
} from "@curvature/linalg";
import type { OrdinalLossName, OrdinalObjective } from "@curvature/objectives/ordinal";
import { GradientDescent, Lbfgs, lbfgsOptions, type Solver, sgd } from "@curvature/optim-core";
import { ordinalSolverNames, solverEntries } from "./solver-names.js";
import { Svrg, svrgOptions } from "./svrg/svrg.js";

export const ordinalSolverOptions = optionTable({
  solver: oneOf(...ordinalSolverNames).default("svrg-sbb"),
  /** Of the order of the comparisons. */
  seed: integerFrom(0).default(0),
  ...solverEntries,
  /** The most that B may become in the svrg solvers. Left out: 1/ε, and 10⁴ n without an ε. */
  maxStep: positive,
  /** δ of "sgd": in pass k the step is B/(1 + δ k). */
  decay: nonNegative.default(0.01),
  /** Which point of the svrg solvers is the best one. */
  output: svrgOptions.entries.output,
  /** Pairs that "lbfgs" keeps. */
  memory: lbfgsOptions.entries.memory,
});
export type OrdinalSolverOptions = OptionsOf<typeof ordinalSolverOptions>;

/**
 * n ε by loss: ε has the unit of the mean loss's curvature, which falls with the number of objects. Measured on three
 * sets of 21 to 400 objects: four times as much costs epochs, a quarter of it now and then a start.
 */
const epsilonTimesObjects: Readonly<Record<OrdinalLossName | "custom", number>> = {
  gnmds: 0.1,
  ckl: 0.1,
  ste: 0.1,
  tste: 0.025,
  soe: 0.025,
  logistic: 0.025,
  "smooth-hinge": 0.1,
  custom: 0.1,
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
  const settings = ordinalSolverOptions.resolve("createOrdinalSolver", options);
  checkObjective("createOrdinalSolver", objective);
  switch (settings.solver) {
    case "lbfgs":
      return new Lbfgs(objective, X, { memory: settings.memory });
    case "gd":
      return new GradientDescent(objective, X, { initialStep: settings.initialStep });
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
  settings: SettingsOf<typeof ordinalSolverOptions>,
  name: "svrg-sbb" | "svrg-sbb0" | "svrg-bb" | "svrg",
): Svrg {
  const { objects } = objective.comparisons;
  const {
    seed,
    output,
    batchSize = 20,
    epochLength,
    initialStep,
    epsilon,
    maxStep,
    epochsPerModule,
  } = settings;
  const usualEpsilon = epsilonTimesObjects[objective.loss.name] / objects;
  const isFree = name === "svrg-sbb0" || name === "svrg-bb" || epsilon === 0;
  const exact = isFree
    ? 0
    : name === "svrg"
      ? undefined
      : (epsilon ?? (initialStep === undefined ? undefined : usualEpsilon));
  return new Svrg(objective.sum, X, {
    stepRule: name === "svrg-bb" ? "bb" : name === "svrg" ? "fixed" : "sbb",
    epsilon: exact,
    usualEpsilon,
    maxStep: maxStep ?? (isFree ? 1e4 * objects : undefined),
    ...{ seed, output, batchSize, epochLength, initialStep, restartEvery: epochsPerModule },
  });
}

/** @throws CurvatureError ERR_OPTION unless it is an objective of `ordinalObjective`, as far as its parts show */
export function checkObjective(where: string, objective: unknown): void {
  const isObjective =
    typeof objective === "object" && objective !== null && "comparisons" in objective && "sum" in objective;
  if (!isObjective) throw badOption(where, "the objective", "an objective of ordinalObjective", objective);
}
