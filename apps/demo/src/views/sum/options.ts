/** What the view of sums lets one choose, and how that reads in a link and as words of solvers. */
import { type Codec, codec } from "../../state/codec.js";
import { choice, flag, list, maybe, number, whole } from "../../state/fields.js";

export const planarNames = ["valleys", "bowls", "lines"] as const;
/** Of two variables, so that they can be drawn. */
export type PlanarName = (typeof planarNames)[number];

export const objectives = [...planarNames, "softmax", "mlp"] as const;
export type ObjectiveName = (typeof objectives)[number];

export const objectiveNames: Readonly<Record<ObjectiveName, string>> = {
  valleys: "Bent valleys, 2 parameters",
  bowls: "Long bowls, 2 parameters",
  lines: "A point near many lines, 2 parameters",
  softmax: "Digits: softmax regression, 650 parameters",
  mlp: "Digits: a network of 16 hidden units, 1,210 parameters",
};

export const isPlanar = (name: ObjectiveName): name is PlanarName =>
  planarNames.some((planar) => planar === name);

/** The grey value of full ink: pixels are divided by it. */
export const mostInk = 16;

/** Hidden units of the network. */
export const hiddenUnits = 16;

export const solvers = ["sfo", "lbfgs", "adam", "sgd", "adagrad"] as const;
export type SolverName = (typeof solvers)[number];
export type RatedName = Extract<SolverName, "adam" | "sgd" | "adagrad">;

export const solverNames: Readonly<Record<SolverName, string>> = {
  sfo: "SFO",
  lbfgs: "L-BFGS",
  adam: "Adam",
  sgd: "SGD",
  adagrad: "AdaGrad",
};

/**
 * The best by the least F in 20 passes, with seed 0 and as many functions as by default, of rates a factor of about 3
 * apart; those on both sides were worse. It is what a patient user would have found.
 */
export const tunedRates: Readonly<Record<ObjectiveName, Readonly<Record<RatedName, number>>>> = {
  valleys: { adam: 1, sgd: 0.03, adagrad: 1 },
  bowls: { adam: 0.1, sgd: 0.03, adagrad: 1 },
  lines: { adam: 0.03, sgd: 0.03, adagrad: 0.3 },
  softmax: { adam: 0.03, sgd: 3, adagrad: 0.3 },
  mlp: { adam: 0.03, sgd: 1, adagrad: 0.3 },
};

export interface SumState {
  readonly objective: ObjectiveName;
  /** N, subfunctions (of data: minibatches); undefined for 30, and of data for 25. */
  readonly count: number | undefined;
  readonly solvers: readonly SolverName[];
  /** Learning rates (of SGD the first step); undefined for the tuned ones. */
  readonly adam: number | undefined;
  readonly sgd: number | undefined;
  readonly adagrad: number | undefined;
  /** Whose point is taken away. */
  readonly model: SolverName;
  readonly passes: number;
  readonly seed: number;
  /** Whether the link runs by itself when it is opened. */
  readonly run: boolean;
}

export const countLimits = { low: 2, high: 100 } as const;
const rate = maybe(number(1e-8, 1e4));

export const sumCodec: Codec<SumState> = codec<SumState>(
  {
    objective: "valleys",
    count: undefined,
    solvers: ["sfo", "lbfgs", "adam", "sgd"],
    adam: undefined,
    sgd: undefined,
    adagrad: undefined,
    model: "sfo",
    passes: 20,
    seed: 0,
    run: true,
  },
  {
    objective: choice(objectives),
    count: maybe(whole(countLimits.low, countLimits.high)),
    solvers: list(choice(solvers), { least: 1, most: solvers.length }),
    adam: rate,
    sgd: rate,
    adagrad: rate,
    model: choice(solvers),
    passes: whole(1, 200),
    seed: whole(0, 2 ** 32 - 1),
    run: flag,
  },
);

export const countOf = ({ objective, count }: SumState): number => count ?? (isPlanar(objective) ? 30 : 25);

/** The solver as `createSumSolver` and the command line name it, with its rate behind a colon. */
export function solverWord(solver: SolverName, state: SumState): string {
  if (solver === "sfo" || solver === "lbfgs") return solver;
  return `${solver}:${state[solver] ?? tunedRates[state.objective][solver]}`;
}

/** The solvers that run, in one order. */
export const runningSolvers = ({ solvers: chosen }: SumState): readonly SolverName[] =>
  solvers.filter((solver) => chosen.includes(solver));
