/** Calls of networks. */
import * as networks from "@curvature/objectives/networks";
import { points } from "../problems.ts";
import { classNumbers, data, zeroOne } from "./arguments.ts";
import { call, usedSum } from "./call.ts";

const images = () => points(4, 784);
const shape = () => ({ height: 28, width: 28, channels: 1 });
const usedModel = ({ model }: networks.MinibatchSum): networks.Model => {
  if (model === undefined) throw new TypeError("a network has a model");
  return model;
};
export const networkCalls = {
  autoencoder: call(
    () => [data(), { hidden: 2 }],
    (X, o) => usedSum(Reflect.apply(networks.autoencoder, undefined, [X, o])),
    networks.autoencoderOptions.defaults,
  ),
  deepAutoencoder: call(
    () => [zeroOne(), {}],
    (...given) => usedSum(networks.deepAutoencoder(...given)),
    networks.deepAutoencoderOptions.defaults,
  ),
  multilayerPerceptron: call(
    () => [data(), classNumbers(), {}],
    (...given) => usedSum(networks.multilayerPerceptron(...given)),
    networks.multilayerPerceptronOptions.defaults,
  ),
  convolutionalNetwork: call(
    () => [images(), shape(), classNumbers(4), {}],
    (X, s, l, o) => usedSum(Reflect.apply(networks.convolutionalNetwork, undefined, [X, s, l, o])),
    networks.convolutionalNetworkOptions.defaults,
  ),
  modelOfShape: call(
    () => [usedModel(networks.multilayerPerceptron(data(), classNumbers())).shape],
    (shape) => networks.modelOfShape(shape),
  ),
  "Model.outputs": call(
    () => [new Float64Array(networks.autoencoder(data(), { hidden: 2 }).dimension), data()],
    (x, X) => usedModel(networks.autoencoder(data(), { hidden: 2 })).outputs(x, X),
  ),
};
