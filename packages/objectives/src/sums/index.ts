export { defaultMinibatchCount } from "@curvature/optim-core";
export { type IcaOptions, icaOptions, independentComponents } from "./ica.js";
export { type IsingOptions, isingModel, isingOptions } from "./ising.js";
export type { ParameterBlock } from "./layout.js";
export { type LogisticOptions, logisticOptions, logisticRegression } from "./logistic.js";
export type { MinibatchSum } from "./minibatch-sum.js";
export type { Labels } from "./minibatches.js";
export type {
  ConvolutionLayerShape,
  DenseLayerShape,
  LayerShape,
  Link,
  MaxPoolLayerShape,
  Model,
  ModelShape,
  OutputKind,
} from "./model.js";
export { type SoftmaxOptions, softmaxOptions, softmaxRegression } from "./softmax.js";
