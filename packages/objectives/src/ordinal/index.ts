export { type Comparisons, comparisonCount } from "./comparisons.js";
export type { OrdinalLoss, OrdinalLossName } from "./loss.js";
