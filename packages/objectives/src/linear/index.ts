export { checkLinearProblem, checkRows } from "./check.js";
export { primalCost, scores } from "./cost.js";
export { fingerprintOfLinear } from "./fingerprint.js";
export { type LinearLossOptions, linearLoss, linearLossDefaults, linearLossNames } from "./linear-loss.js";
export type { LinearLoss, LinearLossName } from "./loss.js";
export { linearObjective } from "./objective.js";
export { type Bias, type LinearProblem, parameterCount, type Rows } from "./problem.js";
export { isSparse, type RowAccess, rowAccess } from "./rows/access.js";
export { linearSum } from "./sum.js";
