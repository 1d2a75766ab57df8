export type { LinearLoss, LinearLossName } from "./loss.js";
export { type Bias, type LinearProblem, parameterCount, type Rows } from "./problem.js";
