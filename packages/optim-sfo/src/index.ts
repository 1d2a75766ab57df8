export { defaultMinibatchCount, type SumDetails } from "@curvature/optim-core";
export { type BlocksProblem, minimizeSum, type SumProblem } from "./minimize-sum.js";
export type { MinimizeSumResult, MinimizeSumWarningCode } from "./minimize-sum-run.js";
export {
  type MinimizeSumOptions,
  minimizeSumOptions,
  type SfoOptions,
  type SfoSettings,
  sfoOptions,
} from "./options.js";
export { Sfo, type SumShape } from "./sfo.js";
export {
  type DataObjective,
  type Minibatches,
  type MinibatchOptions,
  minibatchOptions,
  splitIntoMinibatches,
} from "./split-into-minibatches.js";
