export type { MinibatchSum, ParameterBlock } from "../sums/minibatch-sum.js";
export type { ActivationName } from "./activations.js";
export { type AutoencoderOptions, autoencoder, autoencoderDefaults } from "./autoencoder.js";
export type { ImageShape } from "./convolution.js";
export {
  type ConvolutionalNetworkOptions,
  convolutionalNetwork,
  convolutionalNetworkDefaults,
} from "./convolutional-network.js";
export { type DeepAutoencoderOptions, deepAutoencoder, deepAutoencoderDefaults } from "./deep-autoencoder.js";
export {
  type MultilayerPerceptronOptions,
  multilayerPerceptron,
  multilayerPerceptronDefaults,
} from "./multilayer-perceptron.js";
