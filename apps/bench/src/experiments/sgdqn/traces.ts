/**
 * Solvers of one problem side by side, pass by pass: after each pass the primal cost, the test error and the processor
 * time so far. Each solver is in a process of its own (`trace-process.ts`), warm after a pass that does not count; they
 * take turns pass by pass, and all are looked at by the same two functions, here.
 */
import { type LinearProblem, linearLoss, primalCost } from "@curvature/objectives/linear";
import {
  chooseStorage,
  createLinearSolver,
  type LinearSolverOptions,
  type StochasticOptions,
} from "@curvature/optim-sgdqn";
import { ownProcess, withProcesses } from "../../contestants/own-process.ts";
import { type Spread, spreadOf } from "../../spread.ts";
import { mediansOf } from "../../words.ts";
import { type LinearSet, seedsText, testError } from "./sets.ts";

export type Contestant =
  | { readonly name: string; readonly isBatch: false; readonly options: StochasticOptions }
  | { readonly name: string; readonly isBatch: true; readonly options: LinearSolverOptions };

/** Of the stochastic solvers. */
export function stochastic(name: string, options: StochasticOptions): Contestant {
  return { name, isBatch: false, options };
}

export function batch(name: string, options: LinearSolverOptions): Contestant {
  return { name, isBatch: true, options };
}

/** Those of the paper's figures 3 and 4, its way: t₀ searched for, steps explicit; and SGD-QN as it is here by default. */
export const paperContestants: readonly Contestant[] = [
  stochastic("SVMSGD2", { solver: "svmsgd2", t0: "search" }),
  stochastic("SGD-QN", { solver: "sgdqn", t0: "search" }),
  stochastic("SGD-QN of 2009", { solver: "sgdqn-2009", t0: "search" }),
  stochastic("oLBFGS", { solver: "olbfgs", t0: "search" }),
  stochastic("SGD-QN, defaults", { solver: "sgdqn" }),
];

/** What is solved, by name. */
export interface NamedProblem {
  /** Of the sets that are not drawn. */
  readonly folder: string | undefined;
  readonly set: string;
  readonly loss: "squared-hinge" | "logistic" | "hinge";
}

export interface TraceTask extends NamedProblem {
  readonly contestant: Contestant;
}

/** What a process tells after a pass. */
export interface Weighed {
  /** Processor time so far. */
  readonly seconds: number;
  readonly weights: Float64Array;
  readonly isEnded: boolean;
}

/** For the method of a report. */
export const METHOD =
  "Each solver is in a process of its own, warm after an uncounted pass, and they take turns pass by pass; seconds are those of the solver (the search for t₀ in them)";

/** For the repeats of a report. */
export const repeatsText = (repeats: number, sets: readonly string[]): string =>
  `${mediansOf(repeats, "order of the rows", "orders of the rows")}.${seedsText(sets)}`;

/** After a pass, over the seeds. */
export interface Look {
  readonly pass: number;
  readonly seconds: Spread;
  /** P */
  readonly cost: Spread;
  /** Percent. */
  readonly error: Spread;
}

/** After a pass of one seed. */
export type Seen = Readonly<Record<"seconds" | "cost" | "error", number>>;

/** A solver that has ended stays where it is. */
export function lookOver(runs: readonly (readonly Seen[])[], pass: number): Look {
  const at = runs.map((looks) => looks[Math.min(pass, looks.length - 1)]);
  return {
    pass,
    seconds: spreadOf(at.map(({ seconds }) => seconds)),
    cost: spreadOf(at.map(({ cost }) => cost)),
    error: spreadOf(at.map(({ error }) => error)),
  };
}

export interface PassTrace {
  readonly name: string;
  /** From pass 0, the start. */
  readonly looks: readonly Look[];
}

export function problemOf(
  { train, lambda }: LinearSet,
  loss: NamedProblem["loss"] = "squared-hinge",
): LinearProblem {
  return {
    targets: train.targets,
    rows: chooseStorage(train.rows),
    loss: linearLoss(loss),
    lambda,
    bias: "none",
  };
}

/**
 * @param named - what `set` and `problem` are
 * @param repeats - seeds, from 0
 */
export async function traces(
  named: NamedProblem,
  set: LinearSet,
  problem: LinearProblem,
  contestants: readonly Contestant[],
  passes: number,
  repeats: number,
): Promise<PassTrace[]> {
  const runs = contestants.map((): (readonly Seen[])[] => []);
  for (let seed = 0; seed < repeats; seed++) {
    const seeded = contestants.map((one) => withSeed(one, seed));
    const seen = await tracesOfOne(named, set, problem, seeded, passes);
    for (const [c, looks] of seen.entries()) runs[c].push(looks);
  }
  return contestants.map(({ name }, c) => {
    const most = Math.max(...runs[c].map((looks) => looks.length));
    return { name, looks: Array.from({ length: most }, (_, pass) => lookOver(runs[c], pass)) };
  });
}

const withSeed = (contestant: Contestant, seed: number): Contestant =>
  contestant.isBatch
    ? { ...contestant, options: { ...contestant.options, seed } }
    : { ...contestant, options: { ...contestant.options, seed } };

async function tracesOfOne(
  named: NamedProblem,
  set: LinearSet,
  problem: LinearProblem,
  contestants: readonly Contestant[],
  passes: number,
): Promise<Seen[][]> {
  const script = new URL("./trace-process.ts", import.meta.url);
  const starts = contestants.map(
    (contestant) => () =>
      ownProcess<TraceTask, number, Weighed>(contestant.name, script, { ...named, contestant }),
  );
  return withProcesses(starts, async (processes) => {
    const runs = processes.map((process) => ({ process, isEnded: false, looks: [] as Seen[] }));
    for (let pass = 0; pass <= passes; pass++)
      for (const run of runs) {
        if (run.isEnded) continue;
        const { seconds, weights, isEnded } = await run.process.turn(pass);
        run.looks.push({
          seconds,
          cost: primalCost(problem, weights),
          error: testError(set, weights),
        });
        run.isEnded = isEnded;
      }
    return runs.map(({ looks }) => looks);
  });
}

/** P*, or a value within 1e-5 of it. */
export function optimum(problem: LinearProblem): number {
  const isHinge = problem.loss.name === "hinge";
  const solver = createLinearSolver(problem, {
    solver: isHinge ? "dcd" : "newton",
    tolerance: isHinge ? 1e-5 : 1e-8,
    maxPasses: isHinge ? 500 : 5000,
  });
  for (let last = solver.step(); !("then" in last) && last.outcome === undefined; last = solver.step());
  return primalCost(problem, solver.best.x);
}
