export { defaultMinibatchCount } from "@curvature/optim-core";
export {
  type MinimizeSumOptions,
  type MinimizeSumResult,
  type MinimizeSumWarningCode,
  minimizeSum,
  minimizeSumOptions,
  type SumProblem,
} from "./minimize-sum.js";
export { type SfoOptions, type SfoSettings, sfoOptions } from "./options.js";
export { Sfo, type SfoDetails, type SumShape } from "./sfo.js";
export {
  type DataObjective,
  type Minibatches,
  type MinibatchOptions,
  minibatchOptions,
  splitIntoMinibatches,
} from "./split-into-minibatches.js";
