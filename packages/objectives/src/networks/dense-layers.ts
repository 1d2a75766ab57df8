/** Dense layers, their place in x, and the option for their widths. */
import { finite, type Option, option } from "@curvature/linalg";
import { layoutOf } from "../sums/layout.js";
import { MatrixProduct } from "../sums/matrix-product.js";
import type { DenseLayerShape, ModelShape } from "../sums/model.js";
import { type ActivationName, activationNamed } from "./activations.js";
import type { Stage } from "./chain.js";
import { DenseLayer, type Start } from "./dense.js";

const isWidth = (width: unknown): width is number => Number.isSafeInteger(width) && Number(width) >= 1;

/** Of layers, `least` of them at least. */
export const widths = (least: number): Option<readonly number[]> =>
  option(
    `an array of whole numbers of at least 1${least === 0 ? "" : ", and not empty"}`,
    (value): value is readonly number[] =>
      Array.isArray(value) && value.length >= least && value.findIndex((width) => !isWidth(width)) < 0,
    (text) => text.split(",").map((width) => finite.read(width.trim())),
  );

/**
 * Layers between the given sizes.
 *
 * @param sizes - of inputs, hidden layers and outputs
 * @param activations - one for each layer
 */
export function denseLayers(
  sizes: readonly number[],
  activations: readonly ActivationName[],
): Pick<ModelShape, "inputs" | "layout"> & { readonly layers: readonly DenseLayerShape[] } {
  const layout = layoutOf(
    activations.flatMap((_, l) => [
      [`weights ${l + 1}`, sizes[l + 1], sizes[l]] as const,
      [`biases ${l + 1}`, 1, sizes[l + 1]] as const,
    ]),
  );
  const layers = activations.map(
    (activation, l) =>
      ({
        kind: "dense",
        weights: layout[2 * l],
        biases: layout[2 * l + 1],
        isTransposed: false,
        activation,
      }) as const,
  );
  return { inputs: sizes[0], layout, layers };
}

/** @param start - how weights are drawn; tied ones are drawn by the layer that they are tied to */
export const denseStages = (layers: readonly DenseLayerShape[], start: Start): Stage[] => {
  const product = new MatrixProduct();
  return layers.map((shape) => denseStage(shape, product, start));
};

export function denseStage(
  { weights, biases, isTransposed, activation }: DenseLayerShape,
  product: MatrixProduct,
  start: Start,
): Stage {
  if (typeof biases === "string")
    throw new TypeError(`a network has layers with biases of their own, not ${biases}`);
  const layer = new DenseLayer(weights, biases, product, isTransposed ? "none" : start, isTransposed);
  return { layer, activation: activationNamed(activation) };
}
