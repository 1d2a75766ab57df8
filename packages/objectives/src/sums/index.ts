export { defaultMinibatchCount } from "@curvature/optim-core";
export { type IcaOptions, icaOptions, independentComponents } from "./ica.js";
export { type IsingOptions, isingModel, isingOptions } from "./ising.js";
export { type LogisticOptions, logisticOptions, logisticRegression } from "./logistic.js";
export type { MinibatchSum, ParameterBlock } from "./minibatch-sum.js";
export type { Labels } from "./minibatches.js";
export { type SoftmaxOptions, softmaxOptions, softmaxRegression } from "./softmax.js";
