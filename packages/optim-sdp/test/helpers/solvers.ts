/** Solvers of NOMAD by name, run to an end, with what their bounds say. */
import { maxIterations, runSync, type Solver } from "@curvature/optim-core";
import { Admm, BurerMonteiro, Multipliers, type NomadProblem, PrimalDual } from "@curvature/optim-sdp";
import { expect } from "vitest";
import type { ReferenceProblem } from "./reference.js";

export type SolverName = "auto" | "admm" | "bm" | "cg";

export interface Interval {
  readonly status: string;
  readonly lower: number;
  readonly upper: number;
  readonly gap: number;
}

function solverOf(
  name: SolverName,
  problem: NomadProblem,
  tolerance: number,
): Solver<Omit<Interval, "status">> {
  switch (name) {
    case "auto":
      return new PrimalDual(problem, { tolerance });
    case "admm":
      return new Admm(problem, { tolerance });
    case "bm":
      return new BurerMonteiro(problem, { tolerance });
    case "cg":
      return new Multipliers(problem, { tolerance, mode: "paper" });
  }
}

export function solve(
  name: SolverName,
  problem: NomadProblem,
  tolerance: number,
  iterations = 100_000,
): Interval {
  const { status, history } = runSync(solverOf(name, problem, tolerance), {
    stop: maxIterations(iterations),
    history: 1,
  });
  const { lower, upper, gap } = history[0].details;
  return { status, lower, upper, gap };
}

/** Whether both intervals hold the optimum, as far as their last digits say. */
export function expectOverlap(
  found: Interval,
  { lower, upper }: Pick<ReferenceProblem, "lower" | "upper">,
): void {
  const rounding = 1e-9 * (1 + Math.abs(upper));
  expect(found.lower).toBeLessThanOrEqual(upper + rounding);
  expect(found.upper).toBeGreaterThanOrEqual(lower - rounding);
}

/** Converged to a certified gap that overlaps the recorded interval. */
export function expectCertified(found: Interval, tolerance: number, recorded: ReferenceProblem): void {
  expect(found.status).toBe("converged");
  expect(found.gap).toBeLessThanOrEqual(tolerance);
  expectOverlap(found, recorded);
}
