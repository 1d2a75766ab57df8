/** What the view of sums lets one choose: each field stands here once, for links, controls, runs and code. */
import { flag, integerFrom, oneOf, positive } from "@curvature/linalg";
import { minimizeSumOptions } from "@curvature/optim-sfo";
import { number, optionalNumber, pick, wordsOf } from "../../controls/declared.js";
import type { SolverLooks } from "../../plot/solver-looks.js";
import { codec, type StateOf } from "../../state/codec.js";
import { list, ruled } from "../../state/fields.js";
import { isPlanar, type ObjectiveName } from "./problem-request.js";

const objectiveNames: Readonly<Record<ObjectiveName, string>> = {
  valleys: "Bent valleys, 2 parameters",
  bowls: "Long bowls, 2 parameters",
  lines: "A point near many lines, 2 parameters",
  softmax: "Digits: softmax regression, 650 parameters",
  mlp: "Digits: a network of 16 hidden units, 1,210 parameters",
};

export const solvers = {
  sfo: { name: "SFO", color: 0 },
  lbfgs: { name: "L-BFGS", color: 2, dash: [8, 4] },
  adam: { name: "Adam", color: 4, dash: [2, 4] },
  sgd: { name: "SGD", color: 3, dash: [10, 4, 2, 4] },
  adagrad: { name: "AdaGrad", color: 1, dash: [5, 3] },
} as const satisfies Readonly<Record<string, SolverLooks>>;
export type SolverName = keyof typeof solvers;
type RatedName = Extract<SolverName, "adam" | "sgd" | "adagrad">;
const solver = ruled(oneOf(...wordsOf(solvers)).default("sfo"));

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

/** Learning rates (of SGD the first step); left out, the tuned ones. */
export const rateFields = {
  adam: optionalNumber(positive, { label: "Rate of Adam", hint: "Empty: tuned for this sum." }),
  sgd: optionalNumber(positive, { label: "Rate of SGD" }),
  adagrad: optionalNumber(positive, { label: "Rate of AdaGrad" }),
};

export const fields = {
  objective: pick("valleys", objectiveNames, { label: "Sum" }),
  /** N, subfunctions (of data: minibatches); left out 30, and of data 25. */
  count: optionalNumber(integerFrom(2, 100), { label: "Functions", step: 1 }),
  solvers: list(solver, ["sfo", "lbfgs", "adam", "sgd"], { least: 1, most: wordsOf(solvers).length }),
  ...rateFields,
  /** Whose point is taken away. */
  model: solver,
  maxPasses: number(integerFrom(1, 200).default(20), { label: "Effective passes", step: 1 }),
  seed: number(minimizeSumOptions.entries.seed, { label: "Seed", step: 1 }),
  /** Whether the link runs by itself when it is opened. */
  run: ruled(flag.default(true)),
};
export type SumState = StateOf<typeof fields>;
export const sumCodec = codec<SumState>(fields);

export const countOf = ({ objective, count }: SumState): number => count ?? (isPlanar(objective) ? 30 : 25);

/** The solver as `createSumSolver` and the command line name it, with its rate behind a colon. */
export function solverWord(name: SolverName, state: SumState): string {
  if (name === "sfo" || name === "lbfgs") return name;
  return `${name}:${state[name] ?? tunedRates[state.objective][name]}`;
}

/** The solvers that run, in one order. */
export const runningSolvers = ({ solvers: chosen }: SumState): readonly SolverName[] =>
  wordsOf(solvers).filter((name) => chosen.includes(name));
