/**
 * Solvers of one problem side by side, pass by pass: after each pass the primal cost, the test error and the processor
 * time so far, looking left out. Solvers take turns pass by pass, after a pass of each that does not count (compiling).
 */
import { type LinearProblem, linearLoss, primalCost } from "@curvature/objectives/linear";
import type { Solver } from "@curvature/optim-core";
import {
  chooseStorage,
  createLinearSolver,
  createStochasticSolver,
  type LinearDetails,
  type LinearSolverOptions,
  type StochasticOptions,
} from "@curvature/optim-sgdqn";
import { cpuSeconds } from "../../processor.ts";
import { type LinearSet, testError } from "./sets.ts";

export interface Contestant {
  readonly name: string;
  start(problem: LinearProblem): Solver<LinearDetails>;
}

const endless = Number.MAX_SAFE_INTEGER;

/** Of the stochastic solvers; with the paper's t₀, searched for on a tenth of the rows. */
export function stochastic(name: string, options: StochasticOptions): Contestant {
  return { name, start: (problem) => createStochasticSolver(problem, { maxPasses: endless, ...options }) };
}

export function batch(name: string, options: LinearSolverOptions): Contestant {
  return { name, start: (problem) => createLinearSolver(problem, { tolerance: 1e-12, ...options }) };
}

/** Those of the paper's figures 3 and 4, its way: t₀ searched for, steps explicit; and SGD-QN as it is here by default. */
export const paperContestants: readonly Contestant[] = [
  stochastic("SVMSGD2", { solver: "svmsgd2", t0: "search" }),
  stochastic("SGD-QN", { solver: "sgdqn", t0: "search" }),
  stochastic("SGD-QN of 2009", { solver: "sgdqn-2009", t0: "search" }),
  stochastic("oLBFGS", { solver: "olbfgs", t0: "search" }),
  stochastic("SGD-QN, defaults", { solver: "sgdqn" }),
];

export interface Look {
  readonly pass: number;
  readonly seconds: number;
  /** P */
  readonly cost: number;
  /** Percent. */
  readonly error: number;
}

export interface PassTrace {
  readonly name: string;
  /** From pass 0, the start. */
  readonly looks: readonly Look[];
}

export function problemOf(
  { train, lambda }: LinearSet,
  loss: "squared-hinge" | "hinge" = "squared-hinge",
): LinearProblem {
  return {
    targets: train.targets,
    rows: chooseStorage(train.rows),
    loss: linearLoss(loss),
    lambda,
    bias: "none",
  };
}

class Traced {
  readonly looks: Look[];
  private readonly solver: Solver<LinearDetails>;
  private readonly set: LinearSet;
  private readonly problem: LinearProblem;
  private seconds = 0;
  private isEnded = false;

  constructor({ start }: Contestant, set: LinearSet, problem: LinearProblem) {
    this.set = set;
    this.problem = problem;
    const began = cpuSeconds();
    this.solver = start(problem);
    this.seconds = cpuSeconds() - began;
    this.looks = [];
    this.look(0);
  }

  /** Until the solver has made so many passes, or has ended. */
  advance(passes: number): void {
    if (this.isEnded) return;
    const began = cpuSeconds();
    for (let done = 0; done < passes && !this.isEnded; ) {
      const iteration = this.solver.step();
      if ("then" in iteration) throw new Error("linear models evaluate at once");
      done = iteration.passes + 1e-9;
      this.isEnded = iteration.outcome !== undefined;
    }
    this.seconds += cpuSeconds() - began;
    this.look(passes);
  }

  private look(pass: number): void {
    const w = this.solver.last.x;
    this.looks.push({
      pass,
      seconds: this.seconds,
      cost: primalCost(this.problem, w),
      error: testError(this.set, w),
    });
  }
}

export function traces(
  set: LinearSet,
  problem: LinearProblem,
  contestants: readonly Contestant[],
  passes: number,
): PassTrace[] {
  for (const contestant of contestants) new Traced(contestant, set, problem).advance(1);
  const runs = contestants.map((contestant) => new Traced(contestant, set, problem));
  for (let pass = 1; pass <= passes; pass++) for (const run of runs) run.advance(pass);
  return runs.map(({ looks }, k) => ({ name: contestants[k].name, looks }));
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
