/**
 * What "auto" runs, by loss, size and the accuracy that is asked for.
 */
import type { LinearLossName, LinearProblem } from "@curvature/objectives/linear";
import { FEW_COLUMNS } from "./newton/choose-system.js";
import { rowSweeps } from "./newton/sweeps/row-sweeps.js";

/** The solvers one after another; each but "dcd" begins where the one before ended. */
export type AutoStage = "asgd" | "svmsgd2" | "sgdqn" | "newton" | "dcd";

export interface AutoPlan {
  readonly stages: readonly AutoStage[];
  /** Of the first stage, where that is a stochastic one. */
  readonly stochasticPasses: number;
}

export interface AutoRequest {
  readonly accuracy: "objective" | "error";
  readonly hasInitial: boolean;
}

/** Rows from which two stochastic passes are as good as five. */
const MANY_ROWS = 1e5;
const SGDQN_PASSES = 10;
/** Root mean squares of columns that are too large, by themselves or beside their median. */
const LARGE_COLUMN = 100;

export function autoPlan(problem: LinearProblem, request: AutoRequest): AutoPlan {
  const { loss, bias, rows } = problem;
  const textPasses = rows.rows >= MANY_ROWS ? 2 : 5;
  const isLarge = rows.columns > FEW_COLUMNS;
  if (isLarge && request.accuracy === "error") return plan(["svmsgd2"], textPasses);
  if (loss.name === "hinge") return bias === "free" ? plan(["sgdqn"], SGDQN_PASSES) : plan(["dcd"]);
  if (isLarge) return plan(loss.name !== "logistic" && bias !== "free" ? ["dcd"] : ["newton"]);
  const isWarmBetter = !request.hasInitial && gainsByWarmStart.has(loss.name) && !isBadlyScaled(problem);
  return isWarmBetter ? plan(["asgd", "newton"], 1) : plan(["newton"]);
}

/** The logistic loss, since its systems cost most, and that without curvature at w = 0. */
const gainsByWarmStart: ReadonlySet<LinearLossName> = new Set(["logistic", "smoothed-hinge"]);

const plan = (stages: readonly AutoStage[], stochasticPasses = 0): AutoPlan => ({ stages, stochasticPasses });

/** Whether steps of one length for all columns must fail. Columns without entries do not count. */
export function isBadlyScaled({ rows, bias }: LinearProblem): boolean {
  const n = rows.rows;
  const squares = new Float64Array(rows.columns + (bias === "none" ? 0 : 1));
  rowSweeps(rows, bias).addSquares(new Float64Array(n).fill(1 / n), squares, 0, n);
  const sizes = squares
    .subarray(0, rows.columns)
    .filter((square) => square > 0)
    .map(Math.sqrt)
    .sort();
  if (sizes.length === 0) return false;
  const largest = sizes[sizes.length - 1];
  return largest > LARGE_COLUMN || largest > LARGE_COLUMN * sizes[sizes.length >> 1];
}
