/**
 * What "auto" runs, by loss, size and the accuracy that is asked for.
 */
import { type LinearProblem, parameterCount } from "@curvature/objectives/linear";
import { FEW_COLUMNS } from "./newton/choose-system.js";

/**
 * The solvers one after another; each but "dcd" begins where the one before ended. "sample" is Newton's method on a
 * part of the rows.
 */
export type AutoStage = "sample" | "svmsgd2" | "sgdqn" | "newton" | "dcd";

export interface AutoPlan {
  readonly stages: readonly AutoStage[];
  /** Of the first stage, where that is a stochastic one. */
  readonly stochasticPasses: number;
  /** Rows of the sample, where that is the first stage. */
  readonly sampleRows: number;
}

export interface AutoRequest {
  readonly accuracy: "objective" | "error";
  readonly hasInitial: boolean;
}

/** Rows from which two stochastic passes are as good as five. */
const MANY_ROWS = 1e5;
const SGDQN_PASSES = 10;
/** A sample has a sixteenth of the rows, and 8 for each parameter; where that is more than 15 %, there is none. */
const SAMPLE_SHARE = 1 / 16;
const SAMPLES_PER_PARAMETER = 8;
const LARGEST_SHARE = 0.15;

export function autoPlan(problem: LinearProblem, request: AutoRequest): AutoPlan {
  const { loss, bias, rows } = problem;
  const textPasses = rows.rows >= MANY_ROWS ? 2 : 5;
  const isLarge = rows.columns > FEW_COLUMNS;
  if (isLarge && request.accuracy === "error") return plan(["svmsgd2"], textPasses);
  if (loss.name === "hinge") return bias === "free" ? plan(["sgdqn"], SGDQN_PASSES) : plan(["dcd"]);
  if (isLarge) return plan(loss.name !== "logistic" && bias !== "free" ? ["dcd"] : ["newton"]);
  const sampleRows = Math.max(
    SAMPLES_PER_PARAMETER * parameterCount(problem),
    Math.ceil(SAMPLE_SHARE * rows.rows),
  );
  return request.hasInitial || sampleRows > LARGEST_SHARE * rows.rows
    ? plan(["newton"])
    : plan(["sample", "newton"], 0, sampleRows);
}

const plan = (stages: readonly AutoStage[], stochasticPasses = 0, sampleRows = 0): AutoPlan => ({
  stages,
  stochasticPasses,
  sampleRows,
});
