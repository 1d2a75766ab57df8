import { badOption, integerFrom, nonNegative, positive } from "@curvature/linalg";

/**
 * "svrg-sbb": SVRG with stabilised Barzilai-Borwein steps; "svrg-sbb0": without ε; "svrg-bb": not stabilised at all;
 * "svrg": with a fixed step; "sgd", "gd", "lbfgs": what they are compared with.
 */
export type OrdinalSolverName = (typeof ordinalSolverNames)[number];

export const ordinalSolverNames = Object.freeze([
  "svrg-sbb",
  "svrg-sbb0",
  "svrg-bb",
  "svrg",
  "sgd",
  "gd",
  "lbfgs",
] as const);

/** The numbers of the paper's method, and of what it is compared with. */
export const solverEntries = {
  /** b of the svrg solvers and of "sgd", answers in a step. Left out: 20, and 1 for "sgd". */
  batchSize: integerFrom(1),
  /** m of the svrg solvers, pairs of gradients in an epoch. Left out: N. */
  epochLength: integerFrom(1),
  /**
   * ε of "svrg-sbb", in the unit of the mean loss's curvature. Left out: 0.1/n, and 0.025/n for "tste", "soe" and
   * "logistic", but no more than the curvature at the start, which is small where the map is large.
   */
  epsilon: nonNegative,
  /**
   * B = m η₀, the length of the first epoch, pass or iteration in units of the gradient of the mean loss. Left out: from
   * the curvature at the start (svrg), n/2 ("sgd"), a step of length 1 ("gd").
   */
  initialStep: positive,
  /** S of the svrg solvers' modular form, epochs after which the secant is forgotten (`modularSvrg`). Left out: never. */
  epochsPerModule: integerFrom(1),
};

const svrgNames: readonly string[] = ["svrg-sbb", "svrg-sbb0", "svrg-bb", "svrg"];

const numberNames = ["batchSize", "epochLength", "epsilon", "initialStep", "epochsPerModule"] as const;

/** The solvers that each of them is of. */
const solversOf: Readonly<Record<(typeof numberNames)[number], readonly string[]>> = {
  batchSize: [...svrgNames, "sgd"],
  epochLength: svrgNames,
  epsilon: ["svrg-sbb"],
  initialStep: [...svrgNames, "sgd", "gd"],
  epochsPerModule: svrgNames,
};

type SolverNumbers = Readonly<Record<keyof typeof solverEntries, number>>;

/** Those that are given. @throws CurvatureError ERR_OPTION for one that the solver does not use */
export function solverNumbers(
  where: string,
  solver: string,
  settings: { readonly [Name in keyof SolverNumbers]?: number | undefined },
): Partial<SolverNumbers> {
  const numbers: Partial<Record<keyof SolverNumbers, number>> = {};
  for (const name of numberNames) {
    const solvers = solversOf[name];
    const value = settings[name];
    if (value === undefined) continue;
    if (!solvers.includes(solver))
      throw badOption(where, name, `left out: it is of ${solvers.join(", ")}, and not of ${solver}`, value);
    numbers[name] = value;
  }
  return numbers;
}
