export { CurvatureError, type ErrorCode, type ErrorDetails } from "@curvature/linalg";
export type { Objective, SparseEvaluation, SumOfFunctions } from "./problem.js";
export type { RunResult, Status } from "./result.js";
export type {
  AskTellSolver,
  Iteration,
  Outcome,
  Point,
  Question,
  Snapshot,
  SnapshotValue,
  Solver,
} from "./solver.js";
