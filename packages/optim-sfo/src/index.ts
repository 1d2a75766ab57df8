export { defaultMinibatchCount } from "@curvature/optim-core";
export type { SfoDetails } from "./details.js";
export { type MinimizeSumOptions, minimizeSumDefaults } from "./minimize-options.js";
export { type MinimizeSumResult, minimizeSum, type SumProblem } from "./minimize-sum.js";
export { type SfoOptions, type SfoSettings, sfoDefaults } from "./options.js";
export { Sfo } from "./sfo.js";
export {
  type DataObjective,
  type Minibatches,
  type MinibatchOptions,
  splitIntoMinibatches,
} from "./split-into-minibatches.js";
export type { SumShape } from "./sum-shape.js";
