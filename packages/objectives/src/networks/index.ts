export type { ParameterBlock } from "../sums/layout.js";
export type { MinibatchSum } from "../sums/minibatch-sum.js";
export type {
  ConvolutionLayerShape,
  DenseLayerShape,
  LayerShape,
  Link,
  MaxPoolLayerShape,
  Model,
  ModelShape,
  OutputKind,
} from "../sums/model.js";
export type { ActivationName } from "./activations.js";
export { type AutoencoderOptions, autoencoder, autoencoderOptions } from "./autoencoder.js";
export type { ImageShape } from "./convolution.js";
export {
  type ConvolutionalNetworkOptions,
  convolutionalNetwork,
  convolutionalNetworkOptions,
} from "./convolutional-network.js";
export { type DeepAutoencoderOptions, deepAutoencoder, deepAutoencoderOptions } from "./deep-autoencoder.js";
export { modelOfShape } from "./model-of-shape.js";
export {
  type MultilayerPerceptronOptions,
  multilayerPerceptron,
  multilayerPerceptronOptions,
} from "./multilayer-perceptron.js";
