/**
 * What a solver package says of its solver, so that the suite can try it.
 */
import type { Objective, SumOfFunctions } from "../problem.js";
import type { Solver } from "../solver.js";
import type { Faults } from "./faults.js";

export interface ConformanceCase {
  /** What the checks are called by. */
  readonly name: string;
  /**
   * A fresh solver with this seed, on a fresh copy of one and the same problem. Its evaluations go through `faults`
   * (`faults.objective(f)`, `faults.sum(F)`, or `faults.next()` for others).
   */
  create(seed: number, faults: Faults): Solver;
  /** The same on a problem of dimension 1, for solvers that can. */
  createTiny?(seed: number): Solver;
  /**
   * A solver of any objective, from x, for the checks of how it ends; with the relative error of the values where that is an
   * option of the solver's. Left out by solvers of other problems.
   */
  createOn?(objective: Objective, x: Float64Array, valueNoise?: number): Solver;
  /** A solver of any sum, from x, for the checks of how it ends. Left out by solvers of other problems. */
  createOnSum?(sum: SumOfFunctions, x: Float64Array, seed: number): Solver;
  /** Steps that are compared; enough to pass through everything that the solver does. Default 40. */
  readonly steps?: number;
  /** Steps to warm up, and then to measure the memory over; fewer for slow solvers. Default 1000. */
  readonly longSteps?: number;
  /** Which best values are better; "none" where best is not a matter of reported values. Default "minimize". */
  readonly sense?: "minimize" | "maximize" | "none";
  /** Whether evaluations go through `faults`. Default true. */
  readonly hasFaults?: boolean;
  /** The bits of the numbers of `steps` steps with seed 1, where they are to be held across engines. */
  readonly bits?: string;
  /** Bytes in use now (heap and array buffers), for the check that a step leaves nothing behind. */
  readonly bytesInUse?: () => number;
}

export interface ConformanceCheck {
  readonly name: string;
  /** Rejects with a CurvatureError that says what does not conform. */
  check(): Promise<void>;
}

/** Checks by what they say. */
export type Checks = Readonly<Record<string, () => Promise<void>>>;

export const stepsOf = ({ steps = 40 }: ConformanceCase): number => steps;
