/**
 * The learners by their names, and what a row costs each of them.
 */
import type { LearnerSettings, RowLearner } from "../learner.js";
import { Asgd } from "./asgd.js";
import { NaiveSgd } from "./naive-sgd.js";
import { OnlineLbfgs } from "./olbfgs.js";
import { ScaledSgd } from "./scaled-sgd.js";
import { SgdQn } from "./sgd-qn.js";
import { SgdQn2009 } from "./sgd-qn-2009.js";
import { SvmSgd2 } from "./svmsgd2.js";

/**
 * - "sgd" stochastic gradient descent with scaled weights, O(nnz) a row
 * - "naive-sgd" the same steps in O(d) a row
 * - "svmsgd2" decays every `skip` rows
 * - "sgdqn" SGD-QN as corrected in 2010
 * - "sgdqn-2009" SGD-QN as printed in 2009
 * - "asgd" averaged
 * - "olbfgs" online L-BFGS
 */
export type StochasticSolverName = (typeof stochasticSolverNames)[number];

export const stochasticSolverNames = Object.freeze([
  "sgd",
  "naive-sgd",
  "svmsgd2",
  "sgdqn",
  "sgdqn-2009",
  "asgd",
  "olbfgs",
] as const);

/** A learner that has seen no row. The settings are taken as they are: `createStochasticSolver` checks them. */
export function createLearner(name: StochasticSolverName, settings: LearnerSettings): RowLearner {
  switch (name) {
    case "sgd":
      return new ScaledSgd(settings);
    case "naive-sgd":
      return new NaiveSgd(settings);
    case "svmsgd2":
      return new SvmSgd2(settings);
    case "sgdqn":
      return new SgdQn(settings);
    case "sgdqn-2009":
      return new SgdQn2009(settings);
    case "asgd":
      return new Asgd(settings);
    case "olbfgs":
      return new OnlineLbfgs(settings);
  }
}

/** Multiplications a row of `entries` stored entries, about. */
export function costPerRow(
  name: StochasticSolverName,
  entries: number,
  { columns, skip, memory }: Pick<LearnerSettings, "columns" | "skip" | "memory">,
): number {
  const sparse = 2 * entries + 10;
  switch (name) {
    case "sgd":
    case "asgd":
      return sparse;
    case "naive-sgd":
      return sparse + columns;
    case "svmsgd2":
      return sparse + columns / skip;
    case "sgdqn":
    case "sgdqn-2009":
      return sparse + (10 * columns) / skip;
    case "olbfgs":
      return sparse + (4 * memory + 8) * columns;
  }
}
