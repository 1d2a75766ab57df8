export type { ComparisonSum } from "./comparison-sum.js";
export { type Comparisons, checkComparisons, comparisonCount } from "./comparisons.js";
export type { DifferenceLoss } from "./difference-loss.js";
export type { OrdinalLoss, OrdinalLossName } from "./loss.js";
export { type OrdinalLossOptions, ordinalLoss, ordinalLossNames, ordinalLossOptions } from "./losses.js";
export {
  errorShare,
  type OrdinalObjective,
  type OrdinalObjectiveOptions,
  ordinalObjective,
  ordinalObjectiveOptions,
} from "./objective.js";
