export { defaultMinibatchCount } from "@curvature/optim-core";
export { type IcaOptions, icaDefaults, independentComponents } from "./ica.js";
export { type IsingOptions, isingDefaults, isingModel } from "./ising.js";
export { type LogisticOptions, logisticDefaults, logisticRegression } from "./logistic.js";
export type { MinibatchSum, ParameterBlock } from "./minibatch-sum.js";
export type { Labels } from "./minibatches.js";
export { type SoftmaxOptions, softmaxDefaults, softmaxRegression } from "./softmax.js";
