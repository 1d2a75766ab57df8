/** The layers of any network, convolutions and pooling among them, from their shapes. */
import { MatrixProduct } from "../sums/matrix-product.js";
import type { LayerShape } from "../sums/model.js";
import { activationNamed } from "./activations.js";
import type { Stage } from "./chain.js";
import { ConvolutionLayer } from "./convolution.js";
import type { Start } from "./dense.js";
import { denseStage } from "./dense-layers.js";
import { MaxPoolLayer } from "./max-pool.js";

/** @param rows - at most, of a call */
export function imageStages(layers: readonly LayerShape[], rows: number, start: Start): Stage[] {
  const product = new MatrixProduct();
  return layers.map((shape) => {
    if (shape.kind === "dense") return denseStage(shape, product, start);
    const { image, side } = shape;
    if (shape.kind === "max-pool")
      return { layer: new MaxPoolLayer(image, side, rows), activation: activationNamed("linear") };
    const { filters, biases, activation } = shape;
    const layer = new ConvolutionLayer(image, side, filters, biases, product);
    return { layer, activation: activationNamed(activation) };
  });
}
