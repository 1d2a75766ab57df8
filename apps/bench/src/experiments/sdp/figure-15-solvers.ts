/** The contestants of figure 15, each to its own end; a process of its own makes them run (`figure-15-process.ts`). */
import { zeros } from "@curvature/linalg";
import type { Iteration } from "@curvature/optim-core";
import {
  Admm,
  BurerMonteiro,
  gramOfPoints,
  Multipliers,
  type NomadProblem,
  PrimalDual,
  repairMatrix,
} from "@curvature/optim-sdp";
import { type OwnProcess, ownProcess } from "../../contestants/own-process.ts";
import { cpuSeconds } from "../../processor.ts";
import { solveByScs } from "./scs-run.ts";
import { digits } from "./sets.ts";

/** The first n digits, for so many seconds at most. */
export interface SolveTurn {
  readonly n: number;
  readonly most: number;
}

export interface Ended {
  /** Processor time. */
  readonly seconds: number;
  readonly iterations: number;
  readonly isDone: boolean;
  /** Tr(D Q) of a feasible point. */
  readonly lower: number;
}

interface Steps {
  step(): Iteration<unknown>;
}

export const K = 16;

export async function problemOf(n: number): Promise<NomadProblem> {
  const { points } = await digits(n);
  return { gram: gramOfPoints(points), clusters: K };
}

/** Steps until the solver ends or the time is over; of the whole, its making included. */
function timed<S extends Steps>(make: () => S, lowerOf: (solver: S) => number, most: number): Ended {
  const begun = cpuSeconds();
  const solver = make();
  for (let iterations = 1; ; iterations++) {
    const { outcome } = solver.step();
    const seconds = cpuSeconds() - begun;
    if (outcome !== undefined || seconds > most)
      return { seconds, iterations, isDone: outcome !== undefined, lower: lowerOf(solver) };
  }
}

type Solve = (problem: NomadProblem, most: number) => Ended;

/** Of a solver that reports its bounds as its best point's value. */
const bestValue = ({ best }: { readonly best: { readonly value: number | undefined } }): number =>
  best.value ?? Number.NEGATIVE_INFINITY;

const burerMonteiro =
  (rank: number): Solve =>
  (problem, most) =>
    timed(
      () => new BurerMonteiro(problem, { rank }),
      ({ lower }) => lower,
      most,
    );

/** As the authors' figure stops them. */
const conditionalGradients: Solve = (problem, most) =>
  timed(
    () =>
      new Multipliers(problem, {
        stop: "violation",
        largestViolation: 1e-2,
        meanViolation: 1e-4,
        tolerance: 0,
        boundsEvery: 1_000_000,
      }),
    (solver) => {
      const { n } = problem.gram;
      return repairMatrix(problem, { rows: n, columns: n, data: solver.last.x }, zeros(n, n));
    },
    most,
  );

export const contestants = {
  "Burer-Monteiro, r = 4 K": burerMonteiro(4 * K),
  "Burer-Monteiro, r = 8 K": burerMonteiro(8 * K),
  "conditional gradients": conditionalGradients,
  "ADMM to 1e-3": (problem, most) => timed(() => new Admm(problem, { tolerance: 1e-3 }), bestValue, most),
  "auto to 1e-3": (problem, most) =>
    timed(() => new PrimalDual(problem, { tolerance: 1e-3 }), bestValue, most),
  "SCS to 1e-4": (problem, most) => solveByScs(problem, 1e-4, most),
  "SCS to 1e-5": (problem, most) => solveByScs(problem, 1e-5, most),
} as const satisfies Readonly<Record<string, Solve>>;

export type ContestantName = keyof typeof contestants;

/** A process that has solved nothing yet. */
export const solverOf = (name: ContestantName) => (): Promise<OwnProcess<SolveTurn, Ended>> =>
  ownProcess(name, new URL("./figure-15-process.ts", import.meta.url), name);
